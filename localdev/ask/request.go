package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mappe/localdev/terminal"
)

// Form is what an answer is printed as.
type Form string

// The forms.
const (
	Table Form = "table"
	JSON  Form = "json" // as the service answers, indented
	CSV   Form = "csv"
)

// Question is what is asked.
type Question struct {
	Base      string // address of all services: http://127.0.0.1:8080
	Operation Operation
	Values    map[string]string // parameters that are given
	Body      []byte            // nil: none
	BodyType  string            // its media type
	Token     string            // sent as a bearer token where it is not ""
	Form      Form
	All       bool // walks every page
	Width     int  // of the terminal in columns; 0: lines are as long as they are
}

const (
	// maxPages bounds a walk over the pages of a list.
	maxPages = 10_000
	// maxRead bounds an answer that is read whole, in bytes.
	maxRead = 64 << 20
	// patience is how long a service may take to begin its answer.
	patience = 2 * time.Minute
)

// address is the first address of a question.
func (q Question) address() (string, error) {
	base, err := url.Parse(q.Base)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return "", fmt.Errorf("--base is %q: expected the address of a running Mappe such as http://127.0.0.1:8080", q.Base)
	}
	values, path := url.Values{}, q.Operation.Endpoint.Path
	for _, in := range q.Operation.Inputs {
		v, given := q.Values[in.Name]
		switch {
		case given && in.InPath:
			path = strings.ReplaceAll(path, "{"+in.Name+"}", url.PathEscape(v))
		case given:
			values.Set(in.Name, v)
		case in.Required:
			return "", fmt.Errorf("%s is missing: %s", in.Name, in.Doc)
		}
	}
	if q.Form == CSV && q.Operation.Has("format") {
		values.Set("format", "csv")
	}
	address := strings.TrimSuffix(q.Base, "/") + q.Operation.Prefix + path
	if len(values) > 0 {
		address += "?" + values.Encode()
	}
	return address, nil
}

// send asks one address; what the service refuses is an error in its words.
func (q Question) send(ctx context.Context, address string) (*http.Response, error) {
	var body io.Reader
	if q.Body != nil {
		body = strings.NewReader(string(q.Body))
	}
	r, err := http.NewRequestWithContext(ctx, q.Operation.Endpoint.Method, address, body)
	if err != nil {
		return nil, err
	}
	if q.Body != nil {
		r.Header.Set("Content-Type", q.BodyType)
	}
	if q.Token != "" {
		r.Header.Set("Authorization", "Bearer "+q.Token)
	}
	client := &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: patience, DisableKeepAlives: !q.All}}
	res, err := client.Do(r)
	if err != nil {
		return nil, q.unreachable(ctx, err)
	}
	if res.StatusCode < http.StatusBadRequest {
		return res, nil
	}
	defer res.Body.Close()
	return nil, refusal(res)
}

// unreachable says why no answer came.
func (q Question) unreachable(ctx context.Context, err error) error {
	var refused *net.OpError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &refused) && refused.Op == "dial":
		return fmt.Errorf("nothing answers at %s: start a server with %s start, or name another with --base URL", q.Base,
			terminal.CommandLine())
	}
	return fmt.Errorf("no answer of %s: %w", q.Base, err)
}

// refusal is a failed answer in the words of the service, each further parameter on a line.
func refusal(res *http.Response) error {
	raw, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("the answer %s could not be read: %w", res.Status, err)
	}
	var f struct {
		Error  string
		Errors []struct{ Parameter, Field, Value, Expected, Allowed, Message string }
	}
	if json.Unmarshal(raw, &f) != nil || f.Error == "" {
		return fmt.Errorf("the server answers %s, which no service of Mappe does: is --base right?", res.Status)
	}
	text := plain(f.Error)
	if len(f.Errors) > 1 {
		for _, e := range f.Errors {
			if e.Message == "" {
				e.Message = e.Parameter + e.Field + ": expected " + e.Expected + e.Allowed
			}
			text += "\n  " + plain(e.Message)
		}
	}
	if after := res.Header.Get("Retry-After"); after != "" {
		text += "\n  try again in " + plain(after) + " s"
	}
	return errors.New(text)
}

// next is the address of the page after this one, "" on the last.
func (q Question) next(res *http.Response) (string, error) {
	for _, l := range res.Header.Values("Link") {
		target, ok := strings.CutSuffix(l, `>; rel="next"`)
		if !ok || !strings.HasPrefix(target, "<") {
			continue
		}
		u, err := res.Request.URL.Parse(target[1:])
		if err != nil {
			return "", fmt.Errorf("the link to the next page cannot be read: %w", err)
		}
		if u.Host != res.Request.URL.Host || u.Scheme != res.Request.URL.Scheme { // the token is not for others
			return "", fmt.Errorf("the next page is at another host: %s", plain(u.Host))
		}
		return u.String(), nil
	}
	return "", nil
}

// plain is text without what would steer a terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r <= 0x9f || r >= 0x200e && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return '�'
		}
		return r
	}, s)
}
