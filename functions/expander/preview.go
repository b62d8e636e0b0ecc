package expander

import (
	"context"
	"fmt"

	"mappe/shared/recurrence"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// exampleBody meets both clock changes of 2026 in New York.
const exampleBody = `{"rules":[{"id":"standup","rrule":"FREQ=DAILY;COUNT=3","tz":"America/New_York","start":"2026-03-07T02:30:00"}]}`

func (e *expander) preview() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/v1/preview", ID: "preview", Tag: "Expansion",
		Summary: "One rule, three occurrences, free",
		Doc: fmt.Sprintf("The same request and answer as /v1/expand within smaller limits: %d rule, and the list is cut after %d occurrences (`truncated` says that there are more).\n\n"+
			"A process computes at most %d previews at a time; one that has waited %s for its turn is answered 429 with Retry-After. There is no count per caller.",
			recurrence.Preview.Rules, recurrence.Preview.Count, e.slots.count(), slotWait),
		Body: body, Answer: endpoint.Answer{Body: recurrence.Response{}, Exact: true, Others: []endpoint.Other{tooMany}},
		Cache: endpoint.Live, Example: "/v1/preview", ExampleBody: exampleBody,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			done, ok := e.slots.acquire(ctx)
			if !ok {
				return nil, fault.Retry(fault.RateLimited, slotWait,
					"too many previews at this moment: expected at most %d at a time; try again", e.slots.count())
			}
			defer done()
			return answer(body.Of(r), recurrence.Preview)
		},
	}
}

var tooMany = endpoint.Other{Status: 429, Doc: "More previews than one process computes at a time.", Body: refusalShape{}}
