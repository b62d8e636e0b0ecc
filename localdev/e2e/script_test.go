package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Script learns the country from the server at base and lists the exchanges.
func Script(base string) ([]Exchange, error) {
	p, err := learn(base)
	if err != nil {
		return nil, err
	}
	list := p.boxes()
	list = append(list, p.places()...)
	list = append(list, p.searches()...)
	list = append(list, p.exported()...)
	list = append(list, openAPI()...)
	list = append(list, workFeed()...)
	list = append(list, bookService()...)
	list = append(list, p.refused()...)
	list = append(list, recurrences()...)
	if p.slashed != "" {
		list = append(list, get("a slash, encoded once", api+"/parcels/geometry/batch?ids="+url.QueryEscape(p.slashed)))
	}
	return list, nil
}

const api = "/cadastre/api/v1"

// box are the parameters of a box around the KG.
func (p place) box() string {
	return fmt.Sprintf("west=%.7f&south=%.7f&east=%.7f&north=%.7f", p.west, p.south, p.east, p.north)
}

// ring is a polygon around the parcel.
func (p place) ring() string {
	return fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%[1]f,%[2]f],[%[3]f,%[2]f],[%[3]f,%[4]f],[%[1]f,%[4]f],[%[1]f,%[2]f]]]}`,
		p.lon-0.002, p.lat-0.001, p.lon+0.002, p.lat+0.001)
}

// get is a request whose answer is JSON, the same in every mode.
func get(name, path string) Exchange {
	return Exchange{Name: name, Method: "GET", Path: path, Status: 200, Type: "application/json", Compare: true}
}

// post is get with a body.
func post(name, path, body string) Exchange {
	e := get(name, path)
	e.Method, e.Body = "POST", []byte(body)
	return e
}

// bad is an exchange that is answered with a status and a text.
func bad(e Exchange, status int, holds string) Exchange {
	e.Status, e.Holds, e.Compare = status, holds, true
	return e
}

// typed is an exchange with another media type.
func typed(e Exchange, t string) Exchange {
	e.Type = t
	return e
}

// boxes are rows of a box, in every form and with filters.
func (p place) boxes() []Exchange {
	box := p.box()
	return []Exchange{
		get("box", api+"/spatial/bbox?"+box+"&limit=50"),
		get("box, aliases and filters", api+"/spatial/bbox?"+fmt.Sprintf("minlon=%.7f&minlat=%.7f&maxlon=%.7f&maxlat=%.7f", p.west, p.south,
			p.east, p.north)+"&landuse=41&min_area=100&has_buildings=yes&limit=20"),
		get("a parcel of a date", api+"/parcels/geometry/batch?ids="+url.QueryEscape(p.parcel)+"&version="+p.date),
		bad(get("a date without a snapshot", api+"/parcels/geometry/batch?ids="+url.QueryEscape(p.parcel)+"&version=1999-12-31"), 200,
			`"kgs_without_version":["`),
		get("box, buildings", api+"/spatial/bbox?"+box+"&layers=buildings&limit=20"),
		typed(get("box as GeoJSON", api+"/spatial/bbox?"+box+"&format=geojson&limit=200"), "application/geo+json"),
		typed(get("box as CSV", api+"/spatial/bbox?"+box+"&format=csv&limit=20"), "text/csv"),
		typed(get("box as NDJSON", api+"/spatial/bbox?"+box+"&format=ndjson&limit=20"), "application/x-ndjson"),
		typed(Exchange{Name: "box as GeoPackage", Method: "GET", Path: api + "/spatial/bbox?" + box + "&format=gpkg&limit=20", Status: 200,
			Holds: "SQLite format 3"}, "application/geopackage+sqlite3"),
		typed(Exchange{Name: "box as shapefile", Method: "GET", Path: api + "/spatial/bbox?" + box + "&format=shapefile&limit=20",
			Status: 200, Holds: "PK\x03\x04"}, "application/zip"),
		{Name: "box as JSONP", Method: "GET", Path: api + "/spatial/bbox?" + box + "&limit=2&callback=draw", Status: 200,
			Type: "application/javascript", Holds: "/**/draw("},
		get("sparse fields", api+"/spatial/bbox?"+box+"&limit=5&fields=parcel_id,area_sqm&pretty=1"),
	}
}

// places are rows at points, in polygons and by id, and the KGs.
func (p place) places() []Exchange {
	box, ring := p.box(), p.ring()
	at := fmt.Sprintf("lon=%.7f&lat=%.7f", p.lon, p.lat)
	return []Exchange{
		get("point", api+"/spatial/point?"+at+"&radius=80&layers=parcels,buildings"),
		post("points around", api+"/spatial/point",
			fmt.Sprintf(`{"points":[{"lon":%f,"lat":%f,"id":"a"}],"radius":50,"layers":["parcels","buildings"]}`, p.lon, p.lat)),
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
		get("all KGs", "/context/api/v1/kgs"),
		get("KG codes", "/context/api/v1/kgs?fields=codes"),
	}
}

// searches find parcels, folios and places by number, code and name.
func (p place) searches() []Exchange {
	return []Exchange{
		get("parcel numbers", api+"/search/gnr?gnr=1*&limit=20&kg="+p.kg),
		get("folio", api+"/search/ez?ez=1&kg="+p.kg),
		get("folios", api+"/search/ez?limit=20&kg="+p.kg),
		get("parcels by filter", api+"/search/parcel?min_area=1000&status=G&limit=20&kg="+p.kg),
		get("feature", api+"/search/feature?id="+url.QueryEscape(p.parcel)),
		get("KG by code", api+"/search/kg?code="+p.kg),
		get("KGs by name", api+"/search/kg?q=a&limit=20"),
		get("districts of a state", api+"/search/district?state=5"),
		get("municipalities", api+"/search/municipalities?list=all"),
		get("lookup", api+"/lookup?type=kg&q="+p.kg),
		get("land-use codes", api+"/landuse/codes"),
		bad(get("a search without a filter", api+"/search/parcel"), 400, "no filter is given"),
	}
}

// exported are whole KGs.
func (p place) exported() []Exchange {
	const to = api + "/export/"
	kg := "?kg=" + p.parcel[:5]
	return []Exchange{
		typed(get("KG as GeoJSON", to+"geojson"+kg), "application/geo+json"),
		get("layers of a KG", to+"geojson"+kg+"&layers=buildings,landuse&include_geometry=false"),
		typed(Exchange{Name: "KG as GeoPackage", Method: "GET", Path: to + "gpkg" + kg, Status: 200, Holds: "SQLite format 3"},
			"application/geopackage+sqlite3"),
		bad(get("an export of nothing", to+"geojson"), 400, "gemeinde_code"),
	}
}

// openAPI are the descriptions of the services.
func openAPI() []Exchange {
	return []Exchange{
		typed(Exchange{Name: "OpenAPI of the cadastre", Method: "GET", Path: "/cadastre/openapi.json", Status: 200,
			Holds: `"openapi":"3.1`}, ""),
		typed(Exchange{Name: "OpenAPI of the context", Method: "GET", Path: "/context/openapi.json", Status: 200, Holds: `"openapi":"3.1`},
			""),
	}
}

// workFeed are the forms of the work feed, and what it refuses.
func workFeed() []Exchange {
	return []Exchange{
		get("work feed", "/workfeed/work/feed?limit=1&board=Atlas"),
		get("work feed, by recording", "/workfeed/work/feed?after=0&tag=design"),
		typed(Exchange{Name: "work feed as JSON Feed", Method: "GET", Path: "/workfeed/work/feed?format=jsonfeed", Status: 200,
			Holds: "https://jsonfeed.org/version/1.1"}, "application/feed+json"),
		typed(Exchange{Name: "work feed as Atom", Method: "GET", Path: "/workfeed/work/feed",
			Header: http.Header{"Accept": {"application/atom+xml"}}, Status: 200, Holds: "<feed xmlns=\"http://www.w3.org/2005/Atom\""},
			"application/atom+xml"),
		typed(Exchange{Name: "work as a page", Method: "GET", Path: "/workfeed/hq/work", Status: 200, Holds: "Print &lt;sheet&gt;",
			Compare: true}, "text/html"),
		bad(get("a work feed's limit too high", "/workfeed/work/feed?limit=501"), 400, "500"),
		bad(get("a work feed's unknown parameter", "/workfeed/work/feed?asignee=Mira"), 400, "did you mean assignee?"),
		bad(post("a completion without a token", "/workfeed/work/complete", `{"task_id":"1","board":"Atlas","title":"x"}`), 401, "token"),
	}
}

// bookService are the authors' page and calls without a token.
func bookService() []Exchange {
	return []Exchange{
		typed(Exchange{Name: "the authors' page", Method: "GET", Path: "/books/", Status: 200, Holds: "</html>", Compare: true},
			"text/html"),
		bad(get("a book without a token", "/books/api/books/1"), 401, `"error":"unauthorized"`),
		bad(post("a build with a wrong token", "/books/api/books/1/convert", `{"kind":"proof"}`), 401, `"error":"unauthorized"`),
	}
}

// refused are requests that are answered with a reason.
func (p place) refused() []Exchange {
	box := p.box()
	return []Exchange{
		bad(get("a limit too high", api+"/spatial/bbox?"+box+"&limit=100001"), 400, "100000"),
		bad(get("a limit of nothing", api+"/spatial/bbox?"+box+"&limit=0"), 400, "limit"),
		bad(get("an unknown parameter", api+"/spatial/bbox?"+box+"&limitt=5"), 400, "limit"),
		bad(get("a missing selector", api+"/spatial/bbox?west=13"), 400, "south"),
		bad(get("a parameter twice", api+"/spatial/bbox?"+box+"&limit=5&limit=6"), 400, "limit"),
		bad(post("a self-crossing polygon", api+"/spatial/kgs",
			`{"type":"Polygon","coordinates":[[[13,47],[14,48],[14,47],[13,48],[13,47]]]}`), 0, ""),
		bad(get("a path that names nothing", api+"/spatial/nothing"), 404, "error"),
		bad(Exchange{Name: "a method not allowed", Method: "DELETE", Path: api + "/spatial/bbox"}, 405, "error"),
	}
}

// recurrences are the free answers of the expander, and the price of the paid one.
func recurrences() []Exchange {
	const rule = `{"rules":[{"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2027-03-27T02:30:00"}]}`
	return []Exchange{
		get("what the expander has", "/expander/"),
		typed(Exchange{Name: "the expander's page", Method: "GET", Path: "/expander/", Header: http.Header{"Accept": {"text/html"}},
			Status: 200, Holds: "<form", Compare: true}, "text/html"),
		get("the expander's health", "/expander/health"),
		bad(post("a preview", "/expander/v1/preview", rule), 200, "nonexistent_shifted"),
		bad(post("a preview refused", "/expander/v1/preview", strings.Replace(rule, "DAILY", "DAILY;COUNT=0", 1)), 400, "COUNT"),
		{Name: "an expansion without payment", Method: "POST", Path: "/expander/v1/expand", Body: []byte("{"), Status: 402,
			Holds: `"maxAmountRequired":"20000"`},
	}
}
