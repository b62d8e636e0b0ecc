package replay

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
)

// Edit is what is to be changed in a document. It begins with the document's tree and gathers changes; Ops gives the operations
// that lead from the one to the other.
type Edit struct {
	from       *Document           // nil for a new document
	children   map[string][]string // blocks in their order, of parents that have some
	parent     map[string]string   // of placed blocks
	touched    map[string]bool
	deleted    []string
	attributes map[string]blob.Attribute
	blocks     map[string]blob.Block
	before     map[string]map[string]string // of parents: the block before each block in the document
}

// NewEdit begins with a document; nil is an empty one.
func NewEdit(d *Document) *Edit {
	e := &Edit{from: d, children: map[string][]string{}, parent: map[string]string{}, touched: map[string]bool{},
		attributes: map[string]blob.Attribute{}, blocks: map[string]blob.Block{}, before: map[string]map[string]string{}}
	if d == nil {
		return e
	}
	for p := range d.lists {
		if p == trash {
			continue
		}
		for _, m := range d.shown(p) {
			e.children[p] = append(e.children[p], m.block)
			e.parent[m.block] = p
		}
	}
	return e
}

// Set sets an attribute of the document. The value is nil, a string, an int64 or a bool.
func (e *Edit) Set(key []string, value any) error {
	if len(key) == 0 || slices.Contains(key, "") {
		return errors.New("an attribute needs a key")
	}
	k := keyOf(key)
	delete(e.attributes, k)
	if e.from != nil {
		if old, ok := e.from.attributes[k]; ok && old.value == value {
			return nil
		}
	}
	e.attributes[k] = blob.Attribute{Key: key, Value: value}
	return nil
}

// Replace sets what a block says. A block that is never moved is kept apart from the content.
func (e *Edit) Replace(b blob.Block) error {
	if b.ID == "" {
		return errors.New("a block needs an id")
	}
	delete(e.blocks, b.ID)
	if e.from != nil {
		if old, ok := e.from.blocks[b.ID]; ok && reflect.DeepEqual(old.block, b) {
			return nil
		}
	}
	e.blocks[b.ID] = b
	return nil
}

// Move puts a block below a parent, right of a sibling; "" is the document and the first place.
func (e *Edit) Move(block, parent, left string) error {
	switch {
	case block == "" || block == trash || parent == trash:
		return fmt.Errorf("block %.40q cannot be moved below %.40q", block, parent)
	case block == left || block == parent:
		return fmt.Errorf("block %.40q cannot be moved next to or below itself", block)
	}
	for at, ok := parent, true; ok && at != ""; at, ok = e.parent[at] {
		if at == block {
			return fmt.Errorf("block %.40q cannot be moved below %.40q, which lies in it", block, parent)
		}
	}
	if _, ok := e.parent[parent]; parent != "" && !ok && !e.known(parent) {
		return fmt.Errorf("parent %.40q is no block of the document", parent)
	}
	e.detach(block)
	siblings := e.children[parent]
	at := 0
	if left != "" {
		if at = slices.Index(siblings, left) + 1; at == 0 {
			return fmt.Errorf("left_sibling %.40q does not lie in %.40q", left, parent)
		}
	}
	e.children[parent] = slices.Insert(siblings, at, block)
	e.parent[block], e.touched[block] = parent, true
	e.deleted = slices.DeleteFunc(e.deleted, func(d string) bool { return d == block })
	return nil
}

// known says whether a block was written, now or before.
func (e *Edit) known(id string) bool {
	_, now := e.blocks[id]
	return now || e.from != nil && e.from.lists[id] != nil
}

func (e *Edit) detach(block string) {
	if p, ok := e.parent[block]; ok {
		e.children[p] = slices.DeleteFunc(e.children[p], func(c string) bool { return c == block })
		delete(e.parent, block)
	}
}

// Delete takes a block out of the document, with what lies in it.
func (e *Edit) Delete(block string) error {
	if _, ok := e.parent[block]; !ok {
		return fmt.Errorf("block %.40q is not in the document", block)
	}
	e.detach(block)
	delete(e.touched, block)
	e.sweep(block)
	if e.from != nil {
		if _, ok := e.from.latest[block]; ok {
			e.deleted = append(e.deleted, block)
			return nil
		}
	}
	e.forget(block)
	return nil
}

// sweep deletes what was moved into a block that is deleted: it leaves the place where it was, and is not moved into what may have lain
// below it.
func (e *Edit) sweep(block string) {
	for _, c := range slices.Clone(e.children[block]) {
		if !e.touched[c] {
			e.sweep(c)
		} else if err := e.Delete(c); err != nil { // its parent says that it is in the document
			panic(err)
		}
	}
}

// forget drops a block that this edit has made, and what it has made in it.
func (e *Edit) forget(block string) {
	delete(e.blocks, block)
	for _, c := range slices.Clone(e.children[block]) {
		if err := e.Delete(c); err != nil { // it is in the document: its parent was
			panic(err)
		}
	}
	delete(e.children, block)
}

// Ops are the operations: moves from the top of the tree down, deletions, attributes, then blocks by their ids. None when nothing changes.
func (e *Edit) Ops() []blob.Op {
	ops := e.moves()
	if len(e.deleted) > 0 {
		ops = append(ops, blob.DeleteBlocks{Blocks: e.deleted})
	}
	if len(e.attributes) > 0 {
		var set blob.SetAttributes
		for _, k := range slices.Sorted(maps.Keys(e.attributes)) {
			set.Attributes = append(set.Attributes, e.attributes[k])
		}
		ops = append(ops, set)
	}
	for _, id := range slices.Sorted(maps.Keys(e.blocks)) {
		ops = append(ops, blob.ReplaceBlock{Block: e.blocks[id]})
	}
	return ops
}

// moves are those from the document's tree to the edited one. Parents come before what lies in them: so no move closes a circle.
func (e *Edit) moves() []blob.Op {
	var ops []blob.Op
	queue := []string{""}
	for p := range e.children {
		if _, placed := e.parent[p]; p != "" && !placed && !slices.Contains(e.deleted, p) { // blocks that are kept apart
			queue = append(queue, p)
		}
	}
	slices.Sort(queue)
	for ; len(queue) > 0; queue = queue[1:] {
		ops = append(ops, e.movesBelow(queue[0])...)
		queue = append(queue, e.children[queue[0]]...)
	}
	return ops
}

// movesBelow places the moved children of a parent: each run of them right of the child that stays before it.
func (e *Edit) movesBelow(parent string) []blob.Op {
	var ops []blob.Op
	var run *blob.MoveBlocks
	flush := func() {
		if run != nil {
			ops = append(ops, *run)
		}
		run = nil
	}
	var ref []int64
	left, leftStays := "", true
	for _, c := range e.children[parent] {
		stays := e.stays(c, parent, left, leftStays)
		if stays {
			flush()
			id := e.from.latest[c].id
			ref = []int64{id.time, id.index, int64(id.actor)}
		} else if run == nil {
			run = &blob.MoveBlocks{Parent: parent, Blocks: []string{c}, Ref: ref}
		} else {
			run.Blocks = append(run.Blocks, c)
		}
		left, leftStays = c, stays
	}
	flush()
	return ops
}

// stays says whether a child need not be moved: it was not, or it was moved back to where it had been.
func (e *Edit) stays(c, parent, left string, leftStays bool) bool {
	if !e.touched[c] {
		return true
	}
	if e.from == nil || !leftStays {
		return false
	}
	m, ok := e.from.latest[c]
	if !ok || m.parent != parent {
		return false
	}
	if e.before[parent] == nil {
		e.before[parent] = map[string]string{}
		last := ""
		for _, s := range e.from.shown(parent) {
			e.before[parent][s.block] = last
			last = s.block
		}
	}
	return e.before[parent][c] == left
}

// Next is the change that follows the document by operations, at a time in milliseconds or right after the document's last change.
// id names the document's first change. A document that is nil gives a first change.
func Next(d *Document, ops []blob.Op, now int64) *blob.Change {
	c := &blob.Change{Time: now, Ops: ops}
	if d == nil {
		return c
	}
	c.Genesis = d.Entries[0].ID
	c.Deps = []cid.Cid(d.Heads)
	for _, e := range d.Entries {
		if slices.ContainsFunc(c.Deps, e.ID.Equals) {
			c.Depth = max(c.Depth, e.Change.Depth+1)
		}
		c.Time = max(c.Time, e.Change.Time+1)
	}
	return c
}
