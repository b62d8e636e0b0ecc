package expander

import (
	"context"
	"time"

	"mappe/shared/cloud/pay"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// metricsBody sums the event log. A probe is a request of the paid route without payment.
type metricsBody struct {
	Payments string           `json:"payments" enum:"open,closed"`
	Since    string           `json:"since,omitempty" doc:"the first day (UTC) that is counted"`
	Totals   map[string]int64 `json:"totals" doc:"events by name; revenue_atomic is in atomic units of the asset"`
	Days     []metricsDay     `json:"days" doc:"the last 31 days with events, oldest first"`
}

type metricsDay struct {
	Day    string           `json:"day"`
	Counts map[string]int64 `json:"counts"`
}

// daysShown bounds the answer; totals count every day that the log keeps.
const daysShown = 31

func (e *expander) metrics() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/v1/metrics", ID: "metrics", Tag: "Service", Summary: "Probes and settlements, counted from the event log",
		Doc: "Counts are written within a second of the event, or later while the ledger is out of reach; a process that is killed loses those it has not written yet. " +
			"They are for watching; the books of payments are kept apart and exactly.\n\n" +
			"`probes_unpaid` asked without payment, `settled` paid and were answered, `replays` sent a settled payment again and were answered without a second charge, " +
			"`refused_unsettled` sent a body that was refused and paid nothing, `slowed` did so too often on one payment, `indeterminate` wait for the outcome of a settlement, `unrecorded` were settled and are answered though the ledger, put back to an earlier time, has no record of them.",
		Answer: endpoint.Answer{Body: metricsBody{}}, Cache: endpoint.Live, Example: "/v1/metrics",
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			var days []pay.Day
			if e.deps.Events != nil {
				var err error
				if days, err = e.deps.Events(ctx); err != nil {
					return nil, fault.Retry(fault.Unavailable, time.Second, "the event log cannot be read at the moment").Because(err)
				}
			}
			return &reply.Document{Body: summed(e.payments(), days)}, nil
		},
	}
}

func summed(payments string, days []pay.Day) metricsBody {
	b := metricsBody{Payments: payments, Totals: map[string]int64{}, Days: []metricsDay{}}
	for _, event := range pay.AllEvents() {
		b.Totals[string(event)] = 0
	}
	for i, d := range days {
		if i == 0 {
			b.Since = d.Day
		}
		day := metricsDay{d.Day, map[string]int64{}}
		for event, n := range d.Counts {
			b.Totals[string(event)] += n
			day.Counts[string(event)] = n
		}
		if i >= len(days)-daysShown {
			b.Days = append(b.Days, day)
		}
	}
	return b
}
