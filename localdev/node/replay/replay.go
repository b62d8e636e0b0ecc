// Package replay computes a document from its changes as the network's own daemon does: operations have ids, blocks lie in one
// replicated growable array for each parent, the latest move of a block wins, and moves that would close a circle do not count.
// It also does the reverse: what is to be changed becomes operations.
package replay

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
)

const (
	// trash is the parent of deleted blocks.
	trash = "◊"
	// maxSteps bounds the work for one document: what hostile moves ask for grows with the square of their number.
	maxSteps = 4_000_000
	// MaxDepth is how deep blocks may lie in each other. Protocol Buffers' readers allow 10,000 messages, two a block.
	MaxDepth = 1000
)

// opID orders the operations of all changes.
type opID struct {
	time, index int64
	actor       uint64
}

func (a opID) compare(b opID) int {
	return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.index, b.index), cmp.Compare(a.actor, b.actor))
}

// actorOf is the account in an operation's id: 56 bits of its SHA-256.
func actorOf(a ident.Account) uint64 {
	sum := sha256.Sum256(a.Bytes())
	sum[7] = 0
	return binary.LittleEndian.Uint64(sum[:8])
}

// Entry is a change and its name.
type Entry struct {
	ID     cid.Cid
	Change *blob.Change
	Size   int // bytes of the blob, for who counts the memory; nothing is computed from it
}

// Document is the state after a set of changes.
type Document struct {
	Entries []Entry // in the order in which they were applied
	Heads   ident.Version

	attributes map[string]attribute // by the key's parts, each with its length
	blocks     map[string]written   // what blocks say
	lists      map[string]*array
	moves      []move
	latest     map[string]move // visible places of blocks, after arrange
	visible    map[opID]bool
	steps      int
}

type attribute struct {
	id    opID
	key   []string
	value any
}

type written struct {
	id     opID
	block  blob.Block
	change cid.Cid
}

type move struct {
	id            opID
	parent, block string
}

// array is the replicated growable array of a parent: slots in their order, from head.
type array struct {
	head slot
	at   map[opID]*slot
}

type slot struct {
	move
	next *slot
}

// New computes the document of changes. They must be closed: what a change follows is among them. The error says which rule a
// change breaks.
func New(entries []Entry) (*Document, error) {
	if len(entries) == 0 {
		return nil, errors.New("a document has at least one change")
	}
	d := &Document{Entries: slices.Clone(entries), attributes: map[string]attribute{}, blocks: map[string]written{},
		lists: map[string]*array{"": newArray(), trash: newArray()}}
	// A change is later than those it follows, so the order of time is one of cause.
	slices.SortFunc(d.Entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Change.Time, b.Change.Time), strings.Compare(a.ID.KeyString(), b.ID.KeyString()))
	})
	known := map[cid.Cid]*blob.Change{}
	heads := map[cid.Cid]bool{}
	for _, e := range d.Entries {
		if err := follows(e, d.Entries[0], known); err != nil {
			return nil, fmt.Errorf("change %s: %w", e.ID, err)
		}
		if err := d.apply(e); err != nil {
			return nil, fmt.Errorf("change %s: %w", e.ID, err)
		}
		known[e.ID], heads[e.ID] = e.Change, true
		for _, dep := range e.Change.Deps {
			delete(heads, dep)
		}
	}
	for h := range heads {
		d.Heads = append(d.Heads, h)
	}
	d.Heads = ident.NewVersion(d.Heads...)
	return d, d.arrange()
}

func newArray() *array { return &array{at: map[opID]*slot{}} }

// Follows says which rule a change breaks towards one that it follows.
func Follows(c, dep *blob.Change, genesis cid.Cid) error {
	switch {
	case c.Time <= dep.Time:
		return errors.New("it is not later than a change that it follows")
	case c.Depth <= dep.Depth:
		return errors.New("its depth is not above that of a change that it follows")
	case !dep.First() && !dep.Genesis.Equals(genesis):
		return errors.New("it follows a change of another document")
	}
	return nil
}

func follows(e, first Entry, known map[cid.Cid]*blob.Change) error {
	c := e.Change
	if e.ID == first.ID {
		if !c.First() {
			return errors.New("the first change of the document is missing")
		}
		return nil
	}
	if !c.Genesis.Equals(first.ID) {
		return errors.New("it belongs to another document")
	}
	depth := int64(0)
	for _, id := range c.Deps {
		dep := known[id]
		if dep == nil {
			return fmt.Errorf("change %s, which it follows, is missing or not earlier", id)
		}
		if err := Follows(c, dep, c.Genesis); err != nil {
			return err
		}
		depth = max(depth, dep.Depth+1)
	}
	if c.Depth != depth {
		return fmt.Errorf("its depth is %d, expected %d", c.Depth, depth)
	}
	return nil
}

// apply runs the operations of a change. The i-th item of an operation raises the index by i: the ids that exist were made so.
func (d *Document) apply(e Entry) error {
	id := opID{time: e.Change.Time, index: -1, actor: actorOf(e.Change.Signer)}
	for _, op := range e.Change.Ops {
		id.index++
		switch op := op.(type) {
		case blob.SetAttributes:
			for i, a := range op.Attributes {
				id.index += int64(i)
				if err := d.set(attribute{id, a.Key, a.Value}); err != nil {
					return err
				}
			}
		case blob.ReplaceBlock:
			if old, ok := d.blocks[op.Block.ID]; !ok || old.id.compare(id) < 0 {
				d.blocks[op.Block.ID] = written{id, op.Block, e.ID}
			}
			d.list(op.Block.ID)
		case blob.DeleteBlocks:
			for i, b := range op.Blocks {
				id.index += int64(i)
				if err := d.place(move{id, trash, b}, opID{}); err != nil {
					return err
				}
			}
		case blob.MoveBlocks:
			ref := refOf(op.Ref, id)
			for i, b := range op.Blocks {
				id.index += int64(i)
				if err := d.place(move{id, op.Parent, b}, ref); err != nil {
					return err
				}
				ref = id
			}
		}
	}
	return nil
}

// refOf is the id that a move refers to, the zero id for the first place.
func refOf(ref []int64, own opID) opID {
	switch len(ref) {
	case 1:
		return opID{own.time, ref[0], own.actor}
	case 3:
		return opID{ref[0], ref[1], uint64(ref[2])}
	}
	return opID{}
}

func (d *Document) list(parent string) *array {
	if d.lists[parent] == nil {
		d.lists[parent] = newArray()
	}
	return d.lists[parent]
}

// place puts a block right of a slot, and right of what later moves have put there.
func (d *Document) place(m move, ref opID) error {
	l := d.list(m.parent)
	if l.at[m.id] != nil {
		return fmt.Errorf("two moves have the id %v", m.id)
	}
	at := &l.head
	if ref != (opID{}) {
		if at = l.at[ref]; at == nil {
			return fmt.Errorf("a move of block %.40q refers to a place that is not in %.40q", m.block, m.parent)
		}
	}
	for at.next != nil && at.next.id.compare(m.id) > 0 {
		if d.steps++; d.steps > maxSteps {
			return errors.New("the moves take too long")
		}
		at = at.next
	}
	at.next = &slot{m, at.next}
	l.at[m.id] = at.next
	d.list(m.block)
	d.moves = append(d.moves, m)
	return nil
}

// arrange decides which moves count.
func (d *Document) arrange() error {
	d.latest, d.visible = map[string]move{}, map[opID]bool{}
	children := map[string]int{}
	slices.SortFunc(d.moves, func(a, b move) int { return a.id.compare(b.id) })
	for _, m := range d.moves {
		circle, err := d.above(m.block, m.parent, children)
		if err != nil {
			return err
		}
		if circle || m.block == m.parent {
			continue
		}
		if old, ok := d.latest[m.block]; ok {
			delete(d.visible, old.id)
			children[old.parent]--
		}
		d.latest[m.block], d.visible[m.id] = m, true
		children[m.parent]++
	}
	return nil
}

// above says whether block a holds b, at whatever depth.
func (d *Document) above(a, b string, children map[string]int) (bool, error) {
	if children[a] == 0 {
		return false, nil
	}
	for n, ok := d.latest[b]; ok && n.parent != "" && n.parent != trash; n, ok = d.latest[n.parent] {
		if n.parent == a {
			return true, nil
		}
		if d.steps++; d.steps > maxSteps {
			return false, errors.New("the moves take too long")
		}
	}
	return false, nil
}
