package trees

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/fixture"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// What is searched is where the area lies: two places at the ends of a box of 50 km² cost what they are, and ask for as much memory.
func TestSquaresAreThoseOfTheArea(t *testing.T) {
	part := func(west, south, east, north float64) string {
		return strings.TrimPrefix(strings.TrimSuffix(rect(west, south, east, north), "}"), `{"type":"Polygon","coordinates":`)
	}
	area, err := drawn.Parse(t.Context(), []byte(`{"type":"MultiPolygon","coordinates":[`+part(-3000, -3000, -2950, -2990)+`,`+
		part(2900, 3980, 2950, 4000)+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	q := &search{area: area}
	cells := 0.0
	for _, b := range q.squares() {
		cells += (b.East - b.West) * (b.North - b.South)
	}
	if cells < 1500 || cells > 1700 || len(q.squares()) > 4 {
		t.Errorf("%.0f cells in %d squares, want some 1,600: %v", cells, len(q.squares()), q.squares())
	}
	if working, _ := q.bytes(1); working > squareBytes/20 {
		t.Errorf("%d MB are asked for", working>>20)
	}
	one, err := drawn.Parse(t.Context(), []byte(rect(-1500, -1500, 1500, 1500)))
	if err != nil {
		t.Fatal(err)
	}
	if working, _ := (&search{area: one}).bytes(1); working < int64(min(runtime.GOMAXPROCS(0), 4)*squareBytes*9/10) {
		t.Errorf("%d MB are asked for of 9 km²", working>>20)
	}
	sliver, err := drawn.Parse(t.Context(), []byte(rect(100.1, 100.1, 900, 100.3)))
	if err != nil {
		t.Fatal(err)
	}
	if list := (&search{area: sliver}).squares(); len(list) != 1 || list[0].East-list[0].West > 1000 {
		t.Errorf("an area between the middles of cells: %v", list)
	}
}

// triangle is one in metres from the corner as GeoJSON.
func triangle(ax, ay, bx, by, cx, cy float64) string {
	x, y := corner()
	var list []string
	for _, p := range [][2]float64{{ax, ay}, {bx, by}, {cx, cy}, {ax, ay}} {
		lon, lat := crs.LAEA.Inverse(x+p[0], y+p[1])
		list = append(list, fmt.Sprintf("[%.9f,%.9f]", lon, lat))
	}
	return `{"type":"Polygon","coordinates":[[` + strings.Join(list, ",") + `]]}`
}

// The scan is the newest that covers the area, else the newest that touches it, and so is the orthophoto: one of a later date
// that lies elsewhere, or covers a corner, is not taken.
func TestTheNewestScanThatCovers(t *testing.T) {
	s := world(t)
	x0, y0 := corner()
	flat := func(float64, float64) float64 { return 700 }
	add := func(date string, b raster.Box, models ...string) {
		for _, m := range models {
			if err := fixture.AddRasters(s, fixture.Raster{Layer: m, Date: date, Box: b, Height: flat}); err != nil {
				t.Fatal(err)
			}
		}
	}
	hectare := raster.Box{West: x0 - 150, South: y0 - 150, East: x0 - 50, North: y0 - 50}
	add("2025-09-15", hectare, rasters.DTM, rasters.DSM)
	add("2026-09-15", raster.Box{West: x0 - 200, South: y0 - 200, East: x0 + 200, North: y0 + 200}, rasters.DTM)
	green := func(float64, float64) []uint8 { return []uint8{40, 90, 40, 160} }
	for date, b := range map[string]raster.Box{"2024-06-25": {West: x0 - 200, South: y0 - 200, East: x0 + 200, North: y0 + 200},
		"2025-04-15": {West: x0 + 3000, South: y0, East: x0 + 3100, North: y0 + 100}} {
		if err := fixture.AddBytes(s, fixture.Bytes{Layer: rasters.Ortho, Date: date, Box: b, Samples: green}); err != nil {
			t.Fatal(err)
		}
	}
	h := over(t, s)
	for path, area := range map[string]string{"/api/v2/trees": rect(-80, -80, 80, 80), "/api/v1/trees": rect(-80, -80, 80, 80)} {
		w := fixture.Ask(h, "POST", path, area)
		if w.Code != 200 || !strings.Contains(w.Body.String(), `"dataset":"20240915","ortho":"20240625","coverage":1`) {
			t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
		}
	}
	if got := ask(t, h, "/api/v2/trees", rect(-140, -140, -60, -60)); got.Meta.Dataset != "20250915" || got.Summary.N != 0 ||
		got.Meta.Coverage != 1 {
		t.Errorf("inside the newest scan: %+v", got.Meta)
	}
	if got := ask(t, h, "/api/v2/trees?dataset=20250915", rect(-80, -80, 80, 80)); got.Meta.Dataset != "20250915" ||
		got.Meta.Coverage > 0.2 || len(got.Meta.Warnings) == 0 {
		t.Errorf("the newest scan, asked for: %+v", got.Meta)
	}
}

// A footprint of the cadastre takes what stands on it out of the trees; where its KG cannot be read, the answer says so.
func TestFootprints(t *testing.T) {
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := v.KG(t.Context(), "88801")
	if err != nil {
		t.Fatal(err)
	}
	table, err := f.Footprints()
	if err != nil || len(table) == 0 {
		t.Fatal(len(table), err)
	}
	x, y := crs.LAEA.Forward(table[0].Centroid.Lon(), table[0].Centroid.Lat())
	box := raster.Box{West: math.Floor(x) - 100, South: math.Floor(y) - 100, East: math.Floor(x) + 100, North: math.Floor(y) + 100}
	flat := func(float64, float64) float64 { return 700 }
	spire := func(px, py float64) float64 { return 700 + max(0, 18-4*math.Hypot(px-x, py-y)) }
	if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: box, Height: flat},
		fixture.Raster{Layer: rasters.DSM, Date: "2024-09-15", Box: box, Height: spire}); err != nil {
		t.Fatal(err)
	}
	lon, lat := crs.LAEA.Inverse(x, y)
	area := fmt.Sprintf("%.7f,%.7f", lon, lat)
	h := over(t, s)
	for target, c := range map[string]struct {
		class, mask string
		// a neighbour is not built
	}{"?reject_nonforest=false&min_tree_likelihood=0": {"building", "partial"}, "?include_cadastre=false": {"tree", "none"}} {
		if got := ask(t, h, "/api/v2/trees"+target, area); len(got.Data) != 1 || got.Data[0].Class != c.class || got.Meta.Mask != c.mask {
			t.Errorf("%s: %+v %s", target, got.Data, got.Meta.Mask)
		}
	}
	if got := ask(t, h, "/api/v2/trees", area); len(got.Data) != 0 || !strings.Contains(strings.Join(got.Meta.Warnings, ";"),
		"not known everywhere") {
		t.Errorf("a spire on a roof is a tree: %+v %v", got.Data, got.Meta.Warnings)
	}
	if err := s.Delete(t.Context(), v.Register().KG("88801").Snapshot.Key); err != nil {
		t.Fatal(err)
	}
	w := fixture.Ask(over(t, s), "POST", "/api/v2/trees", area)
	if w.Code != 200 || w.Header().Get("X-Data-Ready") != "false" || !strings.Contains(w.Body.String(), `"building_mask":"none"`) &&
		!strings.Contains(w.Body.String(), `"building_mask":"partial"`) ||
		!strings.Contains(w.Body.String(), "roofs may be taken for trees") {
		t.Errorf("a KG whose snapshot is lost: %d %v %.400s", w.Code, w.Header(), w.Body)
	}
}
