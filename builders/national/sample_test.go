package national

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/register"
	"mappe/builders/kg/tilecut"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// The sample country: KGs side by side from west to east, each side × side square parcels of about
// 110 m, all with a land-use polygon and one house.
const (
	sampleX, sampleY = 132_000_000, 473_000_000
	parcelE7         = 10_000
	side             = 4
)

// sampleKG is one KG of the sample; Drop leaves out its first parcels.
type sampleKG struct {
	code string
	drop int
}

func square(x, y, size int32) geom.MultiPolygon {
	return geom.MultiPolygon{{{{X: x, Y: y}, {X: x + size, Y: y}, {X: x + size, Y: y + size}, {X: x, Y: y + size}}}}
}

// writeSample writes the sample as a raw source directory.
func writeSample(t testing.TB, kgs ...sampleKG) string {
	t.Helper()
	dir := t.TempDir()
	var parcels, uses []tilecut.Feature
	register := "kg_code,kg_name,gemeinde_code,gemeinde_name,district_code,district_name,state_code,state_name\n"
	var outlines []string
	for i, k := range kgs {
		x0 := int32(sampleX + i*side*parcelE7)
		for n := k.drop; n < side*side; n++ {
			x, y := x0+int32(n%side)*parcelE7, int32(sampleY+n/side*parcelE7)
			parcels = append(parcels, tilecut.Feature{Layer: "gst", Geometry: square(x, y, parcelE7), Attrs: []mvt.Attr{
				{Key: "kg", Value: mvt.String(k.code)}, {Key: "gnr", Value: mvt.String(fmt.Sprint(n + 1))},
				{Key: "ez", Value: mvt.Uint(uint64(n/2 + 1))}, {Key: "rstatus", Value: mvt.String("G")},
			}})
			uses = append(uses, tilecut.Feature{Layer: "nfl", Geometry: square(x, y, parcelE7), Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(48)}}},
				tilecut.Feature{Layer: "nfl", Geometry: square(x+3000, y+3000, 2000), Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(41)}}})
		}
		register += fmt.Sprintf("%s,Probe %s,50999,Probe,509,Probe,5,Salzburg\n", k.code, k.code)
		w, e, s, n := float64(x0)/1e7, float64(x0+side*parcelE7)/1e7, float64(sampleY)/1e7, float64(sampleY+side*parcelE7)/1e7
		outlines = append(outlines, fmt.Sprintf(`{"type":"Feature","properties":{"kg_code":"%s","kg_name":"Probe %s"},"geometry":{"type":"Polygon","coordinates":[[[%f,%f],[%f,%f],[%f,%f],[%f,%f],[%f,%f]]]}}`,
			k.code, k.code, w, s, e, s, e, n, w, n, w, s))
	}
	file(t, dir, "source.json", `{"stichtag":"2026-10-01","attribution":"© BEV, 2026"}`)
	file(t, dir, "registers/kg.csv", register)
	file(t, dir, "kg.geojson", `{"type":"FeatureCollection","features":[`+strings.Join(outlines, ",")+`]}`)
	writeTiles(t, dir, parcels, 15)
	writeTiles(t, dir, uses, 16)
	return dir
}

func writeTiles(t testing.TB, dir string, features []tilecut.Feature, zoom uint8) {
	t.Helper()
	cut, err := tilecut.Cut(features, zoom, 4096, 80)
	if err != nil {
		t.Fatal(err)
	}
	for id, b := range cut {
		file(t, dir, fmt.Sprintf("tiles/kataster/%s.pbf", id), string(b))
	}
}

func file(t testing.TB, dir, name, body string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

// universe is the fingerprint of some KG codes.
func universe(codes []string) string {
	kgs := make([]austria.KGCode, len(codes))
	for i, c := range codes {
		kgs[i] = austria.KGCode(c)
	}
	return register.UniverseHash(kgs)
}
