package expander

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"mappe/shared/cloud/pay"
	"mappe/shared/recurrence"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// expandBody shows a rule and a cron expression over both clock changes of a year.
const expandBody = `{"rules":[{"id":"payroll","rrule":"FREQ=MONTHLY;BYDAY=-1FR","tz":"Europe/Vienna","start":"2026-11-27T09:00:00","count":12},` +
	`{"id":"backup","cron":"30 2 * * *","tz":"America/New_York","start":"2026-03-07T00:00:00","count":3}]}`

func (e *expander) expand() endpoint.Endpoint {
	gate, info := closed, priceInfo
	if g := e.deps.Gate; g != nil {
		gate, info = g.Wrap, g.OpenAPIExtensions
	}
	return endpoint.Endpoint{
		Method: "POST", Path: "/v1/expand", ID: "expand", Tag: "Expansion",
		Summary: "Up to 25 rules of 500 occurrences, " + Price + " USD a call",
		Doc: fmt.Sprintf("1 to %d rules, each `rrule` (RFC 5545) or `cron` (5 fields), an IANA zone `tz` and a wall time `start` without offset. `count` bounds a rule (at most %d), `limit` all rules together, taken in their order.\n\n"+
			"Each occurrence has its wall time, its instant in UTC and the offset between them; `flags` and `anomalies` say where a clock change moved it or could mean another instant. The same request gives the same bytes as long as `meta` is the same.\n\n"+
			"A request without payment is answered 402 before its body is looked at. A request that is refused (400, 413, 415) costs nothing.",
			recurrence.Full.Rules, recurrence.MaxCount),
		Body: body, Answer: endpoint.Answer{Body: recurrence.Response{}, Exact: true, Others: paymentAnswers()},
		Cache: endpoint.Live, Gate: gate, Extensions: info(), ExampleBody: expandBody,
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			return answer(body.Of(r), recurrence.Full)
		},
	}
}

// paymentAnswers are those of the gate.
func paymentAnswers() []endpoint.Other {
	list := []endpoint.Other{{Status: http.StatusPaymentRequired, Doc: pay.Doc402, Body: pay.Shape402()}}
	statuses := pay.Statuses()
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		list = append(list, endpoint.Other{Status: status, Doc: statuses[status], Body: pay.Problem{}})
	}
	return list
}

// closed is the gate of a service that cannot take payments.
func closed(http.Handler) http.Handler {
	const text = `{"error":"payment is not configured here, so this route is closed: /v1/preview is free","status":503,"code":"unavailable"}` + "\n"
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(text)) // the client's own doing when it stops reading
	})
}

// priceInfo is what openapi.json says of the price where nothing else is known of the payment.
func priceInfo() map[string]any {
	return map[string]any{"x-payment-info": map[string]any{
		"protocols": []any{map[string]any{"x402": map[string]any{}}},
		"price":     map[string]any{"mode": "fixed", "currency": "USD", "amount": Price},
	}}
}
