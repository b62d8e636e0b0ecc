package shapefile

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/shapefile"
	"mappe/shared/web/format"
)

// thing is a row of the tests.
type thing struct {
	id, text string
	n        int64
	known    bool
	flat     bool
	area     float64
	at       geom.Point
	shape    geom.MultiPolygon
}

var fields = format.Fields[thing]{
	{Column: format.Column{Name: "thing_id"}, Get: func(t *thing) format.Value { return format.String(t.id) }},
	{Column: format.Column{Name: "a_name_that_is_long"}, Get: func(t *thing) format.Value { return format.Text(t.text) }},
	{Column: format.Column{Name: "a_name_that_is_longer", Type: format.TypeInt}, Get: func(t *thing) format.Value {
		if !t.known {
			return format.Null
		}
		return format.Int(t.n)
	}},
	{Column: format.Column{Name: "area_sqm", Type: format.TypeFloat, Decimals: 2},
		Get: func(t *thing) format.Value { return format.Float(t.area, 2) }},
	{Column: format.Column{Name: "flat", Type: format.TypeBool}, Get: func(t *thing) format.Value { return format.Bool(t.flat) }},
	{Column: format.Column{Name: "lon", Type: format.TypeDegrees}, Get: func(t *thing) format.Value { return format.Degrees(t.at.X) }},
}

func schema(points bool) *format.Schema[thing] {
	d := format.Drawing[thing]{Point: func(t *thing) geom.Point { return t.at }}
	if !points {
		d.Polygons = func(t *thing) geom.MultiPolygon { return t.shape }
	}
	return format.NewSchema("things", "Things.", d, fields)
}

func layer(name string, points bool, list []thing) Layer {
	s := schema(points)
	return Layer{Name: name, Layout: format.NewLayout(nil, s.RowType), Rows: func(yield func(format.Row, error) bool) {
		r := s.Record()
		for i := range list {
			if r.Item = list[i]; !yield(r, nil) {
				return
			}
		}
	}}
}

// square is a ring against the clock.
func square(x, y, side int32) geom.Ring {
	return geom.Ring{{X: x, Y: y}, {X: x + side, Y: y}, {X: x + side, Y: y + side}, {X: x, Y: y + side}}
}

func turned(r geom.Ring) geom.Ring {
	r = slices.Clone(r)
	slices.Reverse(r)
	return r
}

func things(n int) (list []thing) {
	for i := range n {
		at := geom.Point{X: 130_000_000 + int32(i)*10_000, Y: 470_000_000}
		outer, inner := square(at.X, at.Y, 5000), turned(square(at.X+1000, at.Y+1000, 1000))
		if i%2 == 1 { // whichever way the rings run, they are written one way
			outer, inner = turned(outer), turned(inner)
		}
		t := thing{id: fmt.Sprint("t", i), text: "Öd am Weißen Fluß", n: int64(i - 3), known: i%3 > 0, flat: i%2 == 0,
			area: float64(i) * 1.25, at: at, shape: geom.MultiPolygon{{outer, inner}, {square(at.X+7000, at.Y, 1000)}}}
		list = append(list, t)
	}
	return list
}

// written are the members of an archive.
func written(t *testing.T, a Archive, most int64) map[string][]byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.zip")
	if err := writeFile(t.Context(), path, a, most); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	all := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if all[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// records reads a set: its shapes, and its cells as text.
func records(t *testing.T, all map[string][]byte, name string) (shapes []shapefile.Record, cells [][]string) {
	t.Helper()
	r, err := shapefile.New(bytes.NewReader(all[name+".shp"]), bytes.NewReader(all[name+".dbf"]), string(all[name+".cpg"]))
	if err != nil {
		t.Fatal(err)
	}
	for {
		rec, ok := r.Next()
		if !ok {
			break
		}
		var row []string
		rec.Cells(func(_ string, _ byte, text string) { row = append(row, text) })
		shapes, cells = append(shapes, *rec), append(cells, row)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return shapes, cells
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	list := append(things(5), thing{id: "none", text: strings.Repeat("ä", 200), at: geom.Point{X: 1, Y: 1}})
	areas, spots := layer("areas", false, list), layer("spots", true, list)
	areas.Layout.Projection = format.Projection{EPSG: 31287, Forward: crs.LambertMGI.Forward}
	a := Archive{Layers: []Layer{areas, spots}, Texts: []Text{{"README.txt", "about"}}}
	all := written(t, a, MaxFile)
	if string(all["README.txt"]) != "about" || string(all["areas.cpg"]) != "UTF-8" || len(all) != 11 {
		t.Errorf("%d members", len(all))
	}
	for name, want := range map[string]crs.System{"areas": crs.LambertMGI, "spots": crs.WGS84} {
		if got, err := crs.FromWKT(string(all[name+".prj"])); err != nil || got != want {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
	shapes, cells := records(t, all, "areas")
	if len(shapes) != 6 {
		t.Fatalf("%d areas", len(shapes))
	}
	if want := []string{"t0", "Öd am Weißen Fluß", "", "0.00", "T", "13.0000000"}; !slices.Equal(cells[0], want) {
		t.Errorf("%q, want %q", cells[0], want)
	}
	if got := cells[5][1]; got != strings.Repeat("ä", 127) || cells[1][2] != "-2" {
		t.Errorf("the long text is %q, the number %q", got, cells[1][2])
	}
	// numbers end where their column ends, as readers of fixed widths want
	if !bytes.Contains(all["areas.dbf"], []byte(" 15.00T13.0040000")) {
		t.Error("numbers do not stand at the right")
	}
	for i, s := range shapes {
		if i == 5 {
			if len(s.Rings) != 0 {
				t.Error("a row without a shape has one")
			}
			continue
		}
		if len(s.Rings) != 3 {
			t.Fatalf("%d rings", len(s.Rings))
		}
		for k, ring := range s.Rings {
			area := 0.0
			for j := range ring {
				next := ring[(j+1)%len(ring)]
				area += ring[j][0]*next[1] - next[0]*ring[j][1]
			}
			if (area < 0) != (k != 1) {
				t.Errorf("ring %d of shape %d runs the other way", k, i)
			}
		}
		x, y := crs.LambertMGI.Project(list[i].shape[0][0][0])
		if !slices.ContainsFunc(s.Rings[0], func(p shapefile.XY) bool { return abs(p[0]-x) < 0.001 && abs(p[1]-y) < 0.001 }) {
			t.Errorf("shape %d lacks %.3f %.3f", i, x, y)
		}
	}
	points, _ := records(t, all, "spots")
	if len(points) != 6 || points[4].Points[0] != (shapefile.XY{13.004, 47}) {
		t.Errorf("%v", points)
	}
	if again := written(t, a, MaxFile); !bytes.Equal(again["areas.dbf"], all["areas.dbf"]) || !bytes.Equal(again["areas.shp"],
		all["areas.shp"]) {
		t.Error("the same rows give other bytes")
	}
}

func abs(v float64) float64 { return max(v, -v) }

func TestNames(t *testing.T) {
	got := Names([]string{"a_name_that_is_long", "a_name_that_is_longer", "short", "a_name_tha", "grün_grün_grün"})
	if want := []string{"a_name_tha", "a_name_t_2", "short", "a_name_t_3", "grün_grü"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a set cannot hold goes on in the next, and each is whole.
func TestASetThatIsFull(t *testing.T) {
	list := things(40)
	all := written(t, Archive{Layers: []Layer{layer("areas", false, list)}}, 2500)
	var ids []string
	sets := 0
	for ; all[setName("areas", sets+1)+".shp"] != nil; sets++ {
		name := setName("areas", sets+1)
		if len(all[name+".shp"]) > 2500 || len(all[name+".dbf"]) > 2500 {
			t.Errorf("%s has %d and %d bytes", name, len(all[name+".shp"]), len(all[name+".dbf"]))
		}
		_, cells := records(t, all, name)
		if want := 100 + 8*len(cells); len(all[name+".shx"]) != want {
			t.Errorf("the index of %s has %d bytes, want %d", name, len(all[name+".shx"]), want)
		}
		for _, row := range cells {
			ids = append(ids, row[0])
		}
	}
	if sets < 3 || len(ids) != 40 || ids[39] != "t39" || !slices.IsSortedFunc(ids, func(a, b string) int { return len(a) - len(b) }) {
		t.Errorf("%d sets of %v", sets, ids)
	}
	if err := writeFile(t.Context(), filepath.Join(t.TempDir(), "a.zip"), Archive{Layers: []Layer{layer("areas", false, list)}},
		300); err == nil {
		t.Error("a row that no set can hold is written")
	}
}

// Rows that fail and a context that is done end the writing, and leave no files beside.
func TestFaults(t *testing.T) {
	broken := errors.New("broken")
	l := layer("areas", false, nil)
	l.Rows = func(yield func(format.Row, error) bool) { yield(nil, broken) }
	dir := t.TempDir()
	if err := WriteFile(t.Context(), filepath.Join(dir, "a.zip"), Archive{Layers: []Layer{l}}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if err := WriteFile(done, filepath.Join(dir, "b.zip"), Archive{Layers: []Layer{layer("areas", false, things(9))}}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("%v", err)
	}
	left, _ := os.ReadDir(dir)
	for _, f := range left {
		if !strings.HasSuffix(f.Name(), ".zip") {
			t.Errorf("%s is left", f.Name())
		}
	}
}
