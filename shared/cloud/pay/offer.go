package pay

import (
	"encoding/json"
	"net/http"
	"strings"
)

// required is the offer of version 2.
func (g *Gate) required(r Resource, problem string) Required {
	return Required{2, problem, r, []Requirements{g.requirements}, g.extensions}
}

// requirementsV1 are requirements in the words of version 1.
func (g *Gate) requirementsV1(q Requirements, r Resource) RequirementsV1 {
	v := RequirementsV1{
		Scheme: q.Scheme, Network: g.network.V1, MaxAmountRequired: q.Amount, Resource: r.URL, Description: r.Description,
		MimeType: r.MimeType, PayTo: q.PayTo, MaxTimeoutSeconds: q.MaxTimeoutSeconds, Asset: q.Asset, Extra: q.Extra,
	}
	if b := g.c.Bazaar; b != nil {
		v.OutputSchema = map[string]any{
			"input":  map[string]any{"type": "http", "method": b.Method, "bodyType": "json", "discoverable": true},
			"output": b.OutputSchema,
		}
	}
	return v
}

// resource is what is sold under the address that this request used.
func (g *Gate) resource(r *http.Request) Resource {
	out := g.c.Resource
	if strings.HasPrefix(out.URL, "/") {
		out.URL = shorten(g.c.Origin(r)) + out.URL
	}
	return out
}

// probeText is what a request without payment is told.
const probeText = "payment required: send PAYMENT-SIGNATURE (x402 version 2) or X-PAYMENT (version 1)"

// offer is a 402 that is ready to be sent.
type offer struct {
	url    string
	header []string
	body   []byte
}

// ask answers 402: what is asked, in both versions, and why the given payment is refused. The answer to a
// probe is kept for the next one: probes cost nothing, and so must be cheap.
func (g *Gate) ask(w http.ResponseWriter, r *http.Request, problem string) {
	res := g.resource(r)
	o := g.probe.Load()
	if problem != "" || o == nil || o.url != res.URL {
		o = g.offer(res, problem)
		if problem == "" {
			g.probe.Store(o)
		}
	}
	w.Header()[http.CanonicalHeaderKey(headerRequired)] = o.header
	writeBody(w, http.StatusPaymentRequired, o.body)
}

func (g *Gate) offer(res Resource, problem string) *offer {
	if problem == "" {
		problem = probeText
	}
	body := RequiredV1{Version: 1, Error: problem, Accepts: []RequirementsV1{}, Status: http.StatusPaymentRequired,
		Code: "payment_required"}
	if g.network.V1 != "" {
		body.Accepts = append(body.Accepts, g.requirementsV1(g.requirements, res))
	}
	return &offer{res.URL, []string{headerOf(g.required(res, problem))}, marshal(body)}
}

// setHeader writes a header of x402 in the case its documents use.
func setHeader(w http.ResponseWriter, name, value string) {
	w.Header()[http.CanonicalHeaderKey(name)] = []string{value}
}

// exposed are the headers that scripts of other origins may read.
const exposed = "PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, Retry-After"

// marshal is the body of an answer of the gate's own.
func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil { // structs of texts and numbers, and what New has marshalled, marshal
		panic(err)
	}
	return append(b, '\n')
}

// writeBody sends an answer of the gate's own.
func writeBody(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	if h.Get("Access-Control-Allow-Origin") == "" {
		h.Set("Access-Control-Allow-Origin", "*")
	}
	if h.Get("Access-Control-Expose-Headers") == "" {
		h.Set("Access-Control-Expose-Headers", exposed)
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(body) // the client's own doing when it stops reading
}

// offer is the extension bazaar: info, and the schema info keeps to.
func (b *Bazaar) offer() map[string]any {
	object := func(schema any) any {
		if schema == nil {
			return map[string]any{"type": "object"}
		}
		return schema
	}
	return map[string]any{
		"info": map[string]any{
			"input":  map[string]any{"type": "http", "method": b.Method, "bodyType": "json", "body": b.Input},
			"output": map[string]any{"type": "json", "example": b.Output},
		},
		"schema": map[string]any{
			"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
			"properties": map[string]any{
				"input": map[string]any{
					"type": "object",
					"properties": map[string]any{
						"type":     map[string]any{"type": "string", "const": "http"},
						"method":   map[string]any{"type": "string", "enum": []string{"POST", "PUT", "PATCH"}},
						"bodyType": map[string]any{"type": "string", "enum": []string{"json", "form-data", "text"}},
						"body":     object(b.InputSchema),
					},
					"required": []string{"type", "method", "bodyType", "body"}, "additionalProperties": false,
				},
				"output": map[string]any{
					"type":       "object",
					"properties": map[string]any{"type": map[string]any{"type": "string"}, "example": object(b.OutputSchema)},
					"required":   []string{"type"},
				},
			},
			"required": []string{"input"},
		},
	}
}
