package smoke

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// deployment answers as a small one does; broken changes what it answers.
func deployment(t *testing.T, broken func(w http.ResponseWriter, r *http.Request) bool) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("ETag", `"1"`)
		if broken != nil && broken(w, r) {
			return
		}
		switch p := r.URL.Path; {
		case r.Method == http.MethodOptions:
			w.WriteHeader(204)
		case p == "/" || p == "/map/":
			io.WriteString(w, "<html></html>")
		case strings.HasSuffix(p, "openapi.json"):
			io.WriteString(w, `{"paths":{"/x":{}}}`)
		case strings.HasSuffix(p, "llm.txt"):
			io.WriteString(w, "## Conventions")
		case p == "/cadastre/llm/coverage.json":
			io.WriteString(w, `{"service":"cadastre","kg_count":1,"kg_codes":["01004"]}`)
		case p == "/cadastre/api/v1/query" || p == "/cadastre/api/v1/search/kg":
			io.WriteString(w, `{"data":[{"parcel_id":"01004-1/2","kg_code":"01004","lon":16.3,"lat":48.2}]}`)
		case p == "/cadastre/api/v1/spatial/point" && r.URL.Query().Get("lon") == "200":
			w.WriteHeader(400)
			io.WriteString(w, `{"error":"lon"}`)
		case r.URL.Query().Get("sunshine") != "":
			w.WriteHeader(400)
			io.WriteString(w, `{"error":"sunshine"}`)
		case strings.HasSuffix(p, "/nowhere"):
			w.WriteHeader(404)
		case r.Header.Get("If-None-Match") == `"1"`:
			w.WriteHeader(304)
		case p == "/landscape/api/v1/query/compound":
			w.WriteHeader(400)
			io.WriteString(w, `{"error":"body"}`)
		case strings.HasPrefix(p, "/books/api"):
			w.WriteHeader(401)
			io.WriteString(w, `{"error":"token"}`)
		case p == "/expander/v1/expand":
			w.WriteHeader(402)
			io.WriteString(w, `{"accepts":[]}`)
		case p == "/expander/v1/preview":
			io.WriteString(w, `{"at":"2027-03-28T01:30:00Z"}`)
		case p == "/mcp":
			io.WriteString(w, `{"tools":[]}`)
		case p == "/landscape/api/v1/index/status":
			io.WriteString(w, `{"available":false}`)
		case p == "/landscape/api/v1/processing/queue":
			w.WriteHeader(401)
			io.WriteString(w, `{}`)
		default:
			io.WriteString(w, `{"type":"FeatureCollection","count":1,"kg_code":"01004","conformsTo":["x"],"stac_version":"1.0.0","totals":{"kgs_with_snapshot":1}}`)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func outcome(t *testing.T, base string) (failed, skipped []string) {
	t.Helper()
	results, err := Run(t.Context(), base, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		switch r.State {
		case Failed:
			failed = append(failed, fmt.Sprintf("%s: %s", r.Check, r.Says))
		case Skipped:
			skipped = append(skipped, r.Check)
		}
	}
	if IsWell(results) != (len(failed) == 0) {
		t.Error("IsWell says another thing than the results")
	}
	return failed, skipped
}

// A deployment that is well has no failed check, and each fault of one is found and named by the check that it is about.
func TestRun(t *testing.T) {
	if failed, skipped := outcome(t, deployment(t, nil)); len(failed) > 0 || len(skipped) != 1 || skipped[0] != "the search index" {
		t.Errorf("failed %q, skipped %q", failed, skipped)
	}
	for path, f := range map[string]struct {
		answer http.HandlerFunc
		check  string // that fails
	}{
		"/workfeed/work/feed": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) }, "the feed: status 502"},
		"/context/api/v1/context": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") },
			"what surrounds a place: no JSON"},
		"/cadastre/api/v1/query": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"data":[]}`) },
			"a parcel of a KG: the KG has no parcel"},
		"/cadastre/api/v1/landuse/codes": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Del("ETag")
			io.WriteString(w, `{"a":1}`)
		}, "an answer has an ETag: no ETag"},
		"/cadastre/api/v1/spatial/point": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"data":[]}`) },
			"the parcel at a place: no parcel of KG 01004"},
		"/landscape/api/v1/layers": {func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, "the layers: "},
		"/cadastre/llm/coverage.json": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"kg_codes":[]}`) },
			"KGs with data: no KG has data"},
		"/books/api/clients/demo/projects": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"projects":[]}`) },
			"a client's list asks for a token: status 200"},
	} {
		failed, _ := outcome(t, deployment(t, func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != path || r.Method == http.MethodOptions {
				return false
			}
			f.answer(w, r)
			return true
		}))
		if len(failed) == 0 || !strings.Contains(strings.Join(failed, "\n"), f.check) {
			t.Errorf("%s is broken: want %q, got %q", path, f.check, failed)
		}
	}
}

func TestBadAddresses(t *testing.T) {
	for _, base := range []string{"", "maps.example", "ftp://maps.example", "https://maps.example/cadastre", "http://"} {
		if _, err := Run(t.Context(), base, Options{}); err == nil {
			t.Errorf("%q is asked", base)
		}
	}
}
