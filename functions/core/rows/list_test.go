package rows_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/gpkg"
	"mappe/shared/web/reply"
)

// serve is a service of these endpoints over the made-up world, with its clock standing still.
func serve(t *testing.T, list ...endpoint.Endpoint) http.Handler {
	t.Helper()
	s := fixture.Store(t)
	lib := fixture.Library(t, s)
	return serveFrom(t, lib, list...)
}

func serveFrom(t *testing.T, lib *library.Library, list ...endpoint.Endpoint) http.Handler {
	t.Helper()
	service := &endpoint.Service{System: "test", Title: "test", Version: "test", Endpoints: list,
		Pin: generation.Pin(lib), Repin: generation.Repin(lib), GeoPackage: gpkg.Form{Time: fixture.Noon}, Now: fixture.Now}
	return fixture.Handler(t, service)
}

func get(h http.Handler, target string, header ...string) *httptest.ResponseRecorder {
	return fixture.Ask(h, "GET", target, "", header...)
}

// answer is the envelope of a list.
type answer struct {
	Data []map[string]any
	Meta map[string]any
}

func getList(t *testing.T, h http.Handler, target string) (answer, http.Header) {
	t.Helper()
	w := get(h, target)
	var a answer
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %v %s", target, w.Code, err, w.Body)
	}
	return a, w.Header()
}

func (a *answer) ids() string {
	var ids []string
	for _, r := range a.Data {
		ids = append(ids, fmt.Sprint(r["parcel_id"]))
	}
	return strings.Join(ids, " ")
}

const ofWestdorf = "/api/v1/kg/parcels?kg=88801"

func TestListOfOneKG(t *testing.T) {
	h := serve(t, parcelsOfKG())
	for _, c := range []struct{ query, want string }{
		{"&min_area=8014", "88801-14 88801-15 88801-16"},
		{"&min_area=8014&limit=1&offset=1", "88801-15"},
		{"&min_area=9000", ""},
		{"&limit=1", "88801-1"},
	} {
		if a, _ := getList(t, h, ofWestdorf+c.query); a.ids() != c.want || a.Data == nil {
			t.Errorf("%s: want %s, got %s", c.query, c.want, a.ids())
		}
	}
	a, _ := getList(t, h, ofWestdorf+"&limit=2")
	if a.Meta["total"] != 17. || a.Meta["ready"] != true || a.Data[0]["geometry"] == nil || len(a.Data[0]) != len(listed.Columns)+1 {
		t.Errorf("want 17 parcels with their geometry and declared columns, got %v %v", a.Meta, a.Data[0])
	}
}

// Every form of rows has every match.
func TestListInEveryForm(t *testing.T) {
	h := serve(t, parcelsOfKG())
	id := regexp.MustCompile(`88801-[.0-9/]+`)
	for _, f := range format.WithShapefile(format.AllFormats(), []*format.RowType{listed.RowType}) {
		w := get(h, ofWestdorf+"&min_area=8014&format="+string(f))
		if w.Code != 200 || w.Header().Get("Content-Type") != f.ContentType() {
			t.Errorf("%s: %d %s", f, w.Code, w.Header().Get("Content-Type"))
		}
		found := map[string]bool{}
		for _, m := range id.FindAllString(w.Body.String(), -1) {
			found[m] = true
		}
		switch f {
		case format.FormGeoPackage:
			if !bytes.HasPrefix(w.Body.Bytes(), []byte("SQLite format 3")) {
				t.Errorf("%s: %.20q", f, w.Body)
			}
		case format.FormShapefile:
			if !bytes.HasPrefix(w.Body.Bytes(), []byte("PK\x03\x04")) {
				t.Errorf("%s: %.20q", f, w.Body)
			}
		case format.FormParquet:
			if !bytes.HasPrefix(w.Body.Bytes(), []byte("PAR1")) {
				t.Errorf("%s: %.20q", f, w.Body)
			}
		default:
			if len(found) != 3 {
				t.Errorf("%s: want three parcels, got %v", f, found)
			}
		}
	}
}

// The cursor of each page's Link leads over every row once.
func TestListByCursor(t *testing.T) {
	h := serve(t, parcelsOfKG())
	all, _ := getList(t, h, ofWestdorf+"&limit=100")
	next := regexp.MustCompile(`<([^>]*)>; rel="next"`)
	var walked []string
	for target := ofWestdorf + "&limit=5"; target != ""; {
		a, header := getList(t, h, target)
		walked = append(walked, a.ids())
		target = ""
		if m := next.FindStringSubmatch(strings.Join(header.Values("Link"), ", ")); m != nil {
			target = m[1]
		}
	}
	if got := strings.Join(walked, " "); len(walked) != 4 || got != all.ids() {
		t.Errorf("want %s, got %s in %d pages", all.ids(), got, len(walked))
	}
}

func TestListOfADate(t *testing.T) {
	h := serve(t, parcelsOfKG())
	a, header := getList(t, h, ofWestdorf+"&min_area=8016&version="+fixture.Stichtag)
	if a.ids() != "88801-16" || header.Get("X-Data-Version") != fixture.Stichtag || a.Meta["version"] != fixture.Stichtag {
		t.Errorf("of its own day: got %s %v", a.ids(), a.Meta)
	}
	a, header = getList(t, h, ofWestdorf+"&version=2026-09-30")
	if a.ids() != "" || fmt.Sprint(a.Meta["kgs_without_version"]) != "[88801]" || a.Meta["ready"] != true || header.Get("ETag") == "" {
		t.Errorf("of the day before: got %s %v", a.ids(), a.Meta)
	}
	if w := get(h, ofWestdorf+"&version=yesterday"); w.Code != 400 {
		t.Errorf("no date: want 400, got %d", w.Code)
	}
}

// A KG that cannot be read is named, and the answer is not kept by caches; one that does not exist is an error.
func TestListOfWhatCannotBeRead(t *testing.T) {
	h := serve(t, parcelsOfKG())
	a, header := getList(t, h, "/api/v1/kg/parcels?kg=88803")
	if a.Meta["ready"] != false || fmt.Sprint(a.Meta["kgs_unavailable"]) != "[88803]" || len(a.Data) != 0 {
		t.Errorf("a cold KG: got %v", a)
	}
	if header.Get(view.ReadyHeader) != "false" || header.Get("ETag") != "" || header.Get("Cache-Control") != "no-store" {
		t.Errorf("a cold KG: headers %v", header)
	}
	if w := get(h, "/api/v1/kg/parcels?kg=77777"); w.Code != 404 || !strings.Contains(w.Body.String(), "no KG 77777") {
		t.Errorf("an unknown KG: got %d %s", w.Code, w.Body)
	}
}

// The ETag of an answer is that of the KGs that decide it: what is published of others leaves it.
func TestListIsValidatedByItsKGs(t *testing.T) {
	s := mem.New()
	etags := func(change func(i int) bool) (one, other string) {
		list := fixture.Snapshots()
		for i := range list {
			if change(i) {
				list[i].Parcels[0].AreaSqm++
			}
		}
		if err := fixture.Publish(s, list, "88803"); err != nil {
			t.Fatal(err)
		}
		lib := fixture.Library(t, s)
		h := serveFrom(t, lib, parcelsOfKG())
		one, other = get(h, ofWestdorf).Header().Get("ETag"), get(h, "/api/v1/kg/parcels?kg=88802").Header().Get("ETag")
		if w := get(h, ofWestdorf, "If-None-Match", one); w.Code != 304 || w.Body.Len() > 0 {
			t.Errorf("want 304 for the same answer, got %d", w.Code)
		}
		return one, other
	}
	west, east := etags(func(int) bool { return false })
	west2, east2 := etags(func(i int) bool { return fixture.Snapshots()[i].KG.Code == "88802" })
	if west == "" || west != west2 || east == east2 {
		t.Errorf("ETags %s and %s became %s and %s", west, east, west2, east2)
	}
}

// A query that would read too many KGs is refused.
func TestBoundOfKGs(t *testing.T) {
	h := serve(t, rows.List(endpoint.Endpoint{Method: "GET", Path: "/many", ID: "many", Tag: "t", Summary: "s", Example: "/many",
		Answer: endpoint.Answer{Rows: []*format.RowType{rowschema.Parcel.RowType}}},
		func(ctx context.Context, v *view.View, _ *endpoint.Request) (*rows.Query, error) {
			codes := make([]austria.KGCode, view.MaxKGs+1)
			for i := range codes {
				codes[i] = "88801"
			}
			return rows.Over(ctx, v, codes, rows.Layer{Source: rows.Parcels(rowschema.Parcel.Record())})
		}))
	if w := get(h, "/many"); w.Code != 413 || !strings.Contains(w.Body.String(), "2049 KGs") {
		t.Errorf("want 413, got %d %s", w.Code, w.Body)
	}
}

// Rows with one of the columns of what lies over them have all the others that they declare, whether anything lies over
// them, is known, or not.
func TestPartOfWhatLiesOver(t *testing.T) {
	over := mem.New()
	if err := fixture.PublishOver(over, func(*register.Contents) {}, "88803"); err != nil {
		t.Fatal(err)
	}
	part := rowschema.ParcelShown.Named("part", "Parcels with one of the columns.").
		Only("parcel_id", "in_natura2000", "kg_code", "gnr", "area_sqm", "lon", "lat")
	for name, c := range map[string]struct {
		lib  *library.Library
		kg   string
		want any // in_natura2000
	}{
		"in a site": {fixture.Library(t, over), "88801", true}, "in none": {fixture.Library(t, over), "804", false},
		"not known": {fixture.Library(t, fixture.Store(t)), "88801", nil},
	} {
		h := serveFrom(t, c.lib, rows.List(endpoint.Endpoint{Method: "GET", Path: "/part", ID: "part", Tag: "t", Summary: "s",
			Example: "/part?kg=88801",
			Params:  []endpoint.AnyParam{kg}, Answer: endpoint.Answer{Rows: []*format.RowType{part.RowType}}},
			func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
				return rows.Over(ctx, v, []austria.KGCode{kg.Of(r)}, rows.Layer{Source: rows.Parcels(part.Record())})
			}))
		a, _ := getList(t, h, "/part?limit=1&kg="+c.kg)
		row := a.Data[0]
		if row["in_natura2000"] != c.want {
			t.Errorf("%s: %v", name, row)
		}
		h = serveFrom(t, c.lib, rows.List(endpoint.Endpoint{Method: "GET", Path: "/whole", ID: "whole", Tag: "t", Summary: "s",
			Example: "/whole?kg=88801", Params: []endpoint.AnyParam{kg},
			Answer: endpoint.Answer{Rows: []*format.RowType{rowschema.ParcelShown.RowType}}},
			func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
				return rows.Over(ctx, v, []austria.KGCode{kg.Of(r)}, rows.Layer{Source: rows.Parcels(rowschema.ParcelShown.Record())})
			}))
		all, _ := getList(t, h, "/whole?limit=1&kg="+c.kg)
		if got := all.Data[0]; got["in_natura2000"] != c.want || (got["natura2000_sites"] != nil) != (c.want == true) ||
			got["area_sqm"] == nil {
			t.Errorf("%s, with all columns: %v", name, got)
		}
		for _, column := range []string{"parcel_id", "kg_code", "gnr", "area_sqm", "lon", "lat"} {
			if row[column] == nil {
				t.Errorf("%s: no %s in %v", name, column, row)
			}
		}
	}
}

// places is an endpoint of the parcels and the address points of Westdorf and Ostdorf whose numbers the register knows, with a member
// beside data; beside is what it answers there.
func places(beside func() ([]reply.Member, error)) endpoint.Endpoint {
	return rows.List(endpoint.Endpoint{Method: "GET", Path: "/places", ID: "places", Tag: "t", Summary: "s", Example: "/places",
		Answer: endpoint.Answer{Rows: []*format.RowType{rowschema.Parcel.RowType, rowschema.Building.RowType}}},
		func(ctx context.Context, v *view.View, _ *endpoint.Request) (*rows.Query, error) {
			parcels := func(at *rows.Candidate) int { return at.KG.ParcelCount }
			points := func(at *rows.Candidate) int { return at.KG.BuildingCount }
			q, err := rows.Over(ctx, v, []austria.KGCode{"88801", "88802"},
				rows.Layer{Source: rows.Parcels(rowschema.Parcel.Record()), Count: parcels},
				rows.Layer{Source: rows.Buildings(rowschema.Building.Record()), Count: points})
			if err == nil && beside != nil {
				q.Beside = func(context.Context, *rows.Query) ([]reply.Member, error) { return beside() }
			}
			return q, err
		})
}

// walk follows the cursors of a list; between says who answers the next page. It gives the rows of each page by their ids.
func walk(t *testing.T, h http.Handler, target string, between func(page int) http.Handler) (pages [][]string) {
	t.Helper()
	next := regexp.MustCompile(`<([^>]*)>; rel="next"`)
	for target != "" {
		a, header := getList(t, h, target)
		var ids []string
		for _, r := range a.Data {
			ids = append(ids, fmt.Sprint(r["parcel_id"], r["building_id"]))
		}
		pages, target = append(pages, ids), ""
		if m := next.FindStringSubmatch(strings.Join(header.Values("Link"), ", ")); m != nil {
			target = m[1]
		}
		if len(pages) > 100 {
			t.Fatal("the walk does not end")
		}
		if between != nil {
			h = between(len(pages))
		}
	}
	return pages
}

// The cursors lead over the rows of several layers, each once; a KG that leaves the store between two pages takes its own rows along
// and leaves no page empty while others follow.
func TestCursorsOverLayers(t *testing.T) {
	s := fixture.Store(t)
	h := serveFrom(t, fixture.Library(t, s), places(nil))
	all, _ := getList(t, h, "/places?limit=1000")
	n := len(all.Data)
	for limit := 1; limit <= n+1; limit += 4 {
		seen := map[string]bool{}
		for i, page := range walk(t, h, fmt.Sprintf("/places?limit=%d", limit), nil) {
			if len(page) != min(limit, n-i*limit) {
				t.Errorf("%d rows a page: page %d has %d", limit, i, len(page))
			}
			for _, id := range page {
				seen[id] = true
			}
		}
		if len(seen) != n {
			t.Errorf("%d rows a page: %d of %d", limit, len(seen), n)
		}
	}
	key := view.At(t.Context(), fixture.View(t, s)).Register().KG("88801").Snapshot.Key
	h = serveFrom(t, fixture.Library(t, s), places(nil))
	pages := walk(t, h, "/places?limit=5", func(page int) http.Handler {
		if page == 1 {
			if err := s.Delete(t.Context(), key); err != nil {
				t.Fatal(err)
			}
		}
		return serveFrom(t, fixture.Library(t, s), places(nil)) // which has read nothing
	})
	given := 0
	for i, page := range pages {
		if len(page) < 5 && i < len(pages)-1 {
			t.Errorf("page %d of %d has %d rows: %v", i+1, len(pages), len(page), pages)
		}
		given += len(page)
	}
	if given != 5+17+2 { // the first page, and what Ostdorf has
		t.Errorf("%d rows: %v", given, pages)
	}
}

// What is beside data is in the answer, or ends it.
func TestMembersBesideRows(t *testing.T) {
	h := serve(t, places(func() ([]reply.Member, error) { return []reply.Member{{Name: "more", Value: 7}}, nil }))
	if w := get(h, "/places?limit=1"); w.Code != 200 || !strings.Contains(w.Body.String(), `"more":7`) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	h = serve(t, places(func() ([]reply.Member, error) { return nil, fault.New(fault.Conflict, "not today") }))
	if w := get(h, "/places?limit=1"); w.Code == 200 || !strings.Contains(w.Body.String(), "not today") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

// An endpoint says what its meta holds; one that does not say holds what is said of KGs that cannot be read.
func TestMetaOfLists(t *testing.T) {
	type own struct {
		view.GapsMeta
		Layers int `json:"layers"`
	}
	for _, c := range []struct{ given, want any }{{nil, view.GapsMeta{}}, {own{}, own{}}} {
		e := rows.ListCurrent(endpoint.Endpoint{Answer: endpoint.Answer{Meta: c.given}}, nil)
		if !reflect.DeepEqual(e.Answer.Meta, c.want) {
			t.Errorf("meta %T is described as %T", c.given, e.Answer.Meta)
		}
	}
}
