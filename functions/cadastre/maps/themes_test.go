package maps

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/ne"
	"mappe/artefacts/pmt"
	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/geo/mvt"
)

// feature is a polygon of a made-up tile.
func feature(id mvt.TileID, ring geom.Ring) mvt.Feature {
	g := mvt.Grid{Z: id.Z, Extent: mvt.DefaultExtent}
	var part []mvt.Point
	for _, p := range ring {
		x, y := g.Snap(p)
		part = append(part, mvt.Point{X: int32(x - int64(id.X)*mvt.DefaultExtent), Y: int32(y - int64(id.Y)*mvt.DefaultExtent)})
	}
	return mvt.Feature{Type: mvt.Polygons, Parts: [][]mvt.Point{part}}
}

func tileOf(p geom.Point, z uint8) mvt.TileID {
	g := mvt.Grid{Z: z, Extent: mvt.DefaultExtent}
	return g.Tile(g.Snap(p))
}

// encodedTile is a tile with layers.
func encodedTile(t *testing.T, id mvt.TileID, layers ...*mvt.LayerBuilder) pmt.Tile {
	t.Helper()
	var tile mvt.Tile
	for _, l := range layers {
		tile.Layers = append(tile.Layers, l.Layer())
	}
	body, err := mvt.Encode(tile)
	if err != nil {
		t.Fatal(err)
	}
	return pmt.Tile{ID: pmt.ZXY{Z: id.Z, X: id.X, Y: id.Y}.ID(), Content: body}
}

func archiveOptions(of pmt.TileType, metadata map[string]any) pmt.Options {
	return pmt.Options{Type: of, TileCompression: pmt.None, Metadata: metadata, MinLon: 149_000_000, MinLat: 479_000_000,
		MaxLon: 151_000_000, MaxLat: 481_000_000}
}

// heightTile is a tile of 256 pixels whose ground rises by so many metres a pixel to the east and to the south.
func heightTile(t *testing.T, side int, east, south float64) []byte {
	t.Helper()
	p := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			n := uint32((32768 + 2000 + east*float64(x-128) + south*float64(y-128)) * 256)
			p.SetRGBA(x, y, color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const heightsZ = 11

// themedWorld serves the fixture's world with prices, cells and a slope: parcels 1, 2 and the KG in one tile of zoom 14, a forest of 60 %
// in one cell of resolution 9, and single cells of the rows. A KG that is named is cold.
func themedWorld(t *testing.T, heights []byte, cold bool) http.Handler {
	t.Helper()
	s := mem.New()
	snaps := fixture.Snapshots()
	err := fixture.Publish(s, snaps, "88803")
	if cold {
		err = fixture.Publish(s, snaps, "88803", "88801")
	}
	id := tileOf(fixture.At(1, 1), 14)
	own, parcelLayer := mvt.NewLayer("kg", mvt.DefaultExtent), mvt.NewLayer("parcels", mvt.DefaultExtent)
	own.Add(feature(id, fixture.Rect(0, 0, 4, 4)), mvt.Attr{Key: "kg_code", Value: mvt.String("88801")})
	for i, place := range [][2]float64{{0, 0}, {1, 0}} {
		parcelLayer.Add(feature(id, fixture.Rect(place[0], place[1], place[0]+1, place[1]+1)),
			mvt.Attr{Key: "parcel_id", Value: mvt.String("88801-" + strconv.Itoa(i+1))})
	}
	far := mvt.NewLayer("cells", mvt.DefaultExtent)
	cell, err9 := hexgrid.PointToCell(fixture.At(2, 2), 9)
	coarse := tileOf(fixture.At(2, 2), 12)
	far.Add(feature(coarse, fixture.Rect(0, 0, 4, 4)), mvt.Attr{Key: "cell", Value: mvt.String(cell.String())},
		mvt.Attr{Key: "wald", Value: mvt.Uint(153)}, mvt.Attr{Key: "confirmed_m2", Value: mvt.Uint(5000)},
		mvt.Attr{Key: "area_m2", Value: mvt.Uint(100_000)})
	ground := tileOf(fixture.At(2, 2), heightsZ)
	err = errors.Join(err, err9,
		fixture.AddPrices(s, snaps, fixture.PriceRows()), fixture.AddCells(s, snaps[:3], fixture.CellsOf{}),
		fixture.AddTiles(s, archiveOptions(pmt.MVT, map[string]any{}), []pmt.Tile{encodedTile(t, id, own, parcelLayer)}),
		fixture.AddArchive(s, ne.BaseArtefact, archiveOptions(pmt.MVT, map[string]any{}), []pmt.Tile{encodedTile(t, coarse, far)}),
		fixture.AddArchive(s, reliefArtefact, archiveOptions(pmt.PNG, map[string]any{"attribution": "made-up heights", "encoding": "terrarium"}),
			[]pmt.Tile{{ID: pmt.ZXY{Z: ground.Z, X: ground.X, Y: ground.Y}.ID(), Content: heights}}))
	if err != nil {
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

// seenAt is a request about a place at a zoom of the map page, 64 pixels wide.
func seenAt(request, layers string, at geom.Point, zoom float64) string {
	x, y := webMercator(at)
	half := 32 * worldMetres / (512 * math.Exp2(zoom))
	return fmt.Sprintf("/wms?service=WMS&version=1.3.0&request=%s&layers=%s&query_layers=%s&crs=EPSG:3857&bbox=%f,%f,%f,%f&width=64&height=64&i=32&j=32&transparent=true&info_format=application/json",
		request, layers, layers, x-half, y-half, x+half, y+half)
}

func webMercator(at geom.Point) (x, y float64) { return sets()[0].system.Project(at) }

func colourAt(t *testing.T, h http.Handler, layers string, at geom.Point, zoom float64) color.NRGBA {
	t.Helper()
	return color.NRGBAModel.Convert(pictureAt(t, h, seenAt("GetMap", layers, at, zoom)).At(32, 32)).(color.NRGBA)
}

// toldOf are the values that GetFeatureInfo has of a layer; nil of none.
func toldOf(t *testing.T, h http.Handler, layers string, at geom.Point, zoom float64) map[string]any {
	t.Helper()
	w := fixture.Ask(h, "GET", seenAt("GetFeatureInfo", layers, at, zoom), "")
	var body struct {
		Features []struct{ Properties map[string]any }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != 200 {
		t.Fatalf("%d %v %s", w.Code, err, w.Body)
	}
	if len(body.Features) == 0 {
		return nil
	}
	return body.Features[0].Properties
}

func alike(a, b color.NRGBA, most int) bool {
	for _, d := range [4]int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B), int(a.A) - int(b.A)} {
		if max(d, -d) > most {
			return false
		}
	}
	return true
}

// TestPricesAreDrawn: a KG in the colour of its municipality's building land (150 €/m², published for itself), a parcel in that of what
// is told of it; nothing of a KG whose snapshot is not at hand, which is named.
func TestPricesAreDrawn(t *testing.T) {
	h := themedWorld(t, heightTile(t, heightSide, 0, 0), false)
	want := hex("#3188ba") // 100 to 200
	want.A = 235           // 0.92
	if got := colourAt(t, h, "prices", fixture.At(3, 3), 13); !alike(got, want, 2) {
		t.Errorf("the KG is %v, want %v", got, want)
	}
	if got := toldOf(t, h, "prices", fixture.At(3, 3), 13); got["building_land_eur_per_sqm"] != 150.0 || got["gemeinde_code"] != "38801" ||
		got["in_words"] != "Building land in the municipality, 2024: 150 €/m², published value of the municipality itself" {
		t.Errorf("of the KG: %v", got)
	}
	at := fixture.At(0.5, 0.5)
	parcel := toldOf(t, h, "prices", at, 16)
	eur, _ := parcel["buy_eur_per_sqm"].(float64)
	if words := fmt.Sprint(parcel["in_words"]); parcel["parcel_id"] != "88801-1" || eur <= 0 ||
		!strings.Contains(words, locale{}.euros(eur)+" €/m², from ") {
		t.Errorf("of the parcel: %v", parcel)
	}
	page := []struct {
		from   float64
		colour string
	}{{0, "#ffffd0"}, {5, "#9ed8ba"}, {20, "#6bc5bf"}, {50, "#4aaabe"}, {100, "#3188ba"}, {200, "#2b5ca9"}, {400, "#25307c"}, {800, "#161240"}}
	for _, c := range page {
		if eur >= c.from {
			want = hex(c.colour)
		}
	}
	want.A = 235
	seen := false // between the lines of the hatching
	p := pictureAt(t, h, seenAt("GetMap", "prices", at, 16))
	for x := 28; x < 36; x++ {
		seen = seen || alike(color.NRGBAModel.Convert(p.At(x, 32)).(color.NRGBA), want, 2)
	}
	if !seen {
		t.Errorf("a parcel of %v €/m² is not %v, but %v", eur, want, p.At(32, 32))
	}
	if got := colourAt(t, h, "prices", fixture.At(6, 6), 16); got.A != 0 {
		t.Errorf("no parcel: %v", got)
	}
	gone := themedWorld(t, heightTile(t, heightSide, 0, 0), true)
	if got := colourAt(t, gone, "prices", at, 16); got.A != 0 {
		t.Errorf("a parcel of a KG that is not at hand: %v", got)
	}
	if w := fixture.Ask(gone, "GET", seenAt("GetFeatureInfo", "prices", at, 16), ""); !strings.Contains(w.Body.String(), "88801") ||
		w.Header().Get("X-Data-Ready") != "false" {
		t.Errorf("a KG that is not at hand: %v %s", w.Header(), w.Body)
	}
}

// TestHatchingSaysHowSure: the classes of an interval, and lines that go on from tile to tile.
func TestHatchingSaysHowSure(t *testing.T) {
	for _, s := range spreads {
		if s.step > 0 && tileSize%s.step != 0 {
			t.Errorf("lines %d apart do not go on in the next tile", s.step)
		}
	}
	if a, b := spreads[1].line(8, 0), spreads[1].line(1, 0); a.R != 0 || a.A != hatchAlpha || b.R != 255 || spreads[1].line(2, 0).A != 0 {
		t.Errorf("lines: %v %v", a, b)
	}
}

// TestCellsAreDrawn: a larger cell in the colour of its share, what changed there, and single cells in that of their rows.
func TestCellsAreDrawn(t *testing.T) {
	h := themedWorld(t, heightTile(t, heightSide, 0, 0), false)
	at := fixture.At(2, 2)
	for _, c := range []struct {
		layer, want, words string
	}{
		{"cells_wald", "#985273", "Forest: 60 % of the cell of "}, {"cells_acker", "#fdffc9", "Fields, meadows, vineyards: 0 % of the cell of "},
		{"cells_changes", "#5e95d2", "Changed ground: 5000 m² confirmed, 0 m² candidate, of the cell of "},
	} {
		want := hex(c.want)
		want.A = 235
		if got := colourAt(t, h, c.layer, at, 12.5); !alike(got, want, 2) {
			t.Errorf("%s is %v, want %v", c.layer, got, want)
		}
		if got := toldOf(t, h, c.layer, at, 12.5); !strings.HasPrefix(fmt.Sprint(got["in_words"]), c.words) || got["resolution"] != 9.0 {
			t.Errorf("%s: %v", c.layer, got)
		}
	}
	single := toldOf(t, h, "cells_wald", at, 15)
	share, _ := single["share_pct"].(float64)
	if single["resolution"] != 12.0 || single["area_m2"].(float64) > 400 {
		t.Fatalf("a single cell: %v", single)
	}
	want := colourIn(shares, math.Round(share*255/100)/255)
	want.A = 235
	place, err := hexgrid.Parse(single["cell"].(string))
	if err != nil {
		t.Fatal(err)
	}
	middle, err := place.LatLng()
	if err != nil {
		t.Fatal(err)
	}
	p, _ := geom.PointAt(middle.Lng, middle.Lat)
	if got := colourAt(t, h, "cells_wald", p, 15); !alike(got, want, 2) {
		t.Errorf("a single cell of %v %% is %v, want %v", share, got, want)
	}
	if got := toldOf(t, h, "cells_changes", at, 15); got["status"] != "unchanged" {
		t.Errorf("what changed in a single cell: %v", got)
	}
	if got := colourAt(t, h, "cells_changes", at, 15); got.A != 0 {
		t.Errorf("a cell that did not change: %v", got)
	}
	unbuilt := fixture.Ask(h, "GET", seenAt("GetFeatureInfo", "cells_wald", fixture.At(2, -2), 15), "")
	if !strings.Contains(unbuilt.Body.String(), "88803") {
		t.Errorf("a KG without cells: %s", unbuilt.Body)
	}
}

// TestReliefIsShaded: ground that faces the light in the north-west is lighter than the map below it, ground that faces away is darker,
// level ground is neither; a tile of another size is refused; height, slope and the wind it faces are told.
func TestReliefIsShaded(t *testing.T) {
	at := fixture.At(2, 2)
	grey := func(h http.Handler) int {
		opaque := strings.Replace(seenAt("GetMap", "relief", at, 12), "transparent=true", "transparent=false&bgcolor=0x808080", 1)
		p := pictureAt(t, h, opaque)
		return int(color.NRGBAModel.Convert(p.At(32, 32)).(color.NRGBA).G)
	}
	const steep = 10 // m a pixel
	for _, c := range []struct {
		east, south float64
		sign        int
		faces       any
	}{{steep, steep, 1, "north-west"}, {-steep, -steep, -1, "south-east"}, {0, 0, 0, nil}} {
		h := themedWorld(t, heightTile(t, heightSide, c.east, c.south), false)
		if got := grey(h) - 0x80; got*c.sign < 0 || c.sign != 0 && max(got, -got) < 10 || c.sign == 0 && got != 0 {
			t.Errorf("ground that rises %v to the east and %v to the south differs by %d", c.east, c.south, got)
		}
		told := toldOf(t, h, "relief", at, 12)
		if told["faces"] != c.faces {
			t.Errorf("ground that rises %v to the east and %v to the south: %v", c.east, c.south, told)
		}
		pixel := worldMetres / (heightSide * math.Exp2(heightsZ)) * math.Cos(at.Lat()*math.Pi/180)
		want := math.Atan(math.Hypot(c.east, c.south)/pixel) * 180 / math.Pi
		if got, _ := told["slope_deg"].(float64); math.Abs(got-want) > 0.1 {
			t.Errorf("the slope is %v°, want %.1f°", told["slope_deg"], want)
		}
	}
	damaged := themedWorld(t, heightTile(t, 2*heightSide, 0, 0), false)
	if w := fixture.Ask(damaged, "GET", seenAt("GetMap", "relief", at, 12), ""); w.Code != 500 && w.Code != 503 {
		t.Errorf("a tile of 512 pixels: %d", w.Code)
	}
	level := themedWorld(t, heightTile(t, heightSide, steep, steep), false)
	for zoom, want := range map[float64]bool{3.5: false, 12: true, 18: false} {
		if got := colourAt(t, level, "relief", at, zoom).A > 0; got != want {
			t.Errorf("zoom %v: drawn is %t, want %t", zoom, got, want)
		}
	}
}

// TestThemesAreListed: with bounds of scales, credits and legends of the size that is said; a country without them has empty pictures.
func TestThemesAreListed(t *testing.T) {
	h := themedWorld(t, heightTile(t, heightSide, 0, 0), false)
	doc := fixture.Ask(h, "GET", "/wms?service=WMS&request=GetCapabilities", "").Body.String()
	for _, want := range []string{"<MinScaleDenominator>1066</MinScaleDenominator>\n<MaxScaleDenominator>", "<Title>made-up heights</Title>",
		"<Title>made-up prices</Title>", "<Title>Land statistics of hexagonal cells</Title>"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the capabilities have no %s", want)
		}
	}
	none := overWorld(t)
	for _, d := range themes {
		for _, path := range []string{"/wms?service=WMS&request=GetCapabilities&version=1.1.1", "/wmts/1.0.0/WMTSCapabilities.xml"} {
			if !strings.Contains(fixture.Ask(h, "GET", path, "").Body.String(), ">"+string(d.layer)+"<") {
				t.Errorf("%s does not list %s", path, d.layer)
			}
		}
		w, high := sizeOf(d.layer.legend(locale{}))
		legend := pictureAt(t, h, "/wms?service=WMS&version=1.3.0&request=GetLegendGraphic&format=image/png&layer="+string(d.layer))
		if b := legend.Bounds(); b.Dx() != w || b.Dy() != high {
			t.Errorf("the legend of %s is %v, the capabilities say %d × %d", d.layer, b, w, high)
		}
		for _, zoom := range []float64{12, 16} {
			if got := colourAt(t, none, string(d.layer), fixture.At(2, 2), zoom); got.A != 0 {
				t.Errorf("%s of a country without it at zoom %v: %v", d.layer, zoom, got)
			}
			if got := toldOf(t, none, string(d.layer), fixture.At(2, 2), zoom); got != nil {
				t.Errorf("%s of a country without it: %v", d.layer, got)
			}
		}
	}
}

// TestTheThemesAreTheMapPages: classes, colours, opacities, zooms and patterns.
func TestTheThemesAreTheMapPages(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile("../../../localdev/server/web/src/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	code := func(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	pages := map[string]string{}
	has := func(file string, want ...string) {
		if pages[file] == "" {
			pages[file] = read(file)
		}
		for _, w := range want {
			if !strings.Contains(pages[file], w) {
				t.Errorf("%s has no %s", file, w)
			}
		}
	}
	for _, c := range priceClasses {
		has("palette.js", fmt.Sprintf(`{ from: %s, light: "%s"`, number(c.from), code(c.colour)))
	}
	for _, s := range shares {
		has("palette.js", fmt.Sprintf(`{ from: %s, light: "%s"`, number(s.from), code(s.colour)))
	}
	for i, s := range changedShares[ne.Confirmed] {
		has("palette.js", fmt.Sprintf(`{ from: %s, confirmed: { light: "%s"`, number(s.from), code(s.colour)),
			fmt.Sprintf(`candidate: { light: "%s"`, code(changedShares[ne.Candidate][i].colour)))
	}
	for status, c := range changedCells {
		has("palette.js", fmt.Sprintf(`{ id: "%s", name: "%s%s", light: "%s"`, status, strings.ToUpper(string(status[:1])), status[1:],
			code(c)))
	}
	has("prices.js", fmt.Sprintf("parcelZoom = %v;", parcelZoom), fmt.Sprintf(`"fill-opacity": %v }`, themeShare), "spread], 0.6, 0]",
		`upTo: 1.33, pattern: ""`, `upTo: 1.5, pattern: "hatch"`, `"hatch", pattern(32, 16), { pixelRatio: 2 }`,
		`"hatch-dense", pattern(32, 8), { pixelRatio: 2 }`, "value, 235]")
	has("api.js", fmt.Sprintf("priceYear = %d;", priceYear))
	has("cellstyle.js", fmt.Sprintf("nearZoom = %v;", nearZoom), fmt.Sprintf(`"fill-opacity": %v, "fill-antialias"`, themeShare),
		`minzoom: 16, layout, paint: { "line-color": ground[mode], "line-width": 0.6, "line-opacity": 0.7 }`)
	list := make([]string, 0, 8)
	for _, s := range shadeStrength {
		list = append(list, number(s[0]), number(s[1]))
	}
	rgba := func(s shade) string {
		return fmt.Sprintf("%v,%v,%v,%v", s.r, s.g, s.b, s.a)
	}
	has("base.js", `["zoom"], `+strings.Join(list, ", ")+"]", `"hillshade-illumination-direction": 315`, "rgba("+rgba(shadow)+")",
		"rgba("+rgba(highlight)+")", "rgba("+rgba(accent)+")")
}
