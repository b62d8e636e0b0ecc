package expander

import (
	"context"

	"mappe/shared/recurrence"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

type healthBody struct {
	Status   string          `json:"status" enum:"ok"`
	Version  string          `json:"version"`
	Payments string          `json:"payments" enum:"open,closed" doc:"closed: the paid route answers 503"`
	Meta     recurrence.Meta `json:"meta"`
}

func (e *expander) health() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/health", ID: "health", Tag: "Service", Summary: "Whether the service answers, and with which data",
		Answer: endpoint.Answer{Body: healthBody{}}, Cache: endpoint.Live, Example: "/health",
		Serve: func(context.Context, *endpoint.Request) (reply.Answer, error) {
			return &reply.Document{Body: healthBody{"ok", Version, e.payments(), recurrence.Versions()}}, nil
		},
	}
}

func (e *expander) payments() string {
	if e.deps.Gate == nil {
		return "closed"
	}
	return "open"
}
