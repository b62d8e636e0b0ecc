package geopackage_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mappe/builders/source/geopackage"
	"mappe/builders/source/geopackage/geopackagetest"
)

func square(x, y, side float64) []geopackage.XY {
	return []geopackage.XY{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}
}

// fields is a row of n squares of 10 m.
func fields(n int) geopackagetest.Table {
	out := geopackagetest.Table{Name: "Fields", Type: "MULTIPOLYGON", SRS: 31287, Columns: []string{"GNR"}}
	for i := range n {
		out.Rows = append(out.Rows, geopackagetest.Areas([][][]geopackage.XY{{square(10*float64(i), 0, 10)}}, i+1))
	}
	return out
}

func open(t *testing.T, tables ...geopackagetest.Table) (*geopackage.File, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b%20?#.gpkg") // names that a URL would read otherwise
	geopackagetest.Write(t, filepath.Join(filepath.Dir(path), "plain.gpkg"), tables...)
	if err := os.Rename(filepath.Join(filepath.Dir(path), "plain.gpkg"), path); err != nil {
		t.Fatal(err)
	}
	f, err := geopackage.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, path
}

// With the file's own index or one made beside it, a box finds the same rows.
func TestRowsInABox(t *testing.T) {
	for _, indexed := range []bool{true, false} {
		table := fields(100)
		table.Index = indexed
		f, path := open(t, table)
		x, err := f.Layers[0].Index(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		got, err := x.In(t.Context(), geopackage.Box{MinX: 255, MinY: 5, MaxX: 275, MaxY: 6})
		if want := []int64{26, 27, 28}; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("indexed %v: want rows %v, got %v (%v)", indexed, want, got, err)
		}
		if made := x.Made != ""; made == indexed {
			t.Errorf("indexed %v: index made at %q", indexed, x.Made)
		}
		if !indexed && filepath.Dir(x.Made) != filepath.Dir(path) {
			t.Errorf("the index stands at %s, not beside %s", x.Made, path)
		}
	}
}

// An index that was made is found again, and made anew when the file is another.
func TestIndexBesideTheFileIsKept(t *testing.T) {
	f, path := open(t, fields(3))
	first, err := f.Layers[0].Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	before, err := os.Stat(first.Made)
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Layers[0].Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	if after, err := os.Stat(first.Made); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the index was written again: %v", err)
	}
	f.Close()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(filepath.Dir(path), "other")
	geopackagetest.Write(t, other, fields(200))
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	g, err := geopackage.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	x, err := g.Layers[0].Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if got, err := x.In(t.Context(), geopackage.Box{MinX: 1505, MinY: 5, MaxX: 1506, MaxY: 6}); err != nil || len(got) != 1 {
		t.Errorf("the old index is used: %v (%v)", got, err)
	}
}

// Columns are found in any letter case and read with the types they have.
func TestRows(t *testing.T) {
	table := fields(2)
	table.Rows[1].Values = []any{" .12/1 "}
	f, _ := open(t, table)
	l := &f.Layers[0]
	if l.System != "EPSG:31287" || l.Type != "MULTIPOLYGON" || l.Find("nr", "gnr") != "GNR" || l.Find("kg") != "" {
		t.Errorf("layer %+v", *l)
	}
	rows, err := l.Rows(t.Context(), l.Find("gnr"), "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = rows.Each(t.Context(), []int64{2, 1, 3}, func(r geopackage.Row) {
		s, err := geopackage.Decode(r.Geometry)
		if err != nil || len(s.Polygons) != 1 || len(s.Polygons[0][0]) != 4 || r.Values[1] != nil {
			t.Errorf("row %d: %v %v %v", r.ID, s, r.Values, err)
		}
		got = append(got, geopackage.Text(r.Values[0]))
	})
	if want := []string{"1", ".12/1"}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("want %v, got %v (%v)", want, got, err)
	}
	if n, err := l.Count(t.Context()); n != 2 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestNoGeoPackage(t *testing.T) {
	for name, body := range map[string]string{"text": "not a database at all, but long enough to be looked at as one", "empty": ""} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := geopackage.Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), name+": no GeoPackage") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// wkb is well-known binary behind a header without envelope.
func wkb(typ uint32, parts ...any) []byte {
	var b bytes.Buffer
	b.WriteString("GP\x00\x01\x00\x00\x00\x00\x01")
	for _, p := range append([]any{typ}, parts...) {
		_ = binary.Write(&b, binary.LittleEndian, p) // a buffer takes all
	}
	return b.Bytes()
}

func TestGeometriesThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		bytes []byte
		want  string
	}{
		"nothing":         {nil, "begins with GP"},
		"version":         {[]byte("GP\x01\x01\x00\x00\x00\x00"), "version 1"},
		"extended":        {[]byte("GP\x00\x21\x00\x00\x00\x00"), "extended"},
		"envelope":        {[]byte("GP\x00\x0b\x00\x00\x00\x00"), "envelope of kind 5"},
		"envelope cut":    {[]byte("GP\x00\x03\x00\x00\x00\x00"), "too early"},
		"byte order":      {[]byte("GP\x00\x01\x00\x00\x00\x00\x07\x03\x00\x00\x00"), "byte order 7"},
		"type":            {wkb(99), "type 99 is not known"},
		"dimensions":      {wkb(4003), "type 4003"},
		"line":            {wkb(2, uint32(0)), "a line"},
		"circular string": {wkb(8, uint32(0)), "a curve"},
		"curve polygon":   {wkb(10, uint32(0)), "CONVERT_TO_LINEAR"},
		"multi surface":   {wkb(1012, uint32(0)), "curved"},
		"rings":           {wkb(3, uint32(math.MaxUint32)), "announced"},
		"vertices":        {wkb(3, uint32(1), uint32(1<<28)), "announced"},
		"parts":           {wkb(6, uint32(1<<30)), "announced"},
		"point cut":       {wkb(1, 1.0), "too early"},
		"nested": {wkb(7, uint32(1), uint8(1), uint32(7), uint32(1), uint8(1), uint32(7), uint32(1), uint8(1), uint32(7), uint32(1),
			uint8(1), uint32(7), uint32(0), uint32(0)), "levels"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := geopackage.Decode(c.bytes); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want an error with %q, got %v", c.want, err)
			}
		})
	}
}

// Spellings of one triangle that are all read as it.
func TestGeometriesThatAreRead(t *testing.T) {
	ring := []geopackage.XY{{0, 0}, {10, 0}, {0, 10}}
	two := []any{0.0, 0.0, 10.0, 0.0, 0.0, 10.0, 0.0, 0.0}
	four := []any{}
	for i := 0; i < len(two); i += 2 {
		four = append(four, two[i], two[i+1], 5.0, 6.0)
	}
	triangle := func(typ uint32, extra []any, vertices []any) []byte {
		return wkb(typ, append(append(extra, uint32(1), uint32(4)), vertices...)...)
	}
	for name, b := range map[string][]byte{
		"plain": triangle(3, nil, two), "height and measure": triangle(3003, nil, four),
		"as PostGIS flags them": triangle(0xE0000003, []any{uint32(31287)}, four),
	} {
		if s, err := geopackage.Decode(b); err != nil || !reflect.DeepEqual(s.Polygons, [][][]geopackage.XY{{ring}}) {
			t.Errorf("%s: %v %v", name, s, err)
		}
	}
	for name, b := range map[string][]byte{
		"empty flag": geopackagetest.Empty().Geometry, "no rings": wkb(3, uint32(0)), "no parts": wkb(6, uint32(0)), "NaN point": wkb(1, math.NaN(), math.NaN()),
	} {
		if s, err := geopackage.Decode(b); err != nil || len(s.Polygons)+len(s.Points) > 0 {
			t.Errorf("%s: want an empty shape, got %v %v", name, s, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(geopackagetest.Areas([][][]geopackage.XY{{square(0, 0, 1), square(2, 2, 1)}}).Geometry)
	f.Add(geopackagetest.Point(geopackage.XY{1, 2}).Geometry)
	f.Add(geopackagetest.Empty().Geometry)
	f.Add(wkb(3, uint32(1), uint32(1<<28)))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := geopackage.Decode(b)
		if err != nil {
			return
		}
		n := len(s.Points)
		for _, p := range s.Polygons {
			for _, r := range p {
				n += len(r)
			}
		}
		if 16*n > len(b) {
			t.Errorf("%d vertices from %d bytes", n, len(b))
		}
	})
}

// BenchmarkIndexBesideTheFile is the pass over a table that has no index, per row.
func BenchmarkIndexBesideTheFile(b *testing.B) {
	const n = 20_000
	path := filepath.Join(b.TempDir(), "fields.gpkg")
	geopackagetest.Write(b, path, fields(n))
	f, err := geopackage.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for b.Loop() {
		x, err := f.Layers[0].Index(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if err := errors.Join(x.Close(), os.Remove(x.Made)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/n, "µs/row")
}
