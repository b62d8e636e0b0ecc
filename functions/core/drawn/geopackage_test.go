package drawn

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mappe/shared/geo/crs"
	"mappe/shared/web/fault"
	"mappe/shared/web/gpkgin"
)

// gpkg is GeoJSON as GDAL writes it into a GeoPackage.
func gpkg(t *testing.T, geojson string, args ...string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "drawn.gpkg")
	written(t, geojson, file, append([]string{"-f", "GPKG"}, args...)...)
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// What GDAL writes in any system is the area that the GeoJSON is.
func TestGeoPackagesOfGDAL(t *testing.T) {
	sameInEverySystem(t, "a.gpkg", func(s crs.System) []byte { return gpkg(t, drawn, "-t_srs", s.String()) })
}

// Points, lines and collections of all layers are features; rows without geometry are passed over.
func TestLayersOfGeoPackages(t *testing.T) {
	feature := func(g string) string { return `{"type":"Feature","properties":{"a":"x"},"geometry":` + g + `}` }
	mixed := `{"type":"FeatureCollection","features":[` + strings.Join([]string{
		feature(polygon(ring)), feature("null"), feature(`{"type":"Point","coordinates":[13.28,47.32,500]}`),
		feature(`{"type":"MultiLineString","coordinates":[[[13.28,47.32],[13.29,47.32]],[[13.28,47.33],[13.29,47.33]]]}`),
		feature(`{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[13.28,47.32],[13.29,47.32]]},{"type":"Point","coordinates":[13.28,47.32]}]}`),
	}, ",") + `]}`
	file := filepath.Join(t.TempDir(), "two.gpkg")
	written(t, mixed, file, "-f", "GPKG", "-nln", "Straße \"1\"")
	written(t, drawn, file, "-f", "GPKG", "-update", "-nln", "second", "-t_srs", "EPSG:31256")
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	body[18], body[19] = 2, 2 // as a program leaves it that writes through a log
	got, err := Features(t.Context(), body)
	if err != nil {
		t.Fatal(err)
	}
	var p, l, d int
	for _, f := range got.Features {
		p, l, d = p+len(f.Polygons), l+len(f.Lines), d+len(f.Points)
	}
	if len(got.Features) != 5 || p != 4 || l != 3 || d != 2 {
		t.Errorf("%d features, %d polygons, %d lines, %d points", len(got.Features), p, l, d)
	}
}

func TestBadGeoPackages(t *testing.T) {
	points := func(n int) string { // of one feature each
		var b strings.Builder
		b.WriteString(`{"type":"FeatureCollection","features":[`)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[13.28,` +
				strconv.FormatFloat(47.32+1e-7*float64(i), 'f', 7, 64) + `]}}`)
		}
		return b.String() + "]}"
	}
	vertices := func(n int) string { // of one feature
		var b strings.Builder
		b.WriteString(`{"type":"MultiPoint","coordinates":[`)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`[13.28,` + strconv.FormatFloat(47.32+1e-7*float64(i), 'f', 7, 64) + `]`)
		}
		return b.String() + "]}"
	}
	square := `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":` + polygon(ring) + `}]}`
	whole := gpkg(t, square)
	damaged := func(word, by string) []byte {
		if len(word) != len(by) || !strings.Contains(string(whole), word) {
			t.Fatalf("%q is not in the file", word)
		}
		return []byte(strings.ReplaceAll(string(whole), word, by))
	}
	for name, c := range map[string]struct {
		body   []byte
		status int // 0: is read
		want   string
	}{
		"another system":   {gpkg(t, square, "-t_srs", "EPSG:2154"), 400, `"EPSG:2154" is not known`},
		"elsewhere":        {gpkg(t, strings.ReplaceAll(square, "[13.2", "[2.2")), 400, "Austria lies"},
		"degrees, as 3035": {gpkg(t, square, "-a_srs", "EPSG:3035"), 400, "Austria lies"},
		"half of it":       {whole[:len(whole)/2], 400, "GeoPackage cannot be read"},
		"its head":         {whole[:100], 400, "GeoPackage cannot be read"},
		"a head and more":  {append([]byte(sqliteMagic), strings.Repeat("x", 5000)...), 400, "GeoPackage cannot be read"},
		"no layers":        {damaged("gpkg_geometry_columns", "gpkg_geometry_colums_"), 400, "GeoPackage cannot be read"},
		"geometry":         {damaged("GP\x00\x03", "GP\x01\x03"), 400, "version 1"},
		"geometry's kind":  {damaged("GP\x00\x03", "GP\x00\x0f"), 400, "envelope of kind 7"},
		"vertices": {damaged("\x01\x03\x00\x00\x00\x01\x00\x00\x00\x05\x00\x00\x00",
			"\x01\x03\x00\x00\x00\x01\x00\x00\x00\xff\xff\xff\xff"), 400, "announced"},
		"10,000 rows":      {gpkg(t, points(10_000)), 0, ""},
		"10,001 rows":      {gpkg(t, points(10_001)), 413, "too many rows"},
		"100,000 vertices": {gpkg(t, vertices(100_000)), 0, ""},
		"100,001 vertices": {gpkg(t, vertices(100_001)), 413, "100000 vertices"},
	} {
		_, err := Features(t.Context(), c.body)
		var f *fault.Fault
		if c.status == 0 && err != nil || c.status != 0 && (!errors.As(err, &f) || f.Status() != c.status ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, expected %d with %q", name, err, c.status, c.want)
		}
	}
}

// geometry is a blob as a GeoPackage stores it: a header without an envelope, then little-endian numbers.
func gpkgGeometry(values ...any) []byte {
	var b bytes.Buffer
	b.WriteString("GP\x00\x01\xe6\x10\x00\x00") // version 1, little-endian, EPSG:4326
	for _, v := range append([]any{byte(1)}, values...) {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			panic(err) // values are of the test
		}
	}
	return b.Bytes()
}

// FuzzGeoPackage takes up rows with any geometry, system and value, as gpkgin gives them: the database around them is
// fuzzed there.
func FuzzGeoPackage(f *testing.F) {
	square := []float64{13.28, 47.32, 13.29, 47.32, 13.29, 47.33, 13.28, 47.33, 13.28, 47.32}
	f.Add(gpkgGeometry(uint32(3), uint32(1), uint32(5), square), "EPSG:4326", "x", 1.5)
	f.Add(gpkgGeometry(uint32(1), 13.28, 47.32), "EPSG:4326", "", math.Inf(1))
	f.Add(gpkgGeometry(uint32(2), uint32(2), square[:4]), "EPSG:3035", "", math.NaN())
	f.Add(gpkgGeometry(uint32(1), 400_000.0, 400_000.0), "EPSG:31287", "", 0.0)
	f.Fuzz(func(t *testing.T, geometry []byte, system, text string, number float64) {
		in := &reading{ctx: t.Context()}
		err := in.row(gpkgin.Row{Table: text, System: system, Geometry: geometry, ID: int64(len(text)),
			Values: map[string]any{"text": text, "number": number}})
		var a *Area
		if err == nil {
			a, err = in.area()
		}
		holdsBounds(t, a, err)
	})
}

// holdsBounds checks what is read of any bytes: an area within its bounds, or an answer that says why not.
func holdsBounds(t *testing.T, a *Area, err error) {
	t.Helper()
	var fa *fault.Fault
	if err != nil && !errors.As(err, &fa) {
		t.Errorf("%v is no answer", err)
	}
	if err == nil && (a.M2 <= 0 || a.M2 > MaxM2 || a.Geometry.Validate() != nil) {
		t.Errorf("%g m² of %v", a.M2, a.Geometry)
	}
	if err != nil {
		return
	}
	for _, one := range a.Features {
		if len(one.Properties) > 0 && !json.Valid(one.Properties) {
			t.Errorf("properties that are no JSON: %q", one.Properties)
		}
	}
}

// The frozen file is read: what the rows of the fuzz target stand for.
func TestAGeoPackageOfGDALIsRead(t *testing.T) {
	whole, err := os.ReadFile("testdata/square.gpkg")
	if err != nil {
		t.Fatal(err)
	}
	a, err := Parse(t.Context(), whole)
	holdsBounds(t, a, err)
	if err != nil || len(a.Features) != 1 {
		t.Errorf("%v, %v", a, err)
	}
}
