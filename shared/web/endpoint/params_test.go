package endpoint

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"mappe/shared/web/fault"
)

type errorBody struct {
	Error  string
	Status int
	Code   fault.Code
	Errors []fault.Detail
	ID     string `json:"request_id"`
}

// Each wrong request is a 400 whose message names the parameter, the value given and what is allowed.
func TestWrongParameters(t *testing.T) {
	h := handler(t)
	const known = "one of west, minlon, count, layers, layer, kg, has_buildings, fields, format, crs, limit, offset, cursor, callback, pretty, nocache"
	for _, c := range []struct {
		query, parameter, value, expected string
		code                              fault.Code
	}{
		{"", "west", "", "a number from -180 to 180", fault.Missing},
		{"west=", "west", "", "a number from -180 to 180", fault.Invalid},
		{"west=abc", "west", "abc", "a number from -180 to 180", fault.Invalid},
		{"west=NaN", "west", "NaN", "a number from -180 to 180", fault.Invalid},
		{"west=Inf", "west", "Inf", "a number from -180 to 180", fault.Invalid},
		{"west=1e999", "west", "1e999", "a number from -180 to 180", fault.Invalid},
		{"west=0x10", "west", "0x10", "a number from -180 to 180", fault.Invalid},
		{"west=13,5", "west", "13,5", "a number from -180 to 180", fault.Invalid},
		{"west=180.5", "west", "180.5", "a number from -180 to 180", fault.OutOfRange},
		{"west=1&west=1", "west", "1", "it once", fault.Duplicate},
		{"west=1&minlon=2", "minlon", "2", "either west or minlon: both name the same parameter", fault.Duplicate},
		{"west=1&wst=2", "wst", "2", known + "; did you mean west?", fault.Unknown},
		{"west=1&colour=red", "colour", "red", known, fault.Unknown},
		{"west=1&limit=0", "limit", "0", "a whole number from 1 to 100000", fault.OutOfRange},
		{"west=1&limit=100001", "limit", "100001", "a whole number from 1 to 100000", fault.OutOfRange},
		{"west=1&limit=-1", "limit", "-1", "a whole number from 1 to 100000", fault.OutOfRange},
		{"west=1&limit=1.5", "limit", "1.5", "a whole number from 1 to 100000", fault.Invalid},
		{"west=1&limit=99999999999999999999", "limit", "99999999999999999999", "a whole number from 1 to 100000", fault.OutOfRange},
		{"west=1&offset=-1", "offset", "-1", "a whole number from 0 to 1099511627776", fault.OutOfRange},
		{"west=1&has_buildings=maybe", "has_buildings", "maybe", "true, false, 1, 0, yes or no", fault.Invalid},
		{"west=1&layers=parcels,roads", "layers", "roads", "a comma list of parcels, buildings", fault.Invalid},
		{"west=1&layers=parcles", "layers", "parcles", "a comma list of parcels, buildings; did you mean parcels?", fault.Invalid},
		{"west=1&layers=parcels,,buildings", "layers", "parcels,,buildings", "values separated by single commas, without empty ones",
			fault.Invalid},
		{"west=1&kg=123456", "kg", "123456", "1 to 5 digits, for example 01004", fault.Invalid},
		{"west=1&kg=%ZZ", "kg", "%ZZ", "a value in percent-encoded UTF-8, encoded once", fault.Malformed},
		{"west=1&kg=%FF", "kg", "%FF", "a value in percent-encoded UTF-8, encoded once", fault.Malformed},
		{"west=1&format=xml", "format", "xml", "one of json, geojson, csv, gpkg, geojsonseq, ndjson, parquet, shapefile", fault.Invalid},
		{"west=1&fields=nme", "fields", "nme", "a comma list of id, n, area_sqm, lon, lat, tags, geometry", fault.Invalid},
		{"west=1&crs=4258", "crs", "4258",
			"one of EPSG:4326, EPSG:3857, EPSG:3035, EPSG:31287, EPSG:3416, EPSG:31254, EPSG:31255, EPSG:31256, EPSG:31257, EPSG:31258, EPSG:31259", fault.Invalid},
		{"west=1&callback=alert(1)", "callback", "alert(1)",
			"a JavaScript name of at most 64 characters: letters, digits, _ and $, names with one dot between them, no reserved word",
			fault.Invalid},
		{"west=1&callback=a..b", "callback", "a..b",
			"a JavaScript name of at most 64 characters: letters, digits, _ and $, names with one dot between them, no reserved word",
			fault.Invalid},
		{"west=1&callback=a.", "callback", "a.",
			"a JavaScript name of at most 64 characters: letters, digits, _ and $, names with one dot between them, no reserved word",
			fault.Invalid},
		{"west=1&callback=a.1", "callback", "a.1",
			"a JavaScript name of at most 64 characters: letters, digits, _ and $, names with one dot between them, no reserved word",
			fault.Invalid},
		{"west=1&callback=if", "callback", "if",
			"a JavaScript name of at most 64 characters: letters, digits, _ and $, names with one dot between them, no reserved word",
			fault.Invalid},
		{"west=1&callback=this.f", "callback", "this.f",
			"a JavaScript name of at most 64 characters: letters, digits, _ and $, names with one dot between them, no reserved word",
			fault.Invalid},
		{"west=1&callback=f&format=csv", "callback", "f", "no callback with format=csv: JSONP carries json and geojson", fault.Conflict},
		{"west=1&cursor=xx", "cursor", "xx", "the cursor of a next link, unchanged, with the same filters", fault.BadCursor},
		{"west=1&cursor=xx&offset=3", "cursor", "xx", "either cursor or offset", fault.Conflict},
		{"west=1&has_buildings=" + strings.Repeat("x", 5000), "has_buildings", strings.Repeat("x", 64) + "…",
			"true, false, 1, 0, yes or no", fault.Invalid},
	} {
		w := get(h, "/api/v1/places?"+c.query)
		var e errorBody
		if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
			t.Errorf("%s: %v in %s", c.query, err, w.Body)
			continue
		}
		want := fault.Detail{Parameter: c.parameter, Value: c.value, Expected: c.expected}
		if w.Code != 400 || e.Status != 400 || e.Code != c.code || len(e.Errors) != 1 || e.Errors[0] != want {
			t.Errorf("%.60s: %d %+v\nwant %s %+v", c.query, w.Code, e, c.code, want)
		}
		if !strings.Contains(e.Error, c.parameter) || !strings.Contains(e.Error, c.expected) || e.ID != "id-1" {
			t.Errorf("%.60s: message %q", c.query, e.Error)
		}
		if ct := w.Header().Get("Content-Type"); ct != "application/json" || w.Header().Get("ETag") != "" ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%.60s: headers %v", c.query, w.Header())
		}
	}
}

func TestAllWrongParametersAreNamedAtOnce(t *testing.T) {
	var e errorBody
	json.Unmarshal(get(handler(t), "/api/v1/places?wst=1&limit=0").Body.Bytes(), &e)
	if len(e.Errors) != 3 || e.Errors[0].Parameter != "wst" || e.Errors[1].Parameter != "limit" || e.Errors[2].Parameter != "west" {
		t.Errorf("got %+v", e)
	}
}

// Spellings of one request have one answer, and so one ETag.
func TestSpellings(t *testing.T) {
	h := handler(t)
	tag := func(q string) string {
		w := get(h, "/api/v1/places?"+q)
		if w.Code != 200 {
			t.Errorf("%s: %d %s", q, w.Code, w.Body)
		}
		return w.Header().Get("ETag")
	}
	for _, pair := range [][2]string{
		{"west=13", "minlon=13.0"}, {"west=13", "west=13&limit=100&offset=0&format=json"}, {"west=13&kg=1004", "kg=01004&west=13"},
		{"west=13&layers=parcels", "west=13"}, {"west=13&layer=parcel", "west=13&layers=parcels,parcels"}, {"west=1e1", "west=10"},
		{"west=1&has_buildings=1", "west=1&has_buildings=YES"}, {"west=-0", "west=0"}, {"west=1&nocache", "west=1"}, {"west=1&&", "west=1"},
		{"west=1&crs=4326", "west=1&crs=urn:ogc:def:crs:EPSG::4326"},
		{"west=1&layers=parcels%2C%20buildings", "west=1&layers=parcels,buildings"},
	} {
		if a, b := tag(pair[0]), tag(pair[1]); a != b || a == "" {
			t.Errorf("%s has %s, %s has %s", pair[0], a, pair[1], b)
		}
	}
	seen := map[string]string{}
	for _, q := range []string{"west=13", "west=14", "west=13&kg=1004", "west=13&limit=5", "west=13&offset=5", "west=13&format=geojson",
		"west=13&fields=id",
		"west=13&pretty=1", "west=13&callback=f", "west=13&crs=3857", "west=13&layers=buildings", "west=13&layers=buildings,parcels",
		"west=13&has_buildings=no", "west=13&has_buildings=yes"} {
		tag := tag(q)
		if other, ok := seen[tag]; ok {
			t.Errorf("%s and %s share %s", q, other, tag)
		}
		seen[tag] = q
	}
}

func TestPathValues(t *testing.T) {
	h := handler(t)
	for path, want := range map[string]string{"01004-123%2F4": "01004-123/4", "1004-.17": "01004-.17", "01004-20": "01004-20"} {
		if w := get(h, "/api/v1/parcel/"+path); w.Code != 200 || strings.TrimSpace(w.Body.String()) != `{"id":"`+want+`"}` {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	for path, status := range map[string]int{"01004-123%252F4": 400, "01004-12/3": 404, "nonsense": 400, "": 404, "01004-20/": 404} {
		if w := get(h, "/api/v1/parcel/"+path); w.Code != status || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %d, want %d: %s", path, w.Code, status, w.Body)
		}
	}
	if w := get(h, "/api/v1/parcel/01004-20?parcel_id=01004-21"); w.Code != 400 {
		t.Errorf("a path value in the query: %d", w.Code)
	}
}

func TestBodies(t *testing.T) {
	h := handler(t)
	for _, c := range []struct {
		body, want string
		code       fault.Code
		status     int
	}{
		{"", "the body is empty: expected {points: [{lon, lat}]}", fault.BadBody, 400},
		{"{", "the body is not JSON: expected a member name in double quotes at byte 1, found end of the body", fault.BadBody, 400},
		{"{]", "the body is not JSON: expected a member name in double quotes at byte 1, found ]", fault.BadBody, 400},
		{`{"points":[]} {}`, "the body holds more than one JSON value: something follows byte 14", fault.BadBody, 400},
		{`{"pionts":[]}`, `parameter pionts is unknown (value "["): expected one of points, radius; did you mean points?`, fault.Unknown,
			400},
		{`{"Points":[]}`, `parameter Points is unknown (value "["): expected one of points, radius; did you mean points?`, fault.Unknown,
			400},
		{`{"points":[{"lon":"x","lat":1}]}`, `parameter points[0].lon has the value "\"x\"": expected a number`, fault.Invalid, 400},
		{`{"points":[{"lon":1,"lat":1},{"LON":2,"lat":1}]}`,
			`parameter points[1].LON is unknown (value "2"): expected one of lon, lat; did you mean lon?`, fault.Unknown, 400},
		{`{"points":[{"lon":1,"lat":1,"lon":2}]}`, `parameter points[0].lon is given more than once (value "2"): expected it once`,
			fault.Duplicate, 400},
		{`{"points":{}}`, `parameter points has the value "{": expected an array of objects`, fault.Invalid, 400},
		{`[]`, `parameter body has the value "[": expected an object`, fault.Invalid, 400},
		{`{"points":[{"lon":NaN}]}`, "the body is not JSON: expected a JSON value at byte 18, found NaN", fault.BadBody, 400},
		{strings.Repeat(" ", 1<<16+1), "the body is larger than the 65536 bytes this endpoint takes", fault.TooLarge, 413},
	} {
		w := do(h, "POST", "/api/v1/points", c.body)
		var e errorBody
		json.Unmarshal(w.Body.Bytes(), &e)
		if w.Code != c.status || e.Code != c.code || e.Error != c.want {
			t.Errorf("%.40s: %d %s %q\nwant %s %q", c.body, w.Code, e.Code, e.Error, c.code, c.want)
		}
	}
	if w := do(h, "POST", "/api/v1/points", `{"points":[]}`, "Content-Encoding", "gzip"); w.Code != 400 {
		t.Errorf("compressed body: %d", w.Code)
	}
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{"west=1&limit=2", "west=%zz", "a=b&&=&%41=1", "west=1&west=2", "format=geojson&west=1e3&callback=x",
		"cursor=AQ&west=1", "fields=id,,n&west=0"} {
		f.Add(s)
	}
	h := handler(f)
	f.Fuzz(func(t *testing.T, query string) {
		if strings.ContainsAny(query, "#\x00 \r\n") || len(query) > 4000 {
			return
		}
		u, err := url.Parse("/api/v1/places?" + query)
		if err != nil {
			return
		}
		w := get(h, u.String())
		if w.Code != 200 && w.Code != 400 {
			t.Fatalf("%q: %d %s", query, w.Code, w.Body)
		}
		if w.Code == 400 && (w.Body.Len() > 20000 || !json.Valid(w.Body.Bytes())) {
			t.Fatalf("%q: %d bytes: %.200s", query, w.Body.Len(), w.Body)
		}
	})
}

func FuzzBody(f *testing.F) {
	f.Add(`{"points":[{"lon":1,"lat":2}],"radius":3}`)
	h := handler(f)
	f.Fuzz(func(t *testing.T, body string) {
		w := do(h, "POST", "/api/v1/points", body)
		if (w.Code != 200 && w.Code != 400 && w.Code != 413) || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%q: %d %s", body, w.Code, w.Body)
		}
	})
}
