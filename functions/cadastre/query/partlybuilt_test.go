package query

import (
	"net/http"
	"runtime"
	"testing"

	"mappe/functions/worldtest"
	"mappe/shared/cloud/store/mem"
)

// partlyBuilt are requests whose answers have the same rows however many KGs are not built.
var partlyBuilt = []string{
	"landuse=52&min_area=8003", "natura2000_site=AT0000002", "has_natura2000=true", "has_legal_refs=true", "kg=88801", "kg=88801&ez=7", "kg=88801&format=geojson&limit=1000", "state=3", "gemeinde_code=38801",
	"min_lon=15.0001&min_lat=48.0001&max_lon=15.0059&max_lat=48.0039", "min_lon=15.0001&min_lat=48.0001&max_lon=15.0059&max_lat=48.0039&fields=geometry", "q=12", "q=Westdorf",
}

// perRequest are the allocations and the bytes of a request that was asked before.
func perRequest(t *testing.T, h http.Handler, target string) (allocations, bytes float64) {
	t.Helper()
	ask := func() {
		if w := worldtest.Ask(h, "GET", target, ""); w.Code != http.StatusOK {
			t.Fatal(target, w.Body)
		}
	}
	const runs = 20
	var before, after runtime.MemStats
	allocations = testing.AllocsPerRun(runs, ask) // asks once before it counts
	runtime.ReadMemStats(&before)
	for range runs {
		ask()
	}
	runtime.ReadMemStats(&after)
	return allocations, float64(after.TotalAlloc-before.TotalAlloc) / runs
}

func TestUnbuiltKGsCostNothingPerRequest(t *testing.T) {
	var few, many http.Handler
	for n, h := range map[int]*http.Handler{100: &few, 4000: &many} {
		s := mem.New()
		if err := worldtest.PublishOver(s, worldtest.AddUnbuilt(n)); err != nil {
			t.Fatal(err)
		}
		*h = serve(t, s)
	}
	for _, q := range partlyBuilt {
		target := "/api/v1/query?nocache=1&" + q
		a, aBytes := perRequest(t, few, target)
		b, bBytes := perRequest(t, many, target)
		if b > a+10 || bBytes > aBytes+2000 { // less than one byte for each KG that is not built
			t.Errorf("%s: %.0f allocations, %.0f bytes with 100 KGs that are not built, %.0f and %.0f with 4,000", q, a, aBytes, b, bBytes)
		}
	}
}
