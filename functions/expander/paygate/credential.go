package paygate

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"mappe/shared/cloud/secret"
)

// How long the facilitator's token is kept, and how often one that was refused is looked up again.
const (
	keepToken  = 5 * time.Minute
	renewToken = 20 * time.Second
)

// bearer sends the token that stands in a secret now: a new one is used without a deployment, at once where
// the facilitator refuses the one before.
type bearer struct {
	next http.RoundTripper
	read func(context.Context) (string, error)
	now  func() time.Time

	mu    sync.Mutex
	token string
	tried time.Time // of the last reading
}

// facilitatorClient asks the facilitator with the token of a secret (Secrets Manager), by its ARN or name.
func facilitatorClient(id string) (*http.Client, error) {
	c, err := secret.New()
	if err != nil {
		return nil, err
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	b := &bearer{next: t, now: time.Now, read: func(ctx context.Context) (string, error) { return c.Get(ctx, id, secret.Current) }}
	return &http.Client{Transport: b, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, nil
}

// RoundTrip implements http.RoundTripper.
func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	token, err := b.current(r.Context(), keepToken)
	if err != nil { // what never left is told as what could not be dialled is
		return nil, &net.OpError{Op: "dial", Net: "secret", Err: err}
	}
	answer, err := b.send(r, token)
	if err != nil || answer.StatusCode != http.StatusUnauthorized && answer.StatusCode != http.StatusForbidden {
		return answer, err
	}
	fresh, err := b.current(r.Context(), renewToken)
	if err != nil || fresh == token || r.Body != nil && r.GetBody == nil {
		return answer, nil
	}
	answer.Body.Close()
	return b.send(r, fresh) // a refused token has moved no money
}

func (b *bearer) send(r *http.Request, token string) (*http.Response, error) {
	r = r.Clone(r.Context())
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		r.Body = body
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return b.next.RoundTrip(r)
}

// current is the token, read again where the last reading is older than age; one that was read before stays
// good where reading fails.
func (b *bearer) current(ctx context.Context, age time.Duration) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.token != "" && b.now().Sub(b.tried) < age {
		return b.token, nil
	}
	b.tried = b.now()
	token, err := b.read(ctx)
	if err != nil && b.token == "" {
		return "", err
	}
	if err == nil {
		b.token = token
	}
	return b.token, nil
}
