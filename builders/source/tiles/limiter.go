package tiles

import (
	"context"
	"sync"
	"time"
)

// MaxRequests is the most a survey office's server is asked at once.
const MaxRequests = 8

// Limiter holds back requests to one server: a number at once, and none while the server has asked for
// a pause. One Limiter is shared by everything that asks the same server.
type Limiter struct {
	slots chan struct{}

	mu    sync.Mutex
	until time.Time
}

// NewLimiter allows n requests at once, at least 1 and at most MaxRequests.
func NewLimiter(n int) *Limiter {
	return &Limiter{slots: make(chan struct{}, max(1, min(n, MaxRequests)))}
}

// enter waits for a slot and for the end of any pause.
func (l *Limiter) enter(ctx context.Context, now func() time.Time, sleep func(context.Context, time.Duration) error) error {
	for {
		select {
		case l.slots <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		l.mu.Lock()
		wait := l.until.Sub(now())
		l.mu.Unlock()
		if wait <= 0 {
			return nil
		}
		l.leave()
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

func (l *Limiter) leave() { <-l.slots }

// pause keeps everyone from asking before t.
func (l *Limiter) pause(t time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.After(l.until) {
		l.until = t
	}
}
