package shapefile_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"reflect"
	"strings"
	"testing"

	"mappe/shared/geo/shapefile"
	"mappe/shared/geo/shapefile/shapefiletest"
)

func square(x, y, side float64) []shapefile.XY {
	return []shapefile.XY{{x, y}, {x, y + side}, {x + side, y + side}, {x + side, y}}
}

func sample() *shapefiletest.File {
	return &shapefiletest.File{Columns: []string{"KG_NR", "KG"}, Rows: []shapefiletest.Row{
		{Rings: [][]shapefile.XY{square(0, 0, 10), square(2, 2, 1)}, Cells: []string{"01004", "Öd am Weißen Fluß"}},
		{Cells: []string{"1005"}},
		{Rings: [][]shapefile.XY{square(5, 5, 1)}, Cells: []string{"9"}, Deleted: true},
		{Rings: [][]shapefile.XY{square(20, 0, 10)}, Cells: []string{"1006", "Straß"}},
	}}
}

func open(f *shapefiletest.File, cpg string) (*shapefile.Reader, error) {
	return shapefile.New(bytes.NewReader(f.SHP()), bytes.NewReader(f.DBF()), cpg)
}

// Rows and shapes stay side by side over null shapes and deleted rows, in all kinds of polygons.
func TestRecords(t *testing.T) {
	for _, typ := range []uint32{5, 15} {
		f := sample()
		f.Type = typ
		r, err := open(f, "")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		var rings []int
		for rec, ok := r.Next(); ok; rec, ok = r.Next() {
			names, rings = append(names, rec.Text("kg_nr")+" "+rec.Text("KG")+rec.Text("absent")), append(rings, len(rec.Rings))
		}
		if want := []string{"01004 Öd am Weißen Fluß", "1005 ", "1006 Straß"}; r.Err() != nil || !reflect.DeepEqual(names, want) ||
			!reflect.DeepEqual(rings, []int{2, 0, 1}) {
			t.Errorf("type %d: want %q, got %q with %v rings (%v)", typ, want, names, rings, r.Err())
		}
	}
}

// Points and lines are read too, with and without heights, and without a table.
func TestPointsAndLines(t *testing.T) {
	line, points := []shapefile.XY{{0, 0}, {5, 0}, {5, 5}}, []shapefile.XY{{1, 2}, {3, 4}}
	for typ, row := range map[uint32]shapefiletest.Row{
		1: {Points: points[:1]}, 8: {Points: points}, 3: {Lines: [][]shapefile.XY{line, line[:2]}}, 13: {Lines: [][]shapefile.XY{line}},
	} {
		f := &shapefiletest.File{Type: typ, Columns: []string{"A"}, Rows: []shapefiletest.Row{row, {Deleted: true}, row}}
		for _, table := range []io.Reader{bytes.NewReader(f.DBF()), nil} {
			r, err := shapefile.New(bytes.NewReader(f.SHP()), table, "")
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for rec, ok := r.Next(); ok; rec, ok = r.Next() {
				if n++; rec.Text("A") != "" || rec.Rings != nil || rec.Number != 2 && (!reflect.DeepEqual(rec.Lines, row.Lines) ||
					!reflect.DeepEqual(rec.Points, row.Points)) {
					t.Errorf("type %d: want %v, got %v", typ, row, rec)
				}
			}
			if want := map[bool]int{true: 2, false: 3}[table != nil]; n != want || r.Err() != nil || r.More() ||
				r.Shape() != shapefile.ShapeType(typ%10) {
				t.Errorf("type %d: %d records (%v), more %v", typ, n, r.Err(), r.More())
			}
		}
	}
}

// Shapes that the head announces must be there, and none may be larger than the limit.
func TestShapesAlone(t *testing.T) {
	shp := sample().SHP()
	count := func(b []byte, limit int64) (n int, err error) {
		r, err := shapefile.New(bytes.NewReader(b), nil, "")
		if err != nil {
			return 0, err
		}
		r.Limit(limit)
		for ok := true; ok; n++ {
			_, ok = r.Next()
		}
		return n - 1, r.Err()
	}
	const last = 8 + 44 + 4 + 5*16
	for name, c := range map[string]struct {
		shp   []byte
		limit int64
		want  string
	}{"whole": {shp, 1 << 20, ""}, "cut between records": {shp[:len(shp)-last], 1 << 20, "too early"}, "limit": {shp, last - 8,
		"bytes: at most"}} {
		n, err := count(c.shp, c.limit)
		if c.want == "" && (err != nil || n != 4) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %d records, %v", name, n, err)
		}
	}
	short := *sample()
	table := short.DBF()
	table[4] = 2 // rows
	r, err := shapefile.New(bytes.NewReader(shp), bytes.NewReader(table), "")
	if err != nil {
		t.Fatal(err)
	}
	for ok := true; ok; _, ok = r.Next() {
	}
	if r.Err() != nil || !r.More() {
		t.Errorf("a table of two rows beside four shapes: %v, more %v", r.Err(), r.More())
	}
}

// The text is read in the code page that .cpg, the head or the text itself tells.
func TestCodePages(t *testing.T) {
	const want = "Öd am Weißen Fluß"
	for _, c := range []struct {
		utf8   bool
		cpg    string
		number byte
	}{{true, "UTF-8", 0}, {true, "", 0}, {true, "", 0x57}, {false, "", 0}, {false, "ISO-8859-1", 0}, {false, "1252", 0}, {false,
		"ANSI 1252", 0}, {false, "", 0x57}} {
		f := sample()
		f.UTF8 = c.utf8
		table := f.DBF()
		table[29] = c.number
		r, err := shapefile.New(bytes.NewReader(f.SHP()), bytes.NewReader(table), c.cpg)
		if err != nil {
			t.Fatal(err)
		}
		rec, ok := r.Next()
		if !ok || rec.Text("KG") != want {
			t.Errorf("%+v: want %q, got %+v", c, want, rec)
		}
	}
	f := sample() // "Öd" as DOS has it
	table := bytes.Replace(f.DBF(), []byte("\xd6d "), []byte("\x99d "), 1)
	r, err := shapefile.New(bytes.NewReader(f.SHP()), bytes.NewReader(table), "CP850")
	if err != nil {
		t.Fatal(err)
	}
	if rec, ok := r.Next(); !ok || !strings.HasPrefix(rec.Text("KG"), "Öd am") {
		t.Errorf("code page 850: %+v", rec)
	}
}

// Lying heads and lengths end the reading with a word on what is wrong, and make no room.
func TestHostileFiles(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	const record = 100
	for name, c := range map[string]struct {
		spoil func(shp, dbf []byte) ([]byte, []byte)
		want  string
	}{
		"empty":            {func(_, d []byte) ([]byte, []byte) { return nil, d }, "too early"},
		"no shapefile":     {func(s, d []byte) ([]byte, []byte) { s[0] = 1; return s, d }, "9994"},
		"triangles":        {func(s, d []byte) ([]byte, []byte) { s[32] = 31; return s, d }, "expected points"},
		"other kind":       {func(s, d []byte) ([]byte, []byte) { s[32] = 3; return s, d }, "type 5 among shapes of type 3"},
		"record length":    {func(s, d []byte) ([]byte, []byte) { be.PutUint32(s[record+4:], 0x7fffffff); return s, d }, "bytes: at most"},
		"record past end":  {func(s, d []byte) ([]byte, []byte) { be.PutUint32(s[record+4:], 1<<24); return s, d }, "too early"},
		"record of points": {func(s, d []byte) ([]byte, []byte) { s[record+8] = 1; return s, d }, "type 1 among shapes of type 5"},
		"parts":            {func(s, d []byte) ([]byte, []byte) { le.PutUint32(s[record+8+36:], 0xffffffff); return s, d }, "announced"},
		"positions":        {func(s, d []byte) ([]byte, []byte) { le.PutUint32(s[record+8+40:], 0x0fffffff); return s, d }, "announced"},
		"part order":       {func(s, d []byte) ([]byte, []byte) { le.PutUint32(s[record+8+48:], 900); return s, d }, "part 1 runs from"},
		"cut shapes":       {func(s, d []byte) ([]byte, []byte) { return s[:200], d }, "shp: record 1: the file ends too early"},
		"table empty":      {func(s, _ []byte) ([]byte, []byte) { return s, nil }, "dbf: the file ends too early"},
		"rows":             {func(s, d []byte) ([]byte, []byte) { le.PutUint32(d[4:], 0xffffffff); return s, d }, "rows announced"},
		"rows past end":    {func(s, d []byte) ([]byte, []byte) { return s, d[:len(d)-100] }, "dbf: record 3: the file ends too early"},
		"head length":      {func(s, d []byte) ([]byte, []byte) { le.PutUint16(d[8:], 33); return s, d }, "where the head says"},
		"column width":     {func(s, d []byte) ([]byte, []byte) { d[32+16] = 255; return s, d }, "column"},
		"no end of head":   {func(s, d []byte) ([]byte, []byte) { return s, d[:96] }, "too early"},
	} {
		t.Run(name, func(t *testing.T) {
			f := sample()
			shp, dbf := c.spoil(f.SHP(), f.DBF())
			r, err := shapefile.New(bytes.NewReader(shp), bytes.NewReader(dbf), "")
			if err == nil {
				for ok := true; ok; _, ok = r.Next() {
				}
				err = r.Err()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want an error with %q, got %v", c.want, err)
			}
		})
	}
}

func FuzzReader(f *testing.F) {
	s := sample()
	f.Add(s.SHP(), s.DBF(), "")
	s.Type = 15
	f.Add(s.SHP(), s.DBF(), "UTF-8")
	f.Add([]byte{}, []byte{}, "850")
	s = &shapefiletest.File{Type: 3, Rows: []shapefiletest.Row{{Lines: [][]shapefile.XY{{{1, 2}, {3, 4}}}}}}
	f.Add(s.SHP(), []byte{}, "")
	s = &shapefiletest.File{Type: 8, Rows: []shapefiletest.Row{{Points: []shapefile.XY{{1, 2}, {3, 4}}}}}
	f.Add(s.SHP(), []byte{}, "")
	f.Fuzz(func(t *testing.T, shp, dbf []byte, cpg string) {
		var table io.Reader
		if len(dbf) > 0 {
			table = bytes.NewReader(dbf)
		}
		r, err := shapefile.New(bytes.NewReader(shp), table, cpg)
		if err != nil {
			return
		}
		n := 0
		for rec, ok := r.Next(); ok; rec, ok = r.Next() {
			for _, ring := range append(rec.Rings, rec.Lines...) {
				n += len(ring)
			}
			n += len(rec.Points)
			rec.Text("KG")
		}
		if 16*n > len(shp) {
			t.Errorf("%d positions from %d bytes", n, len(shp))
		}
	})
}
