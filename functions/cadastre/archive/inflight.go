package archive

import (
	"context"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/inflight"
	"mappe/shared/web/reply"
)

type inflightBody struct {
	Requests []inflight.Request `json:"requests" doc:"the oldest first, at most 500; the asking one is among them"`
	Total    int                `json:"total" doc:"requests that this process answers now"`
	Store    storeState         `json:"store" doc:"what this process holds of the object store"`
}

type storeState struct {
	Generation  string `json:"generation"`
	Reachable   bool   `json:"reachable" doc:"whether the last check of the pointer was answered"`
	Entries     int    `json:"entries" doc:"objects and sections in memory"`
	Bytes       int64  `json:"bytes"`
	BudgetBytes int64  `json:"budget_bytes"`
	Pending     int    `json:"pending" doc:"reads under way or waiting for a place"`
	Loads       uint64 `json:"loads" doc:"reads since the process began"`
	Failures    uint64 `json:"failures"`
}

func (d Deps) inflight() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/debug/inflight", ID: "debug_inflight", Tag: "Diagnostics",
		Summary: "Requests that this process answers now",
		Doc: `Method, path and age of the requests that this process is answering, without their queries, and the state of what it holds of
the object store. In the cloud a process answers one request at a time: there this is the state of the one that answers.`,
		Cache: endpoint.Live, Answer: endpoint.Answer{Body: inflightBody{}}, Example: "/api/v1/debug/inflight",
		Serve: func(context.Context, *endpoint.Request) (reply.Answer, error) {
			var b inflightBody
			b.Requests, b.Total = d.Inflight.List()
			s := d.Library.Stats()
			b.Store = storeState{s.Generation, s.RefreshErr == nil, s.Entries, s.Bytes, s.BudgetBytes, s.Pending, s.Loads, s.Failures}
			return &reply.Document{Body: b}, nil
		},
	}
}
