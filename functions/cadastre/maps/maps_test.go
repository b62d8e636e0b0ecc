package maps

import (
	"math"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/mvt"
)

// The colours and widths are those of the map page.
func TestTheStyleIsTheMapPages(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile("../../../localdev/server/web/src/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	palette, style := read("palette.js"), read("style.js")
	_, ink, _ := strings.Cut(palette, "export const ink = {\n  light: {")
	ink, _, _ = strings.Cut(ink, "}")
	for name, c := range map[string]struct{ R, G, B, A uint8 }{"kg": inkKG, "halo": halo, "parcel": inkParcel, "outline": inkHouse,
		"number": inkNumber} {
		m := regexp.MustCompile(`\b` + name + `: "(#[0-9a-f]{6})"`).FindStringSubmatch(ink)
		if m == nil || hex(m[1]) != c {
			t.Errorf("%s is %v, the map page has %v", name, c, m)
		}
	}
	for _, c := range austria.AllLandUseClasses() {
		m := regexp.MustCompile(`id: "` + c.String() + `", name: "([^"]*)", light: "(#[0-9a-f]{6})"`).FindStringSubmatch(palette)
		if m == nil || m[1] != classes[c].title || hex(m[2]) != classes[c].colour {
			t.Errorf("class %v is %v, the map page has %v", c, classes[c], m)
		}
	}
	for _, part := range []string{`"line-width": ["interpolate", ["linear"], ["zoom"], 13, 0.2, 16, 0.8, 19, 1.6]`,
		`"line-width": ["interpolate", ["linear"], ["zoom"], 9, 0.8, 16, 2.5]`,
		`"text-size": ["interpolate", ["linear"], ["zoom"], 16, 11, 19, 14]`, `width = 1.4`, `"source-layer": "footprints", minzoom: 14`,
		`"source-layer": "labels", minzoom: 16`} {
		if !strings.Contains(style, part) {
			t.Errorf("the map page has no %s", part)
		}
	}
	if parcelWidth.at(13) != 0.2 || math.Abs(parcelWidth.at(14.5)-0.5) > 1e-9 || parcelWidth.at(30) != 1.6 || kgWidth.at(2) != 0.8 ||
		numberSize.at(17.5) != 12.5 {
		t.Error("stops")
	}
}

// A picture's zoom is that of the map page with the same width of a pixel; the way of a tile into it is exact to a fifth of a pixel.
func TestPictures(t *testing.T) {
	for _, s := range sets() {
		lon, lat := 13.3, 47.5
		x, y := s.system.Forward(lon, lat)
		for z := 9; z <= 16; z++ {
			side := s.unit * tileSize / math.Exp2(float64(z))
			v, ok := s.at(z, int((x-s.left)/side), int((s.top-y)/side))
			if !ok || !(v.box[0] <= x && x <= v.box[2] && v.box[1] <= y && y <= v.box[3]) {
				t.Fatalf("%s %d: %v does not hold %f %f", s.name, z, v, x, y)
			}
			zoom := v.zoom()
			if s.name == "WebMercatorQuad" && math.Abs(zoom-float64(z-1)) > 1e-6 {
				t.Errorf("matrix %d has zoom %f", z, zoom)
			}
			g := mvt.Grid{Z: uint8(max(8, min(16, math.Floor(zoom+1e-6)))), Extent: mvt.DefaultExtent}
			cx, cy := v.degrees(128, 128)
			gx, gy := crs.WebMercator.Forward(cx, cy)
			const half = math.Pi * 6378137
			size := float64(g.Size())
			fx, fy := (gx/half+1)/2*size, (1-gy/half)/2*size
			id := mvt.TileID{Z: g.Z, X: uint32(fx / mvt.DefaultExtent), Y: uint32(fy / mvt.DefaultExtent)}
			w := v.warp(id)
			got := w.at(float32(fx-float64(id.X)*mvt.DefaultExtent), float32(fy-float64(id.Y)*mvt.DefaultExtent))
			if math.Abs(float64(got.X)-128) > 0.2 || math.Abs(float64(got.Y)-128) > 0.2 {
				t.Errorf("%s %d: the middle is at %v", s.name, z, got)
			}
		}
	}
	nowhere := picture{w: 10, h: 10, system: crs.LambertMGI, box: [4]float64{-9e8, -9e8, -8e8, -8e8}}
	if out, err := nowhere.draw(t.Context(), nil, []layer{}, halo); err != nil || out.Bounds().Dx() != 10 {
		t.Errorf("%v", err)
	}
}

// However wide or high a picture is, it takes few strips, each of which goes through its features, and as much memory as its pixels.
func TestStripsAreFew(t *testing.T) {
	for _, side := range [][2]int{{256, 256}, {4096, 4096}, {maxSide, maxPixels / maxSide}, {maxPixels / maxSide, maxSide}, {1, maxSide},
		{maxSide, 1}} {
		v := picture{w: side[0], h: side[1]}
		if n := (v.h + v.stripRows() - 1) / v.stripRows(); n > 16 || v.memory(nil) > maxPixels*4+stripPixels*20+48<<20 {
			t.Errorf("%v: %d strips, %d bytes", side, n, v.memory(nil))
		}
	}
}

func TestNamesAreReadInAnyCase(t *testing.T) {
	s := spokenOf(tellWMS, wmsParams()...)
	got := s.plain("SERVICE=WMS&Layers=a%2Cb&STYLES=&DPI=96&map=x&bBoX=1,2&width=3&%57idth=4&&broken%=1")
	if want := "service=WMS&layers=a%2Cb&bbox=1,2&width=3&width=4"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for version, want := range map[string]string{"": "1.3.0", "1.0.0": "1.1.1", "1.1.0": "1.1.1", "1.3.0": "1.3.0"} { // as it is read
		if _, body := tellWMS(url.Values{"version": {version}}, failure{Error: "x"}); !strings.Contains(string(body),
			`<ServiceExceptionReport version="`+want+`"`) {
			t.Errorf("%q: %s", version, body)
		}
	}
	_, body := tellWMS(url.Values{"version": {"1.1.1"}}, failure{Error: `<b>&"`})
	if !strings.Contains(string(body), "&lt;b&gt;&amp;&#34;") || !strings.Contains(string(body), `version="1.1.1"`) {
		t.Errorf("%s", body)
	}
}

// A border that two parcels share is drawn once, whichever way each runs along it and whichever tile it comes from.
func TestASharedBorderIsKnown(t *testing.T) {
	d := &drawing{seen: map[edge]struct{}{}}
	one, east := &tile{id: mvt.TileID{Z: 16, X: 7, Y: 9}}, &tile{id: mvt.TileID{Z: 16, X: 8, Y: 9}}
	const side = mvt.DefaultExtent
	if d.known(one, side, 10, side, 200) || !d.known(one, side, 200, side, 10) || !d.known(east, 0, 10, 0, 200) ||
		d.known(east, side, 10, side, 200) {
		t.Error("a border is not known again")
	}
}

func TestSmallForms(t *testing.T) {
	for text, want := range map[string]file{"12.png": {12, asPNG}, "0.jpg": {0, asJPEG}, "7.jpeg": {7, asJPEG}, "-1.png": {}, "1": {},
		"x.png": {}, "1.gif": {}, "12345678901.png": {}} {
		if got, err := parseFile(text); got != want || (err == nil) != (want.as != "") {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	for text, want := range map[string]pixel{"0.json": {0, infoJSON}, "255.txt": {255, infoText}, "7.html": {7, infoHTML}, "256.txt": {},
		"-1.txt": {}, "1.xml": {}, "1": {}, "0001.txt": {}} {
		got, err := parsePixel(text)
		if got != want || (err == nil) != (want.as != "") || err == nil && got.String() != text {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	if got := drawn([]layer{labels, whole, labels}); len(got) != 5 || got[0] != labels {
		t.Errorf("%v", got)
	}
	if _, err := parseLayers(strings.Repeat("kg,", maxLayers) + "kg"); err == nil {
		t.Error("too many layers are read")
	}
	if got, err := parseVersion("1.2.0"); got != "1.1.1" || err != nil {
		t.Error(got)
	}
	for _, s := range sets() { // a program reads "-0" as another text than "0"
		if s.left == 0 && math.Signbit(s.left) || s.top == 0 && math.Signbit(s.top) {
			t.Errorf("%s begins at %v, %v", s.name, s.left, s.top)
		}
	}
	names := setNames()
	if len(names) != 12 || slices.Contains(names, "") || len(slices.Compact(slices.Sorted(slices.Values(names)))) != 12 {
		t.Errorf("%v", names)
	}
	for _, n := range names {
		if s, err := parseSet(n); err != nil || s.name != n {
			t.Errorf("%s: %v", n, err)
		}
	}
	if ax, ay, bx, by, ok := within(-50, 100, 4196, 100); !ok || ax != 0 || ay != 100 || bx != 4096 || by != 100 {
		t.Error(ax, ay, bx, by, ok)
	}
	if _, _, _, _, ok := within(-64, 0, -64, 4096); ok {
		t.Error("where a tile was cut there is no border")
	}
}
