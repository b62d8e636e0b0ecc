package ogc

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

func world(t testing.TB) http.Handler {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishWith(s, fixture.Snapshots(), func(c *register.Contents) {
		c.Municipalities = []register.Municipality{
			{Code: "38801", Name: "Gemeinde 38801", DistrictCode: "388", DistrictName: "Bezirk 388", At: fixture.At(4, 2),
				Outline: geom.MultiPolygon{{fixture.Rect(0, 0, 8, 4)}}},
		}
	}, "88803"); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Handler(t, New(Deps{Library: lib, Version: "test", BaseURL: "https://land.example/cadastre", Now: fixture.Now}))
}

// object is a JSON object.
type object = map[string]any

// get asks for JSON.
func get(t testing.TB, h http.Handler, path string, status int) (object, http.Header) {
	t.Helper()
	w := fixture.Ask(h, "GET", path, "")
	if w.Code != status {
		t.Fatalf("%s: %d, want %d\n%.500s", path, w.Code, status, w.Body)
	}
	var o object
	if err := json.Unmarshal(w.Body.Bytes(), &o); err != nil {
		t.Fatalf("%s: %v\n%.300s", path, err, w.Body)
	}
	return o, w.Header()
}

// linked is the address of a link; "" if the page has no such link.
func linked(o object, rel, mediaType string) string {
	for _, l := range o["links"].([]any) {
		if l := l.(object); l["rel"] == rel && (mediaType == "" || l["type"] == mediaType) {
			return l["href"].(string)
		}
	}
	return ""
}

// local is a link without what stands before the paths of the service.
func local(t testing.TB, href string) string {
	t.Helper()
	path, ok := strings.CutPrefix(href, "https://land.example/cadastre")
	if !ok {
		t.Fatalf("link %q", href)
	}
	return path
}

// ids are the ids of the features of a page.
func ids(o object) []string {
	list := []string{}
	for _, f := range o["features"].([]any) {
		list = append(list, fmt.Sprint(f.(object)["id"]))
	}
	return list
}

// TestFollowingLinks goes from the landing page to every feature, as clients do that know the address alone
// (abstract tests A.1 to A.14 of OGC 17-069r4).
func TestFollowingLinks(t *testing.T) {
	h := world(t)
	home, _ := get(t, h, "/ogc", 200)
	for _, rel := range []string{"self", "alternate", "service-desc", "service-doc", "conformance", "data"} {
		if linked(home, rel, "") == "" {
			t.Errorf("the landing page has no link %s", rel)
		}
	}
	conforms, _ := get(t, h, local(t, linked(home, "conformance", "")), 200)
	if !slices.Contains(conforms["conformsTo"].([]any), any("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core")) {
		t.Errorf("conformance: %v", conforms)
	}
	list, _ := get(t, h, local(t, linked(home, "data", "")), 200)
	features := map[string]int{}
	for _, c := range list["collections"].([]any) {
		c := c.(object)
		alone, _ := get(t, h, local(t, linked(c, "self", "application/json")), 200)
		if alone["id"] != c["id"] || alone["title"] == "" || alone["extent"] == nil {
			t.Errorf("collection %v", alone)
		}
		if s := alone["crs"].([]any); s[0] != crs84 || len(s) < 8 {
			t.Errorf("%v: crs %v", c["id"], s)
		}
		next := linked(c, "items", geoJSON) + "?limit=7"
		for pages := 0; next != ""; pages++ {
			page, header := get(t, h, local(t, next), 200)
			if header.Get("Content-Type") != geoJSON || header.Get("Content-Crs") != "<"+crs84+">" {
				t.Errorf("%s: headers %v", next, header)
			}
			if n := len(ids(page)); float64(n) != page["numberReturned"] || n > 7 || page["timeStamp"] != "2026-11-01T12:00:00Z" {
				t.Errorf("%s: %d features, numberReturned %v", next, n, page["numberReturned"])
			}
			features[c["id"].(string)] += len(ids(page))
			next = linked(page, "next", geoJSON)
			if next == "" && float64(features[c["id"].(string)]) != page["numberMatched"] {
				t.Errorf("%v: numberMatched %v, %d features seen", c["id"], page["numberMatched"], features[c["id"].(string)])
			}
			if pages > 50 {
				t.Fatal("the pages do not end")
			}
		}
	}
	if features["parcels"] != 38 || features["kgs"] != 4 || features["municipalities"] != 1 {
		t.Errorf("features: %v", features)
	}
}

func TestOneFeature(t *testing.T) {
	h := world(t)
	for collection, id := range map[string]string{"parcels": "88801-.6/1", "kgs": "88801", "municipalities": "38801"} {
		f, header := get(t, h, "/ogc/collections/"+collection+"/items/"+url.PathEscape(id), 200)
		if f["type"] != "Feature" || f["id"] != id || f["geometry"] == nil || linked(f, "self", geoJSON) == "" ||
			linked(f, "collection", "") == "" || header.Get("Content-Type") != geoJSON {
			t.Errorf("%s: %v %v", id, f, header)
		}
	}
	for _, id := range []string{"88801-9999", "nothing", "99999-1", "88801-1%2F1"} {
		get(t, h, "/ogc/collections/parcels/items/"+id, 404)
	}
	get(t, h, "/ogc/collections/landuse/items/88801_lu_99999999999999999999", 404)
	get(t, h, "/ogc/collections/rivers/items", 404)
	if f, header := get(t, h, "/ogc/collections/parcels/items/88803-1", 404); f["ready"] != false || f["reason"] != "unbuilt" ||
		header.Get("Retry-After") != "" {
		t.Errorf("a parcel of a KG that nothing builds: %v %v", f, header)
	}
}

func box(x0, y0, x1, y1 float64) string {
	lo, hi := fixture.At(x0, y0), fixture.At(x1, y1)
	return fmt.Sprintf("%.7f,%.7f,%.7f,%.7f", lo.Lon(), lo.Lat(), hi.Lon(), hi.Lat())
}

// TestBoxes: what reaches into the box or touches it, in each system and across the antimeridian.
func TestBoxes(t *testing.T) {
	h := world(t)
	const items = "/ogc/collections/parcels/items?limit=100&bbox="
	find := func(rest string) []string {
		o, _ := get(t, h, items+rest, 200)
		return ids(o)
	}
	want := []string{"88801-1"}
	for _, bbox := range []string{
		box(0.2, 0.2, 0.8, 0.8),
		"15.0002,48.0002,0,15.0008,48.0008,9000",
		"15.0002,48.0002,15.0008,48.0008&bbox-crs=" + url.QueryEscape(crs84),
		"48.0002,15.0002,48.0008,15.0008&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/4326",
		"1669814.6,6106890,1669881,6106970&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/3857",
	} {
		if got := find(bbox); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", bbox, got, want)
		}
	}
	if got := find(box(0, 0, 1, 1)); !slices.Contains(got, "88801-2") || !slices.Contains(got, "88801-6") || len(got) != 4 {
		t.Errorf("a box along borders: %v, want its parcel and the three that touch it", got)
	}
	if got := find("170,40,16,50"); len(got) == 0 {
		t.Error("a box across the antimeridian found nothing")
	}
	if got := find("16,40,14,50"); len(got) != 0 {
		t.Errorf("a box around the other side of the earth: %v", got)
	}
	for _, bad := range []string{"1,2,3", "a,b,c,d", "15,49,16,48", "-181,0,0,0", "1,2,3,NaN", "15,48,16,49&bbox-crs=EPSG:99",
		"16,48,15,49&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/3857"} {
		get(t, h, items+bad, 400)
	}
}

// TestCoordinates: the same corner in each system, in the order of its axes.
func TestCoordinates(t *testing.T) {
	h := world(t)
	corner := func(crs string) ([]any, string) {
		o, header := get(t, h, "/ogc/collections/parcels/items/88801-1?crs="+url.QueryEscape(crs), 200)
		ring := o["geometry"].(object)["coordinates"].([]any)[0].([]any)
		return ring[0].([]any), header.Get("Content-Crs")
	}
	lonLat, _ := corner(crs84)
	latLon, header := corner("http://www.opengis.net/def/crs/EPSG/0/4326")
	if lonLat[0] != latLon[1] || lonLat[1] != latLon[0] || header != "<http://www.opengis.net/def/crs/EPSG/0/4326>" {
		t.Errorf("EPSG:4326: %v, CRS84: %v, %s", latLon, lonLat, header)
	}
	if p, _ := corner("http://www.opengis.net/def/crs/EPSG/0/3857"); p[0].(float64) > p[1].(float64) {
		t.Errorf("Web Mercator %v: easting stands first", p)
	}
	for _, code := range []string{"3035", "31287", "31256", "3416"} { // northings there are larger or smaller by far
		p, _ := corner("http://www.opengis.net/def/crs/EPSG/0/" + code)
		north, east := p[0].(float64), p[1].(float64)
		switch code {
		case "3035":
			if !(north < 3e6 && east > 4e6) {
				t.Errorf("EPSG:3035: %v", p)
			}
		case "31256":
			if !(north > 3e5 && north < 3.3e5 && east < 0) {
				t.Errorf("EPSG:31256: %v", p)
			}
		default:
			if !(north > 3e5 && north < 6e5 && east > 4e5 && east < 7e5) {
				t.Errorf("EPSG:%s: %v", code, p)
			}
		}
	}
	get(t, h, "/ogc/collections/parcels/items?crs=EPSG:31287", 400)
}

func TestFilters(t *testing.T) {
	h := world(t)
	count := func(query string) int {
		o, _ := get(t, h, "/ogc/collections/parcels/items?"+query, 200)
		return int(o["numberMatched"].(float64))
	}
	for query, want := range map[string]int{
		"gnr=7": 2, "gnr=7&kg_code=88801": 1, "kg_code=88801": 17, "kg_code=801": 0, "kg_code=12345": 0,
		"filter=" + url.QueryEscape("kg_code = '88801' AND gnr IN ('1','2','nope')"):             2,
		"filter=" + url.QueryEscape("gnr LIKE '1%' AND kg_code <> '00804'"):                      16,
		"filter=" + url.QueryEscape("area_sqm > 1 AND NOT gnr = '1'") + "&filter-lang=cql2-text": 34,
		"datetime=2026-10-01T00:00:00Z/..&gnr=7":                                                 2,
	} {
		if got := count(query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	for _, bad := range []string{"filter=gnr", "filter=nam%3D1", "filter-lang=cql2-json", "datetime=yesterday", "datetime=../..",
		"datetime=2026-02-01/2026-01-01",
		"limit=0", "limit=x", "area_sqm=much", "kg_code=x", "colour=red", "offset=-1", "f=xml"} {
		o, _ := get(t, h, "/ogc/collections/parcels/items?"+bad, 400)
		if o["error"] == "" {
			t.Errorf("%s: %v", bad, o)
		}
	}
	if o, _ := get(t, h, "/ogc/collections/parcels/items?limit=9999999", 200); len(ids(o)) == 0 {
		t.Error("a limit above the maximum is taken for the maximum")
	}
}

// TestQueryables: each is a parameter, and may stand in a filter.
func TestQueryables(t *testing.T) {
	h := world(t)
	for _, c := range all {
		o, header := get(t, h, "/ogc/collections/"+c.id+"/queryables", 200)
		if header.Get("Content-Type") != schemaType || o["type"] != "object" {
			t.Errorf("%s: %v", c.id, header)
		}
		for name, q := range o["properties"].(object) {
			if name == "geometry" {
				continue
			}
			value, inFilter := "7", "7"
			switch q := q.(object); {
			case q["enum"] != nil:
				value = q["enum"].([]any)[0].(string)
				inFilter = "'" + value + "'"
			case q["type"] == "string":
				value, inFilter = "00804", "'00804'"
			case q["type"] == "boolean":
				value, inFilter = "true", "TRUE"
			}
			get(t, h, "/ogc/collections/"+c.id+"/items?limit=1&"+name+"="+value, 200)
			get(t, h, "/ogc/collections/"+c.id+"/items?limit=1&filter="+url.QueryEscape(name+" = "+inFilter), 200)
		}
	}
}

// TestNumbersShowTheirType: a number of a column with fractions has a decimal point in every feature: programs take the type of a column
// from the first ones.
func TestNumbersShowTheirType(t *testing.T) {
	h := world(t)
	whole := 0
	for _, c := range all {
		schema, _ := get(t, h, "/ogc/collections/"+c.id+"/queryables", 200)
		w := fixture.Ask(h, "GET", "/ogc/collections/"+c.id+"/items?limit=1000", "")
		var page struct {
			Features []struct{ Properties map[string]json.RawMessage }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil {
			t.Fatal(c.id, err)
		}
		for _, f := range page.Features {
			for name, q := range schema["properties"].(object) {
				value := string(f.Properties[name])
				if q.(object)["type"] != "number" || value == "" || value == "null" {
					continue
				}
				if !strings.Contains(value, ".") {
					t.Errorf("%s: %s is %s, want a decimal point", c.id, name, value)
				}
				if strings.HasSuffix(value, ".0") {
					whole++
				}
			}
		}
	}
	if whole == 0 {
		t.Error("no feature has a whole number in a column with fractions")
	}
}

// TestPages: people are shown pages, which hold nothing that was not escaped.
func TestPages(t *testing.T) {
	h := world(t)
	for _, path := range []string{"/ogc", "/ogc/conformance", "/ogc/collections", "/ogc/collections/parcels",
		"/ogc/collections/parcels/items?limit=3", "/ogc/collections/parcels/items/88801-1", "/ogc/collections/kgs/items"} {
		w := fixture.Ask(h, "GET", path, "", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") || !strings.Contains(w.Body.String(), "<h1>") ||
			w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	w := fixture.Ask(h, "GET", "/ogc/collections/parcels/items?limit=2&offset=2&f=html", "")
	for _, want := range []string{"Features 3 to 4 of", "offset=4", "limit=2", "00804-3"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, w.Body)
		}
	}
	w = fixture.Ask(h, "GET", "/ogc/collections/parcels/items?f=html&gnr=%3Cscript%3E", "")
	if strings.Contains(w.Body.String(), "<script>") {
		t.Error("a value of the request stands in the page as it is")
	}
}

// TestValidators: a page that did not change is not sent again; the forms of one address differ.
func TestValidators(t *testing.T) {
	h := world(t)
	const path = "/ogc/collections/parcels/items?kg_code=88801"
	first := fixture.Ask(h, "GET", path, "")
	tag := first.Header().Get("ETag")
	if tag == "" {
		t.Fatal("a complete answer has no ETag")
	}
	if w := fixture.Ask(h, "GET", path, "", "If-None-Match", tag); w.Code != 304 {
		t.Errorf("the same again: %d", w.Code)
	}
	if w := fixture.Ask(h, "GET", path, "", "If-None-Match", tag, "Accept", "text/html"); w.Code != 200 {
		t.Errorf("as a page: %d", w.Code)
	}
	if w := fixture.Ask(h, "GET", "/ogc/collections/parcels/items", ""); w.Header().Get("X-Data-Ready") != "false" ||
		w.Header().Get("ETag") != "" {
		t.Errorf("a country with a cold KG: %v", w.Header())
	}
}
