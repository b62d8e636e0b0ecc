package expander

import (
	"context"
	"time"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Counts are read from the gate's event log. A probe is a request of the paid route without payment.
type Counts struct {
	Since         time.Time `json:"since,omitzero" doc:"the oldest event that is counted"`
	Probes        int64     `json:"probes" doc:"requests without payment, answered 402"`
	Verified      int64     `json:"verified" doc:"payments found valid"`
	Refused       int64     `json:"refused" doc:"payments found invalid, or used before"`
	Settled       int64     `json:"settled" doc:"payments settled: calls that were answered and charged"`
	Failed        int64     `json:"failed" doc:"payments that could not be settled; nothing was answered"`
	Indeterminate int64     `json:"indeterminate" doc:"settlements whose outcome is not yet known"`
	AtomicUnits   string    `json:"settled_atomic_units" doc:"sum of the settled payments in units of the asset"`
}

func (e *expander) metrics() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/v1/metrics", ID: "metrics", Tag: "Service", Summary: "Probes and settlements, counted from the event log",
		Answer: endpoint.Answer{Body: metricsBody{}}, Cache: endpoint.Live, Example: "/v1/metrics",
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			b := metricsBody{Payments: e.payments(), Counts: Counts{AtomicUnits: "0"}}
			if e.deps.Counters != nil {
				var err error
				if b.Counts, err = e.deps.Counters(ctx); err != nil {
					return nil, fault.Retry(fault.Unavailable, time.Second, "the event log cannot be read at the moment").Because(err)
				}
			}
			return &reply.Document{Body: b}, nil
		},
	}
}

type metricsBody struct {
	Payments string `json:"payments" enum:"open,closed"`
	Counts   Counts `json:"counts"`
}
