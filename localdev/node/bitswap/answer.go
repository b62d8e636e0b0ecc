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
	asked  map[cid.Cid]want
	order  []cid.Cid // of asked, and of some that are asked no more
	ended  bool
	wake   chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
}

// want is how a blob is asked for.
type want struct{ have, dontHave bool }

// answerer gives the one of a peer; it begins one where the peer has no answerer yet.
func (e *Exchange) answerer(to peer.ID) *answerer {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	a := e.answers[to]
	if a == nil {
		a = &answerer{exchange: e, to: to, asked: map[cid.Cid]want{}, wake: make(chan struct{}, 1)}
		a.ctx, a.cancel = context.WithCancel(context.Background())
		e.answers[to] = a
		go a.run()
	}
	return a
}

func (a *answerer) close() { a.cancel() }

// ask notes what a message wants. A full list replaces what was wanted before. What goes beyond the bounds is not noted: the peer asks
// again.
func (a *answerer) ask(w *Message_Wantlist) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	before := len(a.asked)
	defer func() { a.exchange.asked.Add(int64(len(a.asked) - before)) }()
	if w.GetFull() {
		clear(a.asked)
		a.order = nil
	}
	others := int(a.exchange.asked.Load()) - before
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
			if len(a.asked) >= maxAsked || others+len(a.asked) >= maxAskedAll {
				continue
			}
			a.compact()
			a.order = append(a.order, c)
		}
		a.asked[c] = want{have: entry.WantType == Message_Wantlist_HAVE, dontHave: entry.SendDontHave}
	}
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// compact takes out of the order what is asked no more, or stands twice because it was taken back and asked again, where that is most
// of it. The caller holds the lock.
func (a *answerer) compact() {
	if len(a.order) < 2*len(a.asked)+1024 {
		return
	}
	seen := make(map[cid.Cid]bool, len(a.asked))
	var order []cid.Cid
	for _, c := range a.order {
		if _, ok := a.asked[c]; ok && !seen[c] {
			seen[c] = true
			order = append(order, c)
		}
	}
	a.order = order
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
		w, ok := a.asked[c]
		if ok {
			delete(a.asked, c)
			a.exchange.asked.Add(-1)
		}
		a.mu.Unlock()
		if ok {
			size += a.add(m, c, w)
		}
	}
	if len(m.Payload)+len(m.Presences) == 0 {
		return nil
	}
	return m
}

// add puts the answer to one want into a message and gives the bytes of its blob.
func (a *answerer) add(m *Message, c cid.Cid, w want) int {
	if w.have {
		if a.exchange.source.Has(c) {
			m.Presences = append(m.Presences, &Message_Presence{Cid: c.Bytes(), Type: Message_HAVE})
			return 0
		}
	} else if data, err := a.exchange.source.Get(c); err == nil {
		m.Payload = append(m.Payload, &Message_Block{Prefix: c.Prefix().Bytes(), Data: data})
		return len(data)
	}
	if w.dontHave {
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
	a.mu.Lock()
	defer a.mu.Unlock()
	a.exchange.asked.Add(-int64(len(a.asked)))
	clear(a.asked)
	a.ended = true
}
