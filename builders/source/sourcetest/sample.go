// Package sourcetest writes a small made-up country as a raw source directory, for the tests of those that build from
// one.
package sourcetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/builders/kg/tilecut"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// The country: KGs side by side from west to east, each Side × Side square parcels of about 110 m, all with a
// land-use polygon and one house. Its south-western corner is X, Y; lengths and positions are in 1e-7 degrees.
const (
	X, Y   = 132_000_000, 473_000_000
	Parcel = 10_000
	Side   = 4
)

// KG is one KG of the country; Drop leaves out its first parcels.
type KG struct {
	Code string
	Drop int
}

// Three are three whole KGs.
var Three = []KG{{Code: "99001"}, {Code: "99002"}, {Code: "99003"}}

// Outline is the outline of the nth KG.
func Outline(n int) geom.MultiPolygon { return Square(X+int32(n)*Side*Parcel, Y, Side*Parcel) }

// Square is a square with its south-western corner.
func Square(x, y, size int32) geom.MultiPolygon {
	return geom.MultiPolygon{{{{X: x, Y: y}, {X: x + size, Y: y}, {X: x + size, Y: y + size}, {X: x, Y: y + size}}}}
}

// Write writes the country as a raw source directory.
func Write(t testing.TB, kgs ...KG) string {
	t.Helper()
	dir := t.TempDir()
	var parcels, uses []tilecut.Feature
	register := "kg_code,kg_name,gemeinde_code,gemeinde_name,district_code,district_name,state_code,state_name\n"
	var outlines []string
	for i, k := range kgs {
		x0 := int32(X + i*Side*Parcel)
		for n := k.Drop; n < Side*Side; n++ {
			x, y := x0+int32(n%Side)*Parcel, int32(Y+n/Side*Parcel)
			parcels = append(parcels, tilecut.Feature{Layer: "gst", Geometry: Square(x, y, Parcel), Attrs: []mvt.Attr{
				{Key: "kg", Value: mvt.String(k.Code)}, {Key: "gnr", Value: mvt.String(fmt.Sprint(n + 1))},
				{Key: "ez", Value: mvt.Uint(uint64(n/2 + 1))}, {Key: "rstatus", Value: mvt.String("G")},
			}})
			uses = append(uses, tilecut.Feature{Layer: "nfl", Geometry: Square(x, y, Parcel),
				Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(48)}}},
				tilecut.Feature{Layer: "nfl", Geometry: Square(x+3000, y+3000, 2000), Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(41)}}})
		}
		register += fmt.Sprintf("%s,Probe %s,50999,Probe,509,Probe,5,Salzburg\n", k.Code, k.Code)
		w, e, s, n := float64(x0)/1e7, float64(x0+Side*Parcel)/1e7, float64(Y)/1e7, float64(Y+Side*Parcel)/1e7
		outlines = append(outlines, fmt.Sprintf(
			`{"type":"Feature","properties":{"kg_code":"%s","kg_name":"Probe %s"},"geometry":{"type":"Polygon","coordinates":[[[%f,%f],[%f,%f],[%f,%f],[%f,%f],[%f,%f]]]}}`,
			k.Code, k.Code, w, s, e, s, e, n, w, n, w, s))
	}
	File(t, dir, "source.json", `{"stichtag":"2026-10-01","attribution":"© BEV, 2026"}`)
	File(t, dir, "registers/kg.csv", register)
	File(t, dir, "kg.geojson", `{"type":"FeatureCollection","features":[`+strings.Join(outlines, ",")+`]}`)
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
		File(t, dir, fmt.Sprintf("tiles/kataster/%s.pbf", id), string(b))
	}
}

// File writes one file of a source.
func File(t testing.TB, dir, name, body string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Epoch is the file of an earlier snapshot of a KG with so many parcels.
func Epoch(code string, parcels int) string {
	var all []string
	for n := range parcels {
		x, y := 13.2+float64(n)*0.001, 47.3
		all = append(all, fmt.Sprintf(
			`{"type":"Feature","properties":{"kg_code":"%s","gnr":"%d","ingest_generation":"ring_order"},"geometry":{"type":"Polygon","coordinates":[[[%f,%f],[%f,%f],[%f,%f],[%f,%f]]]}}`,
			code, n+1, x, y, x+0.001, y, x+0.001, y+0.001, x, y))
	}
	return `{"type":"FeatureCollection","features":[` + strings.Join(all, ",") + `]}`
}
