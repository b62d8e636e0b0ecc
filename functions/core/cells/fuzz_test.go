package cells

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

// Whatever stands behind the question mark or in the body, the answer is one of those that are written.
func FuzzCells(f *testing.F) {
	h := over(f, world(f, fixture.CellsOf{}))
	for _, q := range []string{"ids=" + exampleCell, "lon=15&lat=48&k=3", "bbox=15,48,15.01,48.01&list=1", "bbox=-180,-90,180,90",
		"bbox=1e308,-1e308,0,0", "ids=891e1692d77ffff,0&layers=lu,obs",
		"since=2026-10-31T04:00:00Z&fields=digests", `{"ids":["` + exampleChunk + `"]}`, `{"ids":[null]}`, "format=json&layers=chg",
		"kg=88801,88802"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		for _, path := range []string{"/cells", "/manifest", "/chunk/891e14a4993ffff", "/88801", "/stats"} {
			r := httptest.NewRequest("GET", "/api/v1/ne"+path, nil)
			r.URL.RawQuery = q
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code >= 500 || w.Code == 200 && w.Body.Len() == 0 && w.Header().Get("X-Ne-Rows") == "" {
				t.Fatalf("%s?%s: %d %s", path, q, w.Code, w.Body)
			}
		}
		for _, path := range []string{"/cell/", "/chunk/", "/dict/", "/"} {
			if w := get(h, path+url.PathEscape(q)); w.Code >= 500 {
				t.Fatalf("%s%s: %d %s", path, q, w.Code, w.Body)
			}
		}
		if w := fixture.Ask(h, "POST", "/api/v1/ne/cells", q); w.Code >= 500 || w.Code == 200 && !strings.Contains(q, "ids") {
			t.Fatalf("%s: %d %s", q, w.Code, w.Body)
		}
	})
}
