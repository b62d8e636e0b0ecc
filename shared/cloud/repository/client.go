package repository

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mappe/shared/cloud/pause"
)

// Outcomes that callers tell apart.
var (
	// ErrNotFound: the repository has no such deposit, record or file.
	ErrNotFound = errors.New("the repository has no such thing")
	// ErrRefused: the repository does not take the request, now or later: a wrong token, wrong metadata.
	ErrRefused = errors.New("the repository refuses the request")
	// ErrUnknown: what became of a request is not known; it may have been carried out.
	ErrUnknown = errors.New("the outcome of the request to the repository is not known")
	// ErrUnavailable: the repository gives no answer, or none in time; nothing was carried out, or what was may be
	// repeated.
	ErrUnavailable = errors.New("the repository is not available")
	// ErrChecksum: the repository received other bytes than were sent.
	ErrChecksum = errors.New("the repository has other bytes than were sent")
	// ErrAnswer: an answer is not what the interface describes.
	ErrAnswer = errors.New("the repository's answer cannot be read")
)

// Bounds of the client.
const (
	maxAnswer   = 8 << 20         // bytes of a JSON answer
	maxAttempts = 5               // of a request that may be repeated
	firstPause  = time.Second     // before the second attempt; it doubles
	maxPause    = 5 * time.Minute // that a limit is waited for
	answerTime  = 90 * time.Second
	maxFiles    = 100 // of a deposit, as the interface has it
)

// Options of New.
type Options struct {
	Base  string                                    // "https://zenodo.org"
	Token func(ctx context.Context) (string, error) // bearer token; nil: only published records are read
	HTTP  *http.Client                              // nil: one without a limit of time, which uploads have none of
	Pause func(context.Context, time.Duration) error
	Now   func() time.Time
}

// Client talks to one repository. It is safe for concurrent use.
type Client struct {
	base  *url.URL
	token func(ctx context.Context) (string, error)
	http  *http.Client
	pause func(context.Context, time.Duration) error
	now   func() time.Time
	limit limit
}

// New checks the address.
func New(o Options) (*Client, error) {
	u, err := url.Parse(strings.TrimSuffix(o.Base, "/"))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" || u.User != nil {
		return nil, fmt.Errorf("repository: address %q: want one such as https://zenodo.org", o.Base)
	}
	if u.Scheme == "http" && !local(u.Hostname()) {
		return nil, fmt.Errorf("repository: address %q: want https, a token goes there", o.Base)
	}
	c := &Client{base: u, token: o.Token, http: o.HTTP, pause: o.Pause, now: o.Now}
	if c.http == nil {
		c.http = &http.Client{}
	}
	if c.pause == nil {
		c.pause = pause.For
	}
	if c.now == nil {
		c.now = time.Now
	}
	return c, nil
}

func local(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}

// request is one call.
type request struct {
	method, url string
	body        []byte                        // JSON; nil: none
	stream      func() (io.ReadCloser, error) // instead of body: opened anew for each attempt
	size        int64                         // of the stream
	want        int                           // status of success
	header      http.Header
}

// repeatable says whether a request may be sent twice.
func (r *request) repeatable() bool { return r.method != http.MethodPost }

// do sends a request until it is answered for good. The caller closes the body of the answer.
func (c *Client) do(ctx context.Context, r request) (*http.Response, error) {
	wait := firstPause
	for attempt := 1; ; attempt++ {
		if err := c.limit.wait(ctx, c.now, c.pause); err != nil {
			return nil, err
		}
		a, err := c.send(ctx, r)
		if err == nil && a.StatusCode == r.want {
			return a, nil
		}
		end := ctx.Err()
		var again bool
		if err == nil {
			again, err = c.refused(r, a)
		} else if again = r.repeatable(); !again {
			err = fmt.Errorf("%w: %s %s: %w", ErrUnknown, r.method, r.url, err)
		} else {
			err = fmt.Errorf("%w: %s %s: %w", ErrUnavailable, r.method, r.url, err)
		}
		if !again || attempt == maxAttempts || end != nil {
			return nil, err
		}
		if c.limit.open(c.now()) {
			if err := c.pause(ctx, wait); err != nil {
				return nil, err
			}
			wait *= 2
		}
	}
}

// send sends a request once and notes the limits that the answer names.
func (c *Client) send(ctx context.Context, r request) (*http.Response, error) {
	var body io.Reader
	var size int64
	switch {
	case r.stream != nil:
		s, err := r.stream()
		if err != nil {
			return nil, err
		}
		body, size = s, r.size // the transport closes it, when it reads no more
		if size == 0 {
			s.Close()
			body = http.NoBody
		}
	case r.body != nil:
		body, size = bytes.NewReader(r.body), int64(len(r.body))
	}
	q, err := http.NewRequestWithContext(ctx, r.method, r.url, body)
	if err != nil {
		return nil, err
	}
	q.ContentLength = size
	q.Header.Set("Accept", "application/json")
	if r.body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	if r.stream != nil {
		q.Header.Set("Content-Type", "application/octet-stream")
	}
	for name, values := range r.header {
		q.Header[name] = values
	}
	if c.token != nil {
		token, err := c.token(ctx)
		if err != nil {
			return nil, fmt.Errorf("token: %w", err)
		}
		q.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := c.http.Do(q)
	if err != nil {
		return nil, err
	}
	c.limit.note(a.Header, a.StatusCode, c.now())
	return a, nil
}

// refused is the error of an answer that is no success, and whether the request may be sent again.
func (c *Client) refused(r request, a *http.Response) (again bool, err error) {
	text, _ := io.ReadAll(io.LimitReader(a.Body, 4<<10)) // what there is of it helps
	a.Body.Close()
	said := fmt.Sprintf("%s %s: %s: %.300s", r.method, r.url, a.Status, strings.ToValidUTF8(string(text), "?"))
	switch s := a.StatusCode; {
	case s == http.StatusTooManyRequests:
		return true, fmt.Errorf("%w: %s", ErrUnavailable, said)
	case s >= 500 && r.repeatable():
		return true, fmt.Errorf("%w: %s", ErrUnavailable, said)
	case s >= 500:
		return false, fmt.Errorf("%w: %s", ErrUnknown, said)
	case s == http.StatusRequestTimeout || s == http.StatusConflict:
		return r.repeatable(), fmt.Errorf("%w: %s", ErrUnavailable, said)
	case s == http.StatusNotFound || s == http.StatusGone:
		return false, fmt.Errorf("%w: %s", ErrNotFound, said)
	case s >= 400:
		return false, fmt.Errorf("%w: %s", ErrRefused, said)
	}
	return false, fmt.Errorf("%w: %s", ErrAnswer, said)
}

// json sends a request and reads its answer into v; nil: the answer is not looked at.
func (c *Client) json(ctx context.Context, r request, v any) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime+maxPause)
	defer cancel()
	a, err := c.do(ctx, r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	return decode(r, a, v)
}

func decode(r request, a *http.Response, v any) error {
	text, err := io.ReadAll(io.LimitReader(a.Body, maxAnswer+1))
	outcome := ErrAnswer
	if err != nil && r.method == http.MethodPost {
		outcome = ErrUnknown
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s %s: %w", outcome, r.method, r.url, err)
	case len(text) > maxAnswer:
		return fmt.Errorf("%w: %s %s: more than %d bytes", ErrAnswer, r.method, r.url, maxAnswer)
	case v == nil:
		return nil
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%w: %s %s: %w", ErrAnswer, r.method, r.url, err)
	}
	return nil
}

// at is an address below the base.
func (c *Client) at(path string) string { return c.base.String() + path }

// own checks a link of an answer: the token goes to the repository alone, whatever an answer says.
func (c *Client) own(link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != c.base.Scheme || u.Host != c.base.Host || u.User != nil {
		return "", fmt.Errorf("%w: the link %.200q does not lead to %s", ErrAnswer, link, c.base)
	}
	return u.String(), nil
}
