// Package clientlimit bounds how many requests a client address may make: a token bucket for each address,
// in the memory of one process. In the cloud every copy of a function counts for itself, so a client of n
// copies has n times the rate; what all copies may do together the account's concurrency bounds. Who wraps a
// handler with it says where the address comes from (shared/cloud/funcurl, localdev/server).
package clientlimit

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Rate is how many requests a second an address may make in the long run, and how many at once.
type Rate struct {
	PerSecond, Burst int
	// Every is the time between two requests in the long run, where that is more than a second; PerSecond is 0 then.
	Every time.Duration
}

// perSecond is the rate as a number.
func (r Rate) perSecond() float64 {
	if r.Every > 0 {
		return 1 / r.Every.Seconds()
	}
	return float64(r.PerSecond)
}

// maxRate and maxBurst keep a bucket's arithmetic far from where floats lose whole requests.
const (
	maxRate  = 100_000
	maxBurst = 1_000_000
)

// Parse reads "20/60": 20 requests a second, 60 at once. "" is no limit.
func Parse(text string) (Rate, error) {
	if text == "" {
		return Rate{}, nil
	}
	rate, burst, ok := strings.Cut(text, "/")
	r, errRate := strconv.Atoi(rate)
	b, errBurst := strconv.Atoi(burst)
	if !ok || errRate != nil || errBurst != nil || r < 1 || r > maxRate || b < 1 || b > maxBurst {
		return Rate{}, fmt.Errorf("limit of a client %q: want RATE/BURST, for example 20/60, with a rate of 1 to %d a second and a burst of 1 to %d", text, maxRate, maxBurst)
	}
	return Rate{PerSecond: r, Burst: b}, nil
}

// String is what Parse reads; of a rate with Every a text for people.
func (r Rate) String() string {
	if r == (Rate{}) {
		return ""
	}
	if r.Every > 0 {
		return fmt.Sprintf("1 in %s/%d", r.Every, r.Burst)
	}
	return fmt.Sprintf("%d/%d", r.PerSecond, r.Burst)
}

// maxClients are remembered in each of two generations, about 100 bytes each. A client beyond them is
// forgotten, and a forgotten client has a full bucket: many addresses never lock out others.
const maxClients = 10_000

// Limiter counts; it is safe for concurrent use.
type Limiter struct {
	rate  Rate
	mu    sync.Mutex
	fresh map[netip.Addr]bucket // of this generation
	aged  map[netip.Addr]bucket // of the one before
	born  time.Time             // of fresh
}

type bucket struct {
	tokens float64
	at     time.Time
}

// New is a limiter; nil, which lets everybody through, for no limit.
func New(r Rate) *Limiter {
	if r == (Rate{}) {
		return nil
	}
	return &Limiter{rate: r, fresh: map[netip.Addr]bucket{}}
}

// refill is how long an empty bucket takes to be full: what is older says nothing.
func (l *Limiter) refill() time.Duration {
	return time.Duration(float64(l.rate.Burst) / l.rate.perSecond() * float64(time.Second))
}

// Take takes a request of an address; 0, or how long the address has to wait for its next one. An address
// that is not valid is not limited: nobody can be told apart by it.
func (l *Limiter) Take(a netip.Addr, now time.Time) time.Duration {
	if l == nil || !a.IsValid() {
		return 0
	}
	a = client(a)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.fresh) >= maxClients || now.Sub(l.born) > l.refill() {
		l.fresh, l.aged, l.born = map[netip.Addr]bucket{}, l.fresh, now
	}
	b, ok := l.fresh[a]
	if !ok {
		b, ok = l.aged[a]
	}
	most, rate := float64(l.rate.Burst), l.rate.perSecond()
	if !ok {
		b = bucket{most, now}
	}
	if since := now.Sub(b.at); since > 0 { // a clock that was set back takes nothing away
		b.tokens = min(most, b.tokens+since.Seconds()*rate)
	}
	b.at = now
	wait := time.Duration(0)
	if b.tokens >= 1 {
		b.tokens--
	} else {
		wait = time.Duration((1 - b.tokens) / rate * float64(time.Second))
		wait = max(wait, time.Millisecond)
	}
	l.fresh[a] = b
	return wait
}

// client is what counts as one: an IPv4 address, or an IPv6 network of 64 bits, of which a subscriber has
// all addresses.
func client(a netip.Addr) netip.Addr {
	if a = a.Unmap().WithZone(""); a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}

// Headers are those of an answer 429: whole seconds, rounded up.
func (l *Limiter) Headers(wait time.Duration) map[string]string {
	seconds := strconv.Itoa(int((wait + time.Second - 1) / time.Second))
	return map[string]string{
		"Retry-After":         seconds,
		"RateLimit-Limit":     strconv.Itoa(l.rate.Burst),
		"RateLimit-Remaining": "0",
		"RateLimit-Reset":     seconds,
	}
}

// Message is the text of an answer 429.
func (l *Limiter) Message(wait time.Duration) string {
	pace := fmt.Sprintf("%d a second", l.rate.PerSecond)
	if l.rate.Every > 0 {
		pace = "one in " + l.rate.Every.String()
	}
	return fmt.Sprintf("too many requests from this address: expected at most %d at once and %s; ask again in %s", l.rate.Burst, pace,
		wait.Round(time.Millisecond))
}
