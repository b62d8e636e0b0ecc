package stac

import (
	"context"
	"net/http"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

const (
	version  = "1.1.0" // of STAC
	geoJSON  = "application/geo+json"
	jsonType = "application/json"
)

// stacLink is a link as the standard draws it. Method and Body are those of links that are requests of their own.
type stacLink struct {
	Rel    string         `json:"rel"`
	Href   string         `json:"href"`
	Type   string         `json:"type,omitempty"`
	Title  string         `json:"title,omitempty"`
	Method string         `json:"method,omitempty"`
	Body   map[string]any `json:"body,omitempty"`
}

// catalog is the landing page.
type catalog struct {
	Type        string     `json:"type"`
	STACVersion string     `json:"stac_version"`
	ID          string     `json:"id"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	ConformsTo  []string   `json:"conformsTo"`
	Links       []stacLink `json:"links"`
}

// classes are the conformance classes that the endpoints keep.
var classes = []string{
	"https://api.stacspec.org/v1.0.0/core",
	"https://api.stacspec.org/v1.0.0/collections",
	"https://api.stacspec.org/v1.0.0/ogcapi-features",
	"https://api.stacspec.org/v1.0.0/item-search",
	"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
	"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
}

func (s *service) landing() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/stac", ID: "stac", Tag: tag, Summary: "Landing page of the STAC catalogue",
		Doc:    "A STAC catalog with its conformance classes and links to its collection, its search and its description. STAC clients open this address.",
		Answer: endpoint.Answer{Body: catalog{}, Exact: true}, Example: "/stac",
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			base := s.Base(r)
			return &reply.Document{Body: catalog{
				Type: "Catalog", STACVersion: version, ID: "austrian-cadastre", Title: "Austrian cadastre",
				Description: "Dated snapshots of the Austrian cadastre, one for each Katastralgemeinde (KG) and date, as files to download.",
				ConformsTo:  classes,
				Links: []stacLink{
					{Rel: "self", Href: base + "/stac", Type: jsonType, Title: "This page"},
					{Rel: "root", Href: base + "/stac", Type: jsonType, Title: "This page"},
					{Rel: "service-desc", Href: base + "/openapi.json", Type: "application/vnd.oai.openapi+json;version=3.1",
						Title: "The API as OpenAPI 3.1"},
					{Rel: "service-doc", Href: base + "/docs", Type: "text/html", Title: "The API for people"},
					{Rel: "conformance", Href: base + "/stac/conformance", Type: jsonType, Title: "Conformance classes"},
					{Rel: "data", Href: base + "/stac/collections", Type: jsonType, Title: "Collections"},
					{Rel: "child", Href: base + "/stac/collections/" + snapshots, Type: jsonType, Title: snapshotsTitle},
					{Rel: "search", Href: base + "/stac/search", Type: geoJSON, Title: "Search by GET", Method: http.MethodGet},
					{Rel: "search", Href: base + "/stac/search", Type: geoJSON, Title: "Search by POST", Method: http.MethodPost},
				},
			}}, nil
		},
	}
}

// conforms is the shape of the list of classes.
type conforms struct {
	ConformsTo []string `json:"conformsTo"`
}

func (s *service) conformance() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/stac/conformance", ID: "stac_conformance", Tag: tag, Summary: "Conformance classes of the STAC catalogue",
		Doc:    "The classes of the standards that the catalogue keeps, as the landing page has them.",
		Answer: endpoint.Answer{Body: conforms{}, Exact: true}, Example: "/stac/conformance",
		Serve: func(context.Context, *endpoint.Request) (reply.Answer, error) {
			return &reply.Document{Body: conforms{classes}}, nil
		},
	}
}
