package stac

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"

	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// stacItems is the shape of a page of items, for the description of the service.
type stacItems struct {
	Type     string     `json:"type"`
	Features []stacItem `json:"features"`
	Links    []stacLink `json:"links"`
	Returned int        `json:"numberReturned"`
}

// depending completes the declaration of an endpoint over items: its ETag derives from the generation, and it has none
// while files are missing.
func depending(e endpoint.Endpoint, find func(context.Context, *view.View, *endpoint.Request) (*page, error),
	answer func(*endpoint.Request, *page) *reply.Stream) endpoint.Endpoint {
	found := func(ctx context.Context, r *endpoint.Request) (*view.View, *page, error) {
		v, err := view.Of(ctx)
		if err != nil {
			return nil, nil, err
		}
		if p, ok := r.Memo.(*page); ok {
			return v, p, nil
		}
		p, err := find(ctx, v, r)
		if err == nil {
			r.Memo = p
		}
		return v, p, err
	}
	if e.Method == http.MethodGet {
		e.Depends = func(ctx context.Context, r *endpoint.Request) (string, error) {
			v, p, err := found(ctx, r)
			if err != nil {
				return "", err
			}
			return lasting(v, p.items), nil
		}
	}
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		v, p, err := found(ctx, r)
		if err != nil {
			return nil, err
		}
		a := answer(r, p)
		a.ContentType, a.NoMeta = geoJSON, true
		if lasting(v, p.items) == "" {
			a.Header = http.Header{"Cache-Control": {"no-store"}}
		}
		return a, nil
	}
	return e
}

// listing is a page of items as its document; self and next are the links to it and to the page behind it, nil on
// the last page.
func (s *service) listing(r *endpoint.Request, p *page, links []stacLink) *reply.Stream {
	base := s.Base(r)
	links = append([]stacLink{{Rel: "root", Href: base + "/stac", Type: jsonType, Title: "The catalogue"}}, links...)
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("type", "FeatureCollection")
		j.Key("features")
		j.Array()
		for _, it := range p.items {
			j.Object()
			s.write(j, r, it)
			j.EndObject()
		}
		j.EndArray()
		j.Member("links", links)
		j.Member("numberReturned", len(p.items))
		return j.Err()
	}}
}

// pages are the links of a page that was asked for by GET.
func pages(r *endpoint.Request, p *page, path string) []stacLink {
	at := func(rel, title, cursor string) stacLink {
		q := r.HTTP.URL.Query()
		if cursor != "" {
			q.Set("cursor", cursor)
		}
		href := path
		if len(q) > 0 {
			href += "?" + q.Encode()
		}
		return stacLink{Rel: rel, Href: href, Type: geoJSON, Title: title}
	}
	list := []stacLink{at("self", "This page", "")}
	if p.more {
		next := at("next", "The next page", p.items[len(p.items)-1].id().String())
		next.Method = http.MethodGet
		list = append(list, next)
	}
	return list
}

func (s *service) items() endpoint.Endpoint {
	return depending(endpoint.Endpoint{
		Method: "GET", Path: "/stac/collections/{collection}/items", ID: "stac_items", Tag: tag,
		Summary: "The snapshots of the KGs as STAC items",
		Doc:     "By rising KG code, of a KG the newest first. The link next leads to the page behind this one.",
		Params:  []endpoint.AnyParam{pCollection, pLimit, pBox, pTime, pCursor},
		Answer:  endpoint.Answer{Body: stacItems{}, ContentType: geoJSON, Exact: true},
		Example: "/stac/collections/" + snapshots + "/items?limit=2",
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*page, error) {
		if err := known(r); err != nil {
			return nil, err
		}
		a := &asked{limit: pLimit.Of(r), cursor: pCursor.Of(r), box: pBox.Of(r), time: pTime.Of(r)}
		return a.find(ctx, v)
	}, func(r *endpoint.Request, p *page) *reply.Stream {
		path := s.Base(r) + "/stac/collections/" + snapshots
		return s.listing(r, p, append(pages(r, p, path+"/items"),
			stacLink{Rel: "parent", Href: path, Type: jsonType, Title: snapshotsTitle},
			stacLink{Rel: "collection", Href: path, Type: jsonType, Title: snapshotsTitle}))
	})
}

// find gives the page that is asked for.
func (a *asked) find(ctx context.Context, v *view.View) (*page, error) {
	q, err := a.query()
	if err != nil {
		return nil, err
	}
	return q.run(ctx, v)
}

const searchDoc = `By rising KG code, of a KG the newest first. The link next leads to the page behind this one. All conditions hold at once.
A search that gives neither place nor ids looks through the snapshots of the whole country until the page is full.`

func (s *service) search() endpoint.Endpoint {
	return depending(endpoint.Endpoint{
		Method: "GET", Path: "/stac/search", ID: "stac_search", Tag: tag, Summary: "Snapshots of KGs by place and date",
		Doc:     searchDoc,
		Params:  []endpoint.AnyParam{pLimit, pBox, pIntersects, pTime, pIDs, pCollecting, pCursor},
		Answer:  endpoint.Answer{Body: stacItems{}, ContentType: geoJSON, Exact: true},
		Example: "/stac/search?bbox=13.27,47.318,13.28,47.325&datetime=2026-01-01T00:00:00Z/..",
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*page, error) {
		return fromGET(r).find(ctx, v)
	}, func(r *endpoint.Request, p *page) *reply.Stream {
		return s.listing(r, p, pages(r, p, s.Base(r)+"/stac/search"))
	})
}

func (s *service) searchPost() endpoint.Endpoint {
	return depending(endpoint.Endpoint{
		Method: "POST", Path: "/stac/search", ID: "stac_search_post", Tag: tag,
		Summary: "Snapshots of KGs by place and date, for large geometries",
		Doc:     searchDoc,
		Body:    searchIn,
		Answer:  endpoint.Answer{Body: stacItems{}, ContentType: geoJSON, Exact: true},
		Example: "/stac/search", ExampleBody: `{"bbox":[13.27,47.318,13.28,47.325],"limit":2}`,
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*page, error) {
		return searchIn.Of(r).find(ctx, v)
	}, func(r *endpoint.Request, p *page) *reply.Stream {
		href := s.Base(r) + "/stac/search"
		links := []stacLink{{Rel: "self", Href: href, Type: geoJSON, Title: "The search"}}
		if p.more {
			body := maps.Clone(searchIn.Of(r).body)
			body["cursor"] = json.RawMessage(`"` + p.items[len(p.items)-1].id().String() + `"`)
			links = append(links, stacLink{Rel: "next", Href: href, Type: geoJSON, Title: "The next page", Method: http.MethodPost,
				Body: body})
		}
		return s.listing(r, p, links)
	})
}
