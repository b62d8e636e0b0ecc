// Package inflight knows which requests a process is answering: their method, path and age. It keeps no query, no header
// and nothing of a client.
package inflight

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// maxPath bounds what is kept of a path.
const maxPath = 200

// maxRequests bounds how many are listed, the oldest first; all are counted.
const maxRequests = 500

// Tracker notes requests; the zero Tracker is ready.
type Tracker struct {
	Now func() time.Time // time.Now

	mu   sync.Mutex
	open map[*entry]struct{}
}

type entry struct {
	method, path string
	began        time.Time
}

// Request is one that is being answered.
type Request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	AgeMS  int64  `json:"age_ms"`
}

func (t *Tracker) now() time.Time {
	if t.Now == nil {
		return time.Now()
	}
	return t.Now()
}

// Wrap notes the requests of a handler until they are answered, or have failed.
func (t *Tracker) Wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.EscapedPath()
		e := &entry{r.Method, path[:min(len(path), maxPath)], t.now()}
		t.mu.Lock()
		if t.open == nil {
			t.open = map[*entry]struct{}{}
		}
		t.open[e] = struct{}{}
		t.mu.Unlock()
		defer func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			delete(t.open, e)
		}()
		h.ServeHTTP(w, r)
	})
}

// List is what is being answered now, the oldest first, and how many requests there are.
func (t *Tracker) List() ([]Request, int) {
	t.mu.Lock()
	all := make([]*entry, 0, len(t.open))
	for e := range t.open {
		all = append(all, e)
	}
	t.mu.Unlock()
	slices.SortFunc(all, func(a, b *entry) int { return a.began.Compare(b.began) })
	now := t.now()
	out := make([]Request, min(len(all), maxRequests))
	for i := range out {
		out[i] = Request{all[i].method, all[i].path, max(0, now.Sub(all[i].began).Milliseconds())}
	}
	return out, len(all)
}
