package jsonin

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"mappe/shared/geo/geom"
)

func TestDegrees(t *testing.T) {
	for _, c := range []struct {
		text string
		want int32
		ok   bool
	}{
		{"16.3738", 163738000, true},
		{"-0.00000005", -1, true}, // half away from zero
		{"0.00000005", 1, true},
		{"0.000000049999", 0, true},
		{"16", 160000000, true},
		{"16.37381234567890123456789", 163738123, true},
		{"1.6e1", 160000000, true},
		{"180", 1800000000, true},
		{"180.0000001", 0, false},
		{"-180", -1800000000, true},
		{"1e400", 0, false},
		{"99999999999999999999", 0, false},
		{"NaN", 0, false},
		{"Infinity", 0, false},
		{"016.1", 0, false},
		{".5", 0, false},
		{"1.", 0, false},
		{"+1", 0, false},
		{`"16.3"`, 0, false},
		{"1,5", 10000000, true}, // reads 1 and leaves the comma to the caller
		{"0x10", 0, false},
		{"1_0", 0, false},
	} {
		got, err := New([]byte(c.text)).Degrees("lon", 180, "a longitude")
		if (err == nil) != c.ok || got != c.want {
			t.Errorf("%s: want %d %v, got %d %v", c.text, c.want, c.ok, got, err)
		}
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Member != "lon" || e.Expected != "a longitude") {
			t.Errorf("%s: error %v does not name the member and what is allowed", c.text, err)
		}
	}
}

func TestReadGeometry(t *testing.T) {
	ring := `[[16,48],[16.1,48],[16.1,48.1],[16,48]]`
	for _, c := range []struct {
		name, text string
		parts      int
		id         string
		member     string // of the error
	}{
		{"polygon", `{"type":"Polygon","coordinates":[` + ring + `]}`, 1, "", ""},
		{"coordinates before type", `{"coordinates":[` + ring + `],"type":"Polygon"}`, 1, "", ""},
		{"feature", `{"type":"Feature","properties":{"a":[1,{"b":2}],"id":7},"geometry":{"type":"Polygon","coordinates":[` + ring + `]}}`,
			1, "7", ""},
		{"multi polygon", `{"type":"MultiPolygon","coordinates":[[` + ring + `],[` + ring + `]]}`, 2, "", ""},
		{"heights are read over", `{"type":"Polygon","coordinates":[[[16,48,200],[16.1,48,200],[16.1,48.1,200],[16,48,200]]]}`, 1, "", ""},
		{"a circle", `{"type":"Circle","coordinates":[16,48]}`, 0, "", "type"},
		{"a line of one position", `{"type":"LineString","coordinates":[[16,48]]}`, 0, "", "coordinates"},
		{"a line whose second position is a text", `{"type":"MultiLineString","coordinates":[[[16,48],"x"]]}`, 0, "", "coordinates[0][1]"},
		{"a bad height of a point", `{"type":"MultiPoint","coordinates":[[16,48,"x"]]}`, 0, "", "coordinates[0]"},
		{"an empty collection", `{"type":"GeometryCollection","geometries":[]}`, 0, "", "geometries"},
		{"collections nine deep", strings.Repeat(`{"type":"GeometryCollection","geometries":[`,
			9) + `{"type":"Point","coordinates":[16,48]}` + strings.Repeat("]}", 9), 0, "",
			"geometries[0]." + strings.Repeat("geometries[0].", 7) + "geometries"},
		{"no type", `{"coordinates":[` + ring + `]}`, 0, "", "type"},
		{"no coordinates", `{"type":"Polygon"}`, 0, "", "coordinates"},
		{"an id that is neither text nor number names nothing",
			`{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[16,48],[16.1,48],[16.1,48.1],[16,48]]]},"properties":{"id":true,"ID":{"a":1},"fid":[1]}}`, 1, "", ""},
		{"empty coordinates", `{"type":"Polygon","coordinates":[]}`, 0, "", "coordinates"},
		{"feature without the member geometry", `{"type":"Feature"}`, 0, "", "geometry"},
		{"feature in a feature", `{"type":"Feature","geometry":{"type":"Feature","geometry":null}}`, 0, "", "geometry.type"},
		{"two vertices", `{"type":"Polygon","coordinates":[[[16,48],[16.1,48],[16,48]]]}`, 0, "", "coordinates[0]"},
		{"text as a number", `{"type":"Polygon","coordinates":[[[16,48],["x",48],[16,48]]]}`, 0, "", "coordinates[0][1][0]"},
		{"latitude out of range", `{"type":"Polygon","coordinates":[[[16,48],[16,148],[16,48]]]}`, 0, "", "coordinates[0][1][1]"},
		{"not an object", `[1,2]`, 0, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := New([]byte(c.text)).ReadGeometry("", &Budget{100, 100})
			if c.parts == 0 {
				var e *Error
				if !errors.As(err, &e) || e.Member != c.member {
					t.Fatalf("want an error at %q, got %v", c.member, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(g.Polygons) != c.parts || len(g.Polygons[0][0]) != 3 || g.IDs["id"] != c.id {
				t.Errorf("got %+v", g)
			}
		})
	}
}

// Points and lines are paths, beside the polygons of the same value.
func TestReadPaths(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"Point","coordinates":[16,48,7]}`:                                               "Point 0 [1]",
		`{"type":"MultiPoint","coordinates":[[16,48],[16,49]]}`:                                  "MultiPoint 0 [1 1]",
		`{"type":"LineString","coordinates":[[16,48],[16,49],[17,49]]}`:                          "LineString 0 [3]",
		`{"coordinates":[[[16,48],[16,49]],[[15,48],[15,49]]],"type":"MultiLineString"}`:         "MultiLineString 0 [2 2]",
		`{"type":"Feature","geometry":null,"properties":{}}`:                                     " 0 []",
		`{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[16,48]}}`: "Point 0 [1]",
		`{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[16,48]},{"type":"GeometryCollection","geometries":[{"type":"Polygon","coordinates":[[[16,48],[16.1,48],[16.1,48.1],[16,48]]]}]}]}`: "GeometryCollection 1 [1]",
	} {
		g, err := New([]byte(text)).ReadGeometry("", &Budget{10, 10})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		lengths := []int{}
		for _, p := range g.Paths {
			lengths = append(lengths, len(p))
		}
		if got := fmt.Sprint(g.Type, " ", len(g.Polygons), " ", lengths); got != want {
			t.Errorf("%s: want %s, got %s", text, want, got)
		}
	}
	for _, text := range []string{`{"type":"MultiPoint","coordinates":[[16,48],[16,49],[16,49]]}`,
		`{"type":"LineString","coordinates":[[16,48],[16,49],[17,49]]}`} {
		var e *Error
		if _, err := New([]byte(text)).ReadGeometry("", &Budget{2, 2}); !errors.As(err, &e) || !e.TooMany {
			t.Errorf("%s: three positions of two: %v", text, err)
		}
	}
}

func TestVertexBudget(t *testing.T) {
	text := `{"type":"Polygon","coordinates":[[[16,48],[16.1,48],[16.1,48.1],[16,48]]]}`
	_, err := New([]byte(text)).ReadGeometry("geometry", &Budget{3, 3})
	var e *Error
	if !errors.As(err, &e) || e.Expected != "at most 3 vertices in one request" {
		t.Fatalf("got %v", err)
	}
}

// An error shows what was given.
func TestPolygonsThatAreNotThere(t *testing.T) {
	for text, want := range map[string]string{`{"type":"MultiPolygon","coordinates":[]}`: "[]", `{"type":"MultiPolygon"}`: "missing",
		`{"type":"Polygon","coordinates":[]}`: "[]"} {
		var e *Error
		if _, err := New([]byte(text)).ReadGeometry("", &Budget{1, 1}); !errors.As(err, &e) || e.Member != "coordinates" ||
			e.Value != want {
			t.Errorf("%s: want coordinates with the value %s, got %v", text, want, err)
		}
	}
}

// What the reader accepts, encoding/json accepts too, and what encoding/json refuses is refused.
func FuzzReader(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"x\u00e9\ud83d\ude00",true,null,{}]}`, `[`, `{"a":1,}`, `"\ud800"`, `-0`, `01`, "\"\xff\"",
		`[1 2]`, `{"type":"Polygon","coordinates":[[[16,48],[16.1,48],[16.1,48.1],[16,48]]]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := New(b)
		raw, err := r.Raw()
		if err == nil {
			err = r.End()
		}
		if err == nil && !json.Valid(raw) {
			t.Fatalf("accepted %q, which is not JSON", raw)
		}
		if err != nil && json.Valid(b) && !strings.Contains(err.Error(), "nested") && !strings.Contains(err.Error(), "UTF-8") {
			t.Fatalf("refused %q: %v", b, err)
		}
		if g, err := New(b).ReadGeometry("", &Budget{1000, 1000}); err == nil && len(g.Polygons) == 0 {
			t.Fatal("a geometry without polygons")
		}
	})
}

func FuzzDegrees(f *testing.F) {
	f.Add(16.3738)
	f.Add(-0.00000005)
	f.Fuzz(func(t *testing.T, v float64) {
		text, err := json.Marshal(v)
		if err != nil {
			return // a number that JSON cannot write: NaN, an infinity
		}
		got, err := New(text).Degrees("", 180, "x")
		if (err == nil) != (math.Abs(v) <= 180) && math.Abs(math.Abs(v)-180) > 1e-7 {
			t.Fatalf("%s: %v", text, err)
		}
		if err == nil && math.Abs(float64(got)-v*geom.Scale) > 0.500001 {
			t.Fatalf("%s: got %d", text, got)
		}
	})
}

func BenchmarkPolygon100000(b *testing.B) {
	var s strings.Builder
	s.WriteString(`{"type":"Polygon","coordinates":[[`)
	for i := range 100_000 {
		fmt.Fprintf(&s, "[%.13f,%.13f],", 16+math.Cos(float64(i)/1e5), 48+math.Sin(float64(i)/1e5))
	}
	s.WriteString(`[16,48]]]}`)
	text := []byte(s.String())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := New(text).ReadGeometry("", &Budget{200_000, 200_000}); err != nil {
			b.Fatal(err)
		}
	}
}
