package spatial

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mappe/functions/fixture"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// bowTie crosses itself: its lobes are the west and the east quarter of the rectangle around it.
func bowTie(x0, y0, x1, y1 float64) string {
	return polygonJSON(geom.Ring{fixture.At(x0, y0), fixture.At(x1, y1), fixture.At(x1, y0), fixture.At(x0, y1)})
}

// partsJSON is a MultiPolygon, a part of each ring.
func partsJSON(rings ...geom.Ring) string {
	var parts []string
	for _, r := range rings {
		parts = append(parts, strings.TrimSuffix(strings.TrimPrefix(polygonJSON(r), `{"coordinates":`), `,"type":"Polygon"}`))
	}
	return `{"type":"MultiPolygon","coordinates":[` + strings.Join(parts, ",") + `]}`
}

// A polygon that crosses itself is rebuilt by the even-odd rule in every form it is sent, and the answer says so.
func TestABowTieIsRepaired(t *testing.T) {
	h := sheetWorld(t)
	tie := bowTie(0, 0, 2, 2)
	middle, a, b, c, d := fixture.At(1, 1), fixture.At(0, 0), fixture.At(0, 2), fixture.At(2, 2), fixture.At(2, 0)
	lobes := partsJSON(geom.Ring{a, middle, b}, geom.Ring{d, c, middle})
	want := toldOf(t, h, "include=all&attrs_only=1&limit=100", lobes)
	var wkt []string
	for _, p := range []geom.Point{a, c, d, b, a} {
		wkt = append(wkt, fmt.Sprintf("%.7f %.7f", p.Lon(), p.Lat()))
	}
	for form, body := range map[string]string{"GeoJSON": tie, "WKT": "POLYGON ((" + strings.Join(wkt, ", ") + "))",
		"a collection": `{"type":"GeometryCollection","geometries":[` + tie + "," + tie + "]}"} {
		got := toldOf(t, h, "include=all&attrs_only=1&limit=100", body)
		if fmt.Sprint(got.Area.Parcels) != fmt.Sprint(want.Area.Parcels) || got.Meta.Total != want.Meta.Total ||
			math.Abs(got.Area.AreaSqm-geom.MultiPolygon{{{a, d, c, b}}}.Area(crs.EqualArea)/2) > 5 {
			t.Errorf("%s: %+v, want %+v", form, got.Area, want.Area)
		}
		if meta := metaOf(t, h, "POST", "/api/v1/spatial/polygon?limit=1", body); !meta.Repaired || len(meta.Warnings) == 0 ||
			!strings.Contains(meta.Warnings[0], "self_crossing") || !strings.HasSuffix(meta.Warnings[0], "rebuilt by the even-odd rule") {
			t.Errorf("%s: %+v", form, meta)
		}
	}
	inQuery := "/api/v1/spatial/polygon?limit=1&geojson=" + url.QueryEscape(tie)
	for _, meta := range []shapeMeta{metaOf(t, h, "GET", inQuery, ""), metaOf(t, h, "POST", "/api/v1/spatial/kgs", tie),
		metaOf(t, h, "GET", "/api/v1/spatial/kgs?"+cells(0, 0, 8, 4)+"&geojson="+url.QueryEscape(tie), "")} {
		if !meta.Repaired || len(meta.Warnings) != 1 {
			t.Errorf("%+v", meta)
		}
	}
	batch := `{"polygons":[` + polygonJSON(fixture.Rect(0, 0, 1, 1)) + "," + tie + `]}`
	if meta := metaOf(t, h, "POST", "/api/v1/spatial/polygon", batch); !meta.Repaired || !strings.HasPrefix(meta.Warnings[0], "polygons[1]: ") {
		t.Errorf("a batch: %+v", meta)
	}
	if meta := metaOf(t, h, "POST", "/api/v1/spatial/polygon", lobes); meta.Repaired || meta.Warnings != nil {
		t.Errorf("valid: %+v", meta)
	}
}

// The geometries of a collection are united; a part of a polygon that lies in another is a hole.
func TestOverlappingParts(t *testing.T) {
	h := sheetWorld(t)
	big, small := fixture.Rect(0, 0, 4, 4), fixture.Rect(1, 1, 3, 3)
	union := `{"type":"GeometryCollection","geometries":[` + polygonJSON(big) + "," + polygonJSON(small) + `]}`
	whole := toldOf(t, h, "include=parcels", polygonJSON(big)).Area.AreaSqm
	if got := toldOf(t, h, "include=parcels", union).Area.AreaSqm; math.Abs(got-whole) > 1 {
		t.Errorf("united: %v, want %v", got, whole)
	}
	if got := toldOf(t, h, "include=parcels", partsJSON(big, small)).Area.AreaSqm; math.Abs(got/whole-0.75) > 0.001 {
		t.Errorf("even-odd: %v of %v", got, whole)
	}
}

// A recorded track whose ends meet is an area; one that stays open is a line with 100 m on either side, or with the buffer.
func TestTracks(t *testing.T) {
	h := sheetWorld(t)
	gpx := func(points ...geom.Point) string {
		s := "<gpx><trk><trkseg>"
		for _, p := range points {
			s += fmt.Sprintf(`<trkpt lon="%.7f" lat="%.7f"/>`, p.Lon(), p.Lat())
		}
		return s + "</trkseg></trk></gpx>"
	}
	ring := fixture.Rect(0, 0, 2, 2)
	around := toldOf(t, h, "include=parcels", gpx(append(ring, ring[0])...))
	if want := toldOf(t, h, "include=parcels", polygonJSON(ring)); around.Area.AreaSqm != want.Area.AreaSqm || around.Meta != want.Meta {
		t.Errorf("around a place: %+v, want %+v", around, want)
	}
	p, q := fixture.At(0.5, 1.5), fixture.At(3.5, 1.5)
	open, line := gpx(p, q), fmt.Sprintf("LINESTRING (%.7f %.7f, %.7f %.7f)", p.Lon(), p.Lat(), q.Lon(), q.Lat())
	for query, same := range map[string]string{"": "&buffer=100", "&buffer=5": "&buffer=5"} {
		got, want := toldOf(t, h, "include=parcels"+query, open), toldOf(t, h, "include=parcels"+same, line)
		if fmt.Sprint(got.Area.Parcels, got.Meta) != fmt.Sprint(want.Area.Parcels, want.Meta) {
			t.Errorf("%q: %+v, want %+v", query, got.Area.Parcels, want.Area.Parcels)
		}
	}
	meta := metaOf(t, h, "POST", "/api/v1/spatial/polygon", open)
	if want := fmt.Sprintf("the ends of the track lie %.0f m apart", crs.Distance(p, q)); meta.Repaired || len(meta.Warnings) != 1 ||
		!strings.Contains(meta.Warnings[0], want) {
		t.Errorf("an open track: %+v, want %q", meta, want)
	}
	if got := toldOf(t, h, "relation=within", open); got.Meta.Total != 0 {
		t.Errorf("within a line: %d", got.Meta.Total)
	}
}

func metaOf(t *testing.T, h http.Handler, method, target, body string) shapeMeta {
	t.Helper()
	var got struct{ Meta shapeMeta }
	w := call(h, method, target, body)
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %.300s", target, w.Code, w.Body)
	}
	return got.Meta
}

// A scribble has many times its vertices when it is rebuilt: those of a request are bounded together, in a batch and in a collection.
func TestScribblesAreBounded(t *testing.T) {
	h := sheetWorld(t)
	random := rand.New(rand.NewPCG(7, 1))
	scribble := func() string {
		var ring geom.Ring
		for range 490 {
			ring = append(ring, fixture.At(2*random.Float64(), 2*random.Float64()))
		}
		return polygonJSON(ring)
	}
	if meta := metaOf(t, h, "POST", "/api/v1/spatial/polygon?limit=1", scribble()); !meta.Repaired {
		t.Errorf("one is repaired, got %+v", meta)
	}
	list := strings.Repeat(scribble()+",", 40) + scribble()
	for name, body := range map[string]string{"batch": `{"polygons":[` + list + `]}`,
		"collection": `{"type":"GeometryCollection","geometries":[` + list + `]}`} {
		w := fixture.Ask(h, "POST", "/api/v1/spatial/polygon", body, "Content-Type", "application/json")
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "a simpler polygon") {
			t.Errorf("%s: %d %.200s", name, w.Code, w.Body)
		}
	}
}
