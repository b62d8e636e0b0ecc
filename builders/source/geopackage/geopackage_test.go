package geopackage_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mappe/builders/source/geopackage"
	"mappe/builders/source/geopackage/geopackagetest"
	"mappe/shared/geo/wkb"
)

func square(x, y, side float64) []wkb.XY {
	return []wkb.XY{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}
}

// fields is a row of n squares of 10 m.
func fields(n int) geopackagetest.Table {
	out := geopackagetest.Table{Name: "Fields", Type: "MULTIPOLYGON", SRS: 31287, Columns: []string{"GNR"}}
	for i := range n {
		out.Rows = append(out.Rows, geopackagetest.Areas([][][]wkb.XY{{square(10*float64(i), 0, 10)}}, i+1))
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
		got, err := x.In(t.Context(), wkb.Box{MinX: 255, MinY: 5, MaxX: 275, MaxY: 6})
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
	if got, err := x.In(t.Context(), wkb.Box{MinX: 1505, MinY: 5, MaxX: 1506, MaxY: 6}); err != nil || len(got) != 1 {
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
		s, err := wkb.Decode(r.Geometry)
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
