package repository

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// limit is what the repository said of how many requests it takes: X-RateLimit-Remaining of a window that ends at
// X-RateLimit-Reset (seconds since 1970), and Retry-After of a 429.
type limit struct {
	mu    sync.Mutex
	until time.Time // no request before
}

// withoutWord is how long a 429 that names no time is waited for: the window of the limits.
const withoutWord = time.Minute

// note reads the headers of an answer.
func (l *limit) note(h http.Header, status int, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	later := func(t time.Time) {
		if t.After(l.until) {
			l.until = t
		}
	}
	reset, errReset := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
	named := errReset == nil && reset > 0 && reset < 1<<40
	if left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining")); err == nil && left <= 0 && named {
		later(time.Unix(reset, 0))
	}
	if status != http.StatusTooManyRequests {
		return
	}
	text := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		later(now.Add(time.Duration(min(seconds, 1<<20)) * time.Second))
	} else if at, err := http.ParseTime(text); err == nil {
		later(at)
	} else if named {
		later(time.Unix(reset, 0))
	} else {
		later(now.Add(withoutWord))
	}
}

// open says whether a request may be sent now.
func (l *limit) open(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !now.Before(l.until)
}

// wait waits for the limit. One that is too far away, or that the context does not live to see, is an error: the work is
// taken up again later.
func (l *limit) wait(ctx context.Context, now func() time.Time, pause func(context.Context, time.Duration) error) error {
	l.mu.Lock()
	until := l.until
	l.mu.Unlock()
	left := until.Sub(now())
	if left <= 0 {
		return nil
	}
	if end, ok := ctx.Deadline(); left > maxPause || ok && time.Until(end) < left {
		return fmt.Errorf("%w: its limit of requests is used up for %s", ErrUnavailable, left.Round(time.Second))
	}
	return pause(ctx, left)
}
