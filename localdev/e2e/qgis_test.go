package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/builders/national"
	"mappe/functions/families"
	"mappe/infra/oracles"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
)

// unlike is the share of pixels in which two pictures differ by more than a quarter of the range of a colour. A boundary that is drawn a
// pixel beside the other's counts twice.
func unlike(a, b image.Image) float64 {
	n, all := 0, 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r, g, blue, _ := a.At(x, y).RGBA()
			r2, g2, blue2, _ := b.At(x, y).RGBA()
			far := func(p, q uint32) bool { return max(p, q)-min(p, q) > 0xffff/4 }
			if all++; far(r, r2) || far(g, g2) || far(blue, blue2) {
				n++
			}
		}
	}
	return float64(n) / float64(all)
}

// inked says whether a pixel is not that of the ground: white, or nothing.
func inked(m image.Image, x, y int) bool {
	r, g, b, a := m.At(x, y).RGBA()
	white := 0xffff - a // the ground below it
	return min(r, g, b)+white < 0xffff*3/4
}

// astray is the share of the inked pixels of a picture that have none of the other within a pixel, which is moved aside, and how many
// there are.
func astray(a, b image.Image, aside int) (share float64, all int) {
	n := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() - aside {
			if !inked(a, x, y) {
				continue
			}
			all++
			near := false
			for d := 0; d < 9 && !near; d++ {
				near = inked(b, x+aside+d%3-1, y+d/3-1)
			}
			if !near {
				n++
			}
		}
	}
	return float64(n) / float64(max(all, 1)), all
}

// TestQGIS: QGIS opens what docs/qgis.md names by its address, without a word of complaint, and draws what the service draws.
func TestQGIS(t *testing.T) {
	st := mem.New()
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 700, Segments: 2, AreaKm2: 2, Seed: 9})
	if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for _, service := range families.All(families.Deps{Library: lib}) {
		h, err := service.Handler()
		if err != nil {
			t.Fatal(err)
		}
		mux.Handle(service.Prefix+"/", h)
	}
	server := httptest.NewServer(mux)
	defer server.Close()
	cadastre := server.URL + "/cadastre"
	file := filepath.Join(t.TempDir(), "99001.gpkg")
	if err := os.WriteFile(file, fetched(t, cadastre+"/api/v1/export/gpkg?kg=99001"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &snapshot.Parcels[350]
	at := func(name, provider, uri string, s crs.System) oracles.QGISAsk {
		x, y := s.Project(p.Inside)
		return oracles.QGISAsk{Name: name, Provider: provider, URI: uri, CRS: fmt.Sprintf("EPSG:%d", s),
			Box: [4]float64{x - 300, y - 300, x + 300, y + 300}, Width: 600, Height: 600, Identify: []float64{x, y}, Features: true}
	}
	wms := func(s crs.System) string {
		return fmt.Sprintf("crs=EPSG:%d&dpiMode=7&format=image/png&layers=cadastre&styles=&url=%s/wms", s, cadastre)
	}
	wmts := func(s crs.System, set string) string {
		return fmt.Sprintf("crs=EPSG:%d&dpiMode=7&format=image/png&layers=cadastre&styles=default&tileMatrixSet=%s&url=%s"+
			"/wmts/1.0.0/WMTSCapabilities.xml", s, set, cadastre)
	}
	tiles := func(path string) string { return "type=xyz&url=" + url.QueryEscape(cadastre+path) }
	legend := at("wms", "wms", wms(crs.WebMercator), crs.WebMercator)
	legend.Legend = true
	features := at("features", "OAPIF", "restrictToRequestBBOX='1' srsname='OGC:CRS84' typename='parcels' url='"+cadastre+"/ogc'",
		crs.WebMercator)
	features.Outline = "#000000"
	asks := []oracles.QGISAsk{legend,
		at("wms-cells", "wms", strings.Replace(wms(crs.WebMercator), "layers=cadastre", "layers=cells_wald", 1), crs.WebMercator),
		at("wms-gk", "wms", wms(crs.GaussKruegerEast), crs.GaussKruegerEast),
		at("wmts", "wms", wmts(crs.WebMercator, "WebMercatorQuad"), crs.WebMercator),
		at("wmts-gk", "wms", wmts(crs.GaussKruegerEast, "EPSG31256"), crs.GaussKruegerEast),
		at("xyz", "wms", tiles("/wmts/xyz/cadastre/{z}/{x}/{y}.png")+"&zmin=8&zmax=20", crs.WebMercator),
		at("tiles", "vectortile", tiles("/ogc/tiles/{z}/{x}/{y}")+"&zmin=8&zmax=16&styleUrl="+cadastre+"/ogc/style.json", crs.WebMercator),
		at("tiles-labels", "vectortile", tiles("/ogc/tiles/{z}/{x}/{y}")+"&zmin=8&zmax=16&styleUrl="+cadastre+
			"/ogc/style.json?labels=true", crs.WebMercator),
		features,
		at("file", "ogr", file+"|layername=landuse_polygons", crs.WebMercator),
		at("numbers", "ogr", file+"|layername=labels", crs.WebMercator),
	}
	answers, pictures := oracles.QGIS(t, asks)
	if t.Failed() {
		return
	}
	ours := func(s crs.System, layers string, northFirst bool) image.Image {
		target := fmt.Sprintf("%s/wms?service=WMS&version=1.3.0&request=GetMap&layers=%s&styles=&format=image/png&width=600&height=600&crs=EPSG:%d&bbox=%s",
			cadastre, layers, s, viewOf(s, p.Inside, 300, northFirst))
		m, err := png.Decode(bytes.NewReader(fetched(t, target)))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	mercator, gk := ours(crs.WebMercator, "cadastre", false), ours(crs.GaussKruegerEast, "cadastre", true)
	for _, c := range []struct {
		name string
		want image.Image
		most float64 // pictures that QGIS draws, or fits into its own scale, have other edges
	}{
		{"wms-cells", ours(crs.WebMercator, "cells_wald", false), 0.02},
		{"wms", mercator, 0}, {"wms-gk", gk, 0}, {"wmts", mercator, 0.1}, {"wmts-gk", gk, 0.1}, {"xyz", mercator, 0.1},
		{"tiles", ours(crs.WebMercator, "landuse,footprints,parcels,kg", false), 0.02},
		{"file", ours(crs.WebMercator, "landuse", false), 0.02},
	} {
		if got := unlike(pictures[c.name], c.want); got > c.most {
			t.Errorf("%s: %.1f %% of the pixels differ from the service's own picture, want at most %.1f %%", c.name, 100*got, 100*c.most)
		} else {
			t.Logf("%s: %.1f %% of the pixels differ", c.name, 100*got)
		}
	}
	borders := ours(crs.WebMercator, "parcels", false)
	for _, c := range []struct {
		name string
		a, b image.Image
	}{{"drawn by QGIS and not by us", pictures["features"], borders}, {"drawn by us and not by QGIS", borders, pictures["features"]}} {
		if got, n := astray(c.a, c.b, 0); n < 5000 || got > 0.01 {
			t.Errorf("borders of the OGC API's parcels: %.2f %% of %d pixels are %s, want at most 1 %%", 100*got, n, c.name)
		} else {
			t.Logf("borders of the OGC API's parcels: %.2f %% of %d pixels are %s", 100*got, n, c.name)
		}
		if got, _ := astray(c.a, c.b, 4); got < 0.2 {
			t.Errorf("four pixels aside only %.1f %% are %s: the comparison sees nothing", 100*got, c.name)
		}
	}
	id := "99001-" + string(p.GNR)
	for _, name := range []string{"wms", "wms-gk", "wmts", "wmts-gk"} {
		if a := answers[name]; len(a.Identified) != 1 || !strings.Contains(a.Identified[0], "<td>"+id+"</td>") {
			t.Errorf("%s: QGIS identifies %q, want parcel %s", name, a.Identified, id)
		}
	}
	if a := answers["wms"]; len(a.Legend) != 2 || a.Legend[0] < 50 || a.Legend[1] < 100 {
		t.Errorf("the legend has %v pixels", a.Legend)
	}
	if a := answers["tiles"]; a.Style != "loaded" {
		t.Errorf("the style of the vector tiles: %s", a.Style)
	}
	if n := unlike(pictures["tiles-labels"], pictures["tiles"]); answers["tiles-labels"].Style != "loaded" || n < 0.001 || n > 0.05 {
		t.Errorf("parcel numbers change %.2f %% of the pixels, want some", 100*n)
	}
	if a := answers["file"]; a.Style != "categorizedSymbol" || a.Count != len(snapshot.LandUse) {
		t.Errorf("land use of the GeoPackage: %d areas drawn by %q, want %d by its style", a.Count, a.Style, len(snapshot.LandUse))
	}
	if !answers["numbers"].Labels {
		t.Error("the parcel numbers of the GeoPackage are not written onto the map")
	}
	sameColumns(t, answers["features"], fetched(t, cadastre+"/ogc/collections/parcels/items?limit=1000"))
}

func fetched(t *testing.T, address string) []byte {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		t.Fatalf("%s: %d %v %s", address, r.StatusCode, err, b)
	}
	return b
}

// sameColumns compares the features that QGIS has with those of the service: each column of texts and numbers, digit by digit.
func sameColumns(t *testing.T, a oracles.QGISAnswer, body []byte) {
	t.Helper()
	var served struct {
		Features []struct {
			ID         string
			Properties map[string]any
		}
	}
	if err := json.Unmarshal(body, &served); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]any{}
	for _, f := range served.Features {
		want[f.ID] = f.Properties
	}
	if len(a.Features) < 50 {
		t.Fatalf("QGIS has %d features", len(a.Features))
	}
	for _, f := range a.Features {
		id, _ := f["id"].(string)
		for name, w := range want[id] {
			switch w.(type) {
			case string, float64:
				if f[name] != w {
					t.Errorf("parcel %s: QGIS has %v as %s (%s), want %v", id, f[name], name, a.Fields[name], w)
				}
			}
		}
		if want[id] == nil {
			t.Errorf("QGIS has a parcel %q that the service has not", id)
		}
	}
}
