package query

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	// keptSnapshots and keptResults bound what an instance remembers.
	keptSnapshots = 128
	keptResults   = 64
	// keptHits bounds the hits of a result that is remembered: 24 bytes each.
	keptHits = 1000
	// refreshTime bounds a computation that nobody waits for.
	refreshTime = time.Minute
)

// snapshot is the statistics of a filter as they were computed last.
type snapshot struct {
	generation string
	at         time.Time
	figures    figures
}

// memo remembers the statistics of wide filters over generations, and results within one. Only what is
// remembered of another generation can differ from what would be computed.
type memo struct {
	mu        sync.Mutex
	snapshots recent[snapshot]
	results   recent[*result]
	running   map[string]bool // refreshes
}

// recent keeps the values that were put or read last.
type recent[T any] struct {
	keys   []string // last used first
	values map[string]T
}

func (c *recent[T]) get(key string) (T, bool) {
	v, ok := c.values[key]
	if ok {
		i := slices.Index(c.keys, key)
		c.keys = slices.Insert(slices.Delete(c.keys, i, i+1), 0, key)
	}
	return v, ok
}

func (c *recent[T]) put(key string, v T, most int) {
	if c.values == nil {
		c.values = map[string]T{}
	}
	if _, ok := c.get(key); !ok {
		c.keys = slices.Insert(c.keys, 0, key)
	}
	c.values[key] = v
	if len(c.keys) > most {
		delete(c.values, c.keys[most])
		c.keys = c.keys[:most]
	}
}

func (m *memo) snapshot(key string) (snapshot, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.snapshots.get(key)
}

func (m *memo) keep(key string, s snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.snapshots.put(key, s, keptSnapshots)
}

func (m *memo) result(key string) (*result, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.results.get(key)
}

func (m *memo) keepResult(key string, r *result) {
	if len(r.hits) > keptHits {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.results.put(key, r, keptResults)
}

// refresh computes a snapshot in the background, one of a key at a time.
func (m *memo) refresh(ctx context.Context, key string, compute func(context.Context) (snapshot, error)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running[key] {
		return
	}
	if m.running == nil {
		m.running = map[string]bool{}
	}
	m.running[key] = true
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refreshTime)
		defer cancel()
		s, err := compute(ctx)
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.running, key)
		if err == nil { // else the next request tries again
			m.snapshots.put(key, s, keptSnapshots)
		}
	}()
}
