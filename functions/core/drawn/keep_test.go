package drawn

import (
	"encoding/json"
	"reflect"
	"testing"
)

// bodies are areas and features in several forms.
var bodies = []string{
	`{"type":"Polygon","coordinates":[[[13.2,47.3],[13.21,47.3],[13.21,47.31],[13.2,47.3]],[[13.205,47.301],[13.208,47.301],
		[13.208,47.303],[13.205,47.301]]]}`,
	`{"type":"Polygon","coordinates":[[[13.2,47.3],[13.21,47.31],[13.21,47.3],[13.2,47.31],[13.2,47.3]]]}`, // crosses itself
	`{"type":"MultiPolygon","coordinates":[[[[13.2,47.3],[13.21,47.3],[13.21,47.31],[13.2,47.3]]],[[[13.3,47.3],[13.31,47.3],
		[13.31,47.31],[13.3,47.3]]]]}`,
	`POLYGON((13.2 47.3,13.2000001 47.3,13.2000001 47.3000001,13.2 47.3))`,
	`13.2,47.3`,
	`{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{"b":[1,{"c":null}],"a":"ä"},
		"geometry":{"type":"Point","coordinates":[13.2,47.3]}},
		{"type":"Feature","properties":null,"geometry":{"type":"MultiPoint","coordinates":[[13.2,47.3],[13.3,47.3]]}}]}`,
	`{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[13.2,47.3]},{"type":"LineString",
		"coordinates":[[13.2,47.3],[13.21,47.3]]},
		{"type":"Polygon","coordinates":[[[13.2,47.3],[13.21,47.3],[13.21,47.31],[13.2,47.3]]]}]}`,
	`{"type":"MultiLineString","coordinates":[[[13.2,47.3],[13.21,47.3]],[[13.2,47.31],[13.21,47.31]]]}`,
	`{"type":"FeatureCollection","features":[{"type":"Feature","id":7,"properties":{},"geometry":null},{"type":"Feature",
		"properties":{},"geometry":{"type":"Point","coordinates":[13.2,47.3]}}]}`,
}

// kept says whether what was read is read again as it was.
func kept(t *testing.T, body []byte) {
	t.Helper()
	if a, err := Parse(t.Context(), body); err == nil {
		var again Area
		text := through(t, a, &again)
		if !reflect.DeepEqual(again.Geometry, a.Geometry) || !reflect.DeepEqual(again.Polygons, a.Polygons) || again.M2 != a.M2 ||
			again.Repaired != a.Repaired ||
			len(again.Warnings) != len(a.Warnings) {
			t.Errorf("%s\nis kept as %s\nwant %+v\ngot %+v", body, text, a, again)
		}
	}
	if l, err := Features(t.Context(), body); err == nil {
		var again List
		text := through(t, l, &again)
		if len(again.Features) != len(l.Features) || len(again.Warnings) != len(l.Warnings) {
			t.Fatalf("%s\nis kept as %s", body, text)
		}
		for i := range l.Features {
			a, b := &l.Features[i], &again.Features[i]
			same := len(a.Polygons) == len(b.Polygons) && len(a.Lines) == len(b.Lines) && len(a.Points) == len(b.Points) &&
				string(a.GeoJSON()) == string(b.GeoJSON())
			if !same || string(a.ID) != string(b.ID) || compact(a.Properties) != compact(b.Properties) {
				t.Errorf("feature %d of %s\nis kept as %s", i, body, text)
			}
		}
	}
}

func compact(raw json.RawMessage) string {
	b, err := json.Marshal(raw)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// through writes a value, reads it, and looks whether it is written alike.
func through(t *testing.T, from, to any) string {
	t.Helper()
	text, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if again, err := json.Marshal(to); err != nil || string(again) != string(text) {
		t.Errorf("%s\nis written again as %s, %v", text, again, err)
	}
	return string(text)
}

// What was read is kept in one spelling, from which it is read again as it was.
func TestWhatIsReadIsKept(t *testing.T) {
	for _, b := range bodies {
		kept(t, []byte(b))
	}
	for _, bad := range []string{`{}`, `{"geometry":null}`, `{"geometry":{"type":"Polygon","coordinates":[]}}`, `[]`,
		`{"features":[{"type":"Feature","geometry":{"type":"Curve"},"properties":{}}]}`} {
		if err := json.Unmarshal([]byte(bad), &Area{}); err == nil {
			t.Errorf("%s is an area", bad)
		}
		if err := json.Unmarshal([]byte(bad), &List{}); err == nil {
			t.Errorf("%s is a list", bad)
		}
	}
}

func FuzzKept(f *testing.F) {
	for _, b := range bodies {
		f.Add([]byte(b))
	}
	f.Fuzz(func(t *testing.T, body []byte) { kept(t, body) })
}
