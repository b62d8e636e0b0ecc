// Package e2e is one script of requests that a running Mappe must answer, whichever way it runs: in
// one process, or as the real bootstraps behind the template's limits. It finds its places and ids in
// the served data, so it works on any published country.
package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sort"
	"strings"
)

// Exchange is one request and what must hold of its answer.
type Exchange struct {
	Name    string
	Method  string
	Path    string // with query
	Header  http.Header
	Body    []byte
	Status  int
	Type    string // media type of the answer, "" is not looked at
	Holds   string // a text the body must hold
	Compare bool   // the body is the same in every mode once volatile members are gone
}

// place is what the script learns of the served country.
type place struct {
	west, south, east, north float64
	lon, lat                 float64
	parcel, footprint, kg    string
	slashed                  string // a parcel id with a slash, "" when the sample has none
	date                     string // of the newest snapshot
}

// Script learns the country from the server at base and lists the exchanges.
func Script(base string) ([]Exchange, error) {
	p, err := learn(base)
	if err != nil {
		return nil, err
	}
	box := fmt.Sprintf("west=%.7f&south=%.7f&east=%.7f&north=%.7f", p.west, p.south, p.east, p.north)
	at := fmt.Sprintf("lon=%.7f&lat=%.7f", p.lon, p.lat)
	ring := fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%[1]f,%[2]f],[%[3]f,%[2]f],[%[3]f,%[4]f],[%[1]f,%[4]f],[%[1]f,%[2]f]]]}`, p.lon-0.002, p.lat-0.001, p.lon+0.002, p.lat+0.001)
	const api = "/cadastre/api/v1"
	get := func(name, path string) Exchange {
		return Exchange{Name: name, Method: "GET", Path: path, Status: 200, Type: "application/json", Compare: true}
	}
	post := func(name, path, body string) Exchange {
		e := get(name, path)
		e.Method, e.Body = "POST", []byte(body)
		return e
	}
	bad := func(e Exchange, status int, holds string) Exchange {
		e.Status, e.Holds, e.Compare = status, holds, true
		return e
	}
	typed := func(e Exchange, t string) Exchange {
		e.Type = t
		return e
	}
	list := []Exchange{
		get("box", api+"/spatial/bbox?"+box+"&limit=50"),
		get("box, aliases and filters", api+"/spatial/bbox?"+fmt.Sprintf("minlon=%.7f&minlat=%.7f&maxlon=%.7f&maxlat=%.7f", p.west, p.south, p.east, p.north)+"&landuse=41&min_area=100&has_buildings=yes&limit=20"),
		get("a parcel of a date", api+"/parcels/geometry/batch?ids="+url.QueryEscape(p.parcel)+"&version="+p.date),
		bad(get("a date without a snapshot", api+"/parcels/geometry/batch?ids="+url.QueryEscape(p.parcel)+"&version=1999-12-31"), 200, `"kgs_without_version":["`),
		get("box, buildings", api+"/spatial/bbox?"+box+"&layers=buildings&limit=20"),
		typed(get("box as GeoJSON", api+"/spatial/bbox?"+box+"&format=geojson&limit=200"), "application/geo+json"),
		typed(get("box as CSV", api+"/spatial/bbox?"+box+"&format=csv&limit=20"), "text/csv"),
		typed(get("box as NDJSON", api+"/spatial/bbox?"+box+"&format=ndjson&limit=20"), "application/x-ndjson"),
		typed(Exchange{Name: "box as GeoPackage", Method: "GET", Path: api + "/spatial/bbox?" + box + "&format=gpkg&limit=20", Status: 200, Holds: "SQLite format 3"}, "application/geopackage+sqlite3"),
		{Name: "box as JSONP", Method: "GET", Path: api + "/spatial/bbox?" + box + "&limit=2&callback=draw", Status: 200, Type: "application/javascript", Holds: "/**/draw("},
		get("sparse fields", api+"/spatial/bbox?"+box+"&limit=5&fields=parcel_id,area_sqm&pretty=1"),
		get("point", api+"/spatial/point?"+at+"&radius=80&layers=parcels,buildings"),
		post("points around", api+"/spatial/point", fmt.Sprintf(`{"points":[{"lon":%f,"lat":%f,"id":"a"}],"radius":50,"layers":["parcels","buildings"]}`, p.lon, p.lat)),
		post("points in parcels", api+"/spatial/points", fmt.Sprintf(`{"points":[{"lon":%f,"lat":%f},{"lon":10,"lat":48}]}`, p.lon, p.lat)),
		get("polygon in the query", api+"/spatial/polygon?limit=20&geojson="+url.QueryEscape(ring)),
		post("polygon", api+"/spatial/polygon?limit=20", ring),
		post("polygons", api+"/spatial/polygon", `{"polygons":[`+ring+`],"layers":["parcels","buildings"]}`),
		get("KGs in a box", api+"/spatial/kgs?"+box),
		post("KGs in a polygon", api+"/spatial/kgs", ring),
		get("viewport parcels", api+"/spatial/parcels?"+box+"&limit=20000"),
		get("viewport footprints", api+"/spatial/footprints?"+box+"&geometry=0"),
		get("parcel geometry", api+"/parcels/geometry/batch?ids="+url.QueryEscape(p.parcel)),
		post("parcel geometries", api+"/parcels/geometry/batch", `{"ids":["`+p.parcel+`","99999-1"]}`),
		get("footprint geometry", api+"/footprints/geometry/batch?ids="+p.footprint),
		post("footprint geometries", api+"/footprints/geometry/batch", `{"ids":["`+p.footprint+`"]}`),
		typed(get("KG as GeoJSON", api+"/export/geojson?kg="+p.parcel[:5]), "application/geo+json"),
		get("layers of a KG", api+"/export/geojson?kg="+p.parcel[:5]+"&layers=buildings,landuse&include_geometry=false"),
		typed(Exchange{Name: "KG as GeoPackage", Method: "GET", Path: api + "/export/gpkg?kg=" + p.parcel[:5], Status: 200, Holds: "SQLite format 3"}, "application/geopackage+sqlite3"),
		bad(get("an export of nothing", api+"/export/geojson"), 400, "gemeinde_code"),
		get("all KGs", "/context/api/v1/kgs"),
		get("KG codes", "/context/api/v1/kgs?fields=codes"),
		typed(Exchange{Name: "OpenAPI of the cadastre", Method: "GET", Path: "/cadastre/openapi.json", Status: 200, Holds: `"openapi":"3.1`}, ""),
		typed(Exchange{Name: "OpenAPI of the context", Method: "GET", Path: "/context/openapi.json", Status: 200, Holds: `"openapi":"3.1`}, ""),
		get("work feed", "/workfeed/work/feed?limit=1&board=Atlas"),
		get("work feed, by recording", "/workfeed/work/feed?after=0&tag=design"),
		typed(Exchange{Name: "work feed as JSON Feed", Method: "GET", Path: "/workfeed/work/feed?format=jsonfeed", Status: 200, Holds: "https://jsonfeed.org/version/1.1"}, "application/feed+json"),
		typed(Exchange{Name: "work feed as Atom", Method: "GET", Path: "/workfeed/work/feed", Header: http.Header{"Accept": {"application/atom+xml"}}, Status: 200, Holds: "<feed xmlns=\"http://www.w3.org/2005/Atom\""}, "application/atom+xml"),
		typed(Exchange{Name: "work as a page", Method: "GET", Path: "/workfeed/hq/work", Status: 200, Holds: "Print &lt;sheet&gt;", Compare: true}, "text/html"),
		bad(get("a work feed's limit too high", "/workfeed/work/feed?limit=501"), 400, "500"),
		bad(get("a work feed's unknown parameter", "/workfeed/work/feed?asignee=Mira"), 400, "did you mean assignee?"),
		typed(Exchange{Name: "the authors' page", Method: "GET", Path: "/books/", Status: 200, Holds: "</html>", Compare: true}, "text/html"),
		bad(get("a book without a token", "/books/api/books/1"), 401, `"error":"unauthorized"`),
		bad(post("a build with a wrong token", "/books/api/books/1/convert", `{"kind":"proof"}`), 401, `"error":"unauthorized"`),
		bad(post("a completion without a token", "/workfeed/work/complete", `{"task_id":"1","board":"Atlas","title":"x"}`), 401, "token"),
		bad(get("a limit too high", api+"/spatial/bbox?"+box+"&limit=100001"), 400, "100000"),
		bad(get("a limit of nothing", api+"/spatial/bbox?"+box+"&limit=0"), 400, "limit"),
		bad(get("an unknown parameter", api+"/spatial/bbox?"+box+"&limitt=5"), 400, "limit"),
		bad(get("a missing selector", api+"/spatial/bbox?west=13"), 400, "south"),
		bad(get("a parameter twice", api+"/spatial/bbox?"+box+"&limit=5&limit=6"), 400, "limit"),
		bad(post("a self-crossing polygon", api+"/spatial/kgs", `{"type":"Polygon","coordinates":[[[13,47],[14,48],[14,47],[13,48],[13,47]]]}`), 0, ""),
		bad(get("a path that names nothing", api+"/spatial/nothing"), 404, "error"),
		bad(Exchange{Name: "a method not allowed", Method: "DELETE", Path: api + "/spatial/bbox"}, 405, "error"),
	}
	const rule = `{"rules":[{"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2027-03-27T02:30:00"}]}`
	list = append(list,
		get("what the expander has", "/expander/"),
		typed(Exchange{Name: "the expander's page", Method: "GET", Path: "/expander/", Header: http.Header{"Accept": {"text/html"}}, Status: 200, Holds: "<form", Compare: true}, "text/html"),
		get("the expander's health", "/expander/health"),
		bad(post("a preview", "/expander/v1/preview", rule), 200, "nonexistent_shifted"),
		bad(post("a preview refused", "/expander/v1/preview", strings.Replace(rule, "DAILY", "DAILY;COUNT=0", 1)), 400, "COUNT"),
		Exchange{Name: "an expansion without payment", Method: "POST", Path: "/expander/v1/expand", Body: []byte("{"), Status: 402, Holds: `"maxAmountRequired":"20000"`},
	)
	if p.slashed != "" {
		list = append(list, get("a slash, encoded once", api+"/parcels/geometry/batch?ids="+url.QueryEscape(p.slashed)))
	}
	return list, nil
}

// learn asks the server for places and ids that the script can use.
func learn(base string) (place, error) {
	var kgs struct {
		Data struct {
			KGs []struct {
				Code string     `json:"kg_code"`
				BBox [4]float64 `json:"bbox"`
			} `json:"kgs"`
		} `json:"data"`
	}
	if err := getJSON(base+"/context/api/v1/kgs", &kgs); err != nil {
		return place{}, err
	}
	var pointer struct {
		Stichtag string `json:"stichtag"`
	}
	if err := getJSON(base+"/artefacts/current.json", &pointer); err != nil {
		return place{}, err
	}
	for _, k := range kgs.Data.KGs {
		p := place{date: pointer.Stichtag, kg: k.Code, west: k.BBox[0], south: k.BBox[1], east: k.BBox[2], north: k.BBox[3]}
		box := fmt.Sprintf("west=%.7f&south=%.7f&east=%.7f&north=%.7f", p.west, p.south, p.east, p.north)
		var rows struct {
			Data []struct {
				ID  string  `json:"parcel_id"`
				Lon float64 `json:"lon"`
				Lat float64 `json:"lat"`
			} `json:"data"`
		}
		if err := getJSON(base+"/cadastre/api/v1/spatial/bbox?"+box+"&has_buildings=true&limit=500&fields=parcel_id,lon,lat", &rows); err != nil {
			return place{}, err
		}
		var prints struct {
			Data []struct {
				ID string `json:"footprint_id"`
			} `json:"data"`
		}
		if err := getJSON(base+"/cadastre/api/v1/spatial/footprints?"+box+"&geometry=0&limit=1", &prints); err != nil {
			return place{}, err
		}
		if len(rows.Data) == 0 || len(prints.Data) == 0 {
			continue
		}
		p.parcel, p.lon, p.lat, p.footprint = rows.Data[0].ID, rows.Data[0].Lon, rows.Data[0].Lat, prints.Data[0].ID
		for _, r := range rows.Data {
			if strings.Contains(r.ID, "/") {
				p.slashed = r.ID
			}
		}
		return p, nil
	}
	return place{}, fmt.Errorf("no KG with a parcel and a footprint is served at %s", base)
}

func getJSON(address string, into any) error {
	reply, err := http.Get(address)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	b, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode != 200 {
		return fmt.Errorf("%s: status %d: %.300s", address, reply.StatusCode, b)
	}
	return json.Unmarshal(b, into)
}

// Answer is what came back of an exchange.
type Answer struct {
	Status int
	Type   string
	ETag   string
	Body   []byte
}

// Do sends one exchange.
func Do(client *http.Client, base string, e Exchange) (Answer, error) {
	req, err := http.NewRequest(e.Method, base+e.Path, bytes.NewReader(e.Body))
	if err != nil {
		return Answer{}, err
	}
	for k, v := range e.Header {
		req.Header[k] = v
	}
	if len(e.Body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	reply, err := client.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	t, _, _ := strings.Cut(reply.Header.Get("Content-Type"), ";")
	return Answer{reply.StatusCode, t, reply.Header.Get("ETag"), body}, err
}

// volatile members differ from one request to the next.
var volatile = map[string]bool{"query_time_ms": true, "request_id": true, "duration_ms": true, "generated_at": true, "cache_resolved": true, "kgs_loaded": true}

// Stable is a body without its volatile members, so that two answers to one question are equal.
func Stable(body []byte) string {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return string(body)
	}
	strip(v)
	b, err := json.Marshal(v)
	if err != nil {
		return string(body)
	}
	return string(b)
}

func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for k := range v {
			names = append(names, k)
		}
		sort.Strings(names)
		for _, k := range names {
			if volatile[k] {
				delete(v, k)
			} else {
				strip(v[k])
			}
		}
	case []any:
		for _, x := range v {
			strip(x)
		}
	}
}
