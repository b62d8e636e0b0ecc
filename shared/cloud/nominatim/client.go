// Package nominatim asks another geocoder, of Nominatim's form, for places, under the rules that public ones have: one
// request a second of this process, answers kept, a name and a contact in each request. It owns the requests, the pace,
// the memory and the reader of the answers; functions/core/search, and functions/context/place through it, ask it
// where the project's own addresses know nothing; a batch of addresses asks at most five times. It is off where no address is set.
//
//	MAPPE_GEOCODER            https://HOST/search     "" without one
//	MAPPE_GEOCODER_CONTACT    who runs this: an e-mail address or a web page
//
// The pace is that of a process: where several run, as functions do, the sum is theirs. A geocoder of one's own bears
// that; a public one wants a single instance.
package nominatim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The environment.
const (
	Address = "MAPPE_GEOCODER"
	Contact = "MAPPE_GEOCODER_CONTACT"
)

// The bounds of a request.
const (
	pace      = time.Second     // between two requests
	maxWait   = 2 * time.Second // for a turn
	timeout   = 4 * time.Second // for an answer
	maxBody   = 256 << 10
	MaxPlaces = 10
	// rest is how long nothing is asked after a failure, and after a refusal that does not say it; maxRest bounds what one
	// says.
	rest    = 10 * time.Second
	refused = time.Minute
	maxRest = time.Hour
)

// The reasons why there is no answer.
var (
	// ErrBusy: too many ask, or the geocoder is left alone for a while.
	ErrBusy = errors.New("the geocoder is asked too often")
	// ErrFailed: it gave no answer that can be used.
	ErrFailed = errors.New("the geocoder gave no answer")
)

// Client asks one geocoder. It is safe for concurrent use.
type Client struct {
	address *url.URL
	agent   string
	http    *http.Client
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error

	mu   sync.Mutex
	next time.Time // the next turn
	memo memory
}

// FromEnvironment is the client that the environment names; nil where it names none.
func FromEnvironment(getenv func(string) string) (*Client, error) {
	address := getenv(Address)
	if address == "" {
		return nil, nil
	}
	return New(address, getenv(Contact))
}

// New is a client of the geocoder at an address, whose contact is named in each request.
func New(address, contact string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s: %q is no address of a search, such as https://nominatim.example/search", Address, address)
	}
	if contact = strings.TrimSpace(contact); contact == "" || len(contact) > 200 ||
		strings.ContainsFunc(contact, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, fmt.Errorf("%s: a geocoder wants to know whom to write to: set an e-mail address or a web page, of at most 200 ASCII characters", Contact)
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxConnsPerHost, t.MaxResponseHeaderBytes, t.ResponseHeaderTimeout = 2, 16<<10, timeout
	return &Client{
		address: u, agent: "Mappe (" + contact + ")", now: time.Now, sleep: pause, memo: newMemory(),
		// A redirect would be a second request to someone nobody has named.
		http: &http.Client{Transport: t, Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}, nil
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Name is the host that is asked: whom an answer names as its source.
func (c *Client) Name() string { return c.address.Host }

// Search gives the places of a text, at most MaxPlaces, best first: from memory, or by a request. The errors are ErrBusy,
// ErrFailed and those of the context.
func (c *Client) Search(ctx context.Context, text string) (Answer, error) {
	key := keyOf(text)
	if a, ok := c.known(key); ok {
		return a, nil
	}
	wait, err := c.turn()
	if err != nil {
		return Answer{}, err
	}
	if err := c.sleep(ctx, wait); err != nil {
		return Answer{}, err
	}
	if a, ok := c.known(key); ok { // somebody asked the same meanwhile
		return a, nil
	}
	a, err := c.ask(ctx, key)
	if err != nil {
		return a, err
	}
	c.mu.Lock()
	c.memo.put(key, a, c.now())
	c.mu.Unlock()
	return a, nil
}

// Known gives the places of a text from memory: nobody is asked.
func (c *Client) Known(text string) (Answer, bool) { return c.known(keyOf(text)) }

// keyOf is a text as it is asked and kept.
func keyOf(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

func (c *Client) known(key string) (Answer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.memo.get(key, c.now())
	a.Kept = ok
	return a, ok
}

// turn takes the next turn and says how long it is until then.
func (c *Client) turn() (time.Duration, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	wait := max(c.next.Sub(now), 0)
	if wait > maxWait {
		return 0, ErrBusy
	}
	c.next = now.Add(wait + pace)
	return wait, nil
}

// leave asks nothing for a while.
func (c *Client) leave(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if until := c.now().Add(d); until.After(c.next) {
		c.next = until.Add(maxWait) // who comes before the end is told so, and does not wait
	}
}

// ask makes the request.
func (c *Client) ask(ctx context.Context, text string) (Answer, error) {
	u := *c.address
	u.RawQuery = url.Values{
		"q": {text}, "format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {strconv.Itoa(MaxPlaces)}, "countrycodes": {"at"},
		"viewbox": {viewbox}, "bounded": {"1"}, "accept-language": {"de"},
	}.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	r.Header.Set("User-Agent", c.agent)
	r.Header.Set("Accept", "application/json")
	answer, err := c.http.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		c.leave(rest)
		return Answer{}, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	defer answer.Body.Close() // read only
	if answer.StatusCode != http.StatusOK {
		c.leave(restOf(answer))
		return Answer{}, fmt.Errorf("%w: status %d", ErrFailed, answer.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = fmt.Errorf("more than %d bytes", maxBody)
	}
	var places []Place
	if err == nil {
		places, err = Parse(body)
	}
	if err != nil {
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		c.leave(rest)
		return Answer{}, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	return Answer{Places: places, Source: c.Name()}, nil
}

// restOf is how long a geocoder is left alone that refused.
func restOf(r *http.Response) time.Duration {
	if s, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil && s > 0 {
		return min(time.Duration(min(s, int(maxRest/time.Second)))*time.Second, maxRest)
	}
	if r.StatusCode >= 500 {
		return rest
	}
	return refused // 429, 403: whoever goes on is shut out
}
