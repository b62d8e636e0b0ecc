package landscape

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/classifier"
	"mappe/artefacts/rasters"
	"mappe/builders/landscape"
	"mappe/builders/national"
	"mappe/functions/fixture"
	"mappe/functions/landscape/classes"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
	"mappe/shared/web/format"
	"mappe/shared/web/gpkg"
)

// The land has 10 x 10 things of 10 m, 16 m apart, from a corner on: roofs and crowns in turns, on a plane of 500 m.
const things = 10

func corner() (x, y float64) {
	x, y = fixture.Plane(4, 2)
	return math.Floor(x/250)*250 + 170, math.Floor(y/1000)*1000 + 420 // across a border of blocks
}

func thing(x, y float64) (i, j int, ok bool) {
	west, south := corner()
	i, j = int(math.Floor((x-west)/16)), int(math.Floor((y-south)/16))
	return i, j, i >= 0 && j >= 0 && i < things && j < things && x-west-float64(16*i) < 10 && y-south-float64(16*j) < 10
}

func typeOf(i, j int) string {
	if (i+j)%2 == 0 {
		return "roof"
	}
	return "tree"
}

func top(x, y float64) float64 {
	i, j, ok := thing(x, y)
	switch {
	case !ok:
		return 500
	case typeOf(i, j) == "roof":
		return 506
	}
	return 508 + 3*math.Sin(x*2.1)*math.Sin(y*1.7)
}

func land(t *testing.T) store.Store {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	x, y := corner()
	box := raster.Box{West: x - 80, South: y - 80, East: x + 240, North: y + 240}
	for _, m := range []fixture.Raster{{Layer: rasters.DTM, Date: "2024-09-15", Box: box, Height: func(_,
		_ float64) float64 {
		return 500
	}},
		{Layer: rasters.DSM, Date: "2024-09-15", Box: box, Height: top}} {
		if err := fixture.AddRasters(s, m); err != nil {
			t.Fatal(err)
		}
	}
	// The world names its rasters in the pointer only; what is added to a generation is added to its manifest.
	live, err := national.ReadLive(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := national.Add(t.Context(), s, live.Pointer.Artefacts, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// polygon is a row of a file of labels.
type polygon struct {
	kind    string
	outline geom.MultiPolygon
}

// labelFile is a GeoPackage of the things, a metre smaller than they are; named gives the type of each.
func labelFile(t *testing.T, named func(i, j int) string) string {
	t.Helper()
	var rows []polygon
	west, south := corner()
	for i := range things {
		for j := range things {
			rows = append(rows, polygon{named(i, j), geom.MultiPolygon{{ring(t, west+float64(16*i), south+float64(16*j))}}})
		}
	}
	return labelled(t, rows...)
}

// ring is a thing whose south-western corner is given, a metre smaller.
func ring(t *testing.T, west, south float64) (r geom.Ring) {
	t.Helper()
	for _, d := range [4][2]float64{{1, 1}, {9, 1}, {9, 9}, {1, 9}} {
		p, ok := crs.LAEA.Point(west+d[0], south+d[1])
		if !ok {
			t.Fatal("the world lies elsewhere")
		}
		r = append(r, p)
	}
	return r
}

// labelled is a GeoPackage of labels.
func labelled(t *testing.T, rows ...polygon) string {
	t.Helper()
	schema := format.NewSchema("label", "Ground of a known type.",
		format.Drawing[polygon]{Polygons: func(p *polygon) geom.MultiPolygon { return p.outline }},
		[]format.Field[polygon]{{Column: format.Column{Name: "land", Doc: "Type."},
			Get: func(p *polygon) format.Value { return format.Text(p.kind) }}})
	file := filepath.Join(t.TempDir(), "labels.gpkg")
	err := gpkg.WriteFile(t.Context(), file, gpkg.File{Time: time.Unix(0, 0), Layers: []gpkg.Layer{{Name: "labels",
		Layout: format.NewLayout(nil, schema.RowType),
		Rows: func(yield func(format.Row, error) bool) {
			rec := schema.Record()
			for _, p := range rows {
				rec.Item = p
				if !yield(rec, nil) {
					return
				}
			}
		}}}})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// A model is trained from labelled land, published, and found by what answers; another is published only where it is better.
func TestTrain(t *testing.T) {
	s := land(t)
	file := labelFile(t, typeOf)
	var out bytes.Buffer
	o := landscape.Default()
	o.Trees = 12
	command := training{column: "land", options: o, out: &out}
	if err := command.run(t.Context(), s, file); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, says := range []string{"100 polygons, ", " segments of types that a model learns, 0 of others", "new model: 100.0 % of ",
		"is served with generation"} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("it does not say %q: %s", says, &out)
		}
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m, warning, err := classes.Of(t.Context(), v)
	if err != nil || warning != "" || m == nil || m.Data.Counts[m.Class("roof")] != 50 || m.Data.Counts[m.Class("tree")] < 50 ||
		m.Fit.Trees != 12 {
		t.Fatalf("%+v, %q, %v", m, warning, err)
	}
	if key, ok := v.Artefact(classifier.TrainedArtefact); !ok || !strings.Contains(key.String(), m.ID) {
		t.Errorf("the model is the artefact %v", key)
	}

	out.Reset()
	if err := command.run(t.Context(), s, file); err != nil || !strings.Contains(out.String(), "the present model stays") {
		t.Errorf("the same again: %v, %s", err, &out)
	}
	out.Reset()
	command.force, command.options.Seed = true, 7
	if err := command.run(t.Context(), s, file); err != nil || !strings.Contains(out.String(), "is served with generation") {
		t.Errorf("forced: %v, %s", err, &out)
	}
}

// A row that has all of its type in the country is worked on place by place: nobody divides what lies between.
func TestLabelsFarApart(t *testing.T) {
	x, y := corner()
	file := labelled(t, polygon{"roof", geom.MultiPolygon{{ring(t, x, y)}, {ring(t, x+40_000, y+20_000)}, {ring(t, x+30, y)}}},
		polygon{"tree", geom.MultiPolygon{{ring(t, x, y+30)}}})
	labels, err := readLabels(t.Context(), file, "land")
	if err != nil || len(labels) != 4 {
		t.Fatalf("%d labels, %v", len(labels), err)
	}
	all := groups(labels)
	if len(all) != 2 || len(all[0]) != 3 || len(all[1]) != 1 {
		t.Fatalf("%d squares", len(all))
	}
	for _, g := range all {
		if _, m2 := ground(g); m2 < 8*8 || m2 > 200*200 {
			t.Errorf("around %d labels %.0f m² are divided", len(g), m2)
		}
	}
}

// Files that teach nothing are refused with a sentence that says what is missing.
func TestLabelsThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		column string
		named  func(i, j int) string
		says   string
	}{
		"no such column": {"type", typeOf, `no layer has a column "type"`},
		"no type":        {"land", func(i, j int) string { return "woods" }, `no types: "woods" (100)`},
		"nothing named":  {"land", func(i, j int) string { return "" }, "no polygon has a type"},
	} {
		if _, err := readLabels(t.Context(), labelFile(t, c.named), c.column); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	file := filepath.Join(t.TempDir(), "none.gpkg")
	if err := os.WriteFile(file, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readLabels(t.Context(), file, "type"); err == nil {
		t.Error("a file of another form is read")
	}
}
