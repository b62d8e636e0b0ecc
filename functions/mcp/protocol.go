package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mappe/functions/core/generation"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

const instructions = "Open Austrian land data: parcels, prices, what surrounds a place, changes of the cadastre, and recurring events. " +
	"Coordinates are longitude and latitude in WGS84, lon first; areas are in m², distances in metres, prices in EUR. " +
	"lookup_place turns names into codes and positions for the other tools. Tools of books need the token of a project. Tools of areas take up to 25 km² and compute anew from laser scans; those of KGs and parcels read what was analysed. Name the sources of what you use, with their licences and the date, and say what is uncertain."

type asker struct{}

// asker is who sent a message, and the address it came to.
type from struct {
	client
	base string
}

// protocol answers messages.
func (s *service) protocol() http.Handler {
	no := false
	server := mcp.NewServer(&mcp.Implementation{Name: "mappe", Title: "Mappe: open Austrian land data", Version: Version},
		&mcp.ServerOptions{
			Instructions: instructions, Logger: s.Log, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		})
	for i := range s.list {
		t := &s.list[i]
		server.AddTool(&mcp.Tool{
			Name: t.name, Title: t.title, Description: t.doc, InputSchema: t.schema, OutputSchema: outputSchema,
			Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no,
				OpenWorldHint: &no},
		}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.call(ctx, t, r.Params.Arguments)
		})
	}
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, Logger: s.Log, MaxRequestBodyBytes: maxMessage, PropagateRequestCancellation: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		message, refused := readMessage(w, r)
		if refused != nil {
			refuse(w, refused)
			return
		}
		base := s.PublicURL
		if base == "" {
			base = endpoint.Origin(r)
		}
		asking := from{client{r.RemoteAddr, w.Header().Get("X-Request-Id"), base, tokensOf(r.Header)}, base}
		r = r.WithContext(context.WithValue(r.Context(), asker{}, asking))
		if r.Header.Get("Content-Type") == "" {
			r.Header.Set("Content-Type", "application/json")
		}
		r.Header.Set("Accept", "application/json, text/event-stream") // the answer is JSON, whatever a client prefers
		message.ask(inner, w, r)
	})
}

// readMessage reads a message within its bound.
func readMessage(w http.ResponseWriter, r *http.Request) (envelope, *refused) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return envelope{}, &refused{http.StatusRequestEntityTooLarge, invalidRequest, nil,
			"the message is larger than the 65536 bytes that this endpoint takes"}
	case err != nil:
		return envelope{}, &refused{http.StatusBadRequest, parseError, nil, "the message ended before its end"}
	}
	return readEnvelope(body)
}

// call answers a tool. What the client can mend is an error of the tool, in its words; the rest is logged.
func (s *service) call(ctx context.Context, t *tool, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	result, err := s.answer(ctx, t, arguments)
	if err == nil {
		return result, nil
	}
	f := fault.From(err)
	if f.Status() == http.StatusInternalServerError {
		who, _ := ctx.Value(asker{}).(from)
		s.Log.Error("tool failed", "tool", t.name, "request_id", who.requestID, "error", err)
	}
	return failed(f.Message), nil
}

func failed(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func (s *service) answer(ctx context.Context, t *tool, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	who, _ := ctx.Value(asker{}).(from)
	c, why, err := s.content(ctx, t, arguments, who)
	if err != nil {
		return nil, err
	}
	if why != "" {
		return failed(why), nil
	}
	text, err := c.text()
	if err != nil {
		return nil, err
	}
	result := &mcp.CallToolResult{StructuredContent: c, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	for _, l := range c.Links {
		result.Content = append(result.Content, &mcp.ResourceLink{URI: l.URL, Name: l.Title})
	}
	return result, nil
}

// content is what a tool answers; why is the refusal where it does not.
func (s *service) content(ctx context.Context, t *tool, arguments json.RawMessage, who from) (c *content, why string, err error) {
	if t.study != nil {
		q, err := t.readStudy(arguments)
		if err != nil {
			return nil, "", err
		}
		ctx, of, err := s.pinned(ctx, t)
		if err != nil {
			return nil, "", err
		}
		return t.studied(ctx, q, of, who)
	}
	asking, err := t.read(arguments)
	if err != nil {
		return nil, "", err
	}
	ctx, of, err := s.pinned(ctx, t)
	if err != nil {
		return nil, "", err
	}
	c, why, err = t.within(ctx, asking, of, who)
	if err == nil && why == "" && c.rows == 0 && asking.words != "" {
		t.spell(ctx, c, asking.words, who.client)
	}
	return c, why, err
}

// pinned fixes the generation that a tool is answered from, and says of when it is.
func (s *service) pinned(ctx context.Context, t *tool) (context.Context, date, error) {
	if t.source != nil { // not made of the data
		return ctx, date{}, nil
	}
	ctx, _, err := generation.Pin(s.Library)(ctx)
	if err != nil {
		return ctx, date{}, err
	}
	v, err := generation.Pinned(ctx)
	if err != nil {
		return ctx, date{}, err
	}
	of := v.Register().Stichtag()
	return ctx, date{&of, v.Generation()}, nil
}
