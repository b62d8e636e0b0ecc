package search

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/cloud/nominatim"
)

// beyond is an answer of an upstream with two places: one in KG 88802, one in the north of Austria.
func beyond() string {
	at := fixture.At(5.5, 1.5)
	return fmt.Sprintf(`[{"display_name":"Wirtshaus, Ostdorf","osm_type":"node","osm_id":42,"lat":"%.7f","lon":"%.7f","category":"amenity","type":"pub","importance":0.31,"licence":"ODbL by them","address":{"road":"Am Platz","house_number":"1","village":"Ostdorf","country_code":"at"}},
{"display_name":"Gmünd","lat":48.77,"lon":14.98}]`, at.Lat(), at.Lon())
}

// withUpstream is the world of streets beside a stand-in for another geocoder.
func withUpstream(t *testing.T, answer http.HandlerFunc) (h http.Handler, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	up, err := nominatim.New(server.URL, "test@example.org")
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), publishStreets(t, streets), library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return handler(t, Deps{Library: lib, Version: "test", Now: func() time.Time { return epoch }, Geocoder: up}), asked
}

// TestTheUpstreamIsAskedLast: the project's own addresses answer alone where they know the text.
func TestTheUpstreamIsAskedLast(t *testing.T) {
	h, asked := withUpstream(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, beyond()) })
	w := get(h, "search/address_osm?q=Mozartgasse+7")
	if asked.Load() != 0 || strings.Contains(w.Body.String(), "upstream") || !strings.Contains(w.Body.String(), `"source":"register"`) ||
		w.Header().Get("ETag") == "" {
		t.Errorf("an own address: asked %d times, %v %s", asked.Load(), w.Header(), w.Body)
	}
	l := getList(t, h, "search/address_osm?q="+url.QueryEscape("Wirtshaus am Platz"))
	if asked.Load() != 1 || len(l.Data) != 2 || l.Meta["total"] != 2.0 {
		t.Fatalf("asked %d times: %v %v", asked.Load(), l.Data, l.Meta)
	}
	r := l.Data[0]
	for name, want := range map[string]any{"display_name": "Wirtshaus, Ostdorf", "osm_type": "node", "osm_id": 42.0, "class": "amenity",
		"place_type": "pub", "importance": 0.31, "house_number_match": nil,
		"nearest_kg": "88802", "license": "ODbL by them"} {
		if r[name] != want {
			t.Errorf("%s is %v, want %v", name, r[name], want)
		}
	}
	if a := r["address"].(map[string]any); a["road"] != "Am Platz" || a["house_number"] != "1" || a["city"] != "Ostdorf" {
		t.Errorf("address %v", a)
	}
	far := l.Data[1]
	if far["osm_id"] != nil || far["license"] != nominatim.DefaultLicence || far["nearest_kg"] == "" ||
		!strings.HasPrefix(far["source"].(string), "127.0.0.1:") {
		t.Errorf("a place without anything: %v", far)
	}
	m := l.Meta["upstream"].(map[string]any)
	if m["state"] != "answered" || m["kept"] != false || m["license"] != "ODbL by them" || m["source"] != far["source"] {
		t.Errorf("meta %v", m)
	}
	again := get(h, "search/address_osm?limit=1&format=geojson&q="+url.QueryEscape("wirtshaus  AM platz"))
	if asked.Load() != 1 || !strings.Contains(again.Body.String(), `"kept":true`) || strings.Contains(again.Body.String(), "Gmünd") ||
		!strings.Contains(again.Body.String(), `"type":"Point"`) {
		t.Errorf("the same again: asked %d times\n%s", asked.Load(), again.Body)
	}
	if again.Header().Get("ETag") != "" || again.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("what others know is kept: %v", again.Header())
	}
	if second := getList(t, h, "search/address_osm?limit=1&offset=1&q="+url.QueryEscape("Wirtshaus am Platz")); len(second.Data) != 1 ||
		second.Data[0]["display_name"] != "Gmünd" {
		t.Errorf("the second page: %v", second.Data)
	}
}

// upstreamColumns are the columns upstream and source of a batch's rows, and its meta.
func upstreamColumns(t *testing.T, h http.Handler, queries ...string) (rows []string, meta map[string]any) {
	t.Helper()
	var in struct {
		Queries []addressAsked `json:"queries"`
	}
	for _, q := range queries {
		in.Queries = append(in.Queries, addressAsked{Q: q})
	}
	body, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	w := fixture.Ask(h, "POST", "/api/v1/search/address_osm", string(body))
	var a struct {
		Data []map[string]any
		Meta struct{ Upstream map[string]any }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 || len(a.Data) != len(queries) {
		t.Fatal(w.Code, err, w.Body)
	}
	for _, r := range a.Data {
		of := "nobody"
		if s, ok := r["source"].(string); ok && s != "register" {
			of = fmt.Sprint("upstream ", r["nearest_kg"])
		} else if ok {
			of = s
		}
		rows = append(rows, fmt.Sprint(r["upstream"], ": ", of))
	}
	return rows, a.Meta.Upstream
}

// TestABatchAsksAFewTimes: queries without an own place are asked for in their order, five at most beside those whose
// answer is kept; the rows say which were not.
func TestABatchAsksAFewTimes(t *testing.T) {
	t.Parallel() // it waits for its turns, a second each
	h, asked := withUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("q") == "nirgends 2" {
			fmt.Fprint(w, "[]")
			return
		}
		fmt.Fprint(w, beyond())
	})
	rows, meta := upstreamColumns(t, h, "Nirgends 1", "Mozartgasse 7", "Nirgends 2", "Nirgends 3", "Nirgends 1", "Nirgends 4", "Nirgends 5",
		"Nirgends 6", "nirgends  3")
	found, register, none, left := "answered: upstream 88802", "<nil>: register", "answered: nobody", "not_asked: nobody"
	if want := []string{found, register, none, found, found, found, found, left, found}; !slices.Equal(rows, want) ||
		asked.Load() != batchAsks {
		t.Errorf("asked %d times:\nwant %v\ngot  %v", asked.Load(), want, rows)
	}
	if meta["asked"] != float64(batchAsks) || meta["not_asked"] != 1.0 || meta["license"] != "ODbL by them" ||
		!strings.HasPrefix(meta["source"].(string), "127.0.0.1:") {
		t.Errorf("meta %v", meta)
	}
	if rows, meta := upstreamColumns(t, h, "Mozartgasse 7"); rows[0] != register || meta != nil || asked.Load() != batchAsks {
		t.Errorf("own places only: %v %v, asked %d times", rows, meta, asked.Load())
	}
	w := fixture.Ask(h, "POST", "/api/v1/search/address_osm?format=csv", `{"queries":[{"q":"Nirgends 1"}]}`)
	if body := w.Body.String(); w.Code != 200 || w.Header().Get("Cache-Control") != "no-store" || !strings.Contains(body, "Wirtshaus") ||
		!strings.Contains(body, "answered") || !strings.Contains(body, "ODbL by them") {
		t.Errorf("%d %v %s", w.Code, w.Header(), body)
	}
}

// TestABatchWhoseUpstreamFails: the first failure ends the asking, and the own places are there.
func TestABatchWhoseUpstreamFails(t *testing.T) {
	h, asked := withUpstream(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	rows, meta := upstreamColumns(t, h, "Nirgends 1", "Nirgends 2", "Mozartgasse 7")
	if want := []string{"failed: nobody", "not_asked: nobody", "<nil>: register"}; !slices.Equal(rows, want) || asked.Load() != 1 ||
		meta["asked"] != 1.0 || meta["not_asked"] != 1.0 {
		t.Errorf("want %v, got %v, %v, asked %d times", want, rows, meta, asked.Load())
	}
	if rows, _ := upstreamColumns(t, h, "Nirgends 3"); rows[0] != "busy: nobody" || asked.Load() != 1 {
		t.Errorf("while it is left alone: %v, asked %d times", rows, asked.Load())
	}
}

// TestTheContextAsksToo: its address_osm asks the upstream, and says of no point in which KG it lies.
func TestTheContextAsksToo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, beyond()) }))
	t.Cleanup(server.Close)
	up, err := nominatim.New(server.URL, "test@example.org")
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), publishStreets(t, streets), library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := Deps{Library: lib, Now: func() time.Time { return epoch }, Geocoder: up}
	h, err := d.Service("places", "Places.", Places(d)).Handler()
	if err != nil {
		t.Fatal(err)
	}
	l := getList(t, h, "search/address_osm?q=Wirtshaus")
	if len(l.Data) != 2 || l.Data[0]["display_name"] != "Wirtshaus, Ostdorf" || l.Data[0]["nearest_kg"] != nil ||
		l.Meta["upstream"] == nil {
		t.Errorf("%v %v", l.Data, l.Meta)
	}
	if l := getList(t, h, "search/address_osm?q=Mozartgasse+7"); len(l.Data) == 0 || l.Data[0]["nearest_kg"] == nil {
		t.Errorf("an own address: %v", l.Data)
	}
}

// TestAnUpstreamThatFails: whatever it does, the answer is empty and says so.
func TestAnUpstreamThatFails(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"429":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) },
		"500":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"no JSON": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"hostile": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("[", 100_000)) },
		"cut":     func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		h, asked := withUpstream(t, answer)
		for _, want := range []string{"failed", "busy"} {
			w := get(h, "search/address_osm?q="+want+"+nirgends")
			if w.Code != 200 || !strings.Contains(w.Body.String(), `"data":[]`) ||
				!strings.Contains(w.Body.String(), `"state":"`+want+`"`) || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%s: want %s, got %d %v %s", name, want, w.Code, w.Header(), w.Body)
			}
		}
		if asked.Load() != 1 {
			t.Errorf("%s: asked %d times", name, asked.Load())
		}
		if w := get(h, "search/address_osm?q=Mozartgasse+7"); w.Code != 200 || !strings.Contains(w.Body.String(), "Mozartgasse 7") {
			t.Errorf("%s: an own address: %d", name, w.Code)
		}
	}
}

// TestNoUpstream: without a setting nothing is said of one, and the answer is kept as before.
func TestNoUpstream(t *testing.T) {
	w := get(streetWorld(t), "search/address_osm?q=Nirgends")
	if w.Code != 200 || strings.Contains(w.Body.String(), "upstream") || w.Header().Get("ETag") == "" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}
