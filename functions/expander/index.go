package expander

import (
	"context"
	"net/http"
	"sync"

	"mappe/shared/recurrence"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// indexBody says what there is.
type indexBody struct {
	Service     string          `json:"service"`
	Version     string          `json:"version"`
	Description string          `json:"description"`
	Price       priceBody       `json:"price"`
	Limits      limitsBody      `json:"limits"`
	Endpoints   []endpointLine  `json:"endpoints"`
	Docs        string          `json:"docs"`
	Flags       []string        `json:"flags" doc:"what occurrences can be flagged with"`
	Anomalies   []string        `json:"anomalies" doc:"types of anomalies"`
	Meta        recurrence.Meta `json:"meta"`
}

type priceBody struct {
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Per      string `json:"per"`
	Payments string `json:"payments" enum:"open,closed"`
}

type limitsBody struct {
	Preview   limitBody `json:"preview"`
	Expand    limitBody `json:"expand"`
	BodyBytes int       `json:"body_bytes"`
}

type limitBody struct {
	Rules int `json:"rules"`
	Count int `json:"count" doc:"occurrences of a rule"`
}

type endpointLine struct {
	Method  string `json:"method"`
	Path    string `json:"path"`
	Summary string `json:"summary"`
}

func (e *expander) index(s *endpoint.Service) endpoint.Endpoint {
	html := sync.OnceValue(newPage) // a function that only expands never makes it
	return endpoint.Endpoint{
		Method: "GET", Path: "/", ID: "index", Tag: "Service", Summary: "What there is: JSON, or for browsers a page to type a rule into",
		Answer:  endpoint.Answer{Body: indexBody{}, Others: []endpoint.Other{{Status: http.StatusOK, ContentType: "text/html"}}},
		Example: "/",
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			if reply.AcceptedType(r.HTTP.Header, "application/json", "text/html") == "text/html" {
				return html().answer(), nil
			}
			return &reply.Document{Body: e.indexBody(s)}, nil
		},
	}
}

func (e *expander) indexBody(s *endpoint.Service) indexBody {
	b := indexBody{
		Service: s.Title, Version: Version, Description: s.Description, Docs: "docs", Meta: recurrence.Versions(),
		Price: priceBody{Price, "USD", "call of /v1/expand", e.payments()},
		Limits: limitsBody{
			Preview:   limitBody{recurrence.Preview.Rules, recurrence.Preview.Count},
			Expand:    limitBody{recurrence.Full.Rules, recurrence.Full.Count},
			BodyBytes: recurrence.MaxBody,
		},
		Endpoints: []endpointLine{{"GET", "/openapi.json", "This service in OpenAPI 3.1"}},
	}
	for _, one := range s.Endpoints {
		b.Endpoints = append(b.Endpoints, endpointLine{one.Method, one.Path, one.Summary})
	}
	for _, f := range recurrence.AllFlags {
		b.Flags = append(b.Flags, string(f))
	}
	for _, a := range recurrence.AllAnomalyTypes {
		b.Anomalies = append(b.Anomalies, string(a))
	}
	return b
}
