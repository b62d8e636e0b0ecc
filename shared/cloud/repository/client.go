package repository

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
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
	// How long the answer to a download may take to begin, and how long it may then bring nothing.
	beginning, silence time.Duration
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
	c := &Client{base: u, token: o.Token, http: o.HTTP, pause: o.Pause, now: o.Now, beginning: answerTime + maxPause,
		silence: time.Minute}
	if c.http == nil {
		c.http = &http.Client{}
	}
	own := *c.http
	own.CheckRedirect = c.redirected
	c.http = &own
	if c.pause == nil {
		c.pause = pause.For
	}
	if c.now == nil {
		c.now = time.Now
	}
	return c, nil
}

// local says whether a host is this machine: 127.0.0.1 is, 127.0.0.1.example.org is not.
func local(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
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
		} else if again = r.repeatable(); !again && !errors.Is(err, errUnsent) {
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

// errUnsent: the request did not leave, so that nothing can have been carried out.
var errUnsent = errors.New("not sent")

// send sends a request once and notes the limits that the answer names.
func (c *Client) send(ctx context.Context, r request) (*http.Response, error) {
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	q, err := http.NewRequestWithContext(ctx, r.method, r.url, body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnsent, err)
	}
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
	var token string
	if c.token != nil {
		if token, err = c.token(ctx); err != nil {
			return nil, fmt.Errorf("%w: token: %w", errUnsent, err)
		}
		q.Header.Set("Authorization", bearer+token)
	}
	if r.stream != nil { // last: from here on the transport closes it
		s, err := r.stream()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errUnsent, err)
		}
		q.Body, q.ContentLength = s, r.size
		if r.size == 0 { // of a length of 0 the transport would think that it is not known
			s.Close()
			q.Body = http.NoBody
		}
	}
	a, err := c.http.Do(q)
	if err != nil {
		return nil, quotable(err, token)
	}
	c.limit.note(a.Header, a.StatusCode, c.now())
	return a, nil
}

// refused is the error of an answer that is no success, and whether the request may be sent again.
func (c *Client) refused(r request, a *http.Response) (again bool, err error) {
	text, _ := io.ReadAll(io.LimitReader(a.Body, 4<<10)) // what there is of it helps
	a.Body.Close()
	said := fmt.Sprintf("%s %s: %s: %.300s", r.method, r.url, a.Status,
		hide(strings.ToValidUTF8(string(text), "?"), strings.TrimPrefix(a.Request.Header.Get("Authorization"), bearer)))
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
	case s < 300 && !r.repeatable():
		return false, fmt.Errorf("%w: %s", ErrUnknown, said)
	}
	return false, fmt.Errorf("%w: %s", ErrAnswer, said)
}

// bearer is what stands before the token.
const bearer = "Bearer "

// hide takes the token out of a text: a repository, or a proxy before it, may show the request in what it answers.
func hide(text, token string) string {
	if token == "" {
		return text
	}
	return strings.ReplaceAll(text, token, "[token]")
}

// quotable is an error of net/http without the address, which may be the one that an answer redirects to.
func quotable(err error, token string) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	if text := hide(err.Error(), token); text != err.Error() {
		return errors.New(text)
	}
	return err
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
	if !r.repeatable() { // it was carried out, and what came of it is not known
		outcome = ErrUnknown
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s %s: %w", outcome, r.method, r.url, err)
	case len(text) > maxAnswer:
		return fmt.Errorf("%w: %s %s: more than %d bytes", outcome, r.method, r.url, maxAnswer)
	case v == nil:
		return nil
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%w: %s %s: %w", outcome, r.method, r.url, err)
	}
	return nil
}

// at is an address below the base.
func (c *Client) at(path string) string { return c.base.String() + path }

// maxRedirects is how many are followed, as net/http has it.
const maxRedirects = 10

// redirected looks at where an answer leads. net/http takes the token along to other ports, to subdomains and from https
// to http; here it goes to the repository alone. Only what reads is sent elsewhere, and never from https to http.
func (c *Client) redirected(q *http.Request, before []*http.Request) error {
	switch {
	case len(before) >= maxRedirects:
		return fmt.Errorf("%d redirects", len(before))
	case c.home(q.URL):
		return nil
	case q.Method != http.MethodGet || q.URL.Scheme != c.base.Scheme && q.URL.Scheme != "https":
		return http.ErrUseLastResponse
	}
	q.Header.Del("Authorization")
	return nil
}

// home says whether an address is one of the repository.
func (c *Client) home(u *url.URL) bool {
	return u.Scheme == c.base.Scheme && u.Host == c.base.Host && u.User == nil
}

// own checks a link of an answer: the token goes to the repository alone, whatever an answer says.
func (c *Client) own(link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil {
		return "", fmt.Errorf("%w: a link is no address", ErrAnswer) // what it says may hold a token
	}
	if !c.home(u) {
		return "", fmt.Errorf("%w: the link to %.100q does not lead to %s", ErrAnswer, u.Host, c.base)
	}
	return u.String(), nil
}
