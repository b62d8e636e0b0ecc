package e2e

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/builders/kgbuild"
	"mappe/builders/national"
	"mappe/functions/cadastre/maps"
	"mappe/functions/core"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// TestWhatStandsThere: a pixel's features are those of the snapshot, in each form and version.
func TestWhatStandsThere(t *testing.T) {
	snap, h := mapsOf(t)
	p := snap.Parcels[350]
	common := "&layers=cadastre&query_layers=parcels,kg&width=101&height=101&bbox="
	v13 := "/wms?version=1.3.0&request=GetFeatureInfo&crs=EPSG:31287&i=50&j=50" + common + viewOf(crs.LambertMGI, p.Inside, 50, true)
	v11 := "/wms?version=1.1.1&request=GetFeatureInfo&srs=EPSG:31287&x=50&y=50" + common + viewOf(crs.LambertMGI, p.Inside, 50, false)
	id := "99001-" + string(p.GNR)
	for _, target := range []string{v13, v11} {
		var body struct {
			Features []struct{ Properties map[string]any }
			License  string
		}
		w := pictured(h, target+"&info_format=application/json")
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || len(body.Features) != 2 || body.License != "CC BY 4.0" {
			t.Fatalf("%s: %v %s", target, err, w.Body)
		}
		if body.Features[0].Properties["kg_code"] != "99001" || body.Features[1].Properties["parcel_id"] != id {
			t.Errorf("%s: %v", target, body)
		}
		if text := pictured(h, target).Body.String(); !strings.Contains(text, "  parcel_id = "+id+"\n") {
			t.Errorf("as text: %s", text)
		}
		if page := pictured(h, target+"&info_format=text/html"); !strings.Contains(page.Body.String(),
			"<td>"+id+"</td>") || page.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("as a page: %v %s", page.Header(), page.Body)
		}
	}
	at := forests(snap, 1)[0]
	if text := pictured(h, "/wms?version=1.1.1&request=GetFeatureInfo&srs=EPSG:3857&x=50&y=50&layers=landuse&query_layers=landuse&width=101&height=101&bbox="+viewOf(crs.WebMercator, at, 50, false)).Body.String(); !strings.Contains(text, "type_name_en = ") || !strings.Contains(text, "Forest") {
		t.Errorf("land use: %s", text)
	}
	if text := pictured(h, strings.Replace(v11, viewOf(crs.LambertMGI, p.Inside, 50, false), "100000,100000,100100,100100",
		1)).Body.String(); text != "Nothing stands here.\n" {
		t.Errorf("nowhere: %s", text)
	}
}

// tilePixel is the tile of a place in a set of Web Mercator, and its pixel there.
func tilePixel(p geom.Point, z uint8) (at mvt.TileID, i, j int) {
	g := mvt.Grid{Z: z, Extent: 256}
	x, y := g.Snap(p)
	at = g.Tile(x, y)
	return at, int(x - int64(at.X)*256), int(y - int64(at.Y)*256)
}

// tileCapabilities are what the tile service says of its operations and layers.
type tileCapabilities struct {
	Operations []struct {
		Name string `xml:"name,attr"`
	} `xml:"OperationsMetadata>Operation"`
	Layers []struct {
		Identifier string
		InfoFormat []string
		URLs       []struct {
			Format   string `xml:"format,attr"`
			Type     string `xml:"resourceType,attr"`
			Template string `xml:"template,attr"`
		} `xml:"ResourceURL"`
	} `xml:"Contents>Layer"`
}

func tileCapabilitiesOf(t *testing.T, h http.Handler) (doc tileCapabilities) {
	t.Helper()
	if err := xml.Unmarshal(pictured(h, "/wmts?request=GetCapabilities").Body.Bytes(), &doc); err != nil || len(doc.Layers) != 21 ||
		len(doc.Operations) != 3 || doc.Operations[2].Name != "GetFeatureInfo" {
		t.Fatalf("%v %+v", err, doc)
	}
	return doc
}

// TestWhatStandsInATile: the tile service tells of a pixel what the map service does, in each form, by its query and by the address
// that its capabilities name.
func TestWhatStandsInATile(t *testing.T) {
	snap, h := mapsOf(t)
	p := snap.Parcels[350].Inside
	at, i, j := tilePixel(p, 20)
	const half = math.Pi * 6378137
	side := 2 * half / (1 << 20)
	west, north := -half+side*float64(at.X), half-side*float64(at.Y)
	doc := tileCapabilitiesOf(t, h)
	for _, l := range doc.Layers {
		if want := map[bool]int{true: 0, false: 3}[l.Identifier == "labels"]; len(l.InfoFormat) != want {
			t.Errorf("%s: %v, want %d forms", l.Identifier, l.InfoFormat, want)
		}
		told := 0
		for _, u := range l.URLs {
			if u.Type != "FeatureInfo" {
				continue
			}
			told++
			want := pictured(h, fmt.Sprintf("/wms?request=GetFeatureInfo&version=1.3.0&crs=EPSG:3857&layers=%s&query_layers=%[1]s&width=256&"+
				"height=256&bbox=%f,%f,%f,%f&i=%d&j=%d&info_format=%s", l.Identifier, west, north-side, west+side, north, i, j, u.Format))
			address := strings.NewReplacer("{Style}", "default", "{TileMatrixSet}", "WebMercatorQuad", "{TileMatrix}", "20", "{TileRow}",
				fmt.Sprint(at.Y), "{TileCol}", fmt.Sprint(at.X), "{J}", fmt.Sprint(j), "{I}", fmt.Sprint(i)).Replace(u.Template)
			_, path, _ := strings.Cut(address, "/wmts/")
			query := fmt.Sprintf("/wmts?SERVICE=WMTS&VERSION=1.0.0&REQUEST=GetFeatureInfo&LAYER=%s&STYLE=default&FORMAT=image/png&"+
				"TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=20&TILEROW=%d&TILECOL=%d&I=%d&J=%d&INFOFORMAT=%s", l.Identifier, at.Y, at.X, i, j,
				u.Format)
			for _, target := range []string{"/wmts/" + path, query} {
				got := pictured(h, target)
				if got.Code != 200 || got.Body.String() != want.Body.String() ||
					got.Header().Get("Content-Type") != want.Header().Get("Content-Type") {
					t.Errorf("%s:\n%d %s, want\n%d %s", target, got.Code, got.Body, want.Code, want.Body)
				}
			}
			if l.Identifier == "parcels" && !strings.Contains(want.Body.String(), "99001-"+string(snap.Parcels[350].GNR)) {
				t.Errorf("%s: %s", u.Format, want.Body)
			}
		}
		if told != len(l.InfoFormat) {
			t.Errorf("%s: %d addresses of %d forms", l.Identifier, told, len(l.InfoFormat))
		}
	}
}

// TestWhatStandsInAMissingKG: of a KG without a snapshot nothing is known, which is told in each form; beside it and in the one that was
// built nothing is missing.
func TestWhatStandsInAMissingKG(t *testing.T) {
	st := mem.New()
	snap := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 30, Segments: 2, AreaKm2: 1, Seed: 9})
	made, err := kgbuild.WriteSnapshot(t.Context(), st, snap)
	if err != nil {
		t.Fatal(err)
	}
	b := snap.KG.Box
	empty := geom.Box{MinX: b.MaxX + 100_000, MinY: b.MinY, MaxX: b.MaxX + 200_000, MaxY: b.MaxY}
	ring := geom.Ring{{X: empty.MinX, Y: empty.MinY}, {X: empty.MaxX, Y: empty.MinY}, {X: empty.MaxX, Y: empty.MaxY},
		{X: empty.MinX, Y: empty.MaxY}}
	k := snap.KG
	known := []kgbuild.Facts{{Code: k.Code, Name: k.Name, GemeindeCode: k.GemeindeCode, GemeindeName: k.GemeindeName,
		DistrictName: k.DistrictName},
		{Code: "99002", Name: "Leerdorf", GemeindeCode: k.GemeindeCode, GemeindeName: k.GemeindeName, DistrictName: k.DistrictName,
			Outline: geom.MultiPolygon{{ring}}}}
	if _, err := national.Publish(t.Context(), national.Publication{Store: st, Digests: []kgbuild.Made{made},
		Country: national.Country{Known: known}}); err != nil {
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
	at := func(p geom.Point, form string) *httptest.ResponseRecorder {
		return pictured(h, "/wms?version=1.1.1&request=GetFeatureInfo&layers=parcels&query_layers=parcels&width=9&height=9&x=4&y=4&srs=EPSG:3857&info_format="+
			form+"&bbox="+viewOf(crs.WebMercator, p, 5, false))
	}
	for form, want := range map[string]string{"text/plain": "KG 99002 is missing here (unbuilt).\n",
		"text/html":        "<p>KG 99002 is missing here (unbuilt).</p>",
		"application/json": `"features":[],"ready":false,"kgs_warming":[],"kgs_unavailable":["99002"]`} {
		if w := at(empty.Center(), form); w.Code != 200 || !strings.Contains(w.Body.String(), want) ||
			w.Header().Get("X-Data-Ready") != "false" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v %s", form, w.Code, w.Header(), w.Body)
		}
	}
	id, i, j := tilePixel(empty.Center(), 16)
	tile := fmt.Sprintf("/wmts/1.0.0/parcels/default/WebMercatorQuad/16/%d/%d", id.Y, id.X)
	if w := pictured(h, fmt.Sprintf("%s/%d/%d.txt", tile, j, i)); w.Body.String() != "KG 99002 is missing here (unbuilt).\n" ||
		w.Header().Get("X-Data-Ready") != "false" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("in a tile: %v %s", w.Header(), w.Body)
	}
	xyz := fmt.Sprintf("/wmts/xyz/parcels/16/%d/%d", id.X, id.Y)
	query := fmt.Sprintf("/wmts?request=GetTile&layer=parcels&tilematrix=16&tilerow=%d&tilecol=%d", id.Y, id.X)
	for target, want := range map[string]bool{tile + ".jpg": true, xyz + ".jpg": true, query + "&format=image/jpeg": true,
		tile + ".png": false, xyz + ".png": false, query: false, tile + ".jpg?unbuilt=false": false, xyz + ".jpg?unbuilt=false": false,
		query + "&format=image/jpeg&UNBUILT=false": false} {
		if got := hatched(t, h, target); got != want {
			t.Errorf("%s: hatched is %t, want %t", target, got, want)
		}
	}
	for _, p := range []geom.Point{snap.Parcels[15].Inside, {X: empty.MaxX + 1_000_000, Y: empty.MinY}} {
		if w := at(p, "application/json"); !strings.Contains(w.Body.String(), `"ready":true`) || w.Header().Get("X-Data-Ready") != "" {
			t.Errorf("%v: %v %s", p, w.Header(), w.Body)
		}
	}
}

// hatched says whether a picture of a place without features has more than one colour.
func hatched(t *testing.T, h http.Handler, target string) bool {
	t.Helper()
	p, _, err := image.Decode(pictured(h, target).Body)
	if err != nil {
		t.Fatalf("%s: %v", target, err)
	}
	first := color.NRGBAModel.Convert(p.At(0, 0)).(color.NRGBA)
	for at := range 256 * 256 {
		if far(first, color.NRGBAModel.Convert(p.At(at%256, at/256)).(color.NRGBA)) > 30 {
			return true
		}
	}
	return false
}
