package warmup

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Bounds of a Queue.
const (
	queued     = 256              // requests that wait to be written; more are dropped, the next request asks again
	askAgain   = 10 * time.Minute // a process writes a KG's request at most that often
	writeLimit = 5 * time.Second
	lingerMost = 300 * time.Millisecond
)

// Queue writes the warm-up requests of a process that reads.
type Queue struct {
	store store.Store
	log   *slog.Logger
	now   func() time.Time
	codes chan austria.KGCode

	mu      sync.Mutex
	asked   map[austria.KGCode]time.Time // at most one entry for each KG of the register
	pending int                          // requests that are not written yet
	idle    chan struct{}                // closed when pending falls to 0
}

// NewQueue writes until the context ends.
func NewQueue(ctx context.Context, s store.Store, log *slog.Logger) *Queue {
	q := &Queue{store: s, log: log, now: time.Now, codes: make(chan austria.KGCode, queued), asked: map[austria.KGCode]time.Time{}}
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case code := <-q.codes:
				q.write(ctx, code)
			}
		}
	}()
	return q
}

// Ask requests a warm-up of a KG of the register and returns at once: it is library.Options.Warmup.
func (q *Queue) Ask(code austria.KGCode) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	if last, ok := q.asked[code]; ok && now.Sub(last) < askAgain {
		return
	}
	select {
	case q.codes <- code:
		q.asked[code] = now
		if q.pending++; q.pending == 1 {
			q.idle = make(chan struct{})
		}
	default:
	}
}

// written is closed when every request made so far is written.
func (q *Queue) written() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.pending == 0 {
		none := make(chan struct{})
		close(none)
		return none
	}
	return q.idle
}

func (q *Queue) write(ctx context.Context, code austria.KGCode) {
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	err := Request(ctx, q.store, code)
	if err != nil {
		q.log.Warn("a warm-up could not be asked for", "kg", code, "error", err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil {
		delete(q.asked, code)
	}
	if q.pending--; q.pending == 0 {
		close(q.idle)
	}
}

// Linger gives the warm-up requests of an HTTP request a moment to be written before its answer ends: a function's process
// stands still between two requests.
func (q *Queue) Linger(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		select {
		case <-q.written():
		case <-time.After(lingerMost):
		}
	})
}
