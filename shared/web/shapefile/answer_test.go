package shapefile

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/format/formattest"
)

var (
	wayKind  = format.NewRowType("way", "A way.", format.ShapeMultiLine, format.Column{Name: "n", Type: format.TypeInt})
	nameKind = format.NewRowType("name", "A name.", format.ShapeNone, format.Column{Name: "name"})
)

func wayRow(n int64, lines ...[]geom.Point) formattest.Row {
	return formattest.Row{Of: wayKind, Vals: []format.Value{format.Int(n)}, Shape: format.LineGeometry(lines)}
}

func nameRow(name string) formattest.Row {
	return formattest.Row{Of: nameKind, Vals: []format.Value{format.String(name)}}
}

// answered is the archive of an answer.
func answered(t *testing.T, l *format.Layout, rows format.Seq) []byte {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	var out bytes.Buffer
	if err := (Answer{Name: "answer", About: "CC BY 4.0", Layout: l, Rows: rows}).Write(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	return out.Bytes()
}

// members are what an archive holds.
func members(t *testing.T, packed []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
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

func setFiles(names ...string) (list []string) {
	list = []string{"README.txt"}
	for _, name := range names {
		for _, ending := range []string{".shp", ".shx", ".dbf", ".prj", ".cpg"} {
			list = append(list, name+ending)
		}
	}
	return slices.Sorted(slices.Values(list))
}

// An answer has a set for each kind of its rows, a table alone for one without shapes, and none for a kind without rows.
func TestAnswersOfSeveralKinds(t *testing.T) {
	areas := schema(false)
	rows := []format.Row{formattest.Spot("first", 130_000_000, 470_000_000), nameRow("Öd"),
		wayRow(7, []geom.Point{{X: 130_000_000, Y: 470_000_000}, {X: 131_000_000, Y: 471_000_000}, {X: 132_000_000, Y: 470_000_000}},
			[]geom.Point{{X: 1, Y: 2}, {X: 3, Y: 4}}),
		formattest.Spot("second", 131_000_000, 471_000_000), wayRow(8)}
	l := format.NewLayout(nil, areas.RowType, formattest.SpotType, wayKind, nameKind)
	packed := answered(t, l, format.Rows(rows))
	all := members(t, packed)
	want := append(setFiles("spot", "way"), "name.dbf", "name.cpg")
	if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("%q, want %q", got, want)
	}
	shapes, cells := records(t, all, "way")
	if len(shapes) != 2 || len(shapes[0].Lines) != 2 || len(shapes[0].Lines[0]) != 3 || shapes[0].Lines[0][1] != [2]float64{13.1, 47.1} ||
		len(shapes[1].Lines) != 0 || cells[1][0] != "8" {
		t.Errorf("%v %v", shapes, cells)
	}
	if _, cells := records(t, all, "spot"); len(cells) != 2 || cells[1][0] != "second" {
		t.Errorf("%q", cells)
	}
	if !bytes.HasSuffix(all["name.dbf"], []byte(" Öd\x1a")) {
		t.Errorf("%q", all["name.dbf"])
	}
	if about := string(all["README.txt"]); !strings.HasPrefix(about, "answer\r\nCC BY 4.0\r\n") ||
		!strings.Contains(about, "  spot_id     spot_id") {
		t.Errorf("%q", about)
	}
	if again := answered(t, l, format.Rows(rows)); !bytes.Equal(again, packed) {
		t.Error("the same rows give other bytes")
	}
}

// An answer without rows says what there could have been: its kinds, columns and systems.
func TestAnEmptyAnswer(t *testing.T) {
	for _, system := range crs.AllSystems() {
		l := format.NewLayout([]string{"thing_id", "area_sqm"}, schema(false).RowType, schema(true).RowType)
		l.Projection.EPSG = int(system)
		all := members(t, answered(t, l, format.Rows[format.Row](nil)))
		if got, want := slices.Sorted(maps.Keys(all)), setFiles("things", "things_2"); !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
		if got, err := crs.FromWKT(string(all["things.prj"])); err != nil || got != system {
			t.Errorf("%v: %v %v", system, got, err)
		}
		if len(all["things.shp"]) != 100 || all["things.shp"][32] != 5 || all["things_2.shp"][32] != 1 ||
			len(all["things.dbf"]) != 32+2*32+2 {
			t.Errorf("%v: %d and %d bytes", system, len(all["things.shp"]), len(all["things.dbf"]))
		}
	}
}

// A column has the same name whichever others are chosen beside it.
func TestChosenColumnsKeepTheirNames(t *testing.T) {
	l := format.NewLayout([]string{"a_name_that_is_longer"}, schema(false).RowType)
	all := members(t, answered(t, l, format.Rows[format.Row](nil)))
	if want := "  a_name_t_2  a_name_that_is_longer: "; !strings.Contains(string(all["README.txt"]), want) ||
		!bytes.Contains(all["things.dbf"][:64], []byte("a_name_t_2\x00N")) {
		t.Errorf("%q %q", all["README.txt"], all["things.dbf"])
	}
}

// Where no column is asked for, rows are counted: a table has a column.
func TestAnAnswerWithoutColumns(t *testing.T) {
	l := format.NewLayout([]string{"geometry"}, formattest.SpotType)
	rows := []format.Row{formattest.Spot("a", 1, 2), formattest.Spot("b", 3, 4)}
	if _, cells := records(t, members(t, answered(t, l, format.Rows(rows))), "spot"); len(cells) != 2 || cells[1][0] != "2" {
		t.Errorf("%q", cells)
	}
}

// Values that a cell cannot hold are as near as it can, and one of another type than its column's is left out.
func TestCells(t *testing.T) {
	number := &column{kind: 'N', decimals: 2}
	for _, c := range []struct {
		of   *column
		v    format.Value
		want string
	}{
		{number, format.Float(-1.006, 2), "-1.01"},
		{number, format.String("12"), ""},
		{&column{kind: 'N'}, format.Int(-1 << 63), "-9223372036854775808"},
		{&column{kind: 'L'}, format.Bool(true), "T"},
		{&column{kind: 'L'}, format.Bool(false), "F"},
		{&column{kind: 'L'}, format.Null, ""},
		{&column{kind: 'L'}, format.String("yes"), ""},
		{&column{kind: 'C'}, format.Int(12), "12"},
		{&column{kind: 'C'}, format.String("a\x00b\xff"), "a b\uFFFD"},
		{&column{kind: 'C'}, format.String(strings.Repeat("x", 253) + "ß"), strings.Repeat("x", 253)},
	} {
		if got := string(c.of.appendCell(nil, c.v)); got != c.want {
			t.Errorf("%c: %q, want %q", c.of.kind, got, c.want)
		}
	}
	if got := string(appendNumber(nil, 3e200, 2)); got != "3e+200" {
		t.Errorf("%q is not as wide as readers take", got)
	}
	columns := make([]format.Column, maxColumns+1)
	for i := range columns {
		columns[i].Name = strings.Repeat("c", i+1)
	}
	k := format.NewRowType("wide", "", format.ShapePoint, columns...)
	if _, _, err := columnsOf(format.NewLayout(nil, k)); err == nil {
		t.Error("256 columns are taken")
	}
}

// What is too large is refused before anything is written, and so is what fails; nothing is left beside.
func TestAnswersThatAreRefused(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	broken := errors.New("broken")
	areas := layer("areas", false, things(40))
	failing := func(yield func(format.Row, error) bool) {
		_ = yield(formattest.Spot("a", 1, 2), nil) && yield(nil, broken)
	}
	wrong := formattest.Spot("a", 1, 2)
	wrong.Of = wayKind
	wrong.Vals = []format.Value{format.Int(1)}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		rows format.Seq
		most int64
		want func(error) bool
	}{
		"large": {t.Context(), areas.Rows, 3000, func(err error) bool {
			f := fault.From(err)
			return f.Status() == 413 && strings.Contains(f.Message, "format=parquet") && strings.Contains(f.Message, "format=csv")
		}},
		"broken":   {t.Context(), failing, MaxAnswer, func(err error) bool { return errors.Is(err, broken) }},
		"mismatch": {t.Context(), format.Rows([]format.Row{wrong}), MaxAnswer, func(err error) bool { return err != nil }},
		"gone":     {gone, areas.Rows, MaxAnswer, func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		var out bytes.Buffer
		a := Answer{Name: name, Layout: format.NewLayout(nil, schema(false).RowType, formattest.SpotType, wayKind), Rows: c.rows}
		if err := a.write(c.ctx, &out, c.most); !c.want(err) || out.Len() > 0 {
			t.Errorf("%s: %v and %d bytes", name, err, out.Len())
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
