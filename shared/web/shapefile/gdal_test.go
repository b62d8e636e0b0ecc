package shapefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/shapefile"
	"mappe/shared/web/format"
	"mappe/shared/web/format/formattest"
)

// seen is a row as a reader of shapefiles has it, as text.
type seen struct {
	cells []string
	shape string
}

var wildColumns = []format.Column{{Name: "text"}, {Name: "whole", Type: format.TypeInt},
	{Name: "part", Type: format.TypeFloat, Decimals: 3}, {Name: "flag", Type: format.TypeBool},
	{Name: "degrees_of_something", Type: format.TypeDegrees}}

// wildTypes are a kind of each shape.
var wildTypes = []*format.RowType{format.NewRowType("points", "", format.ShapePoint, wildColumns...),
	format.NewRowType("areas", "", format.ShapeMultiPolygon, wildColumns...),
	format.NewRowType("ways", "", format.ShapeMultiLine, wildColumns...)}

// wildRow is a random row of a kind: umlauts, nulls, long texts, multipolygons with holes, rings of either way, no shape.
func wildRow(rng *rand.Rand, k *format.RowType) formattest.Row {
	r := formattest.Row{Of: k, Vals: make([]format.Value, len(k.Columns))}
	letters := []rune("aZ09 ,\"'\\äöüßÄÖÜ€𝒦\t")
	if rng.IntN(6) > 0 {
		text := make([]rune, rng.IntN(12)*rng.IntN(12)*2)
		for i := range text {
			text[i] = letters[rng.IntN(len(letters))]
		}
		r.Vals[0] = format.Text(string(text))
	}
	if rng.IntN(6) > 0 {
		r.Vals[1] = format.Int(int64(rng.Uint64()) >> (8 + rng.IntN(56))) // GDAL takes whole numbers of at most 18 places
		r.Vals[2] = format.Float(rng.NormFloat64()*1000, 3)
		r.Vals[3] = format.Bool(rng.IntN(2) == 0)
		r.Vals[4] = format.Degrees(rng.Int32())
	}
	x, y := 130_000_000+rng.Int32N(10_000_000), 470_000_000+rng.Int32N(5_000_000)
	switch {
	case rng.IntN(8) == 0: // no shape
	case k.Shape == format.ShapePoint:
		r.Shape = format.PointGeometry(geom.Point{X: x, Y: y})
	case k.Shape == format.ShapeMultiLine:
		var lines [][]geom.Point
		for i := range 1 + rng.Int32N(3) {
			lines = append(lines, []geom.Point{{X: x, Y: y + i*100}, {X: x + 50, Y: y + i*100}, {X: x + 90, Y: y + i*100 + 30}})
		}
		r.Shape = format.LineGeometry(lines)
	default:
		var m geom.MultiPolygon
		for i := range 1 + rng.Int32N(3) {
			side := 400 + rng.Int32N(5000)
			poly := geom.Polygon{square(x+i*10_000, y, side)}
			for h := range rng.Int32N(3) {
				poly = append(poly, square(x+i*10_000+20+h*150, y+20, 100))
			}
			for j := range poly {
				if rng.IntN(2) == 0 {
					poly[j] = turned(poly[j])
				}
			}
			m = append(m, poly)
		}
		r.Shape = format.PolygonGeometry(m)
	}
	return r
}

// wanted is the row as readers should have it.
func wanted(r formattest.Row) seen {
	s := seen{shape: "none"}
	for i, v := range r.Vals {
		c := &column{kind: []byte("CNNLN")[i], decimals: []int{0, 0, 3, 0, 7}[i]}
		s.cells = append(s.cells, strings.Trim(string(c.appendCell(nil, v)), " \t")) // blanks around a cell are not told from its padding
	}
	var parts []string
	switch r.Shape.Shape {
	case format.ShapePoint:
		s.shape = place(r.Shape.Point.Lon(), r.Shape.Point.Lat())
	case format.ShapeMultiLine:
		for _, l := range r.Shape.Lines {
			parts = append(parts, ringText(l, false))
		}
	case format.ShapeMultiPolygon:
		for _, poly := range r.Shape.Polygons {
			var rings []string
			for _, ring := range poly {
				rings = append(rings, ringText(ring, true))
			}
			slices.Sort(rings[1:])
			parts = append(parts, strings.Join(rings, " but "))
		}
	}
	if len(parts) > 0 {
		slices.Sort(parts)
		s.shape = strings.Join(parts, " and ")
	}
	return s
}

func place(x, y float64) string { return fmt.Sprintf("%.7f %.7f", x, y) }

// ringText are the positions of a part; those of a ring in order of their texts, as rings may begin anywhere and run either way.
func ringText(at []geom.Point, ring bool) string {
	var list []string
	for _, p := range at {
		list = append(list, place(p.Lon(), p.Lat()))
	}
	return joined(list, ring)
}

func joined(list []string, ring bool) string {
	if ring {
		slices.Sort(list)
		list = slices.Compact(list)
	}
	return strings.Join(list, ", ")
}

// house is how the project's reader has the rows: rings without telling which polygon a hole is of.
func house(t *testing.T, all map[string][]byte, name string) (rows []seen) {
	shapes, cells := records(t, all, name)
	for i, s := range shapes {
		row := seen{cells: cells[i], shape: "none"}
		var parts []string
		for _, list := range [][][]shapefile.XY{s.Rings, s.Lines} {
			for _, part := range list {
				var at []string
				for _, q := range part {
					at = append(at, place(q[0], q[1]))
				}
				parts = append(parts, joined(at, len(s.Rings) > 0))
			}
		}
		for _, q := range s.Points {
			parts = append(parts, place(q[0], q[1]))
		}
		if len(parts) > 0 {
			slices.Sort(parts)
			row.shape = strings.Join(parts, " and ")
		}
		rows = append(rows, row)
	}
	return rows
}

// byGDAL is how GDAL has the rows of a set.
func byGDAL(t *testing.T, path, name string) (rows []seen) {
	t.Helper()
	c := exec.Command(oracles.Program(t, "ogr2ogr"), "-f", "GeoJSONSeq", "/vsistdout/", "/vsizip/"+path, name,
		"-lco", "COORDINATE_PRECISION=9")
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil || problems.Len() > 0 {
		t.Fatalf("%s: %v\n%s", name, err, &problems)
	}
	for line := range strings.Lines(string(out)) {
		var f struct {
			Properties map[string]any
			Geometry   *struct {
				Type        string
				Coordinates json.RawMessage
			}
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&f); err != nil {
			t.Fatal(err)
		}
		row := seen{shape: "none"}
		for _, name := range []string{"text", "whole", "part", "flag", "degrees_of"} {
			row.cells = append(row.cells, gdalCell(f.Properties[name], name))
		}
		if g := f.Geometry; g != nil {
			row.shape = gdalShape(t, g.Type, g.Coordinates)
		}
		rows = append(rows, row)
	}
	return rows
}

func gdalCell(v any, name string) string {
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		return map[bool]string{true: "T", false: "F"}[v]
	case json.Number:
		f, _ := v.Float64()
		switch name {
		case "part":
			return fmt.Sprintf("%.3f", f)
		case "degrees_of":
			return fmt.Sprintf("%.7f", f)
		}
		return v.String()
	}
	return strings.Trim(v.(string), " \t")
}

func gdalShape(t *testing.T, kind string, text json.RawMessage) string {
	t.Helper()
	var one [2]float64
	var lines [][][2]float64
	var areas [][][][2]float64
	var err error
	switch kind {
	case "Point":
		if err = json.Unmarshal(text, &one); err == nil {
			return place(one[0], one[1])
		}
	case "LineString":
		lines = make([][][2]float64, 1)
		err = json.Unmarshal(text, &lines[0])
	case "MultiLineString":
		err = json.Unmarshal(text, &lines)
	case "Polygon":
		areas = make([][][][2]float64, 1)
		err = json.Unmarshal(text, &areas[0])
	case "MultiPolygon":
		err = json.Unmarshal(text, &areas)
	}
	if err != nil {
		t.Fatal(err)
	}
	textOf := func(part [][2]float64, ring bool) string {
		var at []string
		for _, q := range part {
			at = append(at, place(q[0], q[1]))
		}
		return joined(at, ring)
	}
	var parts []string
	for _, l := range lines {
		parts = append(parts, textOf(l, false))
	}
	for _, poly := range areas {
		var rings []string
		for _, ring := range poly {
			rings = append(rings, textOf(ring, true))
		}
		slices.Sort(rings[1:])
		parts = append(parts, strings.Join(rings, " but "))
	}
	slices.Sort(parts)
	return strings.Join(parts, " and ")
}

func same(a, b []seen) (int, bool) {
	for i := range min(len(a), len(b)) {
		if !slices.Equal(a[i].cells, b[i].cells) || a[i].shape != b[i].shape {
			return i, false
		}
	}
	return min(len(a), len(b)), len(a) == len(b)
}

// TestAnswersBesideGDAL: random rows of every shape are read back as they are, by the project's reader and by GDAL, which also gives each
// hole to its polygon.
func TestAnswersBesideGDAL(t *testing.T) {
	oracles.Program(t, "ogr2ogr")
	for seed := range oracles.Rounds(t, 4) {
		rng := rand.New(rand.NewPCG(seed, 7))
		want, n := map[string][]seen{}, rng.IntN(30)
		var rows []format.Row
		for range n {
			r := wildRow(rng, wildTypes[rng.IntN(len(wildTypes))])
			rows, want[r.Of.Name] = append(rows, r), append(want[r.Of.Name], wanted(r))
		}
		packed := answered(t, format.NewLayout(nil, wildTypes...), format.Rows(rows))
		path := filepath.Join(t.TempDir(), "answer.zip")
		if err := os.WriteFile(path, packed, 0o600); err != nil {
			t.Fatal(err)
		}
		all := members(t, packed)
		for _, k := range wildTypes {
			if n > 0 && want[k.Name] == nil {
				if all[k.Name+".shp"] != nil {
					t.Errorf("seed %d: %s has a set without rows", seed, k.Name)
				}
				continue
			}
			got := byGDAL(t, path, k.Name)
			if i, ok := same(got, want[k.Name]); !ok {
				t.Fatalf("seed %d, row %d of %s:\n%q\nwant\n%q", seed, i, k.Name, got[i:min(i+1, len(got))],
					want[k.Name][i:min(i+1, len(want[k.Name]))])
			}
			plain := slices.Clone(want[k.Name])
			for i := range plain { // which hole is whose is GDAL's to say
				parts := strings.Split(strings.ReplaceAll(plain[i].shape, " but ", " and "), " and ")
				slices.Sort(parts)
				plain[i].shape = strings.Join(parts, " and ")
			}
			if i, ok := same(house(t, all, k.Name), plain); !ok {
				t.Fatalf("seed %d, row %d of %s: the project's reader has it otherwise than %q", seed, i, k.Name, plain[i])
			}
		}
	}
}

// FuzzText: whatever stands in a text, the project's reader gives its beginning, and the row behind it.
func FuzzText(f *testing.F) {
	f.Add("Öd am Weißen Fluß", "01004-1/2")
	f.Add(strings.Repeat("𝒦", 100), "")
	f.Add("\xff\x00 \t", "\x1a")
	f.Fuzz(func(t *testing.T, text, id string) {
		rows := []format.Row{nameSpot(text), nameSpot(id)}
		_, cells := records(t, members(t, answered(t, format.NewLayout(nil, formattest.SpotType), format.Rows(rows))), "spot")
		if len(cells) != 2 {
			t.Fatalf("%d rows", len(cells))
		}
		for i, want := range []string{text, id} {
			want = strings.Trim(cut(strings.ReplaceAll(strings.ToValidUTF8(want, "\uFFFD"), "\x00", " "), maxCell), " \t")
			if got := cells[i][0]; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
}

func nameSpot(text string) formattest.Row { return formattest.Spot(text, 1, 2) }
