package e2e

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg"
	"image/png"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/builders/national"
	"mappe/functions/cadastre/maps"
	"mappe/functions/core"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/geo/mvt"
)

// mapsOf serves pictures of one KG.
func mapsOf(t testing.TB) (*kgfile.Snapshot, http.Handler) {
	t.Helper()
	st := mem.New()
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 700, Segments: 2, AreaKm2: 2, Seed: 9})
	if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := maps.New(core.Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return snapshot, h
}

func pictured(h http.Handler, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
	return w
}

// view is a box of so many metres around a parcel in a system, as a request of a version names it.
func viewOf(s crs.System, at geom.Point, metres float64, northFirst bool) string {
	x, y := s.Project(at)
	if s == crs.WGS84 {
		metres /= 111_000
	}
	b := []float64{x - metres, y - metres, x + metres, y + metres}
	if northFirst {
		b = []float64{b[1], b[0], b[3], b[2]}
	}
	return fmt.Sprintf("%f,%f,%f,%f", b[0], b[1], b[2], b[3])
}

// forests are the largest areas of forest, of which a point inside is that of no other use.
func forests(s *kgfile.Snapshot, n int) (list []geom.Point) {
	for i := range s.LandUse {
		if u := &s.LandUse[i]; u.NS.Class() == austria.ClassForest && len(u.Geometry) == 1 && len(u.Geometry[0]) == 1 && len(list) < n {
			list = append(list, u.Inside)
		}
	}
	return list
}

var forest = color.NRGBA{R: 0x61, G: 0x8e, B: 0x79, A: 255} // palette.js

// TestThePlaceIsRightInEverySystem: what stands in the middle of a picture is what the snapshot says, in each system and version, and
// beyond the KG there is nothing.
func TestThePlaceIsRightInEverySystem(t *testing.T) {
	snap, h := mapsOf(t)
	spots := forests(snap, 3)
	if len(spots) < 3 {
		t.Fatal("too few forests")
	}
	for _, s := range crs.AllSystems() {
		for _, version := range []string{"1.3.0", "1.1.1"} {
			name, north := "crs", s != crs.WebMercator
			if version == "1.1.1" {
				name, north = "srs", false
			}
			for _, at := range spots {
				query := fmt.Sprintf("/wms?Service=WMS&Version=%s&Request=GetMap&Layers=landuse&Styles=&%s=%v&BBox=%s&Width=81&Height=81&Format=image/png&Transparent=TRUE", version, name, s, viewOf(s, at, 10, north))
				if got := colourOf(t, h, query, 40, 40); got != forest {
					t.Errorf("%s: %v", query, got)
				}
			}
			far := geom.Point{X: spots[0].X + 2_000_000, Y: spots[0].Y}
			query := fmt.Sprintf("/wms?service=WMS&version=%s&request=getmap&layers=cadastre&%s=%v&bbox=%s&width=20&height=20&transparent=true", version, name, s, viewOf(s, far, 10, north))
			if got := colourOf(t, h, query, 10, 10); got.A != 0 {
				t.Errorf("%s: %v", query, got)
			}
		}
	}
	lon, lat := spots[0].Lon(), spots[0].Lat()
	for _, query := range []string{
		fmt.Sprintf("/wms?request=GetMap&version=1.3.0&layers=landuse&crs=CRS:84&width=9&height=9&bbox=%f,%f,%f,%f", lon-1e-5, lat-1e-5,
			lon+1e-5, lat+1e-5),
		fmt.Sprintf("/wms?request=GetMap&version=1.3.0&layers=landuse&crs=EPSG:4326&width=9&height=9&format=image/jpeg&bbox=%f,%f,%f,%f",
			lat-1e-5, lon-1e-5, lat+1e-5, lon+1e-5),
	} {
		if got := colourOf(t, h, query, 4, 4); far(got, forest) > 3 {
			t.Errorf("%s: %v", query, got)
		}
	}
}

// far is how far two colours are apart.
func far(a, b color.NRGBA) int {
	return max(max(int(a.R), int(b.R))-min(int(a.R), int(b.R)), max(int(a.G), int(b.G))-min(int(a.G), int(b.G)), max(int(a.B),
		int(b.B))-min(int(a.B), int(b.B)))
}

// pictureOf decodes a picture.
func pictureOf(t *testing.T, h http.Handler, target string) image.Image {
	t.Helper()
	w := pictured(h, target)
	p, _, err := image.Decode(w.Body)
	if w.Code != 200 || err != nil {
		t.Fatalf("%s: %d %v %.500s", target, w.Code, err, w.Body)
	}
	return p
}

func colourOf(t *testing.T, h http.Handler, target string, x, y int) color.NRGBA {
	t.Helper()
	return color.NRGBAModel.Convert(pictureOf(t, h, target).At(x, y)).(color.NRGBA)
}

// TestTilesAreOnePicture: the tiles of a place put together are what one picture of it is, numbers across their sides with it; the
// addresses and the query give the same tile.
func TestTilesAreOnePicture(t *testing.T) {
	snap, h := mapsOf(t)
	g := mvt.Grid{Z: 18, Extent: 256}
	x, y := g.Snap(snap.Parcels[350].Inside)
	at := g.Tile(x, y)
	const n = 3
	whole := image.NewNRGBA(image.Rect(0, 0, n*256, n*256))
	for j := range n {
		for i := range n {
			tile := pictureOf(t, h, fmt.Sprintf("/wmts/xyz/cadastre/18/%d/%d.png", at.X+uint32(i), at.Y+uint32(j)))
			draw.Draw(whole, image.Rect(i*256, j*256, i*256+256, j*256+256), tile, image.Point{}, draw.Src)
		}
	}
	const half = math.Pi * 6378137
	side := 2 * half / (1 << 18)
	west, north := -half+side*float64(at.X), half-side*float64(at.Y)
	one := pictureOf(t, h, fmt.Sprintf(
		"/wms?request=GetMap&version=1.1.1&layers=cadastre&srs=EPSG:3857&transparent=true&width=%d&height=%d&bbox=%f,%f,%f,%f", n*256,
		n*256, west, north-n*side, west+n*side, north))
	differ := 0
	for j := range n * 256 {
		for i := range n * 256 {
			if far(whole.NRGBAAt(i, j), color.NRGBAModel.Convert(one.At(i, j)).(color.NRGBA)) > 8 {
				differ++
			}
		}
	}
	if differ > 200 { // a smoothed edge here and there; numbers that are cut at the sides are more
		t.Errorf("%d pixels of the tiles are not those of the picture", differ)
	}
	query := fmt.Sprintf("/wmts?SERVICE=WMTS&REQUEST=GetTile&LAYER=cadastre&STYLE=default&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=18&TILEROW=%d&TILECOL=%d&FORMAT=image/png", at.Y, at.X)
	want := pictured(h, fmt.Sprintf("/wmts/xyz/cadastre/18/%d/%d.png", at.X, at.Y)).Body.Bytes()
	for _, target := range []string{query, fmt.Sprintf("/wmts/1.0.0/cadastre/default/WebMercatorQuad/18/%d/%d.png", at.Y, at.X)} {
		if w := pictured(h, target); !bytes.Equal(w.Body.Bytes(),
			want) || w.Header().Get("Content-Type") != "image/png" || w.Header().Get("ETag") == "" {
			t.Errorf("%s: %d %v", target, w.Code, w.Header())
		}
	}
}

// TestCapabilitiesSayWhere: the box of each system holds what is drawn, in the order that the version and the system name positions in.
func TestCapabilitiesSayWhere(t *testing.T) {
	snap, h := mapsOf(t)
	at := snap.Parcels[350].Inside
	for _, version := range []string{"1.3.0", "1.1.1"} {
		var doc struct {
			Layer struct {
				Box []struct {
					CRS  string  `xml:"CRS,attr"`
					SRS  string  `xml:"SRS,attr"`
					MinX float64 `xml:"minx,attr"`
					MinY float64 `xml:"miny,attr"`
					MaxX float64 `xml:"maxx,attr"`
					MaxY float64 `xml:"maxy,attr"`
				} `xml:"BoundingBox"`
			} `xml:"Capability>Layer"`
		}
		w := pictured(h, "/wms?service=WMS&request=GetCapabilities&version="+version)
		if err := xml.Unmarshal(w.Body.Bytes(), &doc); err != nil || len(doc.Layer.Box) < len(crs.AllSystems()) {
			t.Fatalf("%s: %v %d boxes", version, err, len(doc.Layer.Box))
		}
		for _, b := range doc.Layer.Box {
			s, err := crs.Parse(strings.Replace(b.CRS+b.SRS, "CRS:84", "CRS84", 1))
			if err != nil {
				t.Fatal(err)
			}
			x, y := s.Project(at)
			if version == "1.3.0" && s != crs.WebMercator && b.CRS != "CRS:84" { // EPSG has north first in all of these
				x, y = y, x
			}
			if reach := 3000.0; !(b.MinX < x && x < b.MaxX && b.MinY < y && y < b.MaxY && b.MaxX-b.MinX < reach && b.MaxY-b.MinY < reach) {
				t.Errorf("%s: %+v does not hold %f %f", version, b, x, y)
			}
		}
	}
}

// TestGDALReadsTheMaps: GDAL's drivers for WMS and WMTS open the services by their addresses and bring the picture that stands there.
func TestGDALReadsTheMaps(t *testing.T) {
	info, translate := oracles.Program(t, "gdalinfo"), oracles.Program(t, "gdal_translate")
	snap, h := mapsOf(t)
	server := httptest.NewServer(h)
	defer server.Close()
	dir := t.TempDir()
	run := func(program string, args ...string) string {
		c := exec.CommandContext(t.Context(), program, args...)
		c.Env = append(os.Environ(), "GDAL_DEFAULT_WMS_CACHE_PATH="+dir)
		out, err := c.CombinedOutput()
		if err != nil || strings.Contains(string(out), "ERROR") {
			t.Fatalf("%s %v: %v\n%s", program, args, err, out)
		}
		return string(out)
	}
	at := forests(snap, 1)[0]
	for _, version := range []string{"1.3.0", "1.1.1"} {
		out := run(info, "WMS:"+server.URL+"/wms?SERVICE=WMS&VERSION="+version+"&REQUEST=GetCapabilities")
		for _, want := range []string{"LAYERS=cadastre", "LAYERS=landuse", "LAYERS=labels", "LAYERS=relief", "LAYERS=prices", "LAYERS=cells_wald",
			"LAYERS=cells_changes"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: GDAL does not see %s:\n%s", version, want, out)
			}
		}
	}
	listed := run(info, "WMS:"+server.URL+"/wms?SERVICE=WMS&REQUEST=GetCapabilities&LANGUAGE=ger")
	german := regexp.MustCompile(`=(WMS:.*LANGUAGE=ger.*LAYERS=landuse&.*)\n.*_DESC=Nutzung\n`).FindStringSubmatch(listed)
	if german == nil {
		t.Fatalf("GDAL does not go on in German:\n%s", listed)
	}
	cell := cellAt(t, h, at)
	ours := colourOf(t, h, "/wms?request=GetMap&version=1.1.1&layers=cells_wald&srs=EPSG:3857&width=41&height=41&transparent=true&bbox="+
		viewOf(crs.WebMercator, cell, 20, false), 20, 20)
	if ours.A < 200 {
		t.Fatalf("no cell is drawn: %v", ours)
	}
	for _, source := range []struct {
		name   string
		system crs.System
	}{
		{"WMS:" + server.URL + "/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=cells_wald&STYLES=&CRS=EPSG:31287&TRANSPARENT=TRUE" +
			"&FORMAT=image/png&BBOX=" + viewOf(crs.LambertMGI, cell, 300, true), crs.LambertMGI},
		{"WMTS:" + server.URL + "/wmts/1.0.0/WMTSCapabilities.xml?LANGUAGE=ger,layer=cells_wald,tilematrixset=WebMercatorQuad",
			crs.WebMercator},
		{german[1] + "&FORMAT=image/png", crs.WebMercator},

		{"WMS:" + server.URL + "/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=landuse&STYLES=&CRS=EPSG:31256" +
			"&FORMAT=image/png&BBOX=" + viewOf(crs.GaussKruegerEast, at, 300, true), crs.GaussKruegerEast},
		{"WMS:" + server.URL + "/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=landuse&STYLES=&SRS=EPSG:31287" +
			"&FORMAT=image/png&BBOX=" + viewOf(crs.LambertMGI, at, 300, false), crs.LambertMGI},
		{"WMTS:" + server.URL + "/wmts/1.0.0/WMTSCapabilities.xml,layer=landuse,tilematrixset=WebMercatorQuad", crs.WebMercator},
		{"WMTS:" + server.URL + "/wmts?SERVICE=WMTS&REQUEST=GetCapabilities,layer=landuse,tilematrixset=EPSG31258", crs.MeldenetzMid},
		{"WMTS:" + server.URL + "/wmts/1.0.0/WMTSCapabilities.xml,layer=landuse,tilematrixset=EPSG4326", crs.WGS84},
	} {
		place, want := at, forest
		if strings.Contains(source.name, "cells_wald") {
			place, want = cell, ours
		}
		x, y := source.system.Project(place)
		r := 20.0
		if source.system == crs.WGS84 {
			r = 0.0002
		}
		out := filepath.Join(dir, "out.png")
		run(translate, "-q", "-of", "PNG", "-outsize", "41", "41", "-projwin", fmt.Sprint(x-r), fmt.Sprint(y+r), fmt.Sprint(x+r),
			fmt.Sprint(y-r), source.name, out)
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		p, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if got := color.NRGBAModel.Convert(p.At(20, 20)).(color.NRGBA); far(got, want) > 2 {
			t.Errorf("%s: %v in the middle, want %v", source.name, got, want)
		}
	}
}

// cellAt is the middle of the single cell that GetFeatureInfo names at a place.
func cellAt(t *testing.T, h http.Handler, at geom.Point) geom.Point {
	t.Helper()
	text := pictured(h, "/wms?version=1.1.1&request=GetFeatureInfo&srs=EPSG:3857&x=20&y=20&layers=cells_wald&query_layers=cells_wald&width=41&height=41&bbox="+
		viewOf(crs.WebMercator, at, 20, false)).Body.String()
	_, name, _ := strings.Cut(text, "  cell = ")
	name, _, _ = strings.Cut(name, "\n")
	cell, err := hexgrid.Parse(name)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	middle, err := cell.LatLng()
	p, ok := geom.PointAt(middle.Lng, middle.Lat)
	if err != nil || !ok {
		t.Fatal(err)
	}
	return p
}

// TestMapsRefuse: what is wrong is told in XML, with the parameter, its value and what is allowed.
func TestMapsRefuse(t *testing.T) {
	_, h := mapsOf(t)
	good := "/wms?version=1.3.0&request=GetMap&layers=cadastre&crs=EPSG:3857&width=10&height=10&bbox=1,1,2,2"
	for change, want := range map[string]string{
		"request=GetMap>request=GetMaps": `code="OperationNotSupported" locator="request"`,
		"layers=cadastre>layers=rivers":  `code="LayerNotDefined" locator="layers">parameter layers is rivers: expected a comma list`,
		"crs=EPSG:3857>crs=EPSG:9":       `code="InvalidCRS" locator="crs"`, "1.3.0>1.1.1&srs=9": `srs`,
		"width=10>width=0":       `locator="width"`,
		"width=10>width=9999999": `32768`, "width=10&height=10>width=32768&height=513": `16777216`,
		"bbox=1,1,2,2>bbox=1,1,2":   `locator="bbox">parameter bbox is 1,1,2: expected four numbers`,
		"bbox=1,1,2,2>bbox=2,1,1,2": `larger number`, "bbox=1,1,2,2>b=1": `locator="bbox"`,
		"&width=10>&width=10&format=image/gif": `code="InvalidFormat" locator="format"`,
		"&width=10>&width=10&styles=blue":      `code="StyleNotDefined"`, "&width=10>&width=10&bgcolor=red": `bgcolor`,
		"request=GetMap>request=GetFeatureInfo":                          `query_layers`,
		"request=GetMap>request=GetFeatureInfo&query_layers=kg&i=10&j=1": `code="InvalidPoint" locator="i"`,
		"request=GetMap>request=GetLegendGraphic":                        `locator="layer"`,
		"bbox=1,1,2,2>bbox=NaN,1,2,2":                                    `locator="bbox"`,
	} {
		from, to, _ := strings.Cut(change, ">")
		w := pictured(h, strings.Replace(good, from, to, 1))
		var doc struct {
			XMLName   xml.Name
			Exception []struct{} `xml:"ServiceException"`
		}
		if err := xml.Unmarshal(w.Body.Bytes(),
			&doc); err != nil || w.Code != 400 || len(doc.Exception) == 0 || doc.XMLName.Local != "ServiceExceptionReport" ||
			!strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %v %s", change, w.Code, err, w.Body)
		}
	}
	for target, want := range map[string]string{
		"/wmts?request=GetTile&layer=kg&tilematrix=1&tilerow=2&tilecol=0":                  `exceptionCode="TileOutOfRange" locator="tilerow"`,
		"/wmts?request=GetTile&layer=kg&tilematrix=1&tilerow=0":                            `exceptionCode="MissingParameterValue" locator="tilecol"`,
		"/wmts/1.0.0/kg/default/Mars/1/0/0.png":                                            `locator="tilematrixset"`,
		"/wmts/xyz/kg/1/0/0.gif":                                                           `locator="file"`,
		"/wmts?request=GetFeatureInfo&layer=kg&tilematrix=1&tilerow=0&tilecol=0&i=256&j=0": `exceptionCode="PointIJOutOfRange" locator="i"`,
		"/wmts?request=GetFeatureInfo&layer=kg&tilematrix=1&tilerow=0&tilecol=0&i=1":       `exceptionCode="MissingParameterValue" locator="j">`,
		"/wmts?request=GetFeatureInfo&layer=kg&tilematrix=1&tilerow=0&tilecol=2&i=1&j=1":   `exceptionCode="TileOutOfRange"`,
		"/wmts/1.0.0/kg/default/WebMercatorQuad/1/0/0/256/1.txt":                           `exceptionCode="PointIJOutOfRange" locator="j"`,
		"/wmts/1.0.0/kg/default/WebMercatorQuad/1/0/0/1/1.xml":                             `locator="file"`,
		"/wmts/xyz/kg/22/0/0.png":                                                          `matrix of WebMercatorQuad from 0 to 20`,
	} {
		if w := pictured(h, target); w.Code != 400 || !strings.Contains(w.Body.String(), want) || !strings.Contains(w.Body.String(),
			"<ExceptionReport") {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if w := pictured(h, good+"&DPI=96&MAP_RESOLUTION=96&FORMAT_OPTIONS=dpi:96&STYLES="); w.Code != 200 {
		t.Errorf("what other programs send is not passed over: %s", w.Body)
	}
	if p := pictureOf(t, h, "/wms?version=1.1.1&request=GetLegendGraphic&format=image/png&layer=landuse"); p.Bounds().Dy() != 9*20+12 {
		t.Errorf("the legend is %v", p.Bounds())
	}
}
