package ogc

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/ogcapi"
	"mappe/shared/web/reply"
)

const geoJSON = "application/geo+json"

// featureCollection is the shape of an answer, for the description of the service.
type featureCollection struct {
	Type     string        `json:"type"`
	Stamp    string        `json:"timeStamp"`
	Matched  int           `json:"numberMatched"`
	Returned int           `json:"numberReturned"`
	Links    []ogcapi.Link `json:"links"`
	Features []feature     `json:"features"`
	Meta     struct {
		view.GapsMeta
		Time    float64 `json:"query_time_ms"`
		License string  `json:"license"`
	} `json:"meta"`
}

// feature is the shape of a GeoJSON feature.
type feature struct {
	Type       string         `json:"type"`
	ID         string         `json:"id"`
	Geometry   any            `json:"geometry"`
	Properties map[string]any `json:"properties"`
}

func (s *service) items(c *collection) endpoint.Endpoint {
	properties := propertiesOf(c.rowType)
	params := []endpoint.AnyParam{ogcapi.F, pLimit, pOffset, pPage, pBox, pBoxCRS, pCRS, pTime, pFilter, pLang, pFCRS}
	for _, p := range properties {
		params = append(params, p.param)
	}
	return queried(endpoint.Endpoint{
		Method: "GET", Path: "/ogc/collections/" + c.id + "/items", ID: "ogc_" + c.id + "_items", Tag: tag,
		Summary: "Features of " + c.title,
		Doc: c.doc + ` A GeoJSON FeatureCollection with links to the next and the previous page; numberMatched counts all that match. Every column
but lists and objects is a parameter too. Without bbox and kg_code a filter looks into every KG, which is refused with 413 in a country of more than
2,048 KGs.` + view.MissingDoc,
		Params: params,
		Answer: endpoint.Answer{Body: featureCollection{}, ContentType: geoJSON, Exact: true, Headers: view.ReadyHeaders,
			Others: []endpoint.Other{{Status: http.StatusOK, Doc: "The features as a page.", ContentType: "text/html"}}},
		Example: "/ogc/collections/" + c.id + "/items?limit=5&bbox=13.27,47.318,13.28,47.325",
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		if pPage.Given(r) && pPage.Of(r).generation != v.Generation() {
			former, err := s.Library.ViewOf(ctx, pPage.Of(r).generation)
			if errors.Is(err, library.ErrGone) {
				return nil, fault.Of(fault.BadCursor, "page", pPage.Of(r).String(),
					"data that is still kept: it was renewed since the link was given out, begin again without it")
			}
			if err != nil {
				return nil, generation.Fault(ctx, err)
			}
			v = view.At(ctx, former)
		}
		return c.asked(ctx, v, r, properties)
	}, func(ctx context.Context, r *endpoint.Request, q *rows.Query) (reply.Answer, error) {
		offset, limit := window(r)
		p := &rows.Page{Offset: offset, Limit: limit, From: pPage.Of(r).from, Fill: true}
		if err := q.Collect(ctx, &q.Layers[0], p); err != nil {
			return nil, err
		}
		page := listing{s, c, r, p, p.Rows(ctx, q.View), &q.Missing, q.View.Generation()}
		if ogcapi.Paged(r) {
			return page.html()
		}
		return page.json(), nil
	})
}

// queried completes the declaration of an endpoint over one query: its ETag derives from the KGs that decide it.
func queried(e endpoint.Endpoint, prepare rows.Prepare, answer func(context.Context, *endpoint.Request, *rows.Query) (reply.Answer,
	error)) endpoint.Endpoint {
	prepared := func(ctx context.Context, r *endpoint.Request) (*rows.Query, error) {
		if q, ok := r.Memo.(*rows.Query); ok {
			return q, nil
		}
		v, err := view.Of(ctx)
		if err != nil {
			return nil, err
		}
		return prepare(ctx, v, r)
	}
	e.Variant = ogcapi.Variant
	e.Depends = func(ctx context.Context, r *endpoint.Request) (string, error) {
		q, err := prepared(ctx, r)
		if err != nil {
			return "", err
		}
		r.Memo = q
		return q.Depends(ctx)
	}
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		q, err := prepared(ctx, r)
		if err != nil {
			return nil, err
		}
		return answer(ctx, r, q)
	}
	return view.Versioned(e)
}

// asked is the query of a request.
func (c *collection) asked(ctx context.Context, v *view.View, r *endpoint.Request, properties []property) (*rows.Query, error) {
	area, err := areaOf(r)
	if err != nil {
		return nil, err
	}
	f, err := filterOf(r, c, properties)
	if err != nil {
		return nil, err
	}
	in, err := f.kgs("kg_code")
	if err != nil {
		return nil, err
	}
	q, err := c.find(ctx, v, area, in, f)
	var tooLarge *fault.Fault
	if tooLarge = fault.From(err); err != nil && tooLarge.Status() == http.StatusRequestEntityTooLarge {
		return nil, fault.New(fault.TooLarge, "%s; give bbox or kg_code", tooLarge.Message)
	}
	return q, err
}

// listing is a page of features.
type listing struct {
	s    *service
	c    *collection
	r    *endpoint.Request
	page *rows.Page
	rows format.Seq
	gaps *view.Missing
	data string // the generation
}

// returned is how many features stand on the page.
func (l *listing) returned() int {
	return l.page.Returned()
}

func (l *listing) json() *reply.Stream {
	system := pCRS.Of(l.r)
	header := http.Header{"Content-Crs": {"<" + system.String() + ">"}}
	for name, values := range l.gaps.Header() {
		header[name] = values
	}
	for _, k := range l.links() {
		header.Add("Link", "<"+k.Href+`>; rel="`+k.Rel+`"; type="`+k.Type+`"`)
	}
	return &reply.Stream{
		ContentType: geoJSON, Header: header, Meta: l.gaps.Meta(),
		Write: func(j *format.JSON, _ *format.Layout) error {
			j.Member("type", "FeatureCollection")
			j.Member("timeStamp", l.s.Now().UTC().Format(time.RFC3339))
			j.Member("numberMatched", l.page.Total)
			j.Member("numberReturned", l.returned())
			j.Member("links", l.links())
			j.Key("features")
			layout := format.NewLayout(nil, l.c.rowType)
			layout.Pointed, layout.Projection = true, system.projection()
			return j.Features(l.rows, layout)
		},
	}
}

// links are those of the page: itself, its other form, the next and the previous page, the collection.
func (l *listing) links() []ogcapi.Link {
	base := l.s.Base(l.r)
	path := base + "/ogc/collections/" + l.c.id
	at := func(offset int, f ogcapi.Form, page string) string {
		q := l.r.HTTP.URL.Query()
		q.Del("offset")
		q.Del("f")
		if page != "" {
			q.Set("page", page)
		}
		if offset > 0 {
			q.Set("offset", strconv.Itoa(offset))
		}
		if f != "" {
			q.Set("f", string(f))
		}
		if len(q) == 0 {
			return path + "/items"
		}
		return path + "/items?" + q.Encode()
	}
	offset, limit := window(l.r)
	given := ogcapi.Form("")
	if ogcapi.F.Given(l.r) {
		given = ogcapi.FormJSON
	}
	list := []ogcapi.Link{
		{Href: at(offset, given, ""), Rel: "self", Type: geoJSON, Title: "This page"},
		{Href: at(offset, ogcapi.FormHTML, ""), Rel: "alternate", Type: "text/html", Title: "This page for people"},
		{Href: path, Rel: "collection", Type: "application/json", Title: l.c.title},
	}
	if from, more := l.page.Next(); more {
		list = append(list, ogcapi.Link{Href: at(offset+limit, given, l.data+"."+from), Rel: "next", Type: geoJSON, Title: "The next page"})
	}
	if offset > 0 {
		list = append(list, ogcapi.Link{Href: at(max(offset-limit, 0), given, l.data), Rel: "prev", Type: geoJSON, Title: "The previous page"})
	}
	return list
}

func (s *service) item(c *collection) endpoint.Endpoint {
	id := endpoint.String("feature", "Id of the feature; a slash is %2F, once.", endpoint.Between(1, 100), endpoint.Required)
	example := ""
	if c.example != "" {
		example = "/ogc/collections/" + c.id + "/items/" + url.PathEscape(c.example)
	}
	return queried(endpoint.Endpoint{
		Method: "GET", Path: "/ogc/collections/" + c.id + "/items/{feature}", ID: "ogc_" + c.id + "_item", Tag: tag,
		Summary: "One feature of " + c.title,
		Doc:     "The feature as GeoJSON with its links; 404 for an unknown id.",
		Params:  []endpoint.AnyParam{id, ogcapi.F, pCRS},
		Answer: endpoint.Answer{Body: oneFeature{}, ContentType: geoJSON, Exact: true,
			Others: []endpoint.Other{{Status: http.StatusOK, Doc: "The feature as a page.", ContentType: "text/html"}}},
		Example: example,
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		return c.one(ctx, v, id.Of(r))
	}, func(ctx context.Context, r *endpoint.Request, q *rows.Query) (reply.Answer, error) {
		return s.found(ctx, c, r, q, id.Of(r))
	})
}

// oneFeature is the shape of the answer, for the description of the service.
type oneFeature struct {
	feature
	Links []ogcapi.Link `json:"links"`
	Meta  struct {
		Time    float64 `json:"query_time_ms"`
		License string  `json:"license"`
	} `json:"meta"`
}

// found answers with the only row of a query.
func (s *service) found(ctx context.Context, c *collection, r *endpoint.Request, q *rows.Query, id string) (reply.Answer, error) {
	p := &rows.Page{Limit: 1}
	if err := q.Collect(ctx, &q.Layers[0], p); err != nil {
		return nil, err
	}
	if p.Total == 0 {
		return nil, unfound(c, q, id)
	}
	if ogcapi.Paged(r) {
		return s.featurePage(c, r, p.Rows(ctx, q.View))
	}
	path := s.Base(r) + "/ogc/collections/" + c.id
	self := path + "/items/" + url.PathEscape(id)
	links := []ogcapi.Link{
		{Href: self, Rel: "self", Type: geoJSON, Title: "This feature"},
		{Href: self + "?f=html", Rel: "alternate", Type: "text/html", Title: "This feature for people"},
		{Href: path, Rel: "collection", Type: "application/json", Title: c.title},
	}
	system := pCRS.Of(r)
	return &reply.Stream{
		ContentType: geoJSON, Header: http.Header{"Content-Crs": {"<" + system.String() + ">"}},
		Write: func(j *format.JSON, _ *format.Layout) error {
			layout := format.NewLayout(nil, c.rowType)
			layout.Pointed, layout.Projection = true, system.projection()
			for row, err := range p.Rows(ctx, q.View) {
				if err != nil {
					return err
				}
				j.FeatureMembers(row, layout)
			}
			j.Member("links", links)
			return nil
		},
	}, nil
}

// unfound is the answer of an id that no KG which could be read has: where one may have it that could not, the answer says
// so. An id whose KG is not named may be in any of them, and which of them is loaded first says nothing of it.
func unfound(c *collection, q *rows.Query, id string) error {
	missing := notFound(c, id)
	if q.Missing.Ready() {
		return missing
	}
	code, why := q.Missing.One()
	if len(q.Missing.Warming())+len(q.Missing.Unavailable()) == 1 {
		return why.Fault(code)
	}
	missing.Members = q.Missing.Members()
	return missing
}

// linksOf sorts nothing and keeps the order: a helper for pages that show only some relations.
func linksOf(list []ogcapi.Link, rels ...string) []ogcapi.Link {
	return slices.DeleteFunc(slices.Clone(list), func(l ogcapi.Link) bool { return !slices.Contains(rels, l.Rel) })
}
