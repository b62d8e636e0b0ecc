package bitswap

import (
	"context"
	"sync"
	"time"

	"github.com/ipfs/go-cid"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
)

// idle is how long an answerer without work keeps its stream.
const idle = 30 * time.Second

// answerer sends a peer what it has asked for, on a stream of its own.
type answerer struct {
	exchange *Exchange
	to       peer.ID

	mu     sync.Mutex
	asked  map[cid.Cid]*Message_Wantlist_Entry
	order  []cid.Cid
	wake   chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
}

// answerer gives the one of a peer; it begins one where there is none.
func (e *Exchange) answerer(to peer.ID) *answerer {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	a := e.answers[to]
	if a == nil {
		a = &answerer{exchange: e, to: to, asked: map[cid.Cid]*Message_Wantlist_Entry{}, wake: make(chan struct{}, 1)}
		a.ctx, a.cancel = context.WithCancel(context.Background())
		e.answers[to] = a
		go a.run()
	}
	return a
}

func (a *answerer) close() { a.cancel() }

// ask notes what a message wants. A full list replaces what was wanted before.
func (a *answerer) ask(w *Message_Wantlist) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if w.GetFull() {
		clear(a.asked)
		a.order = nil
	}
	for _, entry := range w.GetEntries() {
		c, err := cid.Cast(entry.Block)
		if err != nil {
			continue // what cannot be named is not here
		}
		if entry.Cancel {
			delete(a.asked, c)
			continue
		}
		if _, again := a.asked[c]; !again {
			if len(a.asked) >= maxAsked {
				return
			}
			a.order = append(a.order, c)
		}
		a.asked[c] = entry
	}
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// next takes the wants that make the next message: those for blobs until it is full, or nothing.
func (a *answerer) next() *Message {
	m, size := &Message{}, 0
	for size < fullMessage && len(m.Presences) < 4096 {
		a.mu.Lock()
		if len(a.order) == 0 {
			a.mu.Unlock()
			break
		}
		c := a.order[0]
		a.order = a.order[1:]
		entry := a.asked[c]
		delete(a.asked, c)
		a.mu.Unlock()
		if entry != nil {
			size += a.add(m, c, entry)
		}
	}
	if len(m.Payload)+len(m.Presences) == 0 {
		return nil
	}
	return m
}

// add puts the answer to one want into a message and gives the bytes of its blob.
func (a *answerer) add(m *Message, c cid.Cid, entry *Message_Wantlist_Entry) int {
	if entry.WantType == Message_Wantlist_HAVE {
		if a.exchange.source.Has(c) {
			m.Presences = append(m.Presences, &Message_Presence{Cid: c.Bytes(), Type: Message_HAVE})
			return 0
		}
	} else if data, err := a.exchange.source.Get(c); err == nil {
		m.Payload = append(m.Payload, &Message_Block{Prefix: c.Prefix().Bytes(), Data: data})
		return len(data)
	}
	if entry.SendDontHave {
		m.Presences = append(m.Presences, &Message_Presence{Cid: c.Bytes(), Type: Message_DONT_HAVE})
	}
	return 0
}

// run sends until there is nothing to do for a while, or the peer cannot be reached.
func (a *answerer) run() {
	defer a.end()
	var s network.Stream
	for {
		m := a.next()
		if m == nil {
			select {
			case <-a.wake:
				continue
			case <-a.ctx.Done():
			case <-time.After(idle):
			}
			if s != nil {
				_ = s.Close()
			}
			return
		}
		if s == nil {
			ctx, cancel := context.WithTimeout(a.ctx, patience)
			var err error
			s, err = a.exchange.host.NewStream(network.WithNoDial(ctx, "the peer has asked"), a.to, Protocol)
			cancel()
			if err != nil {
				return
			}
		}
		if write(s, m) != nil {
			_ = s.Reset()
			return
		}
	}
}

// end takes the answerer out. What was asked in the meantime is lost: the peer asks again.
func (a *answerer) end() {
	a.cancel()
	a.exchange.mu.Lock()
	defer a.exchange.mu.Unlock()
	delete(a.exchange.answers, a.to)
}
