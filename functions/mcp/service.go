package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/family"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
	"mappe/shared/web/sentences"
)

// Version of the tools: names and arguments keep their meaning, and are only added to.
const Version = "1.0.0"

// Deps are what the endpoint stands on. Library and Families are required.
type Deps struct {
	Library *library.Library
	// Families answer the tools, in this process: those of functions/mcp/table.
	Families []family.Member
	// PublicURL is the address of all services in the outside world ("https://host"), for links; "" takes it from each
	// request, which is right only where no proxy changes the host.
	PublicURL string
	Now       func() time.Time // default time.Now
	// Patience is how long a tool waits for a task before it answers with its name; 0: 12 s.
	Patience time.Duration
	Log      *slog.Logger // default: silent
}

type service struct {
	Deps
	list []tool
}

// New is the endpoint as a service. It panics where a tool names a family, an endpoint or a parameter that is not
// declared, which a test would have told.
func New(d Deps) *endpoint.Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	s := &service{Deps: d}
	s.list = s.tools()
	for i := range s.list {
		if err := s.list[i].compile(); err != nil {
			panic(err)
		}
	}
	return &endpoint.Service{
		System: "mcp", Title: "Model Context Protocol", Version: Version,
		Description: "Tools by which language models ask the cadastre, the landscape, the place context, the recurrence " +
			"expander, the book service and the work feed. A stateless endpoint of the Model Context Protocol: " +
			"each message is a POST, its answer is JSON. Clients are given the address of this service.",
		Endpoints: []endpoint.Endpoint{s.post(), s.about()}, Now: d.Now, Log: d.Log,
		German: []string{sentences.German, inGerman},
	}
}

// maxMessage bounds a message in bytes. The longest argument that an endpoint takes is 1,000 bytes; a recurrence rule
// may name 1,000 dates to leave out.
const maxMessage = 64 << 10

// message is the form of a request, for its description.
type message struct {
	JSONRPC string          `json:"jsonrpc" doc:"2.0"`
	ID      json.RawMessage `json:"id,omitempty" doc:"a text or a number, which the answer repeats; absent from notifications"`
	Method  string          `json:"method" doc:"initialize, ping, tools/list or tools/call, and notifications"`
	Params  map[string]any  `json:"params,omitempty" doc:"of tools/call: name and arguments"`
}

// mcpAnswer is the form of an answer.
type mcpAnswer struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  map[string]any  `json:"result,omitempty" doc:"what the method gives"`
	Error   map[string]any  `json:"error,omitempty" doc:"{code, message}: the message itself was wrong. What a tool refuses is in result, with isError: true"`
}

func (s *service) post() endpoint.Endpoint {
	var tools strings.Builder
	for _, t := range s.list {
		fmt.Fprintf(&tools, "\n- `%s`: %s", t.name, t.doc)
	}
	return endpoint.Endpoint{
		Method: "POST", Path: "/", ID: "mcp_post", Tag: "Protocol", Summary: "A message of the Model Context Protocol",
		Doc: "One JSON-RPC message, at most " + fmt.Sprint(maxMessage) +
			" bytes; batches are refused. The answer is JSON, never a stream of events, and nothing is remembered between messages. " +
			"Answers of tools hold the data, their sources with licences, the date of the data, what is uncertain, and links, as structured content and as text. " +
			"A client address may send 5 messages a second, 60 at once (429 with Retry-After).\n\nTools:\n" + tools.String(),
		Body: endpoint.Unread("application/json", "a JSON-RPC 2.0 request or notification", maxMessage, message{}),
		Answer: endpoint.Answer{Body: mcpAnswer{}, Exact: true,
			Others: []endpoint.Other{{Status: http.StatusAccepted, Doc: "A notification was taken.", ContentType: "text/plain"}}},
		Cache: endpoint.Live, Gate: func(http.Handler) http.Handler { return s.protocol() },
		Example: "/", ExampleBody: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lookup_place","arguments":{"q":"Lorfach"}}}`,
		Serve: func(context.Context, *endpoint.Request) (reply.Answer, error) {
			return nil, fault.New(fault.Internal, "the protocol answers before")
		},
	}
}

type mcpAbout struct {
	Name     string      `json:"name"`
	Version  string      `json:"version"`
	Protocol string      `json:"protocol"`
	Docs     string      `json:"docs"`
	Tools    []toolAbout `json:"tools"`
}

type toolAbout struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
}

// about answers people who open the address. Clients of the protocol open it for a stream of events, which does not exist
// of: 405 tells them.
func (s *service) about() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/", ID: "mcp_about", Tag: "Protocol", Summary: "What this address is",
		Doc: "The tools with their descriptions. A client of the protocol that asks for a stream of events is answered 405.",
		Answer: endpoint.Answer{Body: mcpAbout{},
			Others: []endpoint.Other{{Status: http.StatusMethodNotAllowed, Doc: "A stream of events was asked for.",
				Body: fault.Schema()}}},
		Cache: endpoint.Live, Example: "/",
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			if strings.Contains(r.HTTP.Header.Get("Accept"), "text/event-stream") {
				f := fault.New(fault.MethodNotAllowed, "there is no stream of events here: messages are sent by POST and answered at once")
				f.Allow = []string{"POST"}
				return nil, f
			}
			a := mcpAbout{"Mappe", Version, "Model Context Protocol over HTTP, stateless", endpoint.Prefix(r.HTTP) + "/docs", nil}
			for _, t := range s.list {
				a.Tools = append(a.Tools, toolAbout{t.name, t.title, t.doc})
			}
			return &reply.Document{Body: a}, nil
		},
	}
}
