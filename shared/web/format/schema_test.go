package format_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// tree is what rows of the tests are made from.
type tree struct {
	name   string
	height float64 // m
	at     geom.Point
	crown  geom.MultiPolygon
	id     []byte
}

var trees = format.NewSchema("tree", "A tree.", format.Drawing[tree]{
	Point:    func(t *tree) geom.Point { return t.at },
	Polygons: func(t *tree) geom.MultiPolygon { return t.crown },
}, format.Fields[tree]{
	{Column: format.Column{Name: "id", Doc: "Name in the list."}, Get: func(t *tree) format.Value {
		t.id = append(append(t.id[:0], "tree-"...), t.name...)
		return format.Borrowed(t.id)
	}},
	{Column: format.Column{Name: "name"}, Get: func(t *tree) format.Value { return format.Text(t.name) }},
	{Column: format.Column{Name: "height_m", Type: format.TypeFloat, Decimals: 1, Unit: "m"}, Get: func(t *tree) format.Value {
		return format.Float(t.height, 1)
	}},
})

var oak = tree{name: "oak", height: 12.34, at: geom.Point{X: 160_000_000, Y: 480_000_000},
	crown: geom.MultiPolygon{{{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 0, Y: 10}}}}}

// lines are rows as newline-delimited JSON, geometry included.
func lines(rows ...format.Row) string {
	var out bytes.Buffer
	b := format.NewBuffer(&out)
	for _, r := range rows {
		l := format.NewLayout(nil, r.RowType())
		l.Geometry = true
		if err := format.WriteNDJSON(b, l, format.Rows([]format.Row{r})); err != nil {
			panic(err)
		}
	}
	b.Flush()
	return out.String()
}

func rowOf(s *format.Schema[tree], t tree) format.Row {
	r := s.Record()
	r.Item = t
	return r
}

// A schema's rows have its fields in order, in its shape; variants change one thing each.
func TestSchema(t *testing.T) {
	grown := format.Field[tree]{Column: format.Column{Name: "grown", Type: format.TypeBool}, Get: func(t *tree) format.Value {
		return format.Bool(t.height > 10)
	}}
	const polygon = `"geometry":{"type":"Polygon","coordinates":[[[0.0000000,0.0000000],[0.0000010,0.0000000],[0.0000000,0.0000010],[0.0000000,0.0000000]]]}`
	for _, c := range []struct {
		name   string
		schema *format.Schema[tree]
		want   string
	}{
		{"as declared", trees, `{"id":"tree-oak","name":"oak","height_m":12.3,` + polygon + `}`},
		{"as a point", trees.Shaped(format.ShapePoint),
			`{"id":"tree-oak","name":"oak","height_m":12.3,"geometry":{"type":"Point","coordinates":[16.0000000,48.0000000]}}`},
		{"not drawn", trees.Shaped(format.ShapeNone), `{"id":"tree-oak","name":"oak","height_m":12.3}`},
		{"drawn again", trees.Shaped(format.ShapeNone).Shaped(format.ShapeMultiPolygon),
			`{"id":"tree-oak","name":"oak","height_m":12.3,` + polygon + `}`},
		{"some fields", trees.Only("height_m", "id").Shaped(format.ShapeNone), `{"height_m":12.3,"id":"tree-oak"}`},
		{"more fields", trees.With(grown).Only("id", "grown").Shaped(format.ShapeNone), `{"id":"tree-oak","grown":true}`},
		{"a constant", trees.Only("id").With(format.Constant[tree](format.Column{Name: "_layer"},
			format.String("tree"))).Shaped(format.ShapeNone), `{"id":"tree-oak","_layer":"tree"}`},
	} {
		if got := strings.TrimSpace(lines(rowOf(c.schema, oak))); got != c.want {
			t.Errorf("%s: want %s, got %s", c.name, c.want, got)
		}
	}
	if n := trees.Named("oak", "An oak."); n.Name != "oak" || n.Doc != "An oak." || trees.Name != "tree" {
		t.Errorf("named %s, and the first is named %s", n.Name, trees.Name)
	}
	if len(trees.Columns) != 3 || trees.Shape != format.ShapeMultiPolygon {
		t.Errorf("variants changed the schema: %+v", trees.RowType)
	}
}

// Variants do not share room: fields added to one do not show in another.
func TestSchemasDoNotShareFields(t *testing.T) {
	field := func(name string) format.Field[tree] {
		return format.Constant[tree](format.Column{Name: name}, format.String(name))
	}
	base := trees.With(field("a"))
	b, c := base.With(field("b")), base.With(field("c"))
	if b.Fields[4].Name != "b" || c.Fields[4].Name != "c" || b.Columns[4].Name != "b" {
		t.Errorf("the variants have %s and %s", b.Fields[4].Name, c.Fields[4].Name)
	}
}

// A lifted schema gives the rows of the part, with the fields of the whole behind.
func TestLiftSchema(t *testing.T) {
	type near struct {
		distance float64
		tree     tree
	}
	s := format.LiftSchema(trees, func(n *near) *tree { return &n.tree }).Shaped(format.ShapePoint).With(format.Field[near]{
		Column: format.Column{Name: "distance_m", Type: format.TypeFloat, Decimals: 2}, Get: func(n *near) format.Value {
			return format.Float(n.distance, 2)
		},
	})
	r := s.Record()
	r.Item = near{3.14159, oak}
	const want = `{"id":"tree-oak","name":"oak","height_m":12.3,"distance_m":3.14,"geometry":{"type":"Point","coordinates":[16.0000000,48.0000000]}}`
	if got := strings.TrimSpace(lines(r)); got != want {
		t.Errorf("want %s, got %s", want, got)
	}
	if g := format.LiftSchema(trees,
		func(n *near) *tree { return &n.tree }).Record(); fmt.Sprint(g.RowType().Columns) != fmt.Sprint(trees.Columns) ||
		g.Geometry().Shape != format.ShapeNone {
		t.Errorf("a tree without a crown is drawn as %v", g.Geometry())
	}
}

// Columns that rows are given stand behind the fields and keep their values until they are set again.
func TestSetColumns(t *testing.T) {
	s := trees.Only("id").WithSet(format.Column{Name: "distance_m", Type: format.TypeFloat}).With(trees.Fields[1]).
		WithSet(format.Column{Name: "seen", Type: format.TypeBool}).Shaped(format.ShapeNone).Named("tree", "A tree near by.")
	r := s.Record()
	r.Item = oak
	r.Set(1, format.Bool(true))
	want := ""
	for _, d := range []float64{1.5, 2} {
		r.Set(0, format.Float(d, 1))
		want = fmt.Sprintf(`{"id":"tree-oak","name":"oak","distance_m":%v,"seen":true}`, d)
		if got := strings.TrimSpace(lines(r)); got != want {
			t.Errorf("want %s, got %s", want, got)
		}
	}
	if n := len(s.Only("id").Columns); n != 1 {
		t.Errorf("one field chosen, %d columns", n)
	}
}

// Values behind the last column are null; what is put together is null when empty.
func TestRecordOfNothing(t *testing.T) {
	r := trees.Record()
	if !r.Value(len(trees.Columns)).IsNull() || !r.Value(1).IsNull() ||
		!trees.WithSet(format.Column{Name: "x"}).Record().Value(len(trees.Columns)+1).IsNull() {
		t.Error("a value where none is")
	}
	if !format.Borrowed(nil).IsNull() || format.Borrowed([]byte("x")) != format.String("x") ||
		format.BorrowedJSON([]byte("[]")) != format.RawJSON("[]") {
		t.Error("borrowed values differ from those that own their text")
	}
}

// Declarations that contradict themselves fail where they stand.
func TestWrongDeclarations(t *testing.T) {
	for name, declare := range map[string]func(){
		"an unknown field":              func() { trees.Only("age") },
		"a field that stands twice":     func() { trees.With(trees.Fields[0]) },
		"a field chosen twice":          func() { trees.Only("id", "id") },
		"a shape that it does not have": func() { format.NewSchema("x", "", format.Drawing[tree]{}, nil).Shaped(format.ShapePoint) },
		"polygons of what has a point": func() {
			format.NewSchema("x", "", format.Drawing[tree]{Point: trees.Drawing.Point}, nil).Shaped(format.ShapeMultiPolygon)
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was declared", name)
				}
			}()
			declare()
		}()
	}
}
