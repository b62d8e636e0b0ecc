package pay

import "strings"

// OpenAPIExtensions are the members of the sold operation in openapi.json: x-payment-info, as catalogues
// read it. The price is in USD where the asset is USDC, with its six decimals.
func (g *Gate) OpenAPIExtensions() map[string]any {
	return map[string]any{"x-payment-info": map[string]any{
		"protocols": []any{map[string]any{"x402": map[string]any{}}},
		"price":     map[string]any{"mode": "fixed", "currency": "USD", "amount": g.USD()},
		"network":   g.network.ID,
		"asset":     g.requirements.Asset,
		"payTo":     g.requirements.PayTo,
	}}
}

// Doc402 is the description of the 402 answer.
const Doc402 = "Payment is missing, was refused or could not be settled. The header PAYMENT-REQUIRED holds the offer of x402 version 2 (JSON in base64), the body that of version 1. Nothing was charged."

// Shape402 is a value whose type is the shape of the body of the 402 answer.
func Shape402() any { return RequiredV1{} }

// Problem is the body of the gate's other answers.
type Problem struct {
	Error  string `json:"error"`
	Status int    `json:"status"`
	Code   string `json:"code"`
}

// Statuses are the answers the gate gives beside 402, for openapi.json.
func Statuses() map[int]string {
	return map[int]string{
		409: "The payment, or its payment-identifier, was used for another request; or a request with the same payment is being answered (code payment_in_progress, with Retry-After).",
		429: "Requests with this payment were refused again and again (code too_many_refused, with Retry-After). Nothing was charged.",
		502: "The facilitator failed. With code settlement_unknown the same payment with the same request may be sent again: it is charged once and answered once it is settled.",
		503: "The records of payments cannot be read now. The same payment may be sent again.",
		504: "The facilitator did not answer in time. The same payment may be sent again.",
	}
}

// USD is the price in whole units: "0.02".
func (g *Gate) USD() string {
	const decimals = 6
	s := g.requirements.Amount
	if len(s) <= decimals {
		s = strings.Repeat("0", decimals+1-len(s)) + s
	}
	whole, part := s[:len(s)-decimals], strings.TrimRight(s[len(s)-decimals:], "0")
	if part == "" {
		return whole
	}
	return whole + "." + part
}

// Requirements are what a payment has to meet.
func (g *Gate) Requirements() Requirements { return g.requirements }

// Network is where payments are made.
func (g *Gate) Network() Network { return g.network }
