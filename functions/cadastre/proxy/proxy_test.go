package proxy

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"mappe/functions/core"
	"mappe/functions/core/overlays"
	"mappe/functions/fixture"
)

// The proxy gives what the cadastre's own service gives, for every path that it reaches, errors too; no other path.
func TestTheProxy(t *testing.T) {
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddOver(s, fixture.Over()); err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	own, err := overlays.New(core.Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	h := fixture.Handler(t, New(core.Deps{Library: lib}))
	timeless := regexp.MustCompile(`"(query_time_ms|request_id)":("[^"]*"|[0-9.]+)|/api/v1[^"]*`)
	for path, query := range map[string]string{
		"natura2000/stats": "", "natura2000/search": "limit=1", "natura2000/site/AT0000001": "", "natura2000/kg/88801": "",
		"natura2000/parcel/88801/.6%2F1": "",
		"legal/search":                   "context=nature_protection&fields=kg_code", "search/protected_area": "q=au",
		"natura2000/point":    "lon=abc",
		"natura2000/kg/99999": "",
	} {
		want := fixture.Ask(own, "GET", "/api/v1/"+path+"?"+query, "")
		got := fixture.Ask(h, "GET", "/api/v1/cadastre/proxy?path="+url.QueryEscape(path)+"&"+query, "")
		a, b := timeless.ReplaceAllString(want.Body.String(), ""), timeless.ReplaceAllString(got.Body.String(), "")
		if got.Code != want.Code || a != b || got.Header().Get("Content-Type") != want.Header().Get("Content-Type") {
			t.Errorf("%s: %d %.300s\nexpected %d %.300s", path, got.Code, b, want.Code, a)
		}
	}
	for _, path := range []string{"", "query", "natura2000", "natura2000/site/", "../natura2000/stats", "natura2000/site/../../query",
		"export/geojson", "http://127.0.0.1/"} {
		if w := fixture.Ask(h, "GET", "/api/v1/cadastre/proxy?path="+url.QueryEscape(path), ""); w.Code != 400 && w.Code != 404 {
			t.Errorf("%q: %d %.200s", path, w.Code, w.Body)
		}
	}
}

// What stands under /cadastre is what the cadastre answers.
func TestTheCadastreIsServedToo(t *testing.T) {
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddGrid(s, fixture.Over()); err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	h := fixture.Handler(t, New(core.Deps{Library: lib}))
	for _, path := range []string{"landuse/codes", "landuse/distribution?kg=88801", "legal/search?kg=88801", "protected_areas"} {
		if w := fixture.Ask(h, "GET", "/api/v1/cadastre/"+path, ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"data":`) {
			t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
		}
	}
}

// Paths that the proxy hands on, and others.
func TestProxiedPaths(t *testing.T) {
	for text, want := range map[string]string{"natura2000/stats": "/natura2000/stats", "/natura2000/stats": "/natura2000/stats",
		"api/v1/natura2000/stats": "/natura2000/stats", "/api/v1/natura2000/site/AT1": "/natura2000/site/AT1",
		"natura2000/site/": "", "natura2000/site": "", "natura2000/stats/": "", "natura2000/statsx": "", "search": "", "": "",
		"legal/search": "/legal/search", "natura2000/parcel/88801/1%2F2": "/natura2000/parcel/88801/1%2F2"} {
		if got, err := parseProxied(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: want %q, got %q, %v", text, want, got, err)
		}
	}
	w := &responseBuffer{header: http.Header{}}
	w.WriteHeader(404)
	w.WriteHeader(200)
	chunk := make([]byte, maxProxied/2+1)
	for range 4 {
		if n, err := w.Write(chunk); n != len(chunk) || err != nil {
			t.Fatal(n, err)
		}
	}
	if w.status != 404 || w.Len() <= maxProxied || w.Len() > maxProxied+len(chunk) {
		t.Errorf("status %d, %d bytes are held", w.status, w.Len())
	}
}
