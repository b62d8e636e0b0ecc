package smoke

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// The services by their names in paths.
const (
	cadastre  = "cadastre"
	surrounds = "context"
	landscape = "landscape"
	expander  = "expander"
	books     = "books"
	workfeed  = "workfeed"
	models    = "mcp"
	front     = "pages"
)

var serviceNames = []string{cadastre, surrounds, landscape, expander, books, workfeed}

// checks are all requests, in their order: what is learned stands before what needs it.
var checks = func() (out []check) {
	out = append(out, check{service: front, name: "the index page", path: "/", holds: isText("<html")},
		check{service: front, name: "the map page", path: "/map/", holds: isText("<html")})
	for _, s := range serviceNames {
		out = append(out, check{service: s, name: "the description", path: "/" + s + "/openapi.json", holds: describes})
	}
	out = append(out, cadastreChecks...)
	out = append(out, otherChecks...)
	return append(out, manners...)
}()

var cadastreChecks = []check{
	{service: cadastre, name: "KGs with data", path: "/cadastre/llm/coverage.json", holds: learnKG},
	{service: cadastre, name: "a parcel of a KG", path: "/cadastre/api/v1/query?kg={kg}&limit=1", holds: learnParcel},
	{service: cadastre, name: "the parcel by its number", path: "/cadastre/api/v1/search/parcel?id={parcel}"},
	{service: cadastre, name: "the parcel at a place", path: "/cadastre/api/v1/spatial/point?lon={lon}&lat={lat}", holds: holdsParcel},
	{service: cadastre, name: "a search by name", path: "/cadastre/api/v1/search/kg?q={kg}", holds: rows},
	{service: cadastre, name: "the text for models", path: "/cadastre/api/v1/docs/llm.txt", holds: isText("## Conventions")},
	{service: cadastre, name: "a KG as GeoJSON", path: "/cadastre/api/v1/export/geojson?kg={kg}&layers=parcels",
		holds: isText("FeatureCollection")},
	{service: cadastre, name: "OGC API Features", path: "/cadastre/ogc/conformance", holds: has("conformsTo")},
	{service: cadastre, name: "STAC", path: "/cadastre/stac", holds: has("stac_version")},
	{service: cadastre, name: "how complete the country is", path: "/cadastre/api/v1/kg_versions", holds: countsKGs},
}

var otherChecks = []check{
	{service: surrounds, name: "what surrounds a place", path: "/context/api/v1/context?lon={lon}&lat={lat}"},
	{service: surrounds, name: "a price", path: "/context/api/v1/land_prices/point?lon={lon}&lat={lat}&area_sqm=500",
		status: []int{200, 404}, holds: isObject},
	{service: surrounds, name: "places near", path: "/context/api/v1/toponyms/near?lon={lon}&lat={lat}", status: []int{200, 404}},
	{service: landscape, name: "the layers", path: "/landscape/api/v1/layers"},
	{service: landscape, name: "the search index", path: "/landscape/api/v1/index/status", holds: countsIndex},
	{service: landscape, name: "a KG of the index", path: "/landscape/api/v1/query?kg={kg}", holds: has("kg_code")},
	{service: landscape, name: "the processor", path: "/landscape/api/v1/processing/status", status: []int{200, 503}, holds: isObject},
	{service: expander, name: "a rule across a clock change", path: "POST /expander/v1/preview",
		body:  `{"rules":[{"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2027-03-27T02:30:00"}]}`,
		holds: isText("2027-03-28T01:30:00Z")},
	{service: expander, name: "what is paid asks for payment", path: "POST /expander/v1/expand",
		body: `{"rules":[{"rrule":"FREQ=DAILY;COUNT=2","tz":"Europe/Vienna","start":"2027-03-27T02:30:00"}]}`, status: []int{402, 503},
		holds: isObject},
	{service: books, name: "a client's list asks for a token", path: "/books/api/clients/demo/projects", status: []int{401},
		holds: isObject},
	{service: workfeed, name: "the feed", path: "/workfeed/work/feed?limit=1", holds: has("count")},
	{service: models, name: "the tools", path: "POST /mcp", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		header: [2]string{"Accept", "application/json, text/event-stream"}, holds: isText(`"tools"`)},
}

// manners are how all services answer.
var manners = []check{
	{service: cadastre, name: "an answer has an ETag", path: "/cadastre/api/v1/landuse/codes", holds: learnTag},
	{service: cadastre, name: "what has not changed is 304", path: "/cadastre/api/v1/landuse/codes",
		header: [2]string{"If-None-Match", "{etag}"}, status: []int{http.StatusNotModified}, holds: anything},
	{service: cadastre, name: "an unknown parameter is named", path: "/cadastre/api/v1/landuse/codes?sunshine=1", status: []int{400},
		holds: isText("sunshine")},
	{service: cadastre, name: "a wrong value is named", path: "/cadastre/api/v1/spatial/point?lon=200&lat=48", status: []int{400},
		holds: isText("lon")},
	{service: cadastre, name: "an unknown path is 404", path: "/cadastre/api/v1/nowhere", status: []int{404}, holds: anything},
	{service: cadastre, name: "a preflight of another origin", path: "OPTIONS /cadastre/api/v1/query",
		header: [2]string{"Origin", "https://elsewhere.example"}, status: []int{200, 204}, holds: allowsAll},
	{service: landscape, name: "a body that is no JSON is 400", path: "POST /landscape/api/v1/query/compound", body: "{",
		status: []int{400}, holds: isObject},
	{service: landscape, name: "an operator's call without a token", path: "DELETE /landscape/api/v1/processing/queue?kg=00000",
		status: []int{200, 401, 403, 503}, holds: closed},
}

func anything(*run, *answer) string { return "" }

// closed says in the table where operators' calls are open, as on a laptop.
func closed(_ *run, a *answer) string {
	if a.status == http.StatusOK {
		return skip + "operators' calls are open here: no token is set up"
	}
	return ""
}

func describes(_ *run, a *answer) string {
	paths, _ := at(a.object(), "paths").(map[string]any)
	if len(paths) == 0 {
		return "no paths are described: " + excerpt(a.body)
	}
	return ""
}

func rows(_ *run, a *answer) string {
	if list, ok := at(a.object(), "data").([]any); !ok || len(list) == 0 {
		return "nothing is found: " + excerpt(a.body)
	}
	return ""
}

func learnKG(r *run, a *answer) string {
	var list []any
	if json.Unmarshal(a.body, &list) != nil {
		for _, v := range a.object() {
			if l, ok := v.([]any); ok && len(l) > 0 {
				list = l
			}
		}
	}
	for _, v := range list {
		code, ok := v.(string)
		if !ok {
			code, _ = at(v, "kg_code").(string)
		}
		if len(code) == 5 {
			r.learn("kg", code)
			return ""
		}
	}
	return "no KG has data: build some, or have one loaded"
}

func learnParcel(r *run, a *answer) string {
	row := at(a.object(), "data", "0")
	id, _ := at(row, "parcel_id").(string)
	if id == "" {
		return "the KG has no parcel: " + excerpt(a.body)
	}
	r.learn("parcel", url.QueryEscape(id))
	for _, name := range []string{"lon", "lat"} {
		if v, ok := at(row, name).(float64); ok {
			r.learn(name, fmt.Sprintf("%.7f", v))
		}
	}
	return ""
}

// holdsParcel: the centroid of a parcel may lie outside it, but not outside all parcels of its KG for long.
func holdsParcel(r *run, a *answer) string {
	if !strings.Contains(string(a.body), r.known["kg"]) {
		return "no parcel of KG " + r.known["kg"] + " is at the place: " + excerpt(a.body)
	}
	return ""
}

func countsKGs(_ *run, a *answer) string {
	if n, _ := at(a.object(), "totals", "kgs_with_snapshot").(float64); n == 0 {
		return "no KG of the register has data: " + excerpt(a.body)
	}
	return ""
}

func countsIndex(_ *run, a *answer) string {
	if v, ok := at(a.object(), "available").(bool); ok && !v {
		return skip + "no KG was analysed yet"
	}
	return has("total_kgs")(nil, a)
}

func learnTag(r *run, a *answer) string {
	tag := a.header.Get("ETag")
	if tag == "" {
		return "no ETag"
	}
	r.learn("etag", tag)
	return ""
}

func allowsAll(_ *run, a *answer) string {
	if got := a.header.Get("Access-Control-Allow-Origin"); got != "*" {
		return fmt.Sprintf("Access-Control-Allow-Origin is %q, expected *", got)
	}
	return ""
}
