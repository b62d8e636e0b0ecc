package changes

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/worldtest"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// village is a world with a meadow around a building of Westdorf. Between the dates this building and one that the cadastre
// does not have are built, and a wood is felled.
func village(t testing.TB) (h http.Handler, area string) {
	t.Helper()
	x0, y0 := worldtest.Plane(0.5, 0.5)
	x0, y0 = math.Round(x0), math.Round(y0)
	box := raster.Box{West: x0 - 120, South: y0 - 110, East: x0 + 120, North: y0 + 110}
	house := func(x, y float64) bool {
		return math.Abs(x-x0) < 7 && math.Abs(y-y0) < 7 || math.Abs(x-x0-55) < 7 && math.Abs(y-y0) < 7
	}
	wood := func(x, y float64) bool { return math.Abs(x-x0+55) < 15 && math.Abs(y-y0) < 15 }
	ground := func(date uint64) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			return 700 + 3*math.Sin(x/41)*math.Cos(y/37) + 0.05*noise(x, y, date)
		}
	}
	top := func(date uint64) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			z := ground(date)(x, y)
			switch {
			case date == 1 && house(x, y):
				return 706 + 3*math.Sin(x0/41)*math.Cos(y0/37)
			case date == 0 && wood(x, y):
				return z + 9 + 3*noise(x, y, 9)
			}
			return z + 0.1 + 0.03*noise(x, y, 7+date)
		}
	}
	photo := func(date uint64) func(x, y float64) []uint8 {
		return func(x, y float64) []uint8 {
			switch {
			case date == 1 && house(x, y):
				return []uint8{150, 140, 130, 140}
			case date == 1 && wood(x, y):
				return []uint8{130, 118, 88, 134}
			}
			return []uint8{60, 90, 50, 120}
		}
	}
	s, err := worldtest.World()
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range []string{"2022-09-15", "2024-09-15"} {
		if err := worldtest.AddRasters(s, worldtest.Raster{Layer: rasters.DTM, Date: d, Box: box, Height: ground(uint64(i))},
			worldtest.Raster{Layer: rasters.DSM, Date: d, Box: box, Height: top(uint64(i))}); err != nil {
			t.Fatal(err)
		}
	}
	for d, state := range map[string]uint64{"2022-10-27": 0, "2024-06-25": 1} {
		if err := worldtest.AddBytes(s, worldtest.Bytes{Layer: rasters.Ortho, Date: d, Box: box, Samples: photo(state)}); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := worldtest.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	var ring []string
	for _, c := range [][2]float64{{-100, -90}, {100, -90}, {100, 90}, {-100, 90}, {-100, -90}} {
		lon, lat := crs.LAEA.Inverse(x0+c[0], y0+c[1])
		ring = append(ring, fmt.Sprintf("[%.7f,%.7f]", lon, lat))
	}
	area = `{"type":"Polygon","coordinates":[[` + strings.Join(ring, ",") + `]]}`
	return worldtest.Handler(t, New(Deps{Library: lib, Now: worldtest.Now, Started: worldtest.Noon})), area
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

// An orthophoto is near a date by days, whatever the year.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		a, b string
		days float64
	}{{"20220128", "20220915", 230}, {"20221027", "20220915", 42}, {"20240625", "20240915", 82}} {
		if got := apart(c.a, c.b).Hours() / 24; got != c.days {
			t.Errorf("%s and %s: %g days, expected %g", c.a, c.b, got, c.days)
		}
	}
	if apart("summer", "20220915") <= farthest {
		t.Error("a date that is none is near")
	}
}
