package info

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/worldtest"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// corner is where four tiles meet in the made-up world.
func corner() (x, y float64) {
	x, y = worldtest.Plane(4, 2)
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
	s, err := worldtest.World()
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
	if err := worldtest.AddRasters(s, worldtest.Raster{Layer: rasters.DTM, Date: "2022-09-15", Box: square, Height: flat},
		worldtest.Raster{Layer: rasters.DSM, Date: "2022-09-15", Box: square, Height: flat},
		worldtest.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: square, Height: flat}); err != nil {
		t.Fatal(err)
	}
	return s
}

func over(t *testing.T, s store.Store) http.Handler {
	t.Helper()
	lib, err := worldtest.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return worldtest.Handler(t, New(Deps{Library: lib}))
}

func TestLayersAndCredits(t *testing.T) {
	h := over(t, world(t))
	var got layersShape
	lon, lat := lonLat(0, 0)
	for target, tiles := range map[string]int{"/api/v1/layers": 4, fmt.Sprintf("/api/v1/layers?bbox=%.6f,%.6f,%.6f,%.6f", lon+0.002, lat+0.002, lon+0.003, lat+0.003): 1, "/api/v1/layers?bbox=10,47,10.1,47.1": 0} {
		w := worldtest.Ask(h, "GET", target, "")
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || len(got.Data) != 3 {
			t.Fatalf("%s: %d %s", target, w.Code, w.Body)
		}
		for _, l := range got.Data {
			if len(l.Tiles) != tiles || l.Available != (tiles > 0) || l.EPSG != 3035 {
				t.Errorf("%s: %+v", target, l)
			}
		}
	}
	w := worldtest.Ask(h, "GET", "/api/v1/attribution?format=text", "")
	if w.Code != 200 || !strings.Contains(w.Body.String(), worldtest.RasterAttribution+", bearbeitet (CC BY 4.0)") || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w = worldtest.Ask(h, "GET", "/api/v1/attribution", ""); !strings.Contains(w.Body.String(), `"used_in":["dsm 20220915","dtm 20220915","dtm 20240915"]`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A box that is none is refused; a generation without rasters has none.
func TestBoxesAndNoRasters(t *testing.T) {
	h := over(t, world(t))
	for _, target := range []string{"/api/v1/layers?bbox=1,2,3", "/api/v1/layers?bbox=14,48,13,49"} {
		if w := worldtest.Ask(h, "GET", target, ""); w.Code != 400 || !strings.Contains(w.Body.String(), "lon_min") {
			t.Errorf("%s: %d %s, expected 400 with lon_min", target, w.Code, w.Body)
		}
	}
	bare, err := worldtest.World()
	if err != nil {
		t.Fatal(err)
	}
	if w := worldtest.Ask(over(t, bare), "GET", "/api/v1/layers", ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"data":[]`) {
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
		w := worldtest.Ask(h, "GET", fmt.Sprintf("/api/v1/layers?bbox=%.6f,%.6f,%.6f,%.6f", lon-1e-4, lat-1e-4, lon+1e-4, lat+1e-4), "")
		if got := strings.Contains(w.Body.String(), `"available":true`); w.Code != 200 || got != c.want {
			t.Errorf("%g, %g: %d %s", c.dx, c.dy, w.Code, w.Body)
		}
	}
}

// Boxes of degrees, and the plane around them: it holds the parallels, which are curved there.
func TestBoxesOfDegrees(t *testing.T) {
	for text, ok := range map[string]bool{"13,47,14,48": true, " 13, 47 ,14,48": true, "13,47,14": false, "13,47,14,48,1": false,
		"14,47,13,48": false, "13,48,14,47": false, "13,47,13,48": false, "13,47,14,47": false,
		"-180,-90,180,90": true, "-180.1,0,1,1": false, "0,0,180.1,1": false, "0,-91,1,1": false, "0,0,1,91": false, "x,0,1,1": false,
		"NaN,0,1,1": false} {
		if _, err := parseBox(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	d := degrees{9, 46, 17, 49}
	b := d.plane()
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
