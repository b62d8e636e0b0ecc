package maps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"strings"
	"testing"

	"mappe/artefacts/pmt"
	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// overWorld serves pictures of the fixture's overlays; its tiles have nothing in them.
func overWorld(t *testing.T) http.Handler {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishOver(s, nil); err != nil {
		t.Fatal(err)
	}
	empty := []pmt.Tile{{ID: pmt.ZXY{Z: 16, X: 35500, Y: 22700}.ID(), Content: []byte("empty")}}
	options := pmt.Options{Type: pmt.MVT, TileCompression: pmt.None, Metadata: map[string]any{}, MinLon: 149_000_000,
		MinLat: 479_000_000, MaxLon: 151_000_000, MaxLat: 481_000_000}
	if err := fixture.AddTiles(s, options, empty); err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(core.Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// around is a request of a picture of 100 × 100 pixels of a layer, a field of the fixture wide on each side of a place.
func around(layers string, at geom.Point, rest string) string {
	low, high := geom.Point{X: at.X - 3000, Y: at.Y - 3000}, geom.Point{X: at.X + 3000, Y: at.Y + 3000}
	return fmt.Sprintf("/wms?service=WMS&version=1.1.1&request=GetMap&layers=%s&styles=&srs=EPSG:4326&bbox=%.7f,%.7f,%.7f,%.7f&width=100&height=100&format=image/png&transparent=true%s",
		layers, low.Lon(), low.Lat(), high.Lon(), high.Lat(), rest)
}

func pictureAt(t *testing.T, h http.Handler, target string) image.Image {
	t.Helper()
	w := fixture.Ask(h, "GET", target, "")
	out, err := png.Decode(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatalf("%s: %d %v\n%.300s", target, w.Code, err, w.Body)
	}
	return out
}

// TestSitesAndAreasAreDrawn: tinted within, with a broken border, nothing in a hole and beyond; the whole has neither.
func TestSitesAndAreasAreDrawn(t *testing.T) {
	h := overWorld(t)
	for _, c := range []struct {
		layer  layer
		at     geom.Point
		inside bool
	}{
		{natura, fixture.At(1, 1), true}, {natura, fixture.At(2.6, 2.6), false}, {protected, fixture.At(1.25, 1.25), true},
		{protected, fixture.At(2, 2), false}, {protected, fixture.At(0.5, 3.5), false},
	} {
		got := color.NRGBAModel.Convert(pictureAt(t, h, around(string(c.layer), c.at, "")).At(50, 50)).(color.NRGBA)
		want := color.NRGBA{}
		if c.inside {
			want = overInk[c.layer]
			want.A = overAlpha
		}
		if diff := func(a, b byte) int { return max(int(a)-int(b), int(b)-int(a)) }; diff(got.A, want.A) > 1 ||
			want.A > 0 && (diff(got.R, want.R) > 6 || diff(got.G, want.G) > 6 || diff(got.B, want.B) > 6) {
			t.Errorf("%s at %v: want %v, got %v", c.layer, c.at, want, got)
		}
	}
	border, dark, light := pictureAt(t, h, around("natura2000", fixture.At(2, 2.5), "")), 0, 0 // an edge from south to north
	for y := range 100 {
		if _, _, _, a := border.At(50, y).RGBA(); a>>8 > 150 {
			dark++
		} else {
			light++
		}
	}
	if dark < 50 || light < 20 {
		t.Errorf("a broken border: %d pixels are drawn and %d are not, want two thirds and one", dark, light)
	}
	if whole := pictureAt(t, h, around("cadastre", fixture.At(1, 1), "")); whole.At(50, 50) != (color.NRGBA{}) {
		t.Errorf("the whole shows a site: %v", whole.At(50, 50))
	}
}

// TestTheBrokenBorderGoesOn: two halves of a place are one picture of it.
func TestTheBrokenBorderGoesOn(t *testing.T) {
	h := overWorld(t)
	one := pictureAt(t, h, around("protected_areas", fixture.At(1, 1), ""))
	at := fixture.At(1, 1)
	low, middle, high := geom.Point{X: at.X - 3000, Y: at.Y - 3000}, at.Lon(), geom.Point{X: at.X + 3000, Y: at.Y + 3000}
	half := pictureAt(t, h, fmt.Sprintf("/wms?service=WMS&version=1.1.1&request=GetMap&layers=protected_areas&styles=&srs=EPSG:4326&bbox=%.7f,%.7f,%.7f,%.7f&width=50&height=100&format=image/png&transparent=true",
		middle, low.Lat(), high.Lon(), high.Lat()))
	drawn := 0
	for y := range 100 {
		for x := range 50 {
			_, _, _, a := one.At(x+50, y).RGBA()
			_, _, _, b := half.At(x, y).RGBA()
			if max(a, b)-min(a, b) > 20<<8 {
				t.Fatalf("pixel %d,%d: %d in the whole, %d in the half", x, y, a>>8, b>>8)
			}
			if a>>8 > 150 {
				drawn++
			}
		}
	}
	if drawn < 30 {
		t.Errorf("%d pixels of a border: nothing was compared", drawn)
	}
}

// TestSitesAndAreasAreTold: of a pixel, in legends and in the capabilities of each service.
func TestSitesAndAreasAreTold(t *testing.T) {
	h := overWorld(t)
	ask := func(at geom.Point) (list []map[string]any) {
		const rest = "&query_layers=natura2000,protected_areas&x=50&y=50&feature_count=5&info_format=application/json"
		target := around("natura2000,protected_areas", at, rest)
		w := fixture.Ask(h, "GET", strings.Replace(target, "GetMap", "GetFeatureInfo", 1), "")
		var body struct {
			Features []struct{ Properties map[string]any }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatalf("%d %v %s", w.Code, err, w.Body)
		}
		for _, f := range body.Features {
			list = append(list, f.Properties)
		}
		return list
	}
	got := ask(fixture.At(1.25, 1.25))
	if len(got) != 2 || got[0]["name"] != "Park" || got[0]["iucn_cat"] != "V" || got[1]["sitecode"] != "AT0000001" ||
		got[1]["area_ha"] != 6.7 {
		t.Errorf("in a park and a site: %v", got)
	}
	if got := ask(fixture.At(12, 12)); len(got) != 0 {
		t.Errorf("where nothing is protected: %v", got)
	}
	for _, path := range []string{"/wms?service=WMS&request=GetCapabilities", "/wmts/1.0.0/WMTSCapabilities.xml"} {
		for _, l := range lying {
			if w := fixture.Ask(h, "GET", path, ""); !strings.Contains(w.Body.String(), ">"+string(l.layer)+"<") {
				t.Errorf("%s does not list %s: %.200s", path, l.layer, w.Body)
			}
		}
	}
	for _, l := range lying {
		w, high := sizeOf(l.layer.legend(locale{}))
		legend := pictureAt(t, h, "/wms?service=WMS&version=1.3.0&request=GetLegendGraphic&format=image/png&layer="+string(l.layer))
		if b := legend.Bounds(); b.Dx() != w || b.Dy() != high {
			t.Errorf("the legend of %s is %v, the capabilities say %d × %d", l.layer, b, w, high)
		}
	}
}

// TestTheirStyleIsTheMapPages: colour, opacity, width and pattern.
func TestTheirStyleIsTheMapPages(t *testing.T) {
	page, err := os.ReadFile("../../../localdev/server/web/src/overlays.js")
	if err != nil {
		t.Fatal(err)
	}
	for l, c := range overInk {
		if want := fmt.Sprintf(`light: "#%02x%02x%02x"`, c.R, c.G, c.B); !strings.Contains(string(page), want) ||
			!strings.Contains(string(page), `id: "`+string(l)+`"`) {
			t.Errorf("%s: the map page has no %s", l, want)
		}
	}
	for _, want := range []string{fmt.Sprintf(`"fill-opacity": %.2f`, float64(overAlpha)/255), fmt.Sprintf(`"line-width": %d`, overWidth),
		fmt.Sprintf(`"line-dasharray": [%d, %.1f]`, dashOn/overWidth, float64(dashOff)/overWidth)} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the map page has no %s", want)
		}
	}
}
