package library

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// cache keeps what was decoded of objects, whole ones and sections, within one budget of bytes and evicts
// the least recently used. Requests for what is being loaded share the load. Errors are not kept, but for
// objects that are damaged: those are not read again with every request that touches them.
type cache struct {
	budget int64
	places chan struct{} // one token for each load under way
	log    *slog.Logger

	mu       sync.Mutex
	objects  map[string]*list.Element // of *entry; apart from the sections, because a string is found faster
	sections map[name]*list.Element
	order    *list.List // most recently used first
	bytes    int64
	flights  map[name]*flight
	damaged  map[name]damage
	counted  Stats
}

// name is what a value was decoded from: an object, or one section of it.
type name struct {
	object  string
	section int // whole, front or the number of a section
}

const (
	whole = -1
	front = -2 // of an artefact in parts: its directory
)

// damage is what is wrong with an object, believed until a moment.
type damage struct {
	err   error
	until time.Time
}

const (
	// damagedFor is how long a damaged object is not read again.
	damagedFor = 30 * time.Second
	// maxDamaged bounds what is remembered: beyond it all is forgotten, and read again.
	maxDamaged = 1 << 12
)

type entry struct {
	name  name
	value any
	bytes int64
}

// flight is a load under way; value and err are set before done is closed.
type flight struct {
	done    chan struct{}
	value   any
	err     error
	cost    int64 // of the value in bytes
	waiting int   // requests; the cache's lock guards it, and passing
	passing bool  // all that wait keep the value in rooms of their own
}

// loader reads and decodes; cost is what the value takes in memory, in bytes.
type loader func(context.Context) (value any, cost int64, err error)

func (c *cache) init(budget int64, loads int) {
	c.budget, c.places, c.log = budget, make(chan struct{}, loads), slog.New(slog.DiscardHandler)
	c.objects, c.sections, c.order = map[string]*list.Element{}, map[name]*list.Element{}, list.New()
	c.flights, c.damaged = map[name]*flight{}, map[name]damage{}
}

// hit gives what is in memory, else nil.
func (c *cache) hit(n name) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held(n)
}

// held is hit under the lock.
func (c *cache) held(n name) any {
	e := c.at(n)
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	c.counted.Hits++
	return e.Value.(*entry).value
}

// at finds an entry. The caller holds the lock.
func (c *cache) at(n name) *list.Element {
	if n.section == whole {
		return c.objects[n.object]
	}
	return c.sections[n]
}

// has says whether something is in memory.
func (c *cache) has(n name) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at(n) != nil
}

// isDamaged says whether something was found damaged when it was read last.
func (c *cache) isDamaged(n name) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.damaged) == 0 { // nearly always, and a name is two texts
		return false
	}
	_, ok := c.damaged[n]
	return ok
}

// call is where a request stands: it has its value or error, or waits for a flight, one that it has to start
// itself where mine is set.
type call struct {
	value  any
	err    error
	flight *flight
	mine   bool
}

// join takes a call. The caller holds the lock.
func (c *cache) join(n name) call {
	if v := c.held(n); v != nil {
		return call{value: v}
	}
	c.counted.Misses++
	if d, ok := c.damaged[n]; ok {
		if time.Now().Before(d.until) {
			return call{err: d.err}
		}
		delete(c.damaged, n)
	}
	f, ok := c.flights[n]
	if !ok {
		f = &flight{done: make(chan struct{})}
		c.flights[n] = f
	}
	f.waiting++
	return call{flight: f, mine: !ok}
}

// get gives what load makes of an object. The load runs apart from the request that started it, so a caller
// that gives up spoils it for nobody; load must end by itself.
func (c *cache) get(ctx context.Context, n name, load loader) (any, error) {
	c.mu.Lock()
	s := c.join(n)
	c.mu.Unlock()
	if s.mine {
		go c.run(context.WithoutCancel(ctx), n, s.flight, load)
	}
	return c.wait(ctx, s)
}

// wait gives the outcome of a call.
func (c *cache) wait(ctx context.Context, s call) (any, error) {
	if s.flight == nil {
		return s.value, s.err
	}
	defer c.leave(s)
	select {
	case <-s.flight.done:
		return s.flight.value, s.flight.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// leave gives up a call.
func (c *cache) leave(s call) {
	if s.flight == nil {
		return
	}
	c.mu.Lock()
	s.flight.waiting--
	c.mu.Unlock()
}

func (c *cache) run(ctx context.Context, n name, f *flight, load loader) {
	c.places <- struct{}{}
	var value any
	var cost int64
	err := Guarded(func() (err error) { value, cost, err = load(ctx); return err })
	<-c.places
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counted.Loads++
	c.finish(n, f, value, cost, err)
}

// finish ends a flight. The caller holds the lock.
func (c *cache) finish(n name, f *flight, value any, cost int64, err error) {
	delete(c.flights, n)
	f.value, f.cost, f.err = value, cost, err
	if err != nil {
		c.counted.Failures++
		if errors.Is(err, ErrDamaged) {
			c.log.Error("an object is damaged, what needs it is answered as unavailable", "key", n.object, "error", err)
			if len(c.damaged) >= maxDamaged {
				clear(c.damaged)
			}
			c.damaged[n] = damage{err, time.Now().Add(damagedFor)}
		}
	} else if !f.passing {
		c.keep(&entry{n, value, cost})
	}
	close(f.done)
}

// keep adds an entry and makes room for it. What is larger than the whole budget is not kept.
func (c *cache) keep(e *entry) {
	if e.bytes > c.budget {
		return
	}
	if e.name.section == whole {
		c.objects[e.name.object] = c.order.PushFront(e)
	} else {
		c.sections[e.name] = c.order.PushFront(e)
	}
	c.bytes += e.bytes
	for c.bytes > c.budget {
		last := c.order.Remove(c.order.Back()).(*entry)
		if last.name.section == whole {
			delete(c.objects, last.name.object)
		} else {
			delete(c.sections, last.name)
		}
		c.bytes -= last.bytes
		c.counted.Evictions++
	}
}

func (c *cache) stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.counted
	s.Entries, s.Bytes, s.BudgetBytes, s.Pending = c.order.Len(), c.bytes, c.budget, len(c.flights)
	return s
}

// as gives a value its type. An object is decoded in one way only: who asks for it in another has a fault.
func as[T any](n name, v any) (T, error) {
	t, ok := v.(T)
	if !ok {
		return t, fmt.Errorf("library: %s is held as %T, it was asked for as %T", n.object, v, t)
	}
	return t, nil
}
