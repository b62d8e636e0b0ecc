package ogc

import (
	"context"
	"net/http"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/ogcapi"
	"mappe/shared/web/reply"
)

// The relations of the standard.
const rel = "http://www.opengis.net/def/rel/ogc/1.0/"

// base is endpoint.Base of a request to the service.
func (s *service) base(r *endpoint.Request) string { return endpoint.Base(s.BaseURL, r.HTTP) }

type landing struct {
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Links       []ogcapi.Link `json:"links"`
}

func (s *service) landing() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc", ID: "processes_landing", Tag: tag, Summary: "Landing page",
		Params: []endpoint.AnyParam{ogcapi.F}, Answer: ogcapi.PageOr(landing{}), Cache: endpoint.Live, Example: "/ogc",
		Variant: ogcapi.Variant,
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			base := s.base(r)
			body := landing{"Landscape", "Analyses of areas of Austria: objects, trees, changes between laser scans, " +
				"terrain.", []ogcapi.Link{
				{Href: base + "/ogc", Rel: "self", Type: plain, Title: "This page"},
				{Href: base + "/ogc?f=html", Rel: "alternate", Type: "text/html", Title: "This page for people"},
				{Href: base + "/openapi.json", Rel: "service-desc", Type: "application/vnd.oai.openapi+json;version=3.1",
					Title: "The API as OpenAPI 3.1"},
				{Href: base + "/docs", Rel: "service-doc", Type: "text/html", Title: "The API for people"},
				{Href: base + "/ogc/conformance", Rel: rel + "conformance", Type: plain, Title: "Conformance classes"},
				{Href: base + "/ogc/processes", Rel: rel + "processes", Type: plain, Title: "Processes"},
				{Href: base + "/ogc/jobs", Rel: rel + "job-list", Type: plain, Title: "Jobs"},
			}}
			if ogcapi.Paged(r) {
				return body.page(), nil
			}
			return &reply.Document{Body: body}, nil
		},
	}
}

// classes are the conformance classes that the endpoints keep. The class of job lists is not among them: jobs are for who began
// them, and the list has those that are to be seen by everybody.
var classes = []string{
	"http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core",
	"http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/core",
	"http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/ogc-process-description",
	"http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/json",
	"http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/html",
	"http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/dismiss",
}

func (s *service) conformance() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/conformance", ID: "processes_conformance", Tag: tag, Summary: "Conformance classes",
		Params: []endpoint.AnyParam{ogcapi.F}, Answer: ogcapi.PageOr(ogcapi.Conformance{}), Cache: endpoint.Live, Example: "/ogc/conformance",
		Variant: ogcapi.Variant,
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			if ogcapi.Paged(r) {
				return ogcapi.ConformancePage(classes, top(s.base(r))), nil
			}
			return &reply.Document{Body: ogcapi.Conformance{ConformsTo: classes}}, nil
		},
	}
}

var (
	limit     = endpoint.Int("limit", "Entries at most.", endpoint.Between(1, 1000), endpoint.Default("100"))
	processID = endpoint.String("process_id", "Id of the process.", endpoint.Required, endpoint.Example("trees"))
)

type processList struct {
	Processes []summary     `json:"processes"`
	Links     []ogcapi.Link `json:"links"`
}

func (s *service) list() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/processes", ID: "processes_list", Tag: tag, Summary: "The processes",
		Params: []endpoint.AnyParam{limit, ogcapi.F},
		Answer: ogcapi.PageOr(processList{}), Cache: endpoint.Live, Example: "/ogc/processes", Variant: ogcapi.Variant,
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			base := s.base(r)
			body := processList{[]summary{}, []ogcapi.Link{{Href: base + "/ogc/processes", Rel: "self", Type: plain, Title: "This list"}}}
			for _, p := range s.processes[:min(limit.Of(r), len(s.processes))] {
				body.Processes = append(body.Processes, p.summary(base))
			}
			if ogcapi.Paged(r) {
				return body.page(base), nil
			}
			return &reply.Document{Body: body}, nil
		},
	}
}

// problemAnswer describes exceptions.
func problemAnswer(status int, doc string) endpoint.Other {
	return endpoint.Other{Status: status, Doc: doc, ContentType: problemType, Body: problem{}}
}

func (s *service) describe() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/processes/{process_id}", ID: "processes_describe", Tag: tag, Summary: "A process with its inputs",
		Params: []endpoint.AnyParam{processID, ogcapi.F}, Cache: endpoint.Live, Example: "/ogc/processes/trees", Variant: ogcapi.Variant,
		Answer: ogcapi.PageOr(description{}, problemAnswer(http.StatusNotFound, "no-such-process")),
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			p := s.find(processID.Of(r))
			if p == nil {
				return noProcess(processID.Of(r)), nil
			}
			body := p.description(s.base(r))
			if ogcapi.Paged(r) {
				return body.page(s.base(r)), nil
			}
			return &reply.Document{Body: body}, nil
		},
	}
}
