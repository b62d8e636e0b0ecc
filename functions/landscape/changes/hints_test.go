package changes

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/functions/fixture"
	"mappe/shared/geo/crs"
)

// village is a world with what fixture.AddVillage adds.
func village(t testing.TB) (h http.Handler, area string) {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	x0, y0, err := fixture.AddVillage(s)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	var ring []string
	for _, c := range [][2]float64{{-100, -90}, {100, -90}, {100, 90}, {-100, 90}, {-100, -90}} {
		lon, lat := crs.LAEA.Inverse(x0+c[0], y0+c[1])
		ring = append(ring, fmt.Sprintf("[%.7f,%.7f]", lon, lat))
	}
	area = `{"type":"Polygon","coordinates":[[` + strings.Join(ring, ",") + `]]}`
	return fixture.Handler(t, New(Deps{Library: lib, Now: fixture.Now, Started: fixture.Noon})), area
}

// What the cadastre and the orthophotos show of a change stands beside it, and nothing of them where they are not asked for.
func TestHints(t *testing.T) {
	h, area := village(t)
	got := ask(t, h, "/api/v1/changes", area)
	if len(got.Data) != 3 || got.Meta.Mask != "partial" && got.Meta.Mask != "cadastre" ||
		got.Meta.OrthoA == nil || *got.Meta.OrthoA != "20221027" ||
		got.Meta.OrthoB == nil || *got.Meta.OrthoB != "20240625" {
		t.Fatalf("%+v", got)
	}
	shares := []float64{}
	for _, e := range got.Data {
		if e.Green == nil || e.Greener == nil || *e.Green < 0.3 || *e.Greener > 0.05 ||
			!slices.Contains(e.Evidence, "vegetation index fell: bare or built after") {
			t.Errorf("%s: index of a meadow or wood that was built over or felled: %+v", e.Type, e)
		}
		if e.Type == "new_building" && e.Share != nil {
			shares = append(shares, *e.Share)
			if known := slices.Contains(e.Evidence, "a building of the cadastre"); known != (*e.Share > 0.9) {
				t.Errorf("a share of %g and %v", *e.Share, e.Evidence)
			}
		}
	}
	if slices.Sort(shares); len(shares) == 0 || shares[len(shares)-1] < 0.9 {
		t.Errorf("shares of buildings of the cadastre in new ones: %v", shares)
	}
	alone := ask(t, h, "/api/v1/changes?include_cadastre=false&include_ortho=false", area)
	if len(alone.Data) != 3 || alone.Meta.Mask != "none" || alone.Meta.OrthoA != nil || len(alone.Meta.Missing) != 2 {
		t.Errorf("%+v", alone)
	}
	for _, e := range alone.Data {
		if e.Share != nil || e.Green != nil || e.Greener != nil {
			t.Errorf("%s has hints that were not asked for: %+v", e.Type, e)
		}
	}
}
