package info

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/functions/cadastre/table"
	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/functions/licence"
	"mappe/shared/cloud/store"
)

func serve(t *testing.T) (http.Handler, store.Store) {
	t.Helper()
	s := fixture.Store(t)
	lib := fixture.Library(t, s)
	h := fixture.Handler(t, New(Deps{Deps: core.Deps{Library: lib}, Described: table.Endpoints()}))
	return h, s
}

// The text describes every endpoint of the service with its parameters, those of other families too, and the same
// table gives the same text.
func TestTheTextDescribesEveryEndpoint(t *testing.T) {
	h, _ := serve(t)
	w := fixture.Ask(h, "GET", "/api/v1/docs/llm.txt", "")
	text := w.Body.String()
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Fatalf("got %d %v", w.Code, w.Header())
	}
	for _, e := range table.Endpoints() {
		if !strings.Contains(text, "### "+e.Method+" "+e.Path+"\n") {
			t.Errorf("%s %s is not described", e.Method, e.Path)
		}
	}
	for _, want := range []string{"### POST /api/v1/feedback\n", "### GET /llm/kg/{kg_code}\n", "- gnr (string, required): ",
		"- limit (integer, default 20 from 1 to 100)", "# The contract of sibling services", "one of added|removed|changed"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	tag := w.Header().Get("ETag")
	if again := fixture.Ask(h, "GET", "/api/v1/docs/llm.txt", "", "If-None-Match", tag); tag == "" || again.Code != 304 ||
		again.Body.Len() > 0 {
		t.Errorf("the same text again: %d", again.Code)
	}
}

func TestTheContractAlone(t *testing.T) {
	h, _ := serve(t)
	for _, q := range []string{"section=integration", "integration=1", "section=integration&integration=true", "integration"} {
		w := fixture.Ask(h, "GET", "/api/v1/docs/llm.txt?"+q, "")
		if text := w.Body.String(); w.Code != 200 || !strings.HasPrefix(text, "# The contract of sibling services") ||
			strings.Contains(text, "### ") || strings.Contains(text, "{base_url}") {
			t.Errorf("%s: %d %.200s", q, w.Code, text)
		}
	}
	if w := fixture.Ask(h, "GET", "/api/v1/docs/llm.txt?tag=Search", ""); w.Code != 200 ||
		!strings.Contains(w.Body.String(), "- example: /api/v1/search/") || strings.Contains(w.Body.String(), "### GET /api/v1/query\n") {
		t.Errorf("one tag: %d %.300s", w.Code, w.Body)
	}
	if w := fixture.Ask(h, "GET", "/api/v1/docs/llm.txt?tag=Serch", ""); w.Code != 400 ||
		!strings.Contains(w.Body.String(), "did you mean Search?") {
		t.Errorf("an unknown tag: %d %.300s", w.Code, w.Body)
	}
	if w := fixture.Ask(h, "GET", "/api/v1/docs/llm.txt?section=endpoints", ""); strings.Contains(w.Body.String(), "# The contract") ||
		!strings.Contains(w.Body.String(), "### GET /api/v1/query\n") {
		t.Errorf("section=endpoints holds the contract, or no endpoint")
	}
	for _, q := range []string{"section=other", "section=endpoints&integration=1", "part=1"} {
		if w := fixture.Ask(h, "GET", "/api/v1/docs/llm.txt?"+q, ""); w.Code != 400 {
			t.Errorf("%s: want 400, got %d", q, w.Code)
		}
	}
}

// The page is the one at /docs, with its policy, and needs no data.
func TestThePage(t *testing.T) {
	h, s := serve(t)
	if err := s.Delete(t.Context(), "current.json"); err != nil {
		t.Fatal(err)
	}
	a, b := fixture.Ask(h, "GET", "/api/v1/docs", ""), fixture.Ask(h, "GET", "/docs", "")
	if a.Code != 200 || a.Body.String() != b.Body.String() || a.Header().Get("Content-Security-Policy") == "" ||
		a.Header().Get("Content-Security-Policy") != b.Header().Get("Content-Security-Policy") {
		t.Errorf("got %d %v", a.Code, a.Header())
	}
}

func TestLicences(t *testing.T) {
	h, _ := serve(t)
	var got struct {
		Data []struct {
			Source_id, License, License_url, Attribution    string
			Obligations                                     []licence.Obligation
			Served, In_exports, Share_alike, Commercial_use bool
		}
		Obligations []licence.Terms
	}
	w := fixture.Ask(h, "GET", "/api/v1/license", "")
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatal(err, w.Body)
	}
	terms := map[licence.Obligation]bool{}
	for _, o := range got.Obligations {
		terms[o.ID] = o.Text != ""
	}
	seen := map[string]bool{}
	for _, s := range got.Data {
		if seen[s.Source_id] || s.License == "" || s.Attribution == "" || !strings.HasPrefix(s.License_url, "https://") ||
			len(s.Obligations) == 0 {
			t.Errorf("%+v", s)
		}
		seen[s.Source_id] = true
		for _, o := range s.Obligations {
			if !terms[o] {
				t.Errorf("%s: nothing explains %s", s.Source_id, o)
			}
		}
		if s.In_exports && (s.Share_alike || !s.Commercial_use) {
			t.Errorf("%s: exports hold nothing that is share-alike or non-commercial", s.Source_id)
		}
		if !s.Commercial_use && s.Served {
			t.Errorf("%s is non-commercial and served", s.Source_id)
		}
	}
	if bev := got.Data[0]; bev.Source_id != "bev_cadastre" || bev.Attribution != "© BEV, 2026, modified" ||
		!slices.Contains(bev.Obligations, licence.NoEndorsement) {
		t.Errorf("the survey office is named with the year of the data: %+v", bev)
	}
	if csv := fixture.Ask(h, "GET", "/api/v1/license?format=csv", ""); csv.Code != 200 ||
		!strings.Contains(csv.Body.String(), "openstreetmap") {
		t.Errorf("as a table: %d", csv.Code)
	}
}

// What the cadastre says of a KG, of one it does not have, and of one whose snapshot cannot be read.
func TestDataOfKGs(t *testing.T) {
	h, s := serve(t)
	w := fixture.Ask(h, "GET", "/llm/kg/88801", "")
	var p struct {
		KG_code, Gemeinde_code, Granularity, As_of, Updated_at, Source string
		Metrics                                                        map[string]*float64
		Parcels                                                        []struct {
			Parcel_id string
			Metrics   map[string]*float64
		}
		Meta any
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 200 {
		t.Fatal(err, w.Body)
	}
	if p.KG_code != "88801" || p.Gemeinde_code != "38801" || p.As_of != fixture.Stichtag ||
		p.Updated_at != fixture.Stichtag+"T00:00:00Z" || p.Source != "© BEV, 2026, modified" || p.Meta != nil ||
		*p.Metrics["parcel_count"] != 17 || p.Metrics["avg_nn_distance_m"] != nil || len(p.Parcels) != 17 ||
		*p.Parcels[0].Metrics["area_sqm"] < 8000 {
		t.Errorf("got %s", w.Body)
	}
	if w.Header().Get("Last-Modified") != "Thu, 01 Oct 2026 00:00:00 GMT" || w.Header().Get("ETag") == "" ||
		w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("got %v", w.Header())
	}
	if same := fixture.Ask(h, "GET", "/llm/kg/88801.json", ""); same.Body.String() != w.Body.String() {
		t.Error(".json is another answer")
	}
	for target, want := range map[string]string{
		"/llm/kg/88803":        `{"kg_code":"88803","error":"no_data"}`, // in the register, without a snapshot
		"/llm/kg/77777":        `{"kg_code":"77777","error":"no_data"}`,
		"/llm/kg/7.json":       `{"kg_code":"00007","error":"no_data"}`,
		"/llm/parcel/88801-99": `{"parcel_id":"88801-99","kg_code":"88801","error":"no_data"}`,
	} {
		w := fixture.Ask(h, "GET", target, "")
		if w.Code != 404 || strings.TrimSpace(w.Body.String()) != want || w.Header().Get("ETag") != "" ||
			w.Header().Get("Last-Modified") != "" {
			t.Errorf("%s: want 404 %s, got %d %s %v", target, want, w.Code, w.Body, w.Header())
		}
	}
	if w := fixture.Ask(h, "GET", "/llm/parcel/88801-.6%2F1", ""); w.Code != 200 ||
		!strings.Contains(w.Body.String(), `"parcel_id":"88801-.6/1"`) {
		t.Errorf("a parcel with a slash: %d %s", w.Code, w.Body)
	}
	batch := fixture.Ask(h, "GET", "/llm/kgs?codes=88802,77777,804,88802", "").Body.String()
	if strings.Count(batch, `"service":"cadastre"`) != 2 || !strings.HasSuffix(strings.TrimSpace(batch), `"no_data":["77777"]}`) ||
		strings.Index(batch, `"kg_code":"88802"`) > strings.Index(batch, `"kg_code":"00804"`) {
		t.Errorf("got %.200s", batch)
	}
	if w := fixture.Ask(h, "GET", "/llm/kgs?codes="+strings.TrimSuffix(strings.Repeat("1,", 501), ","), ""); w.Code != 413 ||
		!strings.Contains(w.Body.String(), "500") {
		t.Errorf("501 codes: %d %.200s", w.Code, w.Body)
	}
	if w := fixture.Ask(h, "GET", "/llm/manifest.json", ""); !strings.Contains(w.Body.String(), `"kg_count":3`) {
		t.Errorf("got %s", w.Body)
	}
	for o, err := range s.List(t.Context(), "kg/88802/") {
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(t.Context(), o.Key); err != nil {
			t.Fatal(err)
		}
	}
	lib := fixture.Library(t, s)
	fresh := fixture.Handler(t, New(Deps{Deps: core.Deps{Library: lib}}))
	for _, target := range []string{"/llm/kg/88802", "/llm/kgs?codes=88801,88802", "/llm/parcel/88802-1"} {
		if w := fixture.Ask(fresh, "GET", target, ""); w.Code != 503 || w.Header().Get("Retry-After") != "" ||
			!strings.Contains(w.Body.String(), `"reason":"lost"`) {
			t.Errorf("%s: its data exists, and nothing brings it back: want 503 without a time to try again, got %d %.200s", target, w.Code,
				w.Body)
		}
	}
}
