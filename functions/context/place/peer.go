package place

import (
	"context"
	"sync"
	"time"
)

// PeerList is what the sibling service says of its KG list.
type PeerList struct {
	Count int
	Hash  string // universe_hash
}

// How often the sibling is asked, and how long it may take.
const (
	peerEvery   = time.Hour
	peerTimeout = 10 * time.Second
)

// peer remembers the last comparison. Requests never wait for the sibling: a check that is due runs
// beside them and later answers show its outcome.
type peer struct {
	name string
	ask  func(context.Context) (PeerList, error)
	now  func() time.Time

	mu       sync.Mutex
	checking bool
	due      time.Time
	at       time.Time // of the last answer, zero before the first
	list     PeerList
	failed   bool // the last check got no answer
}

func newPeer(name string, ask func(context.Context) (PeerList, error), now func() time.Time) *peer {
	return &peer{name: name, ask: ask, now: now}
}

// peerCheck is the published form. Agree is null as long as nothing is known.
type peerCheck struct {
	Service   *string `json:"service"`
	Agree     *bool   `json:"agree"`
	CheckedAt *string `json:"checked_at"`
	PeerCount *int    `json:"peer_kg_count"`
	PeerHash  *string `json:"peer_universe_hash"`
	Reason    string  `json:"reason,omitempty"` // why agree is null
}

// check compares a hash with what the sibling last said.
func (p *peer) check(hash string) peerCheck {
	if p.ask == nil {
		return peerCheck{Reason: "no sibling service is configured"}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.now(); !p.checking && !now.Before(p.due) {
		p.checking, p.due = true, now.Add(peerEvery)
		go p.refresh()
	}
	c := peerCheck{Service: &p.name}
	if p.at.IsZero() {
		c.Reason = "the sibling service has not answered yet"
		return c
	}
	agree, at, list := p.list.Hash == hash, p.at.UTC().Format(time.RFC3339), p.list
	c.Agree, c.CheckedAt, c.PeerCount, c.PeerHash = &agree, &at, &list.Count, &list.Hash
	if p.failed {
		c.Reason = "the last check got no answer; this is the one before"
	}
	return c
}

func (p *peer) refresh() {
	ctx, cancel := context.WithTimeout(context.Background(), peerTimeout)
	defer cancel()
	list, err := p.ask(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.checking, p.failed = false, err != nil
	if err == nil {
		p.list, p.at = list, p.now()
	}
}

// header is the value of X-KG-Universe-Peer-Agree.
func (c peerCheck) header() string {
	switch {
	case c.Agree == nil:
		return "unknown"
	case *c.Agree:
		return "true"
	}
	return "false"
}
