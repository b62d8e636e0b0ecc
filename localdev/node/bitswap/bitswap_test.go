package bitswap

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/ipfs/go-cid"
	"github.com/multiformats/go-multihash"
)

// nothing has no blob.
type nothing struct{}

func (nothing) Get(cid.Cid) ([]byte, error) { return nil, errors.New("not kept") }
func (nothing) Has(cid.Cid) bool            { return false }

func name(t *testing.T, n int) cid.Cid {
	t.Helper()
	hash, err := multihash.Encode(binary.BigEndian.AppendUint64(make([]byte, 24), uint64(n)), multihash.SHA2_256)
	if err != nil {
		t.Fatal(err)
	}
	return cid.NewCidV1(cid.Raw, hash)
}

func idleAnswerer(e *Exchange) *answerer {
	return &answerer{exchange: e, asked: map[cid.Cid]want{}, wake: make(chan struct{}, 1)}
}

// A peer that takes back what it has asked for, again and again, makes nothing grow; what it still wants is answered in its order.
func TestWantsTakenBack(t *testing.T) {
	a := idleAnswerer(&Exchange{source: nothing{}})
	stays := []cid.Cid{name(t, 1), name(t, 2)}
	a.ask(asking(stays).Wantlist)
	again := asking([]cid.Cid{name(t, 3)})
	back := &Message_Wantlist{Entries: []*Message_Wantlist_Entry{{Block: name(t, 3).Bytes(), Cancel: true}}}
	for range 10_000 {
		a.ask(again.Wantlist)
		a.ask(back)
	}
	if len(a.order) > 3000 {
		t.Errorf("the order has %d wants for %d blobs", len(a.order), len(a.asked))
	}
	m := a.next()
	if len(m.GetPresences()) != 2 || !bytes.Equal(m.Presences[0].Cid, stays[0].Bytes()) ||
		!bytes.Equal(m.Presences[1].Cid, stays[1].Bytes()) {
		t.Errorf("%v", m)
	}
	if n := a.exchange.asked.Load(); n != 0 {
		t.Errorf("%d wants are counted", n)
	}
}

// All peers together wait for a bounded number of blobs; a full list and the end of a stream free it.
func TestWantsOfAllPeers(t *testing.T) {
	e := &Exchange{source: nothing{}}
	a, b := idleAnswerer(e), idleAnswerer(e)
	e.asked.Store(maxAskedAll - 3)
	a.ask(asking([]cid.Cid{name(t, 1), name(t, 2)}).Wantlist)
	b.ask(asking([]cid.Cid{name(t, 1), name(t, 2)}).Wantlist)
	if len(a.asked) != 2 || len(b.asked) != 1 || e.asked.Load() != maxAskedAll {
		t.Errorf("%d and %d wants, %d in all", len(a.asked), len(b.asked), e.asked.Load())
	}
	a.ask(&Message_Wantlist{Full: true})
	b.cancel = func() {}
	b.end()
	b.ask(asking([]cid.Cid{name(t, 4)}).Wantlist)
	if e.asked.Load() != maxAskedAll-3 {
		t.Errorf("%d wants are counted in all", e.asked.Load())
	}
}

// A peer that announces a long message and sends nothing takes no memory.
func TestAnnouncedMessages(t *testing.T) {
	in := bufio.NewReader(bytes.NewReader(binary.AppendUvarint(nil, maxMessage)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := read(in, func() {})
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, io.ErrUnexpectedEOF) || n > maxMessage/8 {
		t.Errorf("%d bytes were taken, %v", n, err)
	}
}
