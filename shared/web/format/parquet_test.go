package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go"

	"mappe/shared/geo/geom"
)

func parquetFile(t testing.TB, rows Seq, rowTypes ...*RowType) []byte {
	t.Helper()
	var out bytes.Buffer
	b := NewBuffer(&out)
	if err := WriteParquet(b, NewLayout(nil, rowTypes...), rows); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A second implementation reads back each cell.
func TestParquetIsReadByParquetGo(t *testing.T) {
	data := parquetFile(t, Rows(things()), thing, spot)
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if f.NumRows() != 3 {
		t.Fatalf("%d rows", f.NumRows())
	}
	var got []string
	for _, g := range f.RowGroups() {
		r := g.Rows()
		defer r.Close()
		buf := make([]parquet.Row, 10)
		n, err := r.ReadRows(buf)
		if err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		for _, row := range buf[:n] {
			line := ""
			for _, v := range row[:8] {
				line += fmt.Sprint(v) + "|"
			}
			got = append(got, line+fmt.Sprint(len(row[8].ByteArray()), row[9], row[12]))
		}
	}
	want := []string{
		`01004-1/2|-3|12.35|true|13.0000001|{"41":2}|<null>|<null>|86 13 47.0000012`,
		`a"b|<null>|<null>|false|<null>|<null>|<null>|<null>|0 <null> <null>`,
		`b1|<null>|<null>|<null>|<null>|<null>|building|=1+1|21 -5e-07 47`,
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Errorf("row %d: got %s\nwant %s", i, got[i], want[i])
		}
	}
	geo, ok := f.Lookup("geo")
	var meta struct {
		Version       string
		PrimaryColumn string `json:"primary_column"`
		Columns       map[string]geoColumn
	}
	if err := json.Unmarshal([]byte(geo), &meta); !ok || err != nil {
		t.Fatal(ok, err)
	}
	c := meta.Columns[meta.PrimaryColumn]
	if meta.Version != "1.1.0" || c.Encoding != "WKB" || fmt.Sprint(c.GeometryTypes) != "[Point MultiPolygon]" ||
		fmt.Sprint(c.BBox) != "[-5e-07 47 13.0000001 47.0000012]" || fmt.Sprint(c.Covering["bbox"]["xmax"]) != "[bbox xmax]" {
		t.Errorf("geo metadata %s", geo)
	}
}

// Rows are cut into groups; what the writer holds stays bounded, and nothing is lost at the seams.
func TestParquetRowGroups(t *testing.T) {
	const n = 2*groupRows + 13
	plain := NewRowType("plain", "", ShapeNone, Column{Name: "n", Type: TypeInt}, Column{Name: "odd", Type: TypeBool})
	rows := func(yield func(Row, error) bool) {
		for i := range n {
			v := Null
			if i%3 != 0 {
				v = Bool(i%2 == 1)
			}
			if !yield(&testRow{plain, []Value{Int(int64(i)), v}, Geometry{}}, nil) {
				return
			}
		}
	}
	data := parquetFile(t, rows, plain)
	type row struct {
		N   *int64 `parquet:"n,optional"`
		Odd *bool  `parquet:"odd,optional"`
	}
	got, err := parquet.Read[row](bytes.NewReader(data), int64(len(data)))
	if err != nil || len(got) != n {
		t.Fatal(len(got), err)
	}
	for i, r := range got {
		if *r.N != int64(i) || (r.Odd == nil) != (i%3 == 0) || r.Odd != nil && *r.Odd != (i%2 == 1) {
			t.Fatalf("row %d: %v %v", i, *r.N, r.Odd)
		}
	}
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(f.RowGroups()) != 3 {
		t.Errorf("%d row groups %v", len(f.RowGroups()), err)
	}
	if _, ok := f.Lookup("geo"); ok {
		t.Error("rows without geometry carry geo metadata")
	}
	if !bytes.Equal(data, parquetFile(t, rows, plain)) {
		t.Error("the same rows give other bytes")
	}
}

func TestParquetWithoutRows(t *testing.T) {
	data := parquetFile(t, Rows([]Row{}), thing)
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil || f.NumRows() != 0 {
		t.Error(err)
	}
	err = WriteParquet(NewBuffer(io.Discard), &Layout{Projection: Projection{EPSG: 3857, Forward: func(x, y float64) (float64, float64) {
		return x, y
	}}}, Rows([]Row{}))
	if err == nil {
		t.Error("projected coordinates are written as WGS84")
	}
}

// A column that is itself named bbox keeps its name.
func TestParquetKeepsABoxColumn(t *testing.T) {
	k := NewRowType("k", "", ShapePoint, Column{Name: "bbox", Type: TypeJSON})
	data := parquetFile(t, Rows([]Row{&testRow{k, []Value{RawJSON("[1]")}, PointGeometry(geom.Point{X: 1, Y: 2})}}), k)
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.Schema().Columns()); got != "[[bbox] [geometry] [geometry_bbox xmin] [geometry_bbox ymin] [geometry_bbox xmax] [geometry_bbox ymax]]" {
		t.Errorf("columns %s", got)
	}
}

func BenchmarkParquet20000(b *testing.B) { benchWrite(b, WriteParquet) }
