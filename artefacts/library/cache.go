package library

import (
	"container/list"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"mappe/artefacts/kgfile"
)

// cache keeps whole KG files by object key within a budget of bytes and evicts the least recently
// used. Requests for a key that is being loaded share the load. Errors are not kept, but for objects that are
// damaged: those are not read again with every request that touches them.
type cache struct {
	budget int64
	places chan struct{} // one token for each load under way
	log    *slog.Logger

	mu      sync.Mutex
	entries map[string]*list.Element // of *entry
	order   *list.List               // most recently used first
	bytes   int64
	flights map[string]*flight
	damaged map[string]damage
	counted Stats
}

// damage is what is wrong with an object, believed until a moment.
type damage struct {
	err   error
	until time.Time
}

// damagedFor is how long a damaged object is not read again.
const damagedFor = 30 * time.Second

type entry struct {
	key   string
	file  *kgfile.File
	bytes int64
}

// flight is a load under way; file and err are set before done is closed.
type flight struct {
	done chan struct{}
	file *kgfile.File
	err  error
}

func (c *cache) init(budget int64, loads int) {
	c.budget, c.places, c.log = budget, make(chan struct{}, loads), slog.New(slog.DiscardHandler)
	c.entries, c.order, c.flights = map[string]*list.Element{}, list.New(), map[string]*flight{}
	c.damaged = map[string]damage{}
}

// hit gives the file of a key that is in memory, else nil.
func (c *cache) hit(key string) *kgfile.File {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	c.counted.Hits++
	return e.Value.(*entry).file
}

// has says whether the file of a key is in memory.
func (c *cache) has(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries[key] != nil
}

// get gives the file of a key. The load runs apart from the request that started it, so a caller that
// gives up spoils it for nobody; load must end by itself.
func (c *cache) get(ctx context.Context, key string, load func(context.Context) (*kgfile.File, error)) (*kgfile.File, error) {
	c.mu.Lock()
	if e, ok := c.entries[key]; ok {
		c.order.MoveToFront(e)
		c.counted.Hits++
		c.mu.Unlock()
		return e.Value.(*entry).file, nil
	}
	c.counted.Misses++
	if d, ok := c.damaged[key]; ok {
		if time.Now().Before(d.until) {
			c.mu.Unlock()
			return nil, d.err
		}
		delete(c.damaged, key)
	}
	f, ok := c.flights[key]
	if !ok {
		f = &flight{done: make(chan struct{})}
		c.flights[key] = f
		go c.fly(context.WithoutCancel(ctx), key, f, load)
	}
	c.mu.Unlock()
	select {
	case <-f.done:
		return f.file, f.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *cache) fly(ctx context.Context, key string, f *flight, load func(context.Context) (*kgfile.File, error)) {
	c.places <- struct{}{}
	f.err = Guarded(func() (err error) { f.file, err = load(ctx); return err })
	<-c.places
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flights, key)
	c.counted.Loads++
	if f.err != nil {
		c.counted.Failures++
		if errors.Is(f.err, ErrDamaged) {
			c.log.Error("an object is damaged, its KG is answered as unavailable", "key", key, "error", f.err)
			c.damaged[key] = damage{f.err, time.Now().Add(damagedFor)}
		}
	} else {
		c.keep(&entry{key, f.file, f.file.Bytes()})
	}
	close(f.done)
}

// keep adds an entry and makes room for it. A file larger than the whole budget is not kept.
func (c *cache) keep(e *entry) {
	if e.bytes > c.budget {
		return
	}
	c.entries[e.key] = c.order.PushFront(e)
	c.bytes += e.bytes
	for c.bytes > c.budget {
		last := c.order.Remove(c.order.Back()).(*entry)
		delete(c.entries, last.key)
		c.bytes -= last.bytes
		c.counted.Evictions++
	}
}

func (c *cache) stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.counted
	s.Entries, s.Bytes, s.BudgetBytes, s.Pending = len(c.entries), c.bytes, c.budget, len(c.flights)
	return s
}
