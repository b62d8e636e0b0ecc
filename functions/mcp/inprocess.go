package mcp

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mappe/shared/web/fault"
)

const (
	// maxAnswer bounds what an endpoint may answer to a tool, in bytes: 100 parcels with all their columns are 60 KB.
	maxAnswer = 256 << 10
	// timeLimit bounds how long it may take.
	timeLimit = 20 * time.Second
)

// answered is what an endpoint answered.
type answered struct {
	status int
	header http.Header
	body   []byte
}

// client is who asks, for what services hold a client to and write into their log.
type client struct {
	address, requestID string
	host               string      // that the message was sent to, "https://host"
	tokens             http.Header // of the message, for services that are private
}

// tokenHeaders carry the tokens of private services.
var tokenHeaders = []string{"Authorization", "X-Auth-Token"}

// tokensOf are those of a message.
func tokensOf(h http.Header) http.Header {
	out := http.Header{}
	for _, name := range tokenHeaders {
		if v := h.Values(name); len(v) > 0 {
			out[name] = v
		}
	}
	return out
}

// do asks the endpoint in this process. Its refusals are answers; an error is one of the tool.
func (a asking) do(ctx context.Context, from client) (answered, error) {
	h, err := a.call.of.handler()
	if err != nil {
		return answered{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	r, err := a.request(ctx, from)
	if err != nil {
		return answered{}, err
	}
	w := &recorder{status: http.StatusOK, header: http.Header{}, most: cmp.Or(a.most, maxAnswer)}
	serve(h, w, r)
	switch {
	case w.full:
		return answered{}, fault.New(fault.TooLarge,
			"the answer is larger than %d bytes: ask for less, with a smaller limit, fewer blocks or a narrower filter", w.most)
	case ctx.Err() != nil:
		return answered{}, fault.Retry(fault.Unavailable, time.Second, "the answer took longer than %s: ask for less, or again", timeLimit)
	}
	return answered{w.status, w.header, w.body.Bytes()}, nil
}

// request is what is asked, as the endpoint is sent it.
func (a asking) request(ctx context.Context, from client) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, a.call.endpoint.Method, a.call.of.prefix+a.target, bytes.NewReader(a.body))
	if err != nil {
		return nil, err
	}
	r.RemoteAddr = from.address
	if u, err := url.Parse(from.host); err == nil { // addresses in answers are those that the client knows
		r.Host = u.Host
		if u.Scheme == "https" {
			r.TLS = &tls.ConnectionState{}
		}
	}
	if a.call.of.private {
		maps.Copy(r.Header, from.tokens)
	}
	r.Header.Set("Accept", "application/json")
	if from.requestID != "" {
		r.Header.Set("X-Request-Id", from.requestID)
	}
	if a.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// serve answers; an answer that is cut ends as it is.
func serve(h http.Handler, w *recorder, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			if !w.full {
				w.status, w.header = http.StatusInternalServerError, http.Header{}
				w.body.Reset()
			}
		}
	}()
	h.ServeHTTP(w, r)
}

// recorder keeps an answer within its bound.
type recorder struct {
	status int
	begun  bool
	full   bool
	most   int // bytes
	header http.Header
	body   bytes.Buffer
}

var errFull = errors.New("the answer of a tool is full")

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if !w.begun {
		w.status, w.begun = status, true
	}
}

func (w *recorder) Write(p []byte) (int, error) {
	w.begun = true
	if w.body.Len()+len(p) > w.most {
		w.full = true
		return 0, errFull
	}
	return w.body.Write(p)
}

// refusal is why an endpoint gives no answer, as a model can act on it: field, value, what is allowed. "" is an answer.
func (a answered) refusal() string {
	if a.status < http.StatusBadRequest {
		return ""
	}
	var f struct {
		Error  string
		Errors []struct {
			Parameter, Value, Expected string
			Field, Allowed, Message    string // as the expander has them
		}
	}
	if json.Unmarshal(a.body, &f) != nil || f.Error == "" {
		return "the service failed to answer; ask again"
	}
	if a.status == http.StatusUnauthorized {
		return "the service answers to the owner of a project alone: the connection has to send the project's token, as the header " +
			"Authorization: Bearer TOKEN or X-Auth-Token: TOKEN, and the token has to open what is asked for"
	}
	lines := []string{f.Error}
	for _, e := range f.Errors {
		switch {
		case len(f.Errors) == 1: // the sentence says it
		case e.Message != "":
			lines = append(lines, e.Message)
		default:
			lines = append(lines, fault.BadValue(e.Parameter, e.Value, e.Expected).Message)
		}
	}
	if after := a.header.Get("Retry-After"); after != "" {
		lines = append(lines, "Ask again in "+after+" s.")
	}
	return strings.Join(lines, "\n")
}
