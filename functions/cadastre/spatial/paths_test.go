package spatial

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

// positions is a list of places in cells as GeoJSON.
func positions(xy ...float64) string {
	var list []string
	for i := 0; i < len(xy); i += 2 {
		p := fixture.At(xy[i], xy[i+1])
		list = append(list, fmt.Sprintf("[%.7f,%.7f]", p.Lon(), p.Lat()))
	}
	return strings.Join(list, ",")
}

// Points and lines find what they touch, and what lies within their buffer.
func TestPointsAndLinesAsArea(t *testing.T) {
	h := world(t)
	ids := func(query, body string) string {
		t.Helper()
		l := readList(t, call(h, "POST", "/api/v1/spatial/polygon?fields=gnr"+query, body))
		var list []string
		for _, r := range l.Data {
			list = append(list, fmt.Sprint(r["gnr"]))
		}
		slices.Sort(list)
		return strings.Join(list, " ")
	}
	square := func(x0, y0, x1, y1 float64) string { return polygonJSON(fixture.Rect(x0, y0, x1, y1)) }
	inside := ids("&kg=88801", `{"type":"Point","coordinates":`+positions(0.5, 0.5)+`}`)
	if inside != "1" {
		t.Errorf("the point in parcel 1 finds %q", inside)
	}
	corner := ids("&kg=88801", `{"type":"Point","coordinates":`+positions(1, 1)+`}`)
	if want := ids("&kg=88801", square(0.9, 0.9, 1.1, 1.1)); corner != want || !strings.Contains(want, " ") {
		t.Errorf("the point where parcels meet finds %q, the square around it %q", corner, want)
	}
	line := ids("&kg=88801", `{"type":"LineString","coordinates":[`+positions(0.5, 0.5, 2.5, 0.5)+`]}`)
	if want := ids("&kg=88801", square(0.5, 0.49, 2.5, 0.51)); line != want {
		t.Errorf("the line finds %q, the thin polygon along it %q", line, want)
	}
	for _, c := range []struct{ query, body, want string }{
		{"&kg=88801&relation=within", `{"type":"LineString","coordinates":[` + positions(0.5, 0.5, 2.5, 0.5) + `]}`, ""},
		{"&kg=88801&buffer=100", `{"type":"Point","coordinates":` + positions(0.5, 0.5) + `}`,
			ids("&kg=88801&buffer=100", square(0.4999, 0.4999, 0.5001, 0.5001))},
		{"&kg=88801", `{"type":"GeometryCollection","geometries":[` + square(0.2, 0.2, 0.8, 0.8) + `,{"type":"MultiPoint","coordinates":[` +
			positions(2.5, 0.5) + `]}]}`,
			ids("&kg=88801", `{"type":"MultiPoint","coordinates":[`+positions(0.5, 0.5, 2.5, 0.5)+`]}`)},
	} {
		if got := ids(c.query, c.body); got != c.want {
			t.Errorf("%s %s: want %q, got %q", c.query, c.body, c.want, got)
		}
	}
	if k := call(h, "POST", "/api/v1/spatial/kgs",
		`{"type":"Point","coordinates":`+positions(0.5, 0.5)+`}`).Body.String(); !strings.Contains(k, "88801") {
		t.Errorf("the KG of a point: %s", k)
	}
}

// A feature without a place is an item with an error; the others have their answer.
func TestBatchWithANullGeometry(t *testing.T) {
	body := `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":"nowhere"},"geometry":null},` +
		`{"type":"Feature","properties":{"id":"here"},"geometry":{"type":"Point","coordinates":` + positions(0.5, 0.5) + `}}]}`
	w := call(world(t), "POST", "/api/v1/spatial/polygon?attrs_only=1&fields=gnr", body)
	var got struct {
		Results []struct {
			ID, Error string
			Parcels   []map[string]any
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Results) != 2 {
		t.Fatalf("%v: %s", err, w.Body)
	}
	if r := got.Results[0]; r.ID != "nowhere" || !strings.HasPrefix(r.Error, "geometry is null") || r.Parcels != nil {
		t.Errorf("%+v", r)
	}
	if r := got.Results[1]; r.ID != "here" || r.Error != "" || len(r.Parcels) != 1 || r.Parcels[0]["gnr"] != "1" {
		t.Errorf("%+v", r)
	}
}

// The pages of a POST answer are walked by its cursor, which belongs to the body it was made for.
func TestWalkingAPostAnswer(t *testing.T) {
	h := world(t)
	body, other := polygonJSON(fixture.Rect(0, 0, 5, 3)), polygonJSON(fixture.Rect(0, 0, 5, 4))
	whole := readList(t, call(h, "POST", "/api/v1/spatial/polygon?layers=parcels,buildings&limit=1000", body))
	var want, got []string
	for _, r := range whole.Data {
		want = append(want, keyOf(r))
	}
	next := "/api/v1/spatial/polygon?layers=parcels,buildings&limit=2"
	for next != "" {
		w := call(h, "POST", next, body)
		for _, r := range readList(t, w).Data {
			got = append(got, keyOf(r))
		}
		next = ""
		if m := nextLink.FindStringSubmatch(strings.Join(w.Header().Values("Link"), ", ")); m != nil {
			next = m[1]
			if w := call(h, "POST", next, other); w.Code != 400 || !strings.Contains(w.Body.String(), "cursor") {
				t.Fatalf("the cursor of another body: %d %s", w.Code, w.Body)
			}
		}
	}
	if strings.Join(got, "|") != strings.Join(want, "|") || len(want) < 5 {
		t.Errorf("want %v\ngot  %v", want, got)
	}
}
