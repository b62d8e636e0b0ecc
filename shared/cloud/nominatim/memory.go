package nominatim

import (
	"container/list"
	"time"
)

// The bounds of what is remembered.
const (
	memoryBytes = 4 << 20
	keep        = 24 * time.Hour // what the geocoder knows changes by the day
	placeBytes  = 256            // of a place beside its texts
)

// memory holds the answers that were used last, within a budget of bytes and a time.
type memory struct {
	budget int
	bytes  int
	by     map[string]*list.Element
	order  *list.List // of *remembered, the last used first
}

type remembered struct {
	key    string
	answer Answer
	until  time.Time
	bytes  int
}

func newMemory() memory { return memory{memoryBytes, 0, map[string]*list.Element{}, list.New()} }

func (m *memory) get(key string, now time.Time) (Answer, bool) {
	e, ok := m.by[key]
	if !ok {
		return Answer{}, false
	}
	r := e.Value.(*remembered)
	if !now.Before(r.until) {
		m.drop(e)
		return Answer{}, false
	}
	m.order.MoveToFront(e)
	return r.answer, true
}

func (m *memory) put(key string, a Answer, now time.Time) {
	if e, ok := m.by[key]; ok {
		m.drop(e)
	}
	r := &remembered{key, a, now.Add(keep), placeBytes + 2*len(key)}
	for i := range a.Places {
		p := &a.Places[i]
		for _, s := range []string{p.Name, p.Class, p.Type, p.Licence, p.Road, p.HouseNumber, p.City, p.Municipality, p.State, p.Postcode} {
			r.bytes += len(s)
		}
		r.bytes += placeBytes
	}
	m.by[key] = m.order.PushFront(r)
	for m.bytes += r.bytes; m.bytes > m.budget; {
		m.drop(m.order.Back())
	}
}

func (m *memory) drop(e *list.Element) {
	r := m.order.Remove(e).(*remembered)
	delete(m.by, r.key)
	m.bytes -= r.bytes
}
