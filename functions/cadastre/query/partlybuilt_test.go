package query

import (
	"net/http"
	"runtime"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
)

// partlyBuilt are requests whose answers have the same rows however many KGs are not built.
var partlyBuilt = []string{
	"landuse=52&min_area=8003", "natura2000_site=AT0000002", "has_natura2000=true", "has_legal_refs=true", "kg=88801", "kg=88801&ez=7",
	"kg=88801&format=geojson&limit=1000", "state=3", "gemeinde_code=38801",
	"min_lon=15.0001&min_lat=48.0001&max_lon=15.0059&max_lat=48.0039",
	"min_lon=15.0001&min_lat=48.0001&max_lon=15.0059&max_lat=48.0039&fields=geometry", "q=12", "q=Westdorf",
}

// perRequest are the allocations and the bytes of a request that was asked before.
func perRequest(t *testing.T, h http.Handler, target string) (allocations, bytes float64) {
	t.Helper()
	ask := func() {
		if w := fixture.Ask(h, "GET", target, ""); w.Code != http.StatusOK {
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
		if err := fixture.PublishOver(s, fixture.AddUnbuilt(n)); err != nil {
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

// An answer that a later build of another KG cannot change keeps its ETag when that KG is built.
func TestAnswersOutliveBuildsOfOtherKGs(t *testing.T) {
	var tags []map[string]string
	for _, cold := range [][]austria.KGCode{{"00804"}, nil} {
		s := mem.New()
		if err := fixture.PublishOver(s, fixture.AddUnbuilt(300), cold...); err != nil {
			t.Fatal(err)
		}
		h, seen := serve(t, s), map[string]string{}
		for _, q := range []string{"query?natura2000_site=AT0000001", "query?has_legal_refs=true", "query?kg=88801",
			"query?min_lon=15.0001&min_lat=48.0001&max_lon=15.0059&max_lat=48.0039", "query/protected_area?area=Park"} {
			w := fixture.Ask(h, "GET", "/api/v1/"+q, "")
			if seen[q] = w.Header().Get("ETag"); w.Code != http.StatusOK || seen[q] == "" ||
				w.Header().Get("Cache-Control") != "max-age=120" {
				t.Errorf("%s without %v: status %d, ETag %q, %s", q, cold, w.Code, seen[q], w.Header().Get("Cache-Control"))
			}
		}
		tags = append(tags, seen)
	}
	for q, tag := range tags[0] {
		if tags[1][q] != tag {
			t.Errorf("%s: ETags %s, %s before and after a KG that it does not touch is built", q, tag, tags[1][q])
		}
	}
}

// An answer that a build does change does not keep it.
func TestAnswersFollowBuildsOfTheirKGs(t *testing.T) {
	tag := func(edit func(*kgfile.Snapshot)) string {
		list := fixture.Snapshots()
		edit(list[1]) // Westdorf
		return fixture.Ask(serve(t, published(t, list, "00804")), "GET",
			"/api/v1/query?min_lon=15.0001&min_lat=48.0001&max_lon=15.0059&max_lat=48.0039", "").Header().Get("ETag")
	}
	was, is := tag(func(*kgfile.Snapshot) {}), tag(func(s *kgfile.Snapshot) { s.Parcels[0].EZ++; s.Folios = kgfile.Folios(s.Parcels) })
	if was == "" || is == "" || was == is {
		t.Errorf("ETags %q and %q of two builds of the KG in the box", was, is)
	}
}
