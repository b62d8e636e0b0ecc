// Package bitswap moves blobs between two nodes by IPFS's protocol bitswap 1.2.0, as far as nodes that know each other need it: a
// node asks one peer for blobs, and answers every peer that asks for one which is kept here. It looks for no other peers.
package bitswap

//go:generate sh ../api/generate.sh

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ipfs/go-cid"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	"google.golang.org/protobuf/proto"
)

const (
	// Protocol is the one that is spoken.
	Protocol = protocol.ID("/ipfs/bitswap/1.2.0")
	// maxMessage is the most bytes of a message, the network's limit.
	maxMessage = 4 << 20
	// fullMessage is how many bytes of blobs make a message that is sent.
	fullMessage = 512 << 10
	// maxAsked is how many blobs a peer may wait for at a time, and maxAskedAll how many all peers together.
	maxAsked    = 250_000
	maxAskedAll = 500_000
	// patience is how long a message may take, in both directions.
	patience = 60 * time.Second
)

// Source gives the blobs that are kept here.
type Source interface {
	Get(cid.Cid) ([]byte, error)
	Has(cid.Cid) bool
}

// Exchange speaks the protocol on a host.
type Exchange struct {
	host   host.Host
	source Source

	mu      sync.Mutex
	fetches map[peer.ID]map[*fetch]bool
	answers map[peer.ID]*answerer
	closed  bool

	asked atomic.Int64 // what all answerers hold
}

// New begins to answer on the host.
func New(h host.Host, source Source) *Exchange {
	e := &Exchange{host: h, source: source, fetches: map[peer.ID]map[*fetch]bool{}, answers: map[peer.ID]*answerer{}}
	h.SetStreamHandler(Protocol, e.serve)
	h.Network().Notify(&network.NotifyBundle{DisconnectedF: e.disconnected})
	return e
}

// disconnected ends the fetches from a peer whose last connection has ended.
func (e *Exchange) disconnected(n network.Network, c network.Conn) {
	if n.Connectedness(c.RemotePeer()) == network.Connected {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for f := range e.fetches[c.RemotePeer()] {
		f.lost()
	}
}

// Close ends answering.
func (e *Exchange) Close() {
	e.host.RemoveStreamHandler(Protocol)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	for _, a := range e.answers {
		a.close()
	}
}

// serve reads the messages of a stream that a peer has opened.
func (e *Exchange) serve(s network.Stream) {
	from := s.Conn().RemotePeer()
	in := bufio.NewReaderSize(s, 64<<10)
	for {
		m, err := read(in, func() { // from here on the message comes at once: who waits holds memory of this node
			_ = s.SetReadDeadline(time.Now().Add(patience)) // a stream without deadlines has ended
		})
		_ = s.SetReadDeadline(time.Time{})
		if err != nil {
			if errors.Is(err, io.EOF) {
				_ = s.Close()
			} else {
				_ = s.Reset()
			}
			return
		}
		e.take(from, m)
	}
}

// take answers what a message asks, and hands on what it brings.
func (e *Exchange) take(from peer.ID, m *Message) {
	if entries := m.GetWantlist().GetEntries(); len(entries) > 0 || m.GetWantlist().GetFull() {
		if a := e.answerer(from); a != nil {
			a.ask(m.Wantlist)
		}
	}
	if len(m.Payload)+len(m.Presences) == 0 {
		return
	}
	e.mu.Lock()
	var waiting []*fetch
	for f := range e.fetches[from] {
		waiting = append(waiting, f)
	}
	e.mu.Unlock()
	for _, f := range waiting {
		f.take(m)
	}
}

// read reads a message with its length before it, which begins it. Memory is taken as the bytes come.
func read(in *bufio.Reader, begun func()) (*Message, error) {
	size, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, err
	}
	if size > maxMessage {
		return nil, fmt.Errorf("a message has %d bytes: at most %d are allowed", size, maxMessage)
	}
	begun()
	var raw bytes.Buffer
	if _, err := io.CopyN(&raw, in, int64(size)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	m := &Message{}
	return m, proto.Unmarshal(raw.Bytes(), m)
}

// write writes a message with its length before it.
func write(s network.Stream, m *Message) error {
	raw, err := proto.Marshal(m)
	if err != nil {
		return err
	}
	if err := s.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		slog.Debug("bitswap: no deadline", "error", err)
	}
	_, err = s.Write(append(binary.AppendUvarint(nil, uint64(len(raw))), raw...))
	return err
}
