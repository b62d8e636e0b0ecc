package endpoint

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/gpkg"
	"mappe/shared/web/reply"
)

func TestEnvelope(t *testing.T) {
	h := handler(t)
	w := get(h, "/api/v1/places?west=1&limit=1&offset=1")
	want := `{"data":[{"id":"px","n":1,"area_sqm":1.5,"lon":13.0010000,"lat":47.0000000,"tags":{"a":1}}],"meta":{"total":10,"limit":1,"offset":1,"format":"json","query_time_ms":0,"license":"CC BY 4.0, © BEV, 2026"}}` + "\n"
	if w.Code != 200 || w.Body.String() != want {
		t.Errorf("got  %d %s\nwant %s", w.Code, w.Body, want)
	}
	for q, want := range map[string]string{"count=0": `{"data":[],"meta":{"total":0,`, "offset=11": `{"data":[],"meta":{"total":10,`} {
		if w := get(h, "/api/v1/places?west=1&"+q); w.Code != 200 || !strings.HasPrefix(w.Body.String(), want) {
			t.Errorf("%s: %d %s", q, w.Code, w.Body)
		}
	}
}

func TestHeadersOfEveryAnswer(t *testing.T) {
	h := handler(t)
	for _, url := range []string{"/api/v1/places?west=1", "/api/v1/places", "/nowhere", "/openapi.json", "/docs", "/api/v1/debug/inflight",
		"/api/v1/parcel/1-1"} {
		hd := get(h, url).Header()
		for name, want := range map[string]string{
			"Access-Control-Allow-Origin": "*", "X-Request-Id": "id-1", "X-Data-Attribution": "(c) BEV, 2026",
			"X-Content-Type-Options": "nosniff",
		} {
			if hd.Get(name) != want {
				t.Errorf("%s: %s is %q, want %q", url, name, hd.Get(name), want)
			}
		}
		if got := hd.Get("Link"); got != `<https://creativecommons.org/licenses/by/4.0/>; rel="license"` {
			t.Errorf("%s: Link %s", url, got)
		}
	}
	if got := get(h, "/docs", "X-Request-Id", "my-id.7").Header().Get("X-Request-Id"); got != "my-id.7" {
		t.Errorf("a client's request id becomes %q", got)
	}
	if got := get(h, "/docs", "X-Request-Id", "a b<script>").Header().Get("X-Request-Id"); got != "id-1" {
		t.Errorf("a harmful request id is echoed: %q", got)
	}
}

func TestForms(t *testing.T) {
	h := handler(t)
	for _, c := range []struct{ query, accept, contentType, disposition, start string }{
		{"", "", "application/json", "", `{"data":[`},
		{"&format=geojson", "text/csv", "application/geo+json", "",
			`{"type":"FeatureCollection","features":[{"type":"Feature","id":"p","geometry":{"type":"Point","coordinates":[13.0000000,47.0000000]},"properties":{"id":"p",`},
		{"", "application/geo+json", "application/geo+json", "", `{"type":"FeatureCollection"`},
		{"&format=csv", "", "text/csv; charset=utf-8; header=present", `attachment; filename="places.csv"`,
			"\xef\xbb\xbfid,n,area_sqm,lon,lat,tags,geometry\r\np,0,0,13.0000000,"},
		{"&format=ndjson", "", "application/x-ndjson", "", `{"id":"p","n":0,`},
		{"&format=geojsonseq", "", "application/geo+json-seq", "", "\x1e" + `{"type":"Feature",`},
		{"&callback=f.x", "", "application/javascript; charset=utf-8", "", `/**/f.x({"data":[`},
		{"&callback=f&format=geojson", "", "application/javascript; charset=utf-8", "", `/**/f({"type":"FeatureCollection"`},
		{"&pretty=1", "", "application/json", "", "{\n  \"data\": [\n    {\n      \"id\": \"p\",\n"},
		{"&fields=n,geometry", "", "application/json", "", `{"data":[{"n":0},`},
	} {
		w := get(h, "/api/v1/places?west=1"+c.query, "Accept", c.accept)
		hd := w.Header()
		if w.Code != 200 || hd.Get("Content-Type") != c.contentType || hd.Get("Content-Disposition") != c.disposition ||
			!strings.HasPrefix(w.Body.String(), c.start) {
			t.Errorf("%q Accept %q: %d %s %s\n%.200s\nwant %s", c.query, c.accept, w.Code, hd.Get("Content-Type"),
				hd.Get("Content-Disposition"), w.Body, c.start)
		}
		if strings.Contains(c.contentType, "json") && !strings.Contains(c.contentType, "nd") && !strings.Contains(c.contentType, "seq") &&
			!json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: not JSON", c.query)
		}
	}
	// A failure reaches the script too: browsers run no script of another status than 200.
	if w := get(h, "/api/v1/places?west=400&callback=f.x"); w.Code != 200 ||
		!strings.HasPrefix(w.Body.String(), `/**/f.x({"error":"parameter west`) || !strings.HasSuffix(w.Body.String(), "});\n") ||
		!strings.Contains(w.Body.String(), `"status":400`) || w.Header().Get("Cache-Control") != "no-store" ||
		w.Header().Get("Content-Type") != "application/javascript; charset=utf-8" {
		t.Errorf("a failure as a script: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := get(h, "/api/v1/places?west=400&callback=if"); w.Code != 400 || !strings.HasPrefix(w.Body.String(), "{") {
		t.Errorf("a failure for no function: %d %s", w.Code, w.Body)
	}
	if w := get(h, "/api/v1/places?west=1&callback=f"); !strings.HasSuffix(w.Body.String(), "});") ||
		w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("JSONP: %s", w.Body)
	}
}

func TestCoordinateSystems(t *testing.T) {
	h := handler(t)
	for crs, want := range map[string]string{"": "[13.0000000,47.0000000]", "&crs=EPSG:3857": "[1447153.380,5942074.072]"} {
		w := get(h, "/api/v1/places?west=1&limit=1&format=geojson"+crs)
		if !strings.Contains(w.Body.String(), `"coordinates":`+want) {
			t.Errorf("%s: %s", crs, w.Body)
		}
	}
	w := get(h, "/api/v1/places?west=1&limit=1&format=geojson&crs=31287")
	if got := w.Header().Get("Content-Crs"); got != "<http://www.opengis.net/def/crs/EPSG/0/31287>" ||
		!strings.Contains(w.Body.String(), `"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::31287"}}`) {
		t.Errorf("Content-Crs %s: %s", got, w.Body)
	}
	if got := get(h, "/api/v1/places?west=1").Header().Get("Content-Crs"); got != "<http://www.opengis.net/def/crs/OGC/1.3/CRS84>" {
		t.Errorf("Content-Crs %s", got)
	}
}

// Answers of an endpoint's own shape end in meta and keep to fields= and crs=.
func TestStreams(t *testing.T) {
	w := do(handler(t), "POST", "/api/v1/points?fields=n,geometry&crs=3857", `{"points":[{"lon":1,"lat":2}]}`)
	want := `{"results":[{"id":0,"places":[{"n":0,"geometry":{"type":"Point","coordinates":[1447153.380,5942074.072]}}]}],"meta":{"point_count":1,"query_time_ms":0,"license":"CC BY 4.0, © BEV, 2026"}}` + "\n"
	if w.Code != 200 || w.Body.String() != want || w.Header().Get("Content-Crs") != "<http://www.opengis.net/def/crs/EPSG/0/3857>" ||
		w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %s %v\nwant %s", w.Code, w.Body, w.Header(), want)
	}
}

// The binary forms are whole files, whatever the client's encoding, and a failure leaves none of their
// headers behind.
func TestBinaryForms(t *testing.T) {
	s := testService()
	s.GeoPackage = gpkg.Form{}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	for form, magic := range map[string]string{"gpkg": "SQLite format 3\x00", "parquet": "PAR1", "shapefile": "PK\x03\x04"} {
		w := get(h, "/api/v1/places?west=1&format="+form, "Accept-Encoding", "gzip")
		body := w.Body.Bytes()
		if w.Header().Get("Content-Encoding") == "gzip" {
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		} else if form == "gpkg" {
			t.Error("gpkg is not compressed though the client asked")
		}
		if w.Code != 200 || !strings.HasPrefix(string(body), magic) ||
			w.Header().Get("Content-Disposition") != `attachment; filename="places.`+format.Format(form).Extension()+`"` ||
			w.Header().Get("Content-Type") != format.Format(form).MediaType() {
			t.Errorf("%s: %d %v %.20q", form, w.Code, w.Header(), body)
		}
	}
	if w := get(handler(t), "/api/v1/places?west=1&format=gpkg"); w.Code != 400 || w.Header().Get("Content-Disposition") != "" ||
		!strings.Contains(w.Body.String(), "no GeoPackage") {
		t.Errorf("a service without GeoPackage: %d %s %v", w.Code, w.Body, w.Header())
	}
	if w := get(h, "/api/v1/places?west=1&format=parquet&crs=3035"); w.Code != 400 ||
		!strings.Contains(w.Body.String(), "EPSG:4326 with format=parquet") {
		t.Errorf("projected parquet: %d %s", w.Code, w.Body)
	}
	bad := failing(3, errors.New("secret"))
	bad.GeoPackage = gpkg.Form{}
	h, err = bad.Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"gpkg", "parquet", "shapefile"} {
		if w := get(h, "/api/v1/places?west=1&format="+form, "Accept-Encoding", "gzip"); w.Code != 500 || !json.Valid(w.Body.Bytes()) ||
			w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s fails: %d %v %s", form, w.Code, w.Header(), w.Body)
		}
	}
}

// Walking the next links visits each row exactly once, with the same query.
func TestPagesVisitEachRowOnce(t *testing.T) {
	h := handler(t)
	url, seen := "/api/v1/places?west=1&count=23&limit=5&fields=n&layers=parcels%2Cbuildings&nocache=\"a>b,ä", map[int]int{}
	pages := 0
	for url != "" {
		w := get(h, url)
		var b struct {
			Data []struct{ N int }
			Meta struct{ Total, Offset, Limit int }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &b); err != nil || w.Code != 200 || b.Meta.Total != 23 || b.Meta.Offset != pages*5 ||
			b.Meta.Limit != 5 {
			t.Fatalf("%s: %d %v %s", url, w.Code, err, w.Body)
		}
		for _, d := range b.Data {
			seen[d.N]++
		}
		pages++
		url = ""
		for _, l := range w.Header().Values("Link") {
			if strings.Contains(l, `rel="next"`) {
				url = l[1:strings.Index(l, ">")]
			}
		}
		if url != "" && !strings.Contains(url, "layers=parcels%2Cbuildings") {
			t.Errorf("the next link loses the query: %s", url)
		}
	}
	if pages != 5 || len(seen) != 23 {
		t.Errorf("%d pages, %d rows", pages, len(seen))
	}
	for n, times := range seen {
		if times != 1 {
			t.Errorf("row %d was seen %d times", n, times)
		}
	}
}

func TestCursorBelongsToItsQueryAndData(t *testing.T) {
	s := testService()
	generation := "g1"
	s.Pin = func(ctx context.Context) (context.Context, reply.Generation, error) {
		return ctx, reply.Generation{ID: generation}, nil
	}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	link := get(h, "/api/v1/places?west=1&limit=5").Header().Values("Link")[1]
	next := link[1:strings.Index(link, ">")]
	for change, status := range map[string]int{"": 200, "&kg=1": 400, "&format=csv": 200, "&offset=5": 400} {
		if w := get(h, next+change); w.Code != status {
			t.Errorf("next%s: %d, want %d", change, w.Code, status)
		}
	}
	if w := get(h, strings.Replace(next, "limit=5", "limit=7", 1)); w.Code != 200 {
		t.Errorf("another page size: %d", w.Code)
	}
	// A walk goes on in the generation that it began in, as long as that is kept.
	generation = "g2"
	kept := map[string]bool{"g1": true}
	s.Repin = func(ctx context.Context, id string) (context.Context, reply.Generation, error) {
		if !kept[id] {
			return ctx, reply.Generation{}, fmt.Errorf("%s: %w", id, ErrNoGeneration)
		}
		return ctx, reply.Generation{ID: id}, nil
	}
	walking, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	shorter := strings.Replace(next, "limit=5", "limit=2", 1) // leaves a third page
	w := get(walking, shorter)
	links := w.Header().Values("Link")
	if w.Code != 200 || len(links) < 2 {
		t.Fatalf("a generation that is kept: %d %v %s", w.Code, links, w.Body)
	}
	generation = "g3"
	third := links[1][1:strings.Index(links[1], ">")]
	if again := get(walking, third); again.Code != 200 || again.Header().Get("ETag") == w.Header().Get("ETag") {
		t.Errorf("the page after it: %d %s", again.Code, again.Body)
	}
	delete(kept, "g1")
	if w := get(walking, shorter); w.Code != 400 || !strings.Contains(w.Body.String(), "data that is still kept") {
		t.Errorf("a generation that is gone: %d %s", w.Code, w.Body)
	}
	if w := get(h, next); w.Code != 400 || !strings.Contains(w.Body.String(), "it was renewed") {
		t.Errorf("renewed data: %d %s", w.Code, w.Body)
	}
}

// A 304 costs no query: the handler is not called.
func TestConditionalRequests(t *testing.T) {
	s := testService()
	served := 0
	serve := s.Endpoints[0].Serve
	s.Endpoints[0].Serve = func(ctx context.Context, r *Request) (reply.Answer, error) {
		served++
		return serve(ctx, r)
	}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	const url = "/api/v1/places?west=1"
	w := get(h, url)
	tag := w.Header().Get("ETag")
	if cc := w.Header().Get("Cache-Control"); cc != "max-age=120" || served != 1 || !strings.HasPrefix(tag, `W/"`) {
		t.Fatalf("ETag %s, Cache-Control %s, served %d", tag, cc, served)
	}
	w = get(h, url, "If-None-Match", tag)
	if w.Code != 304 || w.Body.Len() != 0 || served != 1 || w.Header().Get("ETag") != tag ||
		w.Header().Get("Cache-Control") != "max-age=120" {
		t.Errorf("%d, %d bytes, served %d, %v", w.Code, w.Body.Len(), served, w.Header())
	}
	for name, w := range map[string]*httptest.ResponseRecorder{
		"nocache parameter":       get(h, url+"&nocache=1", "If-None-Match", tag),
		"nocache with a clock":    get(h, url+"&nocache=1763700000123", "If-None-Match", tag),
		"nocache without a value": get(h, url+"&nocache", "If-None-Match", tag),
		"Cache-Control: no-cache": get(h, url, "If-None-Match", tag, "Cache-Control", "no-cache"),
		"another tag":             get(h, url, "If-None-Match", `"x"`),
		"gzip has its own tag":    get(h, url, "If-None-Match", tag, "Accept-Encoding", "gzip"),
		"Accept has its own tag":  get(h, url, "If-None-Match", tag, "Accept", "text/csv"),
	} {
		if w.Code != 200 || w.Body.Len() == 0 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	if w := get(h, url+"&nocache=1"); w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a forced answer may be stored: %s", w.Header().Get("Cache-Control"))
	}
	if w := get(h, "/api/v1/debug/inflight"); w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("live endpoint: %v", w.Header())
	}
}

// New software may write other bytes from the same data: what a client holds of the old is asked for anew.
func TestETagsChangeWithTheBuild(t *testing.T) {
	tag := func(build string) string {
		s := testService()
		s.Build = build
		h, err := s.Handler()
		if err != nil {
			t.Fatal(err)
		}
		return get(h, "/api/v1/places?west=1").Header().Get("ETag")
	}
	if a, b := tag("a"), tag("b"); a == b || a != tag("a") {
		t.Errorf("want an ETag for each build, got %s and %s", a, b)
	}
}

// A GeoPackage that is written for a request names the date of the process: two processes write other bytes of the same rows,
// so that no strong tag can be of them. Rows as CSV have the same bytes and a strong one.
func TestWrittenFilesHaveWeakTags(t *testing.T) {
	asked := func(form string, year int) *httptest.ResponseRecorder {
		s := testService()
		s.GeoPackage = gpkg.Form{Time: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)}
		h, err := s.Handler()
		if err != nil {
			t.Fatal(err)
		}
		return get(h, "/api/v1/places?west=1&format="+form)
	}
	for form, weak := range map[string]bool{"gpkg": true, "csv": false} {
		a, b := asked(form, 2025), asked(form, 2026)
		tag, same := a.Header().Get("ETag"), bytes.Equal(a.Body.Bytes(), b.Body.Bytes())
		if a.Code != 200 || strings.HasPrefix(tag, "W/") != weak || tag != b.Header().Get("ETag") || same == weak {
			t.Errorf("%s: %d, tags %s and %s, the same bytes: %v", form, a.Code, tag, b.Header().Get("ETag"), same)
		}
	}
}

func TestOwnETag(t *testing.T) {
	s := testService()
	s.Endpoints[0].Cache = Hourly
	s.Endpoints[0].ETag = func(context.Context, *Request) (string, error) { return "abc", nil }
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string]string{"": `W/"abc"`, "&format=csv": `"abc-csv"`} {
		if w := get(h, "/api/v1/places?west=1"+q); w.Header().Get("ETag") != want || w.Header().Get("Cache-Control") != "max-age=3600" {
			t.Errorf("%q: %s, want %s", q, w.Header().Get("ETag"), want)
		}
	}
	if got := get(h, "/api/v1/places?west=1", "Accept-Encoding", "gzip").Header().Get("ETag"); got != `W/"abc-gzip"` {
		t.Errorf("gzip: %s", got)
	}
	for _, c := range []struct{ sent, encoding, query, want string }{
		{`"abc"`, "gzip", "", `W/"abc"`}, // a client may know it from the body
		{`W/"abc-gzip"`, "gzip", "", `W/"abc-gzip"`},
		{`"x", "abc-gzip"`, "gzip", "", `W/"abc-gzip"`},
		{`*`, "gzip", "", `W/"abc-gzip"`},
		{`"abc-gzip"`, "", "", ""},
		{`"abc"`, "gzip", "&format=csv", ""},
		{`"abc-csv"`, "gzip", "&format=csv", `"abc-csv"`},
		{`"abc"`, "gzip", "&nocache", ""},
	} {
		w := get(h, "/api/v1/places?west=1"+c.query, "If-None-Match", c.sent, "Accept-Encoding", c.encoding)
		if c.want != "" && (w.Code != 304 || w.Header().Get("ETag") != c.want) || c.want == "" && w.Code != 200 {
			t.Errorf("%+v: %d %s", c, w.Code, w.Header().Get("ETag"))
		}
	}
}

// TestTheDescriptionByItsMediaType: who asks for OpenAPI's own media type is given it, and others JSON.
func TestTheDescriptionByItsMediaType(t *testing.T) {
	h := handler(t)
	tags := map[string]bool{}
	for accept, want := range map[string]string{"": "application/json", "*/*": "application/json", "application/json": "application/json",
		"text/html": "application/json",
		"application/vnd.oai.openapi+json;version=3.1": "application/vnd.oai.openapi+json;version=3.1",
		"application/vnd.oai.openapi+json, */*;q=0.1":  "application/vnd.oai.openapi+json;version=3.1"} {
		w := get(h, "/openapi.json", "Accept", accept)
		if got := w.Header().Get("Content-Type"); w.Code != 200 || got != want || !strings.Contains(w.Header().Get("Vary"), "Accept") {
			t.Errorf("Accept %q: %d %s, want %s", accept, w.Code, got, want)
		}
		tags[w.Header().Get("ETag")] = true
	}
	if len(tags) != 2 {
		t.Errorf("tags %v of two media types", tags)
	}
}

func TestMethods(t *testing.T) {
	h := handler(t)
	full := get(h, "/api/v1/places?west=1")
	head := do(h, "HEAD", "/api/v1/places?west=1", "")
	if head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("ETag") != full.Header().Get("ETag") ||
		head.Header().Get("Content-Type") != "application/json" {
		t.Errorf("HEAD: %d %d bytes %v", head.Code, head.Body.Len(), head.Header())
	}
	for _, u := range []string{"/api/v1/parcel/1-1", "/docs", "/openapi.json", "/api/v1/places?west=1&format=csv"} {
		if w := do(h, "HEAD", u, ""); w.Code != 200 || w.Body.Len() != 0 {
			t.Errorf("HEAD %s: %d, %d bytes", u, w.Code, w.Body.Len())
		}
	}
	pre := do(h, "OPTIONS", "/api/v1/points", "", "Origin", "https://a.example", "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "content-type")
	if pre.Code != 204 || pre.Header().Get("Access-Control-Allow-Methods") != "OPTIONS, POST" ||
		pre.Header().Get("Access-Control-Allow-Headers") == "" || pre.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("preflight: %d %v", pre.Code, pre.Header())
	}
	for _, c := range [][3]string{{"POST", "/api/v1/places", "GET, HEAD, OPTIONS"}, {"GET", "/api/v1/points", "OPTIONS, POST"},
		{"DELETE", "/docs", "GET, HEAD, OPTIONS"}, {"BREW", "/api/v1/parcel/1-1", "GET, HEAD, OPTIONS"}} {
		if w := do(h, c[0], c[1], ""); w.Code != 405 || w.Header().Get("Allow") != c[2] || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s: %d Allow %s", c[0], c[1], w.Code, w.Header().Get("Allow"))
		}
	}
	for _, u := range []string{"/api/v1/place", "/api/v1/places/", "/api//v1/places", "/api/v1/../v1/places", "/%2F"} {
		w := get(h, u)
		var e errorBody
		if json.Unmarshal(w.Body.Bytes(), &e); w.Code != 404 || e.Code != fault.NotFound {
			t.Errorf("%s: %d %s", u, w.Code, w.Body)
		}
	}
}

func TestMountedLinksCarryThePrefix(t *testing.T) {
	inner := handler(t)
	h, other := Mount("/cadastre", inner), Mount("/other", inner)
	link := strings.Join(get(h, "/cadastre/api/v1/places?west=1&limit=1").Header().Values("Link"), " ")
	if !strings.Contains(link, "</cadastre/api/v1/places?west=1&limit=1&cursor=") {
		t.Errorf("Link %s", link)
	}
	if w := get(h, "/cadastre/api/v1/parcel/1-1%2F2"); w.Code != 200 || !strings.Contains(w.Body.String(), "00001-1/2") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if b := get(h, "/cadastre/openapi.json").Body.String(); !strings.Contains(b, `"servers":[{"url":"/cadastre"}]`) {
		t.Error("openapi.json does not name the prefix")
	}
	if b := get(other, "/other/openapi.json").Body.String(); !strings.Contains(b, `"servers":[{"url":"/other"}]`) {
		t.Error("openapi.json does not name the second prefix")
	}
	if b := get(h, "/cadastre/docs").Body.String(); !strings.Contains(b, `href="/cadastre/openapi.json"`) {
		t.Error("the page does not name the prefix")
	}
	s := testService()
	s.BaseURL = "https://x.example"
	own, _ := s.Handler()
	if b := get(own, "/openapi.json", "X-Forwarded-Prefix", "/evil").Body.String(); !strings.Contains(b,
		`"servers":[{"url":"https://x.example"}]`) {
		t.Error("openapi.json does not name the base URL")
	}
}
