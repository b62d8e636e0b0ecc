package expander

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"mappe/shared/cloud/pay"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// discoveryBody is the compatibility discovery document of x402 crawlers; the live 402 is authoritative.
type discoveryBody struct {
	Version      int      `json:"version"`
	Resources    []string `json:"resources" doc:"addresses that answer 402"`
	Instructions string   `json:"instructions"`
}

func (e *expander) discovery() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/.well-known/x402", ID: "x402", Tag: "Discovery",
		Summary: "What can be bought here (x402 compatibility discovery)",
		Answer:  endpoint.Answer{Body: discoveryBody{}}, Cache: endpoint.Live, Example: "/.well-known/x402",
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			base := e.publicURL(r.HTTP)
			return &reply.Document{Body: discoveryBody{1, []string{base + "/v1/expand"},
				"POST a JSON body of rules; " + Price + " USD a call. A free preview is at " + base + "/v1/preview, the description at " +
					base + "/openapi.json."}}, nil
		},
	}
}

// draftBody follows a draft of the x402 foundation.
type draftBody struct {
	X402Version int         `json:"x402Version"`
	Items       []draftItem `json:"items"`
}

type draftItem struct {
	Resource    string             `json:"resource"`
	Type        string             `json:"type"`
	X402Version int                `json:"x402Version"`
	Accepts     []pay.Requirements `json:"accepts"`
	Metadata    itemMetadata       `json:"metadata"`
}

type itemMetadata struct {
	Description string `json:"description"`
	Input       any    `json:"input"`
}

func (e *expander) discoveryDraft() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/.well-known/x402.json", ID: "x402_draft", Tag: "Discovery",
		Summary: "The same with the payment requirements (a draft)",
		Answer:  endpoint.Answer{Body: draftBody{}}, Cache: endpoint.Live, Example: "/.well-known/x402.json",
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := draftBody{2, []draftItem{}}
			if g := e.deps.Gate; g != nil {
				b.Items = append(b.Items, draftItem{e.publicURL(r.HTTP) + "/v1/expand", "http", 2, []pay.Requirements{g.Requirements()},
					itemMetadata{Sold, json.RawMessage(expandBody)}})
			}
			return &reply.Document{Body: b}, nil
		},
	}
}

// Prefix is what stands before the paths of the service at its public address: "/expander" at
// https://host/expander and where the address is not known, "" on a host of its own.
func Prefix(publicURL string) string {
	u, err := url.Parse(publicURL)
	if publicURL == "" || err != nil {
		return Family.Prefix
	}
	return strings.TrimSuffix(u.Path, "/")
}

// publicURL is the address of the service as its callers know it.
func (e *expander) publicURL(r *http.Request) string {
	return endpoint.Base(strings.TrimSuffix(e.deps.PublicURL, "/"), r)
}
