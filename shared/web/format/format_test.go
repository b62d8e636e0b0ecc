package format

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"mappe/shared/geo/geom"
)

var thing = NewRowType("thing", "A thing.", ShapeMultiPolygon,
	Column{Name: "id"}, Column{Name: "n", Type: TypeInt}, Column{Name: "area_sqm", Type: TypeFloat, Decimals: 2},
	Column{Name: "flag", Type: TypeBool}, Column{Name: "lon", Type: TypeDegrees}, Column{Name: "uses", Type: TypeJSON, Sparse: true})

var spot = NewRowType("spot", "A spot.", ShapePoint, Column{Name: "_layer"}, Column{Name: "id"},
	Column{Name: "house", Doc: "House number."})

type testRow struct {
	rowType *RowType
	vals    []Value
	g       Geometry
}

func (r *testRow) RowType() *RowType  { return r.rowType }
func (r *testRow) Value(c int) Value  { return r.vals[c] }
func (r *testRow) Geometry() Geometry { return r.g }

var triangle = geom.Polygon{{{X: 130000000, Y: 470000000}, {X: 130000001, Y: 470000000}, {X: 130000001, Y: 470000012}}}

func things() []Row {
	return []Row{
		&testRow{thing, []Value{String("01004-1/2"), Int(-3), Float(12.345, 2), Bool(true), Degrees(130000001), RawJSON(`{"41":2}`)},
			PolygonGeometry(geom.MultiPolygon{triangle})},
		&testRow{thing, []Value{String(`a"b`), Null, Float(math.NaN(), 2), Bool(false), Null, Omit}, Geometry{}},
		&testRow{spot, []Value{String("building"), String("b1"), String("=1+1")}, PointGeometry(geom.Point{X: -5, Y: 470000000})},
	}
}

// written runs a writer over the rows.
func written(t *testing.T, write func(*Buffer, *Layout, Seq) error, fields ...string) string {
	t.Helper()
	var out bytes.Buffer
	b := NewBuffer(&out)
	if err := write(b, NewLayout(fields, thing, spot), Rows(things())); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What a description requires stands in every row: only a sparse column leaves its member out.
func TestOnlySparseMembersAreLeftOut(t *testing.T) {
	rowType := NewRowType("sparse", "", ShapeNone, Column{Name: "id"}, Column{Name: "note", Sparse: true}, Column{Name: "n", Type: TypeInt})
	for _, pretty := range []bool{false, true} {
		var out bytes.Buffer
		b := NewBuffer(&out)
		j := NewJSON(b, pretty)
		j.Row(&testRow{rowType, []Value{String("a"), Omit, Omit}, Geometry{}}, NewLayout(nil, rowType))
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(out.String()), ""); got != `{"id":"a","n":null}` {
			t.Errorf("got %s", got)
		}
	}
}

func TestCoordinatesHaveSevenDecimals(t *testing.T) {
	for e7, want := range map[int32]string{
		0: "0.0000000", 1: "0.0000001", -1: "-0.0000001", 163738000: "16.3738000", -1800000000: "-180.0000000",
		1800000000: "180.0000000", 99999999: "9.9999999", 1000000000: "100.0000000", math.MinInt32: "-214.7483648",
	} {
		if got := string(appendE7(nil, e7)); got != want {
			t.Errorf("%d: %s, want %s", e7, got, want)
		}
	}
}

// The fast path for positions agrees with the plain one.
func TestPositionsAgree(t *testing.T) {
	for _, x := range []int32{0, 99999999, 100000000, 100000001, 163738123, 999999999, 1000000000, 470605049, -163738123} {
		for _, y := range []int32{470000000, 99999999, 487654321} {
			want := "[" + string(appendE7(nil, x)) + "," + string(appendE7(nil, y)) + "]"
			want = "[[" + want + "," + want + "]]"
			if got := string(appendRings(nil, geom.Polygon{{{X: x, Y: y}}}, Projection{}, &template{})); got != want {
				t.Errorf("%d %d: %s, want %s", x, y, got, want)
			}
		}
	}
}

// The halves do not meet before the last addition: all values of each are all there is.
func TestEightDigits(t *testing.T) {
	for i := range uint32(10_000) {
		v := i*10_000 + 9_999 - i
		got := binary.LittleEndian.AppendUint64(nil, eightDigits(v))
		if want := fmt.Sprintf("%08d", v); string(got) != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v        Value
		want     string
		decimals string
	}{
		{Float(12.345, 2), "12.35", "half away from zero"},
		{Float(-12.345, 2), "-12.35", ""},
		{Float(100, 2), "100", "trailing zeros dropped"},
		{Float(100.5, 2), "100.5", ""},
		{Float(0.001, 2), "0", "no negative or spurious zero"},
		{Float(-0.001, 2), "0", ""},
		{Float(1e15, 2), "1000000000000000", "beyond exact integers"},
		{Float(1e21, 0), "1000000000000000000000", "never an exponent"},
		{Float(math.NaN(), 2), "null", "not a number"},
		{Float(math.Inf(-1), 2), "null", ""},
		{Int(math.MinInt64), "-9223372036854775808", ""},
		{Bool(true), "true", ""}, {Null, "null", ""}, {Value{}, "null", "the zero value"},
		{String("a\u2028\x00\xff\"\\\n/<ä😀"), `"a\u2028\u0000\ufffd\"\\\n/<ä😀"`, ""},
	} {
		if got := string(appendValue(nil, c.v)); got != c.want {
			t.Errorf("%+v (%s): %s, want %s", c.v, c.decimals, got, c.want)
		}
	}
}

func TestJSONRows(t *testing.T) {
	want := `{"id":"01004-1/2","n":-3,"area_sqm":12.35,"flag":true,"lon":13.0000001,"uses":{"41":2},"geometry":{"type":"Polygon","coordinates":[[[13.0000000,47.0000000],[13.0000001,47.0000000],[13.0000001,47.0000012],[13.0000000,47.0000000]]]}}
{"id":"a\"b","n":null,"area_sqm":null,"flag":false,"lon":null,"geometry":null}
{"_layer":"building","id":"b1","house":"=1+1","geometry":{"type":"Point","coordinates":[-0.0000005,47.0000000]}}
`
	got := written(t, func(b *Buffer, l *Layout, s Seq) error { l.Geometry = true; return WriteNDJSON(b, l, s) })
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A pointed number of a column with fractions has its decimal point, so that whoever reads types off the first rows takes it for what it
// is; whole numbers, positions and the nested are as ever.
func TestPointedNumbers(t *testing.T) {
	rows := []Row{
		&testRow{thing, []Value{String("a"), Int(0), Float(0, 2), Bool(true), Degrees(130000001), RawJSON(`{"41":2}`)}, Geometry{}},
		&testRow{thing, []Value{String("b"), Int(7), Float(4377, 2), Null, Null, Omit}, Geometry{}},
		&testRow{thing, []Value{String("c"), Null, Float(1.5, 2), Null, Null, Omit}, Geometry{}},
		&testRow{thing, []Value{String("d"), Null, Null, Null, Null, Omit}, Geometry{}},
	}
	want := [][3]string{{`{"id":"a","n":0,"area_sqm":0.0,"flag":true,"lon":13.0000001,"uses":{"41":2}}`, `"n": 0`, `"area_sqm": 0.0`},
		{`{"id":"b","n":7,"area_sqm":4377.0,"flag":null,"lon":null}`, `"n": 7`, `"area_sqm": 4377.0`},
		{`{"id":"c","n":null,"area_sqm":1.5,"flag":null,"lon":null}`, `"n": null`, `"area_sqm": 1.5`},
		{`{"id":"d","n":null,"area_sqm":null,"flag":null,"lon":null}`, `"n": null`, `"area_sqm": null`}}
	for i, r := range rows {
		for _, pretty := range []bool{false, true} {
			var out bytes.Buffer
			b := NewBuffer(&out)
			l := NewLayout([]string{"id", "n", "area_sqm", "flag", "lon", "uses"}, thing)
			l.Pointed = true
			NewJSON(b, pretty).Row(r, l)
			if err := b.Flush(); err != nil {
				t.Fatal(err)
			}
			got := strings.TrimSpace(out.String())
			if !pretty && got != want[i][0] || pretty && (!strings.Contains(got, want[i][1]) || !strings.Contains(got, want[i][2])) {
				t.Errorf("got %s, want %s", got, want[i])
			}
		}
	}
}

func TestFieldsProject(t *testing.T) {
	got := written(t, WriteNDJSON, "house", "id")
	want := "{\"id\":\"01004-1/2\"}\n{\"id\":\"a\\\"b\"}\n{\"id\":\"b1\",\"house\":\"=1+1\"}\n"
	if got != want {
		t.Errorf("got %s want %s", got, want)
	}
	err := CheckFields([]string{"id", "hause"}, thing, spot)
	if want := `parameter fields has the value "hause": expected a comma list of id, n, area_sqm, flag, lon, uses, _layer, house, geometry; did you mean house?`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestGeoJSONSequence(t *testing.T) {
	got := written(t, WriteGeoJSONSeq, "n", "geometry")
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 3 || lines[0] != "\x1e"+
		`{"type":"Feature","id":"01004-1/2","geometry":{"type":"Polygon","coordinates":[[[13.0000000,47.0000000],[13.0000001,47.0000000],[13.0000001,47.0000012],[13.0000000,47.0000000]]]},"properties":{"n":-3}}` {
		t.Errorf("got %q", got)
	}
	for _, l := range lines {
		if !json.Valid([]byte(l[1:])) {
			t.Errorf("not JSON: %s", l)
		}
	}
}

func TestMultiPolygonWithHole(t *testing.T) {
	m := geom.MultiPolygon{{triangle[0], triangle[0]}, triangle}
	if got, want := string(AppendWKT(nil, PolygonGeometry(geom.MultiPolygon{triangle}),
		Projection{})), "POLYGON ((13.0000000 47.0000000,13.0000001 47.0000000,13.0000001 47.0000012,13.0000000 47.0000000))"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got := string(AppendWKT(nil, PolygonGeometry(m), Projection{}))
	if !strings.HasPrefix(got, "MULTIPOLYGON (((13.0000000 47.0000000,") || strings.Count(got, "(") != 6 {
		t.Errorf("got %s", got)
	}
	var v struct {
		Type        string
		Coordinates [][][][2]float64
	}
	if err := json.Unmarshal(appendGeoJSON(nil, PolygonGeometry(m), Projection{}, &template{}), &v); err != nil ||
		v.Type != "MultiPolygon" || len(v.Coordinates) != 2 || len(v.Coordinates[0]) != 2 || len(v.Coordinates[0][1]) != 4 {
		t.Errorf("got %+v %v", v, err)
	}
}

// Lines are MultiLineStrings in every form, whatever their number; none are no geometry.
func TestMultiLine(t *testing.T) {
	a, b := geom.Point{X: 130000000, Y: 470000000}, geom.Point{X: 131000000, Y: 471000000}
	g := LineGeometry([][]geom.Point{{a, b}, {b, a, b}})
	if got, want := string(AppendWKT(nil, g, Projection{})), "MULTILINESTRING ((13.0000000 47.0000000,13.1000000 47.1000000),"+
		"(13.1000000 47.1000000,13.0000000 47.0000000,13.1000000 47.1000000))"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var v struct {
		Type        string
		Coordinates [][][2]float64
	}
	err := json.Unmarshal(appendGeoJSON(nil, g, Projection{}, &template{}), &v)
	if err != nil || v.Type != "MultiLineString" || len(v.Coordinates) != 2 || len(v.Coordinates[1]) != 3 ||
		v.Coordinates[1][1] != [2]float64{13, 47} {
		t.Errorf("got %+v %v", v, err)
	}
	if n := len(AppendWKB(nil, g, Projection{})); n != 9+2*9+5*16 {
		t.Errorf("%d bytes", n)
	}
	if e, ok := (Projection{}).Envelope(g); !ok || e != [4]float64{13, 47, 13.1, 47.1} {
		t.Errorf("%v %v", e, ok)
	}
	if LineGeometry(nil).Shape != ShapeNone {
		t.Error("no lines have a shape")
	}
}

func TestProjectedCoordinates(t *testing.T) {
	p := Projection{EPSG: 31287, Forward: func(lon, lat float64) (float64, float64) { return lon * 1e5, -lat * 1e4 }}
	if got, want := string(appendGeoJSON(nil, PointGeometry(geom.Point{X: 130000001, Y: 470000000}), p,
		&template{})), `{"type":"Point","coordinates":[1300000.010,-470000.000]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if p.URI() != "<http://www.opengis.net/def/crs/EPSG/0/31287>" ||
		(Projection{}).URI() != "<http://www.opengis.net/def/crs/OGC/1.3/CRS84>" {
		t.Error("Content-Crs", p.URI())
	}
}

func TestCSV(t *testing.T) {
	got := written(t, WriteCSV)
	want := "\xef\xbb\xbf" + strings.Join([]string{
		`id,n,area_sqm,flag,lon,uses,_layer,house,geometry`,
		`01004-1/2,-3,12.35,true,13.0000001,"{""41"":2}",,,"POLYGON ((13.0000000 47.0000000,13.0000001 47.0000000,13.0000001 47.0000012,13.0000000 47.0000000))"`,
		`"a""b",,,false,,,,,`,
		`b1,,,,,,building,"'=1+1","POINT (-0.0000005 47.0000000)"`,
	}, "\r\n") + "\r\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || len(rows) != 4 || len(rows[3]) != 9 {
		t.Errorf("encoding/csv reads %v %v", rows, err)
	}
}

// Readers pass over empty lines: a row that is one empty cell is not one.
func TestCSVRowOfOneEmptyCell(t *testing.T) {
	k := NewRowType("k", "", ShapePoint, Column{Name: "id"}, Column{Name: "ez"})
	for field, want := range map[string]string{"ez": "ez\r\n\"\"\r\n7\r\n", "geometry": "geometry\r\n\"\"\r\n\"\"\r\n",
		"id,ez": "id,ez\r\n,\r\n,7\r\n"} {
		var out bytes.Buffer
		b := NewBuffer(&out)
		l := NewLayout(strings.Split(field, ","), k)
		if err := WriteCSV(b, l, Rows([]sparse{{k, Null}, {k, Int(7)}})); err != nil {
			t.Fatal(err)
		}
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != byteOrderMark+want {
			t.Errorf("%s: want %q, got %q", field, want, got)
		}
	}
}

// sparse is a row of two columns without an id and without a geometry.
type sparse struct {
	rowType *RowType
	ez      Value
}

func (s sparse) RowType() *RowType  { return s.rowType }
func (s sparse) Geometry() Geometry { return Geometry{} }
func (s sparse) Value(c int) Value {
	if c == 1 {
		return s.ez
	}
	return Null
}

func TestFormulasAreDisarmed(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": `"'=1+1"`, "+43 1 234": `"'+43 1 234"`, "-cmd|' /C calc'!A0": `"'-cmd|' /C calc'!A0"`, "@x": `"'@x"`, "\tx": "\"'\tx\"",
		"-12.5": "-12.5", "+7": "+7", "-": `"'-"`, "-0x1p-2": `"'-0x1p-2"`, "-1e5": "-1e5", "-Inf": `"'-Inf"`, "": "", ".17": ".17",
		"a,b": `"a,b"`, "x\ny": "\"x\ny\"",
	} {
		if got := string(appendCell(nil, text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestPrettyIsTheSameValue(t *testing.T) {
	write := func(pretty bool) string {
		var out bytes.Buffer
		b := NewBuffer(&out)
		j := NewJSON(b, pretty)
		j.Object()
		j.Member("a", map[string]any{"x": []int{1, 2}})
		j.Key("empty")
		j.Array()
		j.EndArray()
		j.Key("rows")
		j.Array()
		for _, r := range things() {
			j.Row(r, NewLayout(nil, thing, spot))
		}
		j.EndArray()
		j.Key("z")
		j.Null()
		j.EndObject()
		b.Flush()
		return out.String()
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(write(true))); err != nil || compact.String() != write(false) {
		t.Errorf("%v\n%s\n%s", err, compact.String(), write(false))
	}
	if !strings.Contains(write(true), "\n    {\n      \"id\": \"01004-1/2\",") || !strings.Contains(write(true), `"empty": [],`) {
		t.Errorf("indentation:\n%s", write(true))
	}
}

func TestFailedSequenceIsReported(t *testing.T) {
	boom := errors.New("boom")
	seq := func(yield func(Row, error) bool) {
		if yield(things()[0], nil) {
			yield(nil, boom)
		}
	}
	for name, write := range map[string]func(*Buffer, *Layout, Seq) error{"csv": WriteCSV, "ndjson": WriteNDJSON,
		"geojsonseq": WriteGeoJSONSeq} {
		if err := write(NewBuffer(&bytes.Buffer{}), NewLayout(nil, thing), seq); !errors.Is(err, boom) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzStringIsJSON(f *testing.F) {
	f.Add("a\u2028\x00\xff")
	f.Fuzz(func(t *testing.T, s string) {
		b := appendString(nil, s)
		var back string
		if err := json.Unmarshal(b, &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") && strings.ToValidUTF8(s, "") == s {
			t.Fatalf("%q gives %s: %q %v", s, b, back, err)
		}
	})
}

func FuzzFloat(f *testing.F) {
	f.Add(12.345, uint8(2))
	f.Fuzz(func(t *testing.T, v float64, dec uint8) {
		val := Float(v, int(dec))
		b := appendValue(nil, val)
		if val.IsNull() {
			return
		}
		got, err := strconv.ParseFloat(string(b), 64)
		want, _ := val.Float64()
		if err != nil || math.Abs(got-want) > math.Abs(want)*1e-15 {
			t.Fatalf("%v with %d decimals: %s is not %v (%v)", v, dec, b, want, err)
		}
	})
}
