package bitswap

import (
	"context"
	"errors"
	"time"

	"github.com/ipfs/go-cid"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
)

const (
	// window is how many blobs are asked for at a time.
	window = 1024
	// asksAMessage is how many blobs one message asks for.
	asksAMessage = 512
)

// Silence is how long a peer may bring nothing before a fetch gives up.
var Silence = 40 * time.Second

// ErrSilent is that of a peer that brought nothing for that long.
var ErrSilent = errors.New("the peer has brought nothing for a while")

// ErrGone is that of a peer whose connection has ended.
var ErrGone = errors.New("the connection to the peer has ended")

// Arrival is a blob that came, or one that the peer does not have.
type Arrival struct {
	ID   cid.Cid
	Data []byte // nil: the peer does not have it
}

// fetch waits for blobs of a peer.
type fetch struct {
	arrived chan Arrival
	done    <-chan struct{}
	lost    context.CancelFunc // the connection has ended
}

// take hands a message's blobs to the one who waits; the peer is read no further until it has them.
func (f *fetch) take(m *Message) {
	hand := func(a Arrival) {
		select {
		case f.arrived <- a:
		case <-f.done:
		}
	}
	for _, b := range m.Payload {
		prefix, err := cid.PrefixFromBytes(b.Prefix)
		if err != nil || prefix.Version != 1 || prefix.MhLength != 32 {
			continue
		}
		if c, err := prefix.Sum(b.Data); err == nil { // the name is computed: bytes of another blob never pass
			hand(Arrival{c, b.Data})
		}
	}
	for _, p := range m.Presences {
		if c, err := cid.Cast(p.Cid); err == nil && p.Type == Message_DONT_HAVE {
			hand(Arrival{ID: c})
		}
	}
}

// Fetch asks a peer for blobs and calls a function with each that arrives, once. It ends when all have arrived or are not had, when
// the function gives an error, when the peer is silent (ErrSilent) or gone (ErrGone), or when the context ends.
func (e *Exchange) Fetch(ctx context.Context, from peer.ID, ids []cid.Cid, arrived func(Arrival) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	connected, lost := context.WithCancel(ctx)
	defer lost()
	f := &fetch{arrived: make(chan Arrival, 8), done: ctx.Done(), lost: lost}
	e.join(from, f)
	defer e.leave(from, f)
	s, err := e.host.NewStream(network.WithNoDial(ctx, "connected before"), from, Protocol)
	if err != nil {
		return err
	}
	defer s.Close()
	wanted := make(map[cid.Cid]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	outstanding := 0
	timer := time.NewTimer(Silence)
	defer timer.Stop()
	for len(wanted) > 0 {
		for outstanding <= window-asksAMessage && len(ids) > 0 {
			n := min(asksAMessage, len(ids))
			if err := write(s, asking(ids[:n])); err != nil {
				return err
			}
			ids, outstanding = ids[n:], outstanding+n
		}
		select {
		case a := <-f.arrived:
			if !wanted[a.ID] {
				continue
			}
			delete(wanted, a.ID)
			outstanding--
			timer.Reset(Silence)
			if err := arrived(a); err != nil {
				return err
			}
		case <-timer.C:
			return ErrSilent
		case <-connected.Done():
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return ErrGone
		}
	}
	return nil
}

func asking(ids []cid.Cid) *Message {
	w := &Message_Wantlist{}
	for i, id := range ids {
		w.Entries = append(w.Entries, &Message_Wantlist_Entry{Block: id.Bytes(), Priority: int32(len(ids) - i), SendDontHave: true})
	}
	return &Message{Wantlist: w}
}

func (e *Exchange) join(from peer.ID, f *fetch) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.fetches[from] == nil {
		e.fetches[from] = map[*fetch]bool{}
	}
	e.fetches[from][f] = true
}

func (e *Exchange) leave(from peer.ID, f *fetch) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.fetches[from], f)
	if len(e.fetches[from]) == 0 {
		delete(e.fetches, from)
	}
}
