package info

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
	"mappe/shared/web/params"
)

// corner is where four tiles meet in the made-up world.
func corner() (x, y float64) {
	x, y = fixture.Plane(4, 2)
	return math.Round(x/5000) * 5000, math.Round(y/5000) * 5000
}

// lonLat is a place in metres from the corner.
func lonLat(dx, dy float64) (lon, lat float64) {
	x, y := corner()
	return crs.LAEA.Inverse(x+dx, y+dy)
}

// world has three models of the square of 1.2 km around the corner; a strip in its west is not known.
func world(t *testing.T) store.Store {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	x, y := corner()
	square := raster.Box{West: x - 600, South: y - 600, East: x + 600, North: y + 600}
	flat := func(at, _ float64) float64 {
		if at < square.West+100 {
			return math.NaN()
		}
		return 700
	}
	if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: "2022-09-15", Box: square, Height: flat},
		fixture.Raster{Layer: rasters.DSM, Date: "2022-09-15", Box: square, Height: flat},
		fixture.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: square, Height: flat}); err != nil {
		t.Fatal(err)
	}
	return s
}

func over(t *testing.T, s store.Store) http.Handler {
	t.Helper()
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Handler(t, New(Deps{Library: lib}))
}

func TestLayersAndCredits(t *testing.T) {
	h := over(t, world(t))
	var got layersShape
	lon, lat := lonLat(0, 0)
	for target, tiles := range map[string]int{"/api/v1/layers": 4, fmt.Sprintf("/api/v1/layers?bbox=%.6f,%.6f,%.6f,%.6f", lon+0.002,
		lat+0.002, lon+0.003, lat+0.003): 1, "/api/v1/layers?bbox=10,47,10.1,47.1": 0} {
		w := fixture.Ask(h, "GET", target, "")
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || len(got.Data) != 3 {
			t.Fatalf("%s: %d %s", target, w.Code, w.Body)
		}
		for _, l := range got.Data {
			if len(l.Tiles) != tiles || l.Available != (tiles > 0) || l.EPSG != 3035 {
				t.Errorf("%s: %+v", target, l)
			}
		}
	}
	w := fixture.Ask(h, "GET", "/api/v1/attribution?format=text", "")
	if w.Code != 200 || !strings.Contains(w.Body.String(), fixture.RasterAttribution+", modified (CC BY 4.0)") ||
		!strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w = fixture.Ask(h, "GET", "/api/v1/attribution", ""); !strings.Contains(w.Body.String(),
		`"used_in":["dsm 20220915","dtm 20220915","dtm 20240915"]`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// An invalid box is refused; a generation without rasters has none.
func TestBoxesAndNoRasters(t *testing.T) {
	h := over(t, world(t))
	for _, target := range []string{"/api/v1/layers?bbox=1,2,3", "/api/v1/layers?bbox=14,48,13,49"} {
		if w := fixture.Ask(h, "GET", target, ""); w.Code != 400 || !strings.Contains(w.Body.String(), "west") {
			t.Errorf("%s: %d %s, expected 400 with west", target, w.Code, w.Body)
		}
	}
	bare, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	if w := fixture.Ask(over(t, bare), "GET", "/api/v1/layers", ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"data":[]`) {
		t.Errorf("layers without rasters: %d %s", w.Code, w.Body)
	}
}

// The parts of a tile that have no values are not available.
func TestLayersOfTheEmptyPartOfATile(t *testing.T) {
	h := over(t, world(t))
	for _, c := range []struct {
		dx, dy float64
		want   bool
	}{{300, 300, true}, {1500, 1500, false}, {-570, 0, false}} { // the strip in the west is not known
		lon, lat := lonLat(c.dx, c.dy)
		w := fixture.Ask(h, "GET", fmt.Sprintf("/api/v1/layers?bbox=%.6f,%.6f,%.6f,%.6f", lon-1e-4, lat-1e-4, lon+1e-4, lat+1e-4), "")
		if got := strings.Contains(w.Body.String(), `"available":true`); w.Code != 200 || got != c.want {
			t.Errorf("%g, %g: %d %s", c.dx, c.dy, w.Code, w.Body)
		}
	}
}

// The plane around a box of degrees holds the parallels, which are curved there.
func TestBoxesOfDegrees(t *testing.T) {
	b := plane(params.Degrees{West: 9, South: 46, East: 17, North: 49})
	for i := range 101 {
		s := float64(i) / 100
		for _, p := range [][2]float64{{9 + 8*s, 46}, {9 + 8*s, 49}, {9, 46 + 3*s}, {17, 46 + 3*s}} {
			x, y := crs.LAEA.Forward(p[0], p[1])
			if x < b.West-500 || x > b.East+500 || y < b.South-500 || y > b.North+500 { // the sides are eight chords
				t.Errorf("%v lies outside: %g, %g of %+v", p, x, y, b)
			}
		}
	}
	if x, y := crs.LAEA.Forward(13, 46); b.South > y || b.North < y+300_000 || b.West > x-250_000 || b.East < x+250_000 ||
		b.East-b.West > 700_000 || b.North-b.South > 400_000 {
		t.Errorf("the plane of Austria is %+v", b)
	}
}

// full is what /layers answers.
type full struct {
	Data    []layerRow
	Missing []struct {
		Layer   string
		Dataset *string
	}
	Vectors []struct {
		Layer, License, Attribution string
		Served                      bool
		ShareAlike                  bool `json:"share_alike"`
	}
}

// Every layer says what its numbers are; what is not there is named; the community map stands apart under its own licence.
func TestEveryLayerDeclares(t *testing.T) {
	s := world(t)
	x, y := corner()
	box := raster.Box{West: x - 600, South: y - 600, East: x + 600, North: y + 600}
	if err := fixture.AddBytes(s, fixture.Bytes{Layer: rasters.LandCover, Date: "2024-01-01", Box: box, Samples: func(_,
		_ float64) []uint8 {
		return []uint8{30}
	}},
		fixture.Bytes{Layer: rasters.Forest, Date: "2023-01-01", Box: box, Samples: func(_,
			_ float64) []uint8 {
			return []uint8{22, 80, 255}
		}}); err != nil {
		t.Fatal(err)
	}
	h := over(t, s)
	lon, lat := lonLat(100, 100)
	w := fixture.Ask(h, "GET", fmt.Sprintf("/api/v1/layers?bbox=%.6f,%.6f,%.6f,%.6f", lon, lat, lon+0.001, lat+0.001), "")
	got := fixture.Decode[full](t, w, 200)
	rows := map[string]layerRow{}
	for _, l := range got.Data {
		rows[l.Layer+" "+l.Dataset] = l
		if l.Resampling == "" || l.License == "" || l.LicenseURL == "" || l.Attribution == "" || len(l.Bands) == 0 ||
			l.StepM <= 0 || l.SourceStepM <= 0 || l.Country.Tiles == 0 || !l.Available || len(l.Tiles) == 0 {
			t.Errorf("%+v", l)
		}
	}
	cover, forest, dtm := rows["landcover 2024"], rows["forest 2023"], rows["dtm 20220915"]
	if cover.Sample != "uint8" || cover.NoData == nil || *cover.NoData != 0 || cover.Precision != "year" || cover.StepM != 10 ||
		cover.Resampling != "nearest" {
		t.Errorf("%+v", cover)
	}
	if len(forest.Bands) != 3 || forest.Bands[0].Name != "loss_year" || forest.SourceStepM != 30 || *forest.NoData != 255 {
		t.Errorf("%+v", forest)
	}
	if dtm.Sample != "float32" || dtm.NoData != nil || dtm.Unit == nil || *dtm.Unit != "m" || dtm.Precision != "day" ||
		dtm.Bands[0].Scale != 1 {
		t.Errorf("%+v", dtm)
	}
	missing := map[string]bool{}
	for _, m := range got.Missing {
		name := m.Layer
		if m.Dataset != nil {
			name += " " + *m.Dataset
		}
		missing[name] = true
	}
	for name, want := range map[string]bool{"ortho": true, "ndvi": true, "sar": true, "dsm 20240915": true, "dtm 20230915": true,
		"infrastructure": true, "landcover": false, "forest": false, "dtm 20220915": false, "dtm": false, "cadastre": false} {
		if missing[name] != want {
			t.Errorf("%s is missing: %v, expected %v", name, missing[name], want)
		}
	}
	if err := fixture.AddMap(s, fixture.Community()); err != nil {
		t.Fatal(err)
	}
	h = over(t, s)
	got = fixture.Decode[full](t, fixture.Ask(h, "GET", "/api/v1/layers", ""), 200)
	if v := got.Vectors; len(v) != 2 || v[0].Layer != "cadastre" || !v[0].Served || v[0].ShareAlike ||
		v[1].Layer != "infrastructure" || !v[1].Served || !v[1].ShareAlike || v[1].License != "ODbL 1.0" || v[1].Attribution == "" {
		t.Errorf("%+v", v)
	}
	var credits struct {
		Data []credit
	}
	w = fixture.Ask(h, "GET", "/api/v1/attribution", "")
	if err := json.Unmarshal(w.Body.Bytes(), &credits); err != nil {
		t.Fatal(err)
	}
	apart := 0
	for _, c := range credits.Data {
		if c.ShareAlike {
			apart++
			if c.License != "ODbL 1.0" || strings.Join(c.Used, " ") != "infrastructure" {
				t.Errorf("%+v", c)
			}
		}
	}
	if text := w.Body.String(); apart != 1 || !strings.Contains(text, `"landcover 2024"`) || !strings.Contains(text, `"forest 2023"`) {
		t.Errorf("%d credits under a licence of their own: %s", apart, text)
	}
}

// A box as large as the country names the tiles of the first parts of the index; of a layer at most 1,000.
func TestLargeBoxes(t *testing.T) {
	h := over(t, world(t))
	got := fixture.Decode[full](t, fixture.Ask(h, "GET", "/api/v1/layers?bbox=5,40,25,55", ""), 200)
	for _, l := range got.Data {
		if len(l.Tiles) != 4 || l.More || !l.Available {
			t.Errorf("%+v", l)
		}
	}
	row := layerRow{StepM: 1}
	tile := rasters.Tile{Km: 5, Known: 1}
	for range maxTiles + 1 {
		row.add(&tile)
	}
	if len(row.Tiles) != maxTiles || !row.More {
		t.Errorf("%d tiles are named", len(row.Tiles))
	}
}
