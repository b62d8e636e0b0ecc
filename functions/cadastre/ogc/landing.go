package ogc

import (
	"context"

	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/ogcapi"
	"mappe/shared/web/reply"
)

// landing is the shape of the landing page.
type landing struct {
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Attribution string        `json:"attribution,omitempty"`
	Links       []ogcapi.Link `json:"links"`
}

const about = "Parcels, address points, building footprints, land use, Katastralgemeinden and municipalities of Austria, as OGC API Features."

func (s *service) landing() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc", ID: "ogc", Tag: tag, Summary: "Landing page",
		Doc:    "Links to the description of the service, its conformance classes and its collections. QGIS and GDAL open this address.",
		Params: []endpoint.AnyParam{ogcapi.F}, Answer: ogcapi.PageOr(landing{}), Example: "/ogc", Variant: ogcapi.Variant,
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			base := s.Base(r)
			body := landing{Title: "Austrian cadastre", Description: about, Attribution: r.Generation.Attribution, Links: []ogcapi.Link{
				{Href: base + "/ogc", Rel: "self", Type: "application/json", Title: "This page"},
				{Href: base + "/ogc?f=html", Rel: "alternate", Type: "text/html", Title: "This page for people"},
				{Href: base + "/openapi.json", Rel: "service-desc", Type: "application/vnd.oai.openapi+json;version=3.1",
					Title: "The API as OpenAPI 3.1"},
				{Href: base + "/docs", Rel: "service-doc", Type: "text/html", Title: "The API for people"},
				{Href: base + "/ogc/conformance", Rel: "conformance", Type: "application/json", Title: "Conformance classes"},
				{Href: base + "/ogc/collections", Rel: "data", Type: "application/json", Title: "Collections"},
			}}
			if ogcapi.Paged(r) {
				return landingPage(body), nil
			}
			return &reply.Document{Body: body}, nil
		},
	}
}

// classes are the conformance classes that the endpoints keep.
var classes = []string{
	"http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core",
	"http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections",
	"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
	"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
	"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html",
	"http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs",
	"http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
	"http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
	"http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables",
	"http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables-query-parameters",
	"http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
	"http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
	"http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators",
}

func (s *service) conformance() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/conformance", ID: "ogc_conformance", Tag: tag, Summary: "Conformance classes",
		Doc:    "The classes of the standards that the service keeps.",
		Params: []endpoint.AnyParam{ogcapi.F}, Answer: ogcapi.PageOr(ogcapi.Conformance{}), Example: "/ogc/conformance",
		Variant: ogcapi.Variant,
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			if ogcapi.Paged(r) {
				return ogcapi.ConformancePage(classes, top(s.Base(r))), nil
			}
			return &reply.Document{Body: ogcapi.Conformance{ConformsTo: classes}}, nil
		},
	}
}

// collectionDoc is a collection as the standard draws it.
type collectionDoc struct {
	ID          string        `json:"id"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Attribution string        `json:"attribution,omitempty"`
	ItemType    string        `json:"itemType"`
	CRS         []string      `json:"crs"`
	StorageCRS  string        `json:"storageCrs"`
	Extent      *extent       `json:"extent,omitempty"`
	Links       []ogcapi.Link `json:"links"`
}

// extent is where the features of a collection are.
type extent struct {
	Spatial struct {
		BBox [][4]float64 `json:"bbox"`
		CRS  string       `json:"crs"`
	} `json:"spatial"`
}

// collectionsDoc is the list of the collections.
type collectionsDoc struct {
	Links       []ogcapi.Link   `json:"links"`
	CRS         []string        `json:"crs"`
	Collections []collectionDoc `json:"collections"`
}

func uris() []string {
	var list []string
	for _, s := range systems() {
		list = append(list, s.String())
	}
	return list
}

// describe is a collection as its document. crs are the systems that it lists.
func (s *service) describe(c *collection, r *endpoint.Request, at *extent, crs []string) collectionDoc {
	path := s.Base(r) + "/ogc/collections/" + c.id
	return collectionDoc{
		ID: c.id, Title: c.title, Description: c.doc, Attribution: r.Generation.Attribution, ItemType: "feature", CRS: crs,
		StorageCRS: crs84, Extent: at,
		Links: []ogcapi.Link{
			{Href: path, Rel: "self", Type: "application/json", Title: "This collection"},
			{Href: path + "?f=html", Rel: "alternate", Type: "text/html", Title: "This collection for people"},
			{Href: path + "/items", Rel: "items", Type: geoJSON, Title: "Its features"},
			{Href: path + "/items?f=html", Rel: "items", Type: "text/html", Title: "Its features for people"},
			{Href: path + "/schema", Rel: "describedby", Type: schemaType, Title: "Its features as a JSON Schema"},
			// GDAL knows these two relations by older spellings only.
			{Href: path + "/schema", Rel: "describedBy", Type: schemaType, Title: "Its features as a JSON Schema"},
			{Href: path + "/queryables", Rel: "queryables", Type: schemaType, Title: "Its columns, for filters"},
			{Href: path + "/queryables", Rel: "http://www.opengis.net/def/rel/ogc/1.0/queryables", Type: schemaType,
				Title: "Its columns, for filters"},
			{Href: "https://creativecommons.org/licenses/by/4.0/", Rel: "license", Title: "CC BY 4.0"},
		},
	}
}

// extentOf is the box of the KGs of the generation, nil of one without any.
func extentOf(ctx context.Context) (*extent, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	box := geom.EmptyBox
	for i := range v.Register().KGs() {
		if b := v.Register().KGs()[i].Box; !b.Empty() {
			box = box.Union(b)
		}
	}
	if box.Empty() {
		return nil, nil
	}
	var at extent
	lo, hi := geom.Point{X: box.MinX, Y: box.MinY}, geom.Point{X: box.MaxX, Y: box.MaxY}
	at.Spatial.BBox = [][4]float64{{lo.Lon(), lo.Lat(), hi.Lon(), hi.Lat()}}
	at.Spatial.CRS = crs84
	return &at, nil
}

func (s *service) collections() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/collections", ID: "ogc_collections", Tag: tag, Summary: "The collections",
		Doc:    "Each collection with its extent, its coordinate reference systems and its links.",
		Params: []endpoint.AnyParam{ogcapi.F}, Answer: ogcapi.PageOr(collectionsDoc{}), Example: "/ogc/collections",
		Variant: ogcapi.Variant,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			at, err := extentOf(ctx)
			if err != nil {
				return nil, err
			}
			base := s.Base(r)
			body := collectionsDoc{CRS: uris(), Links: []ogcapi.Link{
				{Href: base + "/ogc/collections", Rel: "self", Type: "application/json", Title: "This list"},
				{Href: base + "/ogc/collections?f=html", Rel: "alternate", Type: "text/html", Title: "This list for people"},
			}}
			for _, c := range all {
				body.Collections = append(body.Collections, s.describe(c, r, at, []string{"#/crs"}))
			}
			if ogcapi.Paged(r) {
				return collectionsPage(base, body), nil
			}
			return &reply.Document{Body: body}, nil
		},
	}
}

func (s *service) collection(c *collection) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/collections/" + c.id, ID: "ogc_" + c.id, Tag: tag, Summary: "The collection " + c.title,
		Doc:    c.doc,
		Params: []endpoint.AnyParam{ogcapi.F}, Answer: ogcapi.PageOr(collectionDoc{}), Example: "/ogc/collections/" + c.id,
		Variant: ogcapi.Variant,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			at, err := extentOf(ctx)
			if err != nil {
				return nil, err
			}
			body := s.describe(c, r, at, uris())
			if ogcapi.Paged(r) {
				return collectionPage(s.Base(r), c, body), nil
			}
			return &reply.Document{Body: body}, nil
		},
	}
}
