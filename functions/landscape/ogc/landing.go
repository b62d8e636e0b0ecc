package ogc

import (
	"context"
	"net/http"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// link is a link as the standard draws it.
type link struct {
	Href  string `json:"href"`
	Rel   string `json:"rel"`
	Type  string `json:"type,omitempty"`
	Title string `json:"title,omitempty"`
}

// The relations of the standard.
const rel = "http://www.opengis.net/def/rel/ogc/1.0/"

// base is what stands before the paths of the service in the outside world: links are whole addresses wherever it is known.
func (s *service) base(r *endpoint.Request) string {
	if s.BaseURL != "" {
		return s.BaseURL
	}
	return endpoint.Address(r.HTTP)
}

type landing struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Links       []link `json:"links"`
}

func (s *service) landing() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc", ID: "processes_landing", Tag: tag, Summary: "Landing page",
		Params: []endpoint.AnyParam{form}, Answer: pageOr(landing{}), Cache: endpoint.Live, Example: "/ogc", Variant: variant,
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			base := s.base(r)
			body := landing{"Landscape", "Analyses of areas of Austria: objects, trees, changes between laser scans, " +
				"terrain.", []link{
				{base + "/ogc", "self", plain, "This page"},
				{base + "/ogc?f=html", "alternate", "text/html", "This page for people"},
				{base + "/openapi.json", "service-desc", "application/vnd.oai.openapi+json;version=3.1", "The API as OpenAPI 3.1"},
				{base + "/docs", "service-doc", "text/html", "The API for people"},
				{base + "/ogc/conformance", rel + "conformance", plain, "Conformance classes"},
				{base + "/ogc/processes", rel + "processes", plain, "Processes"},
				{base + "/ogc/jobs", rel + "job-list", plain, "Jobs"},
			}}
			if paged(r) {
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

type conformance struct {
	ConformsTo []string `json:"conformsTo"`
}

func (s *service) conformance() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/conformance", ID: "processes_conformance", Tag: tag, Summary: "Conformance classes",
		Params: []endpoint.AnyParam{form}, Answer: pageOr(conformance{}), Cache: endpoint.Live, Example: "/ogc/conformance",
		Variant: variant,
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			if paged(r) {
				return conformancePage(s.base(r)), nil
			}
			return &reply.Document{Body: conformance{classes}}, nil
		},
	}
}

var (
	limit     = endpoint.Int("limit", "Entries at most.", endpoint.Between(1, 1000), endpoint.Default("100"))
	processID = endpoint.String("process_id", "Id of the process.", endpoint.Required, endpoint.Example("trees"))
)

type processList struct {
	Processes []summary `json:"processes"`
	Links     []link    `json:"links"`
}

func (s *service) list() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/processes", ID: "processes_list", Tag: tag, Summary: "The processes",
		Params: []endpoint.AnyParam{limit, form},
		Answer: pageOr(processList{}), Cache: endpoint.Live, Example: "/ogc/processes", Variant: variant,
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			base := s.base(r)
			body := processList{[]summary{}, []link{{base + "/ogc/processes", "self", plain, "This list"}}}
			for _, p := range s.processes[:min(limit.Of(r), len(s.processes))] {
				body.Processes = append(body.Processes, p.summary(base))
			}
			if paged(r) {
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
		Params: []endpoint.AnyParam{processID, form}, Cache: endpoint.Live, Example: "/ogc/processes/trees", Variant: variant,
		Answer: pageOr(description{}, problemAnswer(http.StatusNotFound, "no-such-process")),
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			p := s.find(processID.Of(r))
			if p == nil {
				return noProcess(processID.Of(r)), nil
			}
			body := p.description(s.base(r))
			if paged(r) {
				return body.page(s.base(r)), nil
			}
			return &reply.Document{Body: body}, nil
		},
	}
}
