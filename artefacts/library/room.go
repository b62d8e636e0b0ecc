package library

import (
	"container/list"
	"context"
	"sync"
)

// Room keeps sections for one request that reads more than it may put into the library's memory, where it would drive out what all
// others use: those that it reads under In stand here, up to a number of bytes, and are gone with the request. What the library holds
// already is used from there. It is safe for concurrent use.
type Room struct {
	budget int64
	mu     sync.Mutex
	at     map[name]*list.Element // of *entry
	order  *list.List             // most recently used first
	bytes  int64
}

// NewRoom is one of so many bytes.
func NewRoom(bytes int64) *Room {
	return &Room{budget: bytes, at: map[name]*list.Element{}, order: list.New()}
}

type roomKey struct{}

// In is a context under which Sections keeps what it reads in the room.
func (r *Room) In(ctx context.Context) context.Context { return context.WithValue(ctx, roomKey{}, r) }

// roomOf is the room of a context; nil where it has none.
func roomOf(ctx context.Context) *Room {
	r, _ := ctx.Value(roomKey{}).(*Room)
	return r
}

// get gives what is in the room, else nil; of no room nil.
func (r *Room) get(n name) any {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.at[n]
	if e == nil {
		return nil
	}
	r.order.MoveToFront(e)
	return e.Value.(*entry).value
}

// put takes a value up, and makes room for it.
func (r *Room) put(e *entry) {
	if r == nil || e.bytes > r.budget {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at[e.name] != nil {
		return
	}
	r.at[e.name] = r.order.PushFront(e)
	r.bytes += e.bytes
	for r.bytes > r.budget {
		last := r.order.Remove(r.order.Back()).(*entry)
		delete(r.at, last.name)
		r.bytes -= last.bytes
	}
}
