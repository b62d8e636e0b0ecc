package shares

import (
	"strings"
	"testing"
)

// shown is a feature in one line.
func shown(f *feature) string {
	var b strings.Builder
	b.WriteString(f.id)
	for _, p := range f.properties {
		b.WriteString(" " + p.name + "=" + p.json)
	}
	for _, n := range []struct {
		name string
		n    int
	}{{"areas", len(f.polygons)}, {"lines", len(f.lines)}, {"points", len(f.points)}} {
		if n.n > 0 {
			b.WriteString(" " + n.name + strings.Repeat("*", n.n))
		}
	}
	return strings.TrimSpace(b.String())
}

// What an object may hold: members in any order, geometries of any shape, others passed over.
func TestReadingOfFeatures(t *testing.T) {
	for name, c := range map[string]struct {
		result string
		want   string // features, with "; " between them
	}{
		"shapes": {`{"type":"FeatureCollection","features":[
			{"id":"a","geometry":{"type":"MultiPoint","coordinates":[[13,47],[14,47]]}},
			{"id":2,"geometry":{"type":"MultiLineString","coordinates":[[[13,47],[14,47]],[[13,48],[14,48]]]}},
			{"geometry":{"type":"Polygon","coordinates":[[[13,47],[14,47],[14,48],[13,47]]]}},
			{"geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[13,47]},
				{"type":"LineString","coordinates":[[13,47],[14,47]]}]}}]}`, `"a" points**; 2 lines**; areas*; lines* points*`},
		"others":              {`{"type":"FeatureCollection","bbox":[1,{"a":2}],"features":[{"type":"Feature","bbox":[1],"properties":{"a":1}}]}`, `a=1`},
		"properties":          {`{"type":"FeatureCollection","features":[{"properties":[1]},{"properties":{"a":{"b":[1, 2]}}}]}`, `; a={"b":[1, 2]}`},
		"no features":         {`{"type":"FeatureCollection","features":[]}`, ""},
		"not a collection":    {`{"type":"Feature","features":[{"id":1}],"data":{"a":1}}`, ""},
		"a type of its own":   {`{"type":7,"features":[{"id":1}]}`, ""},
		"features come first": {`{"features":[{"id":1}],"type":"FeatureCollection"}`, ""},
	} {
		features, _, err := listed(`{"x":[1],"result":` + c.result + `,"y":{"features":[]}}`)
		var got []string
		for i := range features {
			got = append(got, shown(&features[i]))
		}
		if err != nil || strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %s, %v, want %s", name, strings.Join(got, "; "), err, c.want)
		}
	}
	for _, object := range []string{"", "[]", `{"result":[]}`, `{"result":7}`, `{"result":{"type":"FeatureCollection","features":{}}}`,
		`{"result":{"type":"FeatureCollection","features":[7]}}`, `{"result":{"type":"FeatureCollection","features":[{"id":1}`,
		`{"result":{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":["a"]}}]}}`, `{"result":{"meta":7}}`,
		`{"geometry":`, `{"result":{"type":"FeatureCollection","features":[{"id":1}]}`} {
		if all, _, err := listed(object); err == nil {
			t.Errorf("%s is read: %+v", object, all)
		}
	}
}

// A result that is no collection is its area with the figures, those of objects in it under both names.
func TestAResultOfFigures(t *testing.T) {
	for object, want := range map[string]string{
		`{"geometry":{"type":"Point","coordinates":[13,47]},"result":{"data":{"a":{"b":1,"c":{"d":"x"}},"e":[{"f":1}],"g":null}}}`: `a_b=1 a_c_d="x" e=[{"f":1}] g=null points*`,
		`{"geometry":null,"result":{"data":{"a":1}}}`: `a=1`,
		`{"result":{"data":{}}}`:                      ``,
	} {
		_, p, err := listed(object)
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.alone()
		if err != nil || shown(&f) != want {
			t.Errorf("%s: %s, %v, want %s", object, shown(&f), err, want)
		}
	}
	for object, says := range map[string]string{
		`{"result":{"meta":{}}}`:                                  "neither features nor data",
		`{"result":{"data":7}}`:                                   "data",
		`{"geometry":{"type":"Point"},"result":{"data":{"a":1}}}`: "geometry",
		`{"geometry":[1],"result":{"data":{"a":1}}}`:              "geometry",
	} {
		_, p, err := listed(object)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = p.alone(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", object, err, says)
		}
	}
}

// The licence is a text or an object; what it has of dataset, licence and attribution stands in one line.
func TestLicence(t *testing.T) {
	for raw, want := range map[string]string{
		`"CC BY 4.0"`: "CC BY 4.0", ``: "", `7`: "", `null`: "", `{}`: "",
		`{"dataset":"Heights 2024","license":"CC BY 4.0","attribution":"© A"}`: "Heights 2024. CC BY 4.0, © A",
		`{"license":"CC BY 4.0"}`: "CC BY 4.0", `{"attribution":"© A"}`: "© A",
		`{"dataset":"Heights"}`: "Heights",
	} {
		if got := licence([]byte(raw)); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
