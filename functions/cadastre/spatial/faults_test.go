package spatial

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"mappe/functions/core/parcelfilter"
	"mappe/functions/fixture"
	"mappe/shared/geo/geom"
)

// Every fault names the field, the value and what is allowed.
func TestFaults(t *testing.T) {
	h := world(t)
	box := cells(0, 0, 1, 1)
	at := lonlat(0.5, 0.5)
	many := func(n int) string {
		return `{"points":[` + strings.TrimSuffix(strings.Repeat(`{"lon":15,"lat":48},`, n), ",") + `]}`
	}
	square := polygonJSON(fixture.Rect(0, 0, 1, 1))
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		param, value, expected   string
	}{
		{"no box", "GET", "bbox?south=48&east=15&north=48.1", "", 400, "west", "", "a number from -180 to 180"},
		{"NaN", "GET", "bbox?west=NaN&south=48&east=15&north=48.1", "", 400, "west", "NaN", "a number from -180 to 180"},
		{"decimal comma", "GET", "point?lon=15,1&lat=48", "", 400, "lon", "15,1", "a number from -180 to 180"},
		{"out of range", "GET", "point?lon=15&lat=98", "", 400, "lat", "98", "a number from -90 to 90"},
		{"swapped axes of a point", "GET", "point?lon=48.0005&lat=15.0005", "", 400, "lon", "48.0005",
			"a longitude: lon and lat look swapped, Austria lies at longitudes 9.5 to 17.2 and latitudes 46.3 to 49.1"},
		{"swapped axes of a box", "GET", "bbox?west=48&south=15&east=48.1&north=15.1", "", 400, "west", "48",
			"a longitude: west and south (and east and north) look swapped, Austria lies at longitudes 9.5 to 17.2 and latitudes 46.3 to 49.1"},
		{"empty box", "GET", "bbox?west=15&south=48&east=15&north=48.1", "", 400, "east", "15",
			"a longitude east of west by at least 1e-7 degrees"},
		{"box upside down", "GET", "parcels?west=15&south=48.1&east=15.1&north=48", "", 400, "north", "48",
			"a latitude north of south by at least 1e-7 degrees"},
		{"limit 0", "GET", "bbox?limit=0&" + box, "", 400, "limit", "0", "a whole number from 1 to 100000"},
		{"limit above the maximum", "GET", "bbox?limit=100001&" + box, "", 400, "limit", "100001", "a whole number from 1 to 100000"},
		{"limit of the viewport", "GET", "parcels?limit=20001&" + box, "", 400, "limit", "20001", "a whole number from 1 to 20000"},
		{"unknown parameter", "GET", "bbox?layer_s=kg&" + box, "", 400, "layer_s", "kg",
			"one of west, min_lon, minlon, south, min_lat, minlat, east, max_lon, maxlon, north, max_lat, maxlat, buffer, layers, layer, relation, kg, gemeinde_code, landuse, min_area, max_area, has_buildings, attrs_only, version, fields, format, crs, limit, offset, cursor, callback, pretty, nocache; did you mean layers?"},
		{"parameter twice", "GET", "bbox?west=15&" + box, "", 400, "west", "15", "it once"},
		{"parameter and its alias", "GET", "bbox?minlon=15&" + box, "", 400, "west", "15",
			"either minlon or west: both name the same parameter"},
		{"unknown layer", "GET", "bbox?layers=parcel,houses&" + box, "", 400, "layers", "houses", "a comma list of parcels, buildings, kg"},
		{"unknown land use", "GET", "bbox?landuse=99&" + box, "", 400, "landuse", "99", ""},
		{"areas the wrong way round", "GET", "bbox?min_area=10&max_area=9&" + box, "", 400, "max_area", "9", "at least min_area"},
		{"negative area", "GET", "bbox?min_area=-1&" + box, "", 400, "min_area", "-1", "a number of at least 0 m²"},
		{"not a bool", "GET", "bbox?has_buildings=maybe&" + box, "", 400, "has_buildings", "maybe", "true, false, 1, 0, yes or no"},
		{"radius too large", "GET", "point?radius=50001&" + at, "", 400, "radius", "50001", "a number from 0 to 50000 m"},
		{"unknown format", "GET", "bbox?format=xml&" + box, "", 400, "format", "xml",
			"one of json, geojson, csv, gpkg, geojsonseq, ndjson, parquet, shapefile"},
		{"unknown field", "GET", "bbox?fields=parcel_idd&" + box, "", 400, "fields", "parcel_idd", ""},
		{"a KG code as parcel id", "GET", "../parcels/geometry/batch?ids=88801", "", 400, "ids", "88801",
			"<kg_code>-<gnr>, for example 01004-123/4 (in a URL the slash is %2F, once)"},
		{"a building id as parcel id", "GET", "../parcels/geometry/batch?ids=88801-1,5000090-001", "", 400, "ids", "5000090-001",
			"<kg_code>-<gnr>, for example 01004-123/4 (in a URL the slash is %2F, once)"},
		{"a parcel id as footprint id", "POST", "../footprints/geometry/batch", `{"ids":["88801_fp_1","88801-1"]}`, 400, "ids[1]",
			"88801-1", "<kg_code>_fp_<n>, for example 01004_fp_17"},
		{"a footprint id as parcel id", "POST", "../parcels/geometry/batch", `{"ids":["88801_fp_1"]}`, 400, "ids[0]", "88801_fp_1",
			"<kg_code>-<gnr>, for example 01004-123/4 (in a URL the slash is %2F, once)"},
		{"a number as id", "POST", "../parcels/geometry/batch", `{"ids":[88801]}`, 400, "ids[0]", "88801", "a text in double quotes"},
		{"no ids", "POST", "../parcels/geometry/batch", `{"ids":[]}`, 400, "ids", "", "1 to 5000 ids"},
		{"5,001 ids", "POST", "../parcels/geometry/batch", `{"ids":[` + strings.Repeat(`"88801-1",`, 5000) + `"88801-1"]}`, 413, "ids",
			"more than 5000 ids", "1 to 5000 ids"},
		{"no points", "POST", "points", `{}`, 400, "points", "", "an array of 1 to 1000 objects {lon, lat, id?}"},
		{"empty points", "POST", "points", `{"points":[]}`, 400, "points", "0 points", "1 to 1000 points"},
		{"1,001 points", "POST", "points", many(1001), 413, "points", "more than 1000 points", "1 to 1000 points"},
		{"1,001 points of the radius search", "POST", "point", many(1001), 413, "points", "more than 1000 points", "1 to 1000 points"},
		{"point without lat", "POST", "points", `{"points":[{"lon":15,"lat":48},{"lon":15}]}`, 400, "points[1].lat", "", "degrees (WGS84)"},
		{"text as lon", "POST", "points", `{"points":[{"lon":"15","lat":48}]}`, 400, "points[0].lon", `"15"`,
			"a longitude from -180 to 180 (degrees, WGS84)"},
		{"NaN in a body", "POST", "points", `{"points":[{"lon":NaN,"lat":48}]}`, 400, "points[0].lon", "NaN",
			"a longitude from -180 to 180 (degrees, WGS84)"},
		{"swapped axes in a body", "POST", "points", `{"points":[{"lon":48.2,"lat":16.3}]}`, 400, "points[0].lon", "48.2",
			"a longitude: lon and lat look swapped, Austria lies at longitudes 9.5 to 17.2 and latitudes 46.3 to 49.1"},
		{"unknown member of a point", "POST", "points", `{"points":[{"lng":15,"lat":48}]}`, 400, "points[0].lng", "", ""},
		{"unknown member", "POST", "points", `{"point":[]}`, 400, "point", "",
			"one of points, wait, overlays, version; did you mean points?"},
		{"member twice", "POST", "points", `{"wait":true,"wait":false,"points":[]}`, 400, "wait", "", "it once"},
		{"wait of the wrong type", "POST", "points", `{"points":[{"lon":15,"lat":48}],"wait":1}`, 400, "wait", "1", "true or false"},
		{"radius in a body", "POST", "point", `{"points":[{"lon":15,"lat":48}],"radius":50001}`, 400, "radius", "50001",
			"a number from 0 to 50000 m"},
		{"layer in a body", "POST", "point", `{"points":[{"lon":15,"lat":48}],"layers":["kg"]}`, 400, "layers[0]", "kg",
			"one of parcels, buildings"},
		{"cut body", "POST", "points", `{"points":[{"lon":15,"lat":48}`, 400, "body", "end of the body", "',' or ']' at byte 30"},
		{"two bodies", "POST", "points", many(1) + "{}", 400, "body", "{", "nothing after the first JSON value at byte 32"},
		{"swapped axes of a polygon", "POST", "polygon", `{"type":"Polygon","coordinates":[[[48,15],[48.002,15],[48.002,15.002],[48,15]]]}`,
			400, "body", "first position [48, 15]", "positions as [lon, lat]: the axes look swapped"},
		{"polygon without area", "POST", "polygon", `{"type":"Polygon","coordinates":[[[15,48],[15.001,48.001],[15.002,48.002],[15,48]]]}`,
			400, "body", "a ring without area", "rings that enclose an area on the grid of 1e-7 degrees"},
		{"a line of one position", "POST", "polygon", `{"type":"LineString","coordinates":[[15,48]]}`, 400, "coordinates", "1 positions",
			"a line of at least 2 positions"},
		{"an unknown type", "POST", "polygon", `{"type":"Circle","coordinates":[15,48]}`, 400, "type", "Circle",
			"a GeoJSON geometry (Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon or GeometryCollection), or a Feature with one"},
		{"an empty collection", "POST", "polygon", `{"type":"GeometryCollection","geometries":[]}`, 400, "geometries", "[]",
			"the geometries of a GeometryCollection"},
		{"geometry null alone", "POST", "polygon", `{"type":"Feature","geometry":null}`, 400, "body", "geometry null",
			"a GeoJSON geometry of any type, or a Feature with one"},
		{"a point with swapped axes", "POST", "polygon", `{"type":"Point","coordinates":[48,15]}`, 400, "body", "first position [48, 15]",
			"positions as [lon, lat]: the axes look swapped"},
		{"KG search without a geometry", "POST", "kgs", `{"type":"Topology","arcs":[]}`, 400, "type", "Topology",
			"a GeoJSON geometry (Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon or GeometryCollection), or a Feature with one"},
		{"type twice", "POST", "polygon", `{"type":"Polygon","type":"Point","coordinates":[[[15,48],[15.002,48],[15,48.002]]]}`, 400,
			"type", "given twice", "it once"},
		{"coordinates twice", "POST", "polygon",
			`{"type":"Polygon","coordinates":[[[15,48],[15.002,48],[15,48.002]]],"coordinates":[[[16,48],[16.002,48],[16,48.002]]]}`, 400,
			"coordinates", "given twice", "it once"},
		{"geometry twice", "POST", "kgs", `{"type":"Feature","geometry":` + square + `,"geometry":` + square + `}`, 400, "geometry",
			"given twice", "it once"},
		{"properties twice", "POST", "polygon",
			`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":1},"properties":{"id":2},"geometry":` + square +
				`}]}`, 400, "features[0].properties", "given twice", "it once"},
		{"id of a polygon twice", "POST", "polygon",
			`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":1,"id":2},"geometry":` + square + `}]}`, 400,
			"features[0].properties.id", "given twice", "it once"},
		{"features twice", "POST", "polygon", `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":` + square +
			`}],"features":[{"type":"Feature","geometry":` + square + `}]}`, 400, "features", "", "it once"},
		{"layers of a collection twice", "POST", "polygon",
			`{"layers":["parcels"],"layers":["buildings"],"type":"FeatureCollection","features":[{"type":"Feature","geometry":` + square +
				`}]}`, 400, "layers", "", "it once"},
		{"within with buffer", "POST", "polygon?relation=within&buffer=5", square, 400, "buffer", "5",
			"no buffer together with relation=within"},
		{"batch of 501", "POST", "polygon", `{"polygons":[` + strings.Repeat(square+",", 500) + square + `]}`, 413, "polygons",
			"more than 500 polygons", "1 to 500 polygons"},
		{"batch as csv", "POST", "polygon?format=csv", `{"polygons":[` + square + `]}`, 400, "format", "csv",
			"json for a batch of polygons"},
		{"batch with a limit", "POST", "polygon?limit=7", `{"polygons":[` + square + `]}`, 400, "limit", "7",
			"no limit, offset or cursor for a batch of polygons"},
		{"batch with an offset", "POST", "polygon?offset=8", `{"polygons":[` + square + `]}`, 400, "offset", "8",
			"no limit, offset or cursor for a batch of polygons"},
		{"batch within a buffer", "POST", "polygon?buffer=9&relation=within", `{"polygons":[` + square + `]}`, 400, "buffer", "9",
			"no buffer together with relation=within"},
		{"batch with layers in the query", "POST", "polygon?layers=kg", `{"polygons":[` + square + `]}`, 400, "layers", "kg",
			"layers in the body of a batch, not in the query"},
		{"shares without include", "POST", "polygon?fields=parcel_id,overlap_sqm&format=csv", square, 400, "fields", "overlap_sqm",
			"include=parcels together with it"},
		{"shares without the parcels", "POST", "polygon?fields=overlap_pct&include=landuse", square, 400, "fields", "overlap_pct",
			"include=parcels together with it"},
		{"shares of a batch without include", "POST", "polygon?fields=overlap_sqm", `{"polygons":[` + square + `]}`, 400, "fields",
			"overlap_sqm", "include=parcels together with it"},
		{"100,001 vertices", "POST", "polygon", disc(geom.Box{MinX: 150_000_000, MinY: 480_000_000, MaxX: 152_000_000, MaxY: 481_000_000},
			100_001), 413, "coordinates", "more than 100000 vertices", "at most 100000 vertices in one request"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := "/api/v1/spatial/" + c.path
			if p, ok := strings.CutPrefix(c.path, "../"); ok {
				path = "/api/v1/" + p
			}
			w := call(h, c.method, path, c.body)
			var f struct {
				Error  string
				Status int
				Errors []struct{ Parameter, Value, Expected string }
			}
			if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil {
				t.Fatalf("%v: %s", err, w.Body)
			}
			if w.Code != c.status || f.Status != c.status || len(f.Errors) == 0 {
				t.Fatalf("want %d, got %d %s", c.status, w.Code, w.Body)
			}
			d := f.Errors[0]
			if d.Parameter != c.param || d.Value != c.value || (c.expected != "" && d.Expected != c.expected) || d.Expected == "" {
				t.Errorf("want %q %q %q,\ngot %q %q %q", c.param, c.value, c.expected, d.Parameter, d.Value, d.Expected)
			}
			for _, part := range []string{d.Parameter, fmt.Sprintf("%q", d.Value), d.Expected} {
				if part != `""` && !strings.Contains(f.Error, part) {
					t.Errorf("the message does not name %q: %s", part, f.Error)
				}
			}
		})
	}
}

func TestBodyTooLarge(t *testing.T) {
	h := world(t)
	body := `{"points":[` + strings.Repeat(" ", 20<<20) + `]}`
	for _, path := range []string{"points", "point", "polygon", "kgs", "../parcels/geometry/batch"} {
		w := call(h, "POST", "/api/v1/"+strings.TrimPrefix("spatial/"+path, "spatial/../"), body)
		if w.Code != 413 || !strings.Contains(w.Body.String(), "the body is larger than the ") {
			t.Errorf("%s: want 413 with the bound, got %d %s", path, w.Code, w.Body)
		}
	}
}

// A ring whose teeth are so dense that it cannot be checked is refused within the bound on work.
func TestEntangledPolygonIsRefused(t *testing.T) {
	h := world(t)
	var s strings.Builder
	for i := range 99_998 {
		d := 0.01 + 0.9*float64(i%2)
		a := 2 * math.Pi * float64(i) / 99_998
		fmt.Fprintf(&s, "[%.7f,%.7f],", 14+d*math.Cos(a), 48+d*math.Sin(a))
	}
	start := time.Now()
	w := call(h, "POST", "/api/v1/spatial/polygon", `{"type":"Polygon","coordinates":[[`+s.String()+`[14.01,48]]]}`)
	if w.Code != 400 || !strings.Contains(w.Body.String(), `"parameter":"body"`) {
		t.Errorf("want 400, got %d %.300s after %v", w.Code, w.Body, time.Since(start))
	}
}

func TestFeatureBound(t *testing.T) {
	// The limit of 200,000 is out of reach of this world, so the bound is lowered.
	n := &near{radius: 5000, layers: []layer{parcels}, filter: parcelfilter.Any, budget: 20}
	_, n.v = worldView(t)
	codes, err := n.reach(fixture.At(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.around(t.Context(), fixture.At(1, 1), codes, nil); err == nil ||
		!strings.Contains(err.Error(), "more than 20 features match: use a smaller radius or fewer points") {
		t.Errorf("got %v", err)
	}
}
