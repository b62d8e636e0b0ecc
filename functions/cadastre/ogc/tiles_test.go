package ogc

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/artefacts/pmt"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
)

// tiled is the world with the tiles that are given; none has none.
func tiled(t *testing.T, o pmt.Options, tiles ...pmt.Tile) http.Handler {
	t.Helper()
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots()); err != nil {
		t.Fatal(err)
	}
	if len(tiles) > 0 {
		if err := fixture.AddTiles(s, o, tiles); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Handler(t, New(Deps{Library: lib, Version: "test", BaseURL: "https://land.example/cadastre", Now: fixture.Now}))
}

var fewTiles = []pmt.Tile{{ID: pmt.ZXY{Z: 8, X: 138, Y: 89}.ID(), Content: []byte("far")},
	{ID: pmt.ZXY{Z: 14, X: 8796, Y: 5741}.ID(), Content: []byte("near")}}

// TestTileJSON: zooms, bounds and layers are those of the archive, the address of tiles that of the service.
func TestTileJSON(t *testing.T) {
	o := pmt.Options{Type: pmt.MVT, TileCompression: pmt.None, MinLon: 130_000_000, MinLat: 470_000_000, MaxLon: 132_500_000,
		MaxLat: 475_000_000, CenterZoom: 12}
	type layer struct {
		ID string `json:"id"`
	}
	for _, tt := range []struct {
		metadata any
		layers   int
	}{{map[string]any{"vector_layers": []layer{{"parcels"}, {"labels"}}}, 2}, {map[string]any{"name": "x"}, 0}} {
		o.Metadata = tt.metadata
		w := fixture.Ask(tiled(t, o, fewTiles...), "GET", "/ogc/tiles.json", "")
		var got tileJSON
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
			t.Fatalf("%d %v %s", w.Code, err, w.Body)
		}
		var layers []layer
		if err := json.Unmarshal(got.Layers, &layers); err != nil || len(layers) != tt.layers || layers == nil {
			t.Errorf("want %d layers, got %s", tt.layers, got.Layers)
		}
		if got.Version != "3.0.0" || got.Scheme != "xyz" || got.MinZoom != 8 || got.MaxZoom != 14 || got.Attribution == "" ||
			got.Name == "" || got.Bounds != [4]float64{13, 47, 13.25, 47.5} || got.Center[2] != 12 || len(got.Tiles) != 1 ||
			got.Tiles[0] != "https://land.example/cadastre/ogc/tiles/{z}/{x}/{y}" {
			t.Errorf("got %s", w.Body)
		}
		if lon, lat := got.Center[0], got.Center[1]; lon < 13 || lon > 13.25 || lat < 47 || lat > 47.5 {
			t.Errorf("the centre %v lies outside of the bounds", got.Center)
		}
	}
}

// TestTiles: those with features, empty ones, and those that do not exist.
func TestTiles(t *testing.T) {
	h := tiled(t, pmt.Options{Type: pmt.MVT, TileCompression: pmt.None, Metadata: struct{}{}}, fewTiles...)
	for path, want := range map[string]struct {
		code int
		body string
	}{
		"14/8796/5741": {200, "near"}, "8/138/89": {200, "far"}, "14/8796/5742": {204, ""}, "0/0/0": {204, ""},
		"8/256/0": {400, "column"}, "8/0/256": {400, "column"}, "0/1/0": {400, "column"}, "8/255/255": {204, ""},
		"x/0/0": {400, `"z"`}, "8/-1/0": {400, `"x"`}, "8/0/y": {400, `"y"`},
	} {
		w := fixture.Ask(h, "GET", "/ogc/tiles/"+path, "")
		if w.Code != want.code || !strings.Contains(w.Body.String(), want.body) || want.code == 204 && w.Body.Len() > 0 {
			t.Errorf("%s: want %d %q, got %d %s", path, want.code, want.body, w.Code, w.Body)
		}
		if want.code == 200 && w.Header().Get("Content-Type") != tileType {
			t.Errorf("%s: content type %q", path, w.Header().Get("Content-Type"))
		}
	}
}

// TestACountryWithoutTiles says that it has none.
func TestACountryWithoutTiles(t *testing.T) {
	h := tiled(t, pmt.Options{})
	for _, path := range []string{"/ogc/tiles.json", "/ogc/tiles/8/138/89"} {
		if o, _ := get(t, h, path, 404); !strings.Contains(o["error"].(string), "no vector tiles") {
			t.Errorf("%s: %v", path, o)
		}
	}
}

// TestStyle: its layers, its source and its licence; letters stand in it on request alone.
func TestStyle(t *testing.T) {
	h := tiled(t, pmt.Options{})
	for query, want := range map[string]string{"": "ground landuse footprints parcels kg", "?labels=false": "ground landuse footprints parcels kg",
		"?labels=true": "ground landuse footprints parcels kg numbers"} {
		o, header := get(t, h, "/ogc/style.json"+query, 200)
		var names []string
		for _, l := range o["layers"].([]any) {
			names = append(names, l.(object)["id"].(string))
		}
		land := o["sources"].(object)["land"].(object)
		if strings.Join(names, " ") != want || o["version"] != 8. || land["type"] != "vector" ||
			land["url"] != "https://land.example/cadastre/ogc/tiles.json" || o["metadata"].(object)["license"] == "" ||
			o["glyphs"] != nil || header.Get("Content-Type") != "application/vnd.mapbox.style+json" {
			t.Errorf("%s: %v %v", query, names, o["sources"])
		}
	}
	get(t, h, "/ogc/style.json?labels=maybe", 400)
}
