package expander

import (
	"encoding/json"

	"mappe/shared/cloud/pay"
	"mappe/shared/recurrence"
)

// Sold says what a call buys.
const Sold = "Expands up to 25 RFC 5545 recurrence rules or cron expressions into exact UTC instants over IANA time zones, clock changes flagged."

// PriceAtomic is the price in units of an asset with six decimals (USDC).
const PriceAtomic = "20000"

// Bazaar describes the call for catalogues: an example and the schemas of request and answer. It travels in
// a header, so the schemas are the short of it; openapi.json has the whole.
func Bazaar() *pay.Bazaar {
	const in = `{"rules":[{"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2027-03-28T01:30:00","count":1}]}`
	text := func(doc string) map[string]any { return map[string]any{"type": "string", "description": doc} }
	out, err := Answer(mustRead(in), recurrence.Full)
	if err != nil { // the example is part of this program
		panic(err)
	}
	return &pay.Bazaar{
		Method: "POST", Input: json.RawMessage(in), Output: json.RawMessage(out),
		InputSchema: map[string]any{
			"type": "object", "required": []string{"rules"},
			"properties": map[string]any{
				"rules": map[string]any{"type": "array", "minItems": 1, "maxItems": recurrence.Full.Rules, "items": map[string]any{
					"type": "object", "required": []string{"tz", "start"},
					"properties": map[string]any{
						"id": text("echoed"), "rrule": text("RFC 5545 RECUR, or cron"), "cron": text("5 fields, or rrule"),
						"tz": text("IANA zone"), "start": text("wall time without offset"),
						"count": map[string]any{"type": "integer", "minimum": 1, "maximum": recurrence.MaxCount},
					},
				}},
				"limit": map[string]any{"type": "integer", "minimum": 1, "maximum": recurrence.MaxLimit},
			},
		},
		OutputSchema: map[string]any{
			"type": "object", "required": []string{"results", "total_occurrences", "meta"},
			"properties": map[string]any{
				"results": map[string]any{"type": "array"}, "total_occurrences": map[string]any{"type": "integer"},
				"meta": map[string]any{"type": "object"},
			},
		},
	}
}

func mustRead(text string) recurrence.Request {
	r, err := Read([]byte(text), recurrence.Full)
	if err != nil {
		panic(err)
	}
	return r
}
