package siblingcheck

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/functions/sibling"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// noise is a sibling that measures noise: one KG of three parcels, or points.
type noise struct{}

var heard = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func (noise) Covered(context.Context) ([]austria.KGCode, error) {
	return []austria.KGCode{"01004", "14168"}, nil
}

func (noise) State(_ context.Context, codes []austria.KGCode) (string, time.Time, error) {
	for _, c := range codes {
		if c == "01004" || c == "14168" {
			return "state", heard, nil
		}
	}
	if codes == nil {
		return "all", heard, nil
	}
	return "", time.Time{}, nil
}

func (noise) KG(_ context.Context, code austria.KGCode) (*sibling.Block, error) {
	if code != "01004" && code != "14168" {
		return nil, nil
	}
	return &sibling.Block{KG: code, Gemeinde: "90001", AsOf: "2025", Updated: heard, Source: "made up",
		Metrics: []float64{51.5, math.NaN(), 12.5},
		History: []sibling.Past{{AsOf: "2021", Metrics: []float64{50}}, {AsOf: "2023", Metrics: []float64{51, 3}}},
		Elements: func(yield func(*sibling.Element) bool) {
			for i := range 3 {
				if !yield(&sibling.Element{ID: fmt.Sprintf("%s-%d/1", code, i), Lon: 163_000_000, Lat: 482_000_000,
					Metrics: []float64{float64(i)}}) {
					return
				}
			}
		}}, nil
}

func (noise) Parcel(_ context.Context, id austria.ParcelID) (*sibling.Block, error) {
	if id.KG != "01004" && id.KG != "14168" {
		return nil, nil
	}
	return &sibling.Block{KG: id.KG, Gemeinde: "90001", AsOf: "2025", Updated: heard, Source: "made up", Metrics: []float64{7}}, nil
}

func service(g sibling.Granularity, d sibling.Data) sibling.Service {
	return sibling.Service{Slug: "noise", Dataset: "Noise of streets", Granularity: g, License: "CC BY 4.0", Data: d,
		Metrics: []sibling.Metric{{Key: "mean_db", Unit: "dB", Doc: "mean", Decimals: 1}, {Key: "sources", Doc: "sources"},
			{Key: "loud_area_ha", Unit: "ha", Doc: "louder than 60 dB", Decimals: 2}},
		ElementMetrics: []sibling.Metric{{Key: "mean_db", Unit: "dB", Doc: "mean", Decimals: 1}}}
}

// serve is the sibling on 127.0.0.1, behind what spoils it.
func serve(t *testing.T, s sibling.Service, spoil func(http.Handler) http.Handler) string {
	t.Helper()
	svc := &endpoint.Service{System: "noise", Title: "Noise", Endpoints: sibling.Endpoints(s),
		Pin: func(ctx context.Context) (context.Context, reply.Generation, error) {
			return ctx, reply.Generation{ID: "g1"}, nil
		}}
	h, err := svc.Handler()
	if err != nil {
		t.Fatal(err)
	}
	h = endpoint.Mount("/noise", h)
	if spoil != nil {
		h = spoil(h)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL + "/noise"
}

// The services that the project builds keep the contract, whatever the granularity, and also one that has nothing.
func TestGoodSiblings(t *testing.T) {
	for _, g := range []sibling.Granularity{sibling.Gemeinde, sibling.Point, sibling.Parcel} {
		r, err := Check(t.Context(), serve(t, service(g, noise{}), nil), Options{})
		if err != nil || !r.Good() || r.Service != "noise" || r.KGs != 2 {
			t.Errorf("%s: %v\n%s", g, err, r)
		}
	}
	r, err := Check(t.Context(), serve(t, sibling.Service{Slug: "empty", Dataset: "Nothing", Granularity: sibling.Gemeinde}, nil),
		Options{})
	if err != nil || !r.Good() || r.KGs != 0 || len(r.Checked) != 1 {
		t.Errorf("a service without data: %v\n%s", err, r)
	}
}

// edited changes the JSON of the answers at some paths.
func edited(paths string, change func(m map[string]any)) func(http.Handler) http.Handler {
	return rewritten(paths, func(w *httptest.ResponseRecorder, _ *http.Request) {
		var m map[string]any
		if w.Code == 200 && json.Unmarshal(w.Body.Bytes(), &m) == nil {
			change(m)
			b, _ := json.Marshal(m)
			w.Body = bytes.NewBuffer(b)
			w.Header().Del("Content-Length")
		}
	})
}

// rewritten changes the answers at some paths.
func rewritten(paths string, change func(*httptest.ResponseRecorder, *http.Request)) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec := httptest.NewRecorder()
			r.Header.Del("Accept-Encoding") // what is rewritten is not compressed
			h.ServeHTTP(rec, r)
			if strings.Contains(r.URL.Path, paths) {
				change(rec, r)
			}
			for k, v := range rec.Header() {
				if k != "Content-Length" {
					w.Header()[k] = v
				}
			}
			w.WriteHeader(rec.Code)
			_, _ = w.Write(rec.Body.Bytes())
		})
	}
}

// Broken siblings, each with the one fault that has to be told, and no other rule.
func TestBrokenSiblings(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(http.Handler) http.Handler
		want  []string // what the findings hold, in order
	}{
		{"an empty 200 where there is no data", rewritten("/llm/kg/99999", func(w *httptest.ResponseRecorder, r *http.Request) {
			if r.Method == "GET" {
				w.Code, w.Body = 200, bytes.NewBufferString(`{}`)
			}
		}), []string{"the status is 200"}},
		{"500 where there is no data", rewritten("/llm/kg/99999", func(w *httptest.ResponseRecorder, r *http.Request) { w.Code = 500 }),
			[]string{"the status is 500"}},
		{"another body where there is no data", rewritten("/llm/kg/99999", func(w *httptest.ResponseRecorder, r *http.Request) {
			w.Body = bytes.NewBufferString(`{"error":"not found","status":404}`)
		}), []string{`the body is {"error":"not found"`}},
		{"no alias", rewritten(".json", func(w *httptest.ResponseRecorder, r *http.Request) {
			if strings.Contains(r.URL.Path, "/kg/") {
				w.Code = 404
			}
		}), []string{"the status is 404"}},
		{"numbers as texts", edited("/llm/kg/", func(m map[string]any) { m["metrics"].(map[string]any)["mean_db"] = "51.5" }),
			[]string{`metrics.mean_db is the text "51.5"`}},
		{"keys in camelCase that nothing explains", edited("/llm/kg/", func(m map[string]any) {
			m["metrics"].(map[string]any)["meanDb"] = 1
		}), []string{"no snake_case", "unit_glossary lacks meanDb"}},
		{"an area without a unit", edited("/llm/kg/", func(m map[string]any) {
			m["metrics"].(map[string]any)["quiet_area"] = 1
			m["unit_glossary"].(map[string]any)["quiet_area"] = "m²"
		}), []string{"the key quiet_area says no unit"}},
		{"history that falls", edited("/llm/kg/", func(m map[string]any) {
			h := m["history"].([]any)
			h[0], h[1] = h[1], h[0]
		}), []string{"2021 stands behind 2023"}},
		{"no validators", rewritten("/llm/kg/", func(w *httptest.ResponseRecorder, _ *http.Request) {
			w.Header().Del("ETag")
			w.Header().Del("Last-Modified")
		}), []string{"there is no ETag", "there is no Last-Modified"}},
		{"an ETag that is not looked at", func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.Header.Del("If-None-Match")
				h.ServeHTTP(w, r)
			})
		}, []string{"the status is 200 with"}},
		{"closed to other origins", rewritten("", func(w *httptest.ResponseRecorder, _ *http.Request) {
			w.Header().Set("Access-Control-Allow-Origin", "https://example.org")
		}), []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Origin", "Access-Control-Allow-Origin",
			"Access-Control-Allow-Origin"}},
		{"any number of codes", func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Count(r.URL.RawQuery, ",") >= 500 {
					r.URL.RawQuery = "codes=01004"
				}
				h.ServeHTTP(w, r)
			})
		}, []string{"the status is 200"}},
		{"a postal code as a key", edited("/manifest.json", func(m map[string]any) { m["join_keys"] = []any{"plz"} }),
			[]string{`join_keys holds the text "plz"`}},
		{"another slug in the payload", edited("/llm/kg/", func(m map[string]any) { m["service"] = "noise2" }),
			[]string{`service is the text "noise2"`}},
		{"codes as numbers", edited("/llm/kg/", func(m map[string]any) { m["kg_code"], m["gemeinde_code"] = 1004, 90001 }),
			[]string{"kg_code is the number 1004", "kg_code is the number 1004", "gemeinde_code is the number 90001"}},
		{"a coverage that counts wrong", edited("/manifest.json", func(m map[string]any) { m["kg_count"] = 7850 }),
			[]string{"the manifest says 7850 KGs, the list has 2"}},
		{"parcels that cannot be asked for", rewritten("/llm/parcel/", func(w *httptest.ResponseRecorder, _ *http.Request) {
			w.Code = 404
		}), []string{"the status is 404"}},
		{"it can be written to", rewritten("/llm/kg/", func(w *httptest.ResponseRecorder, r *http.Request) {
			if r.Method == "POST" {
				w.Code = 200
			}
		}), []string{"the status is 200"}},
		{"axes swapped", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := service(sibling.Parcel, noise{})
			if c.spoil == nil {
				s.Granularity, c.want = sibling.Point, []string{"lies at lon 48.2, lat 16.3"}
				c.spoil = edited("/llm/kg/", func(m map[string]any) {
					for _, p := range m["points"].([]any) {
						e := p.(map[string]any)
						e["lon"], e["lat"] = e["lat"], e["lon"]
					}
				})
			}
			r, err := Check(t.Context(), serve(t, s, c.spoil), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Findings) != len(c.want) {
				t.Fatalf("want %d findings, got\n%s", len(c.want), r)
			}
			for i, f := range r.Findings {
				if !strings.Contains(f.Says, c.want[i]) || f.Rule == "" || f.Address == "" {
					t.Errorf("finding %d: want %q, got\n%s", i+1, c.want[i], r)
				}
			}
			if text := r.String(); !strings.Contains(text, "Rule: ") || !strings.Contains(text, r.Findings[0].Says) {
				t.Errorf("got %s", text)
			}
		})
	}
}

func TestWhatCannotBeAsked(t *testing.T) {
	for _, base := range []string{"", "127.0.0.1:8080", "ftp://127.0.0.1/x"} {
		if _, err := Check(t.Context(), base, Options{}); err == nil || !strings.Contains(err.Error(), "want the address of a service") {
			t.Errorf("%q: %v", base, err)
		}
	}
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	if _, err := Check(t.Context(), server.URL, Options{}); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("nobody listens: %v", err)
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>hello</html>") }))
	defer page.Close()
	r, err := Check(t.Context(), page.URL, Options{KG: "01004"})
	if err != nil || r.Good() {
		t.Errorf("a web page: %v %s", err, r)
	}
}

func FuzzCoverage(f *testing.F) {
	f.Add([]byte(`{"kg_codes":["01004"]}`))
	f.Add([]byte(`[{"kg_code":"01004"},1]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		codes, ok := codesIn(body)
		for _, c := range codes {
			if !ok || !fiveDigit.MatchString(c) {
				t.Errorf("%q: %v", body, codes)
			}
		}
	})
}
