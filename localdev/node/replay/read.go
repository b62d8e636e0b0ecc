package replay

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
)

// Node is a block in the document's tree.
type Node struct {
	Block    blob.Block
	Revision cid.Cid // the change that says what the block says; undefined for a block that was placed and never written
	Children []Node
}

// keyOf makes one text of the parts of a key.
func keyOf(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strconv.Itoa(len(p)) + ":" + p)
	}
	return b.String()
}

// set writes an attribute. A value and values below it exclude each other: the latest stays.
func (d *Document) set(a attribute) error {
	key := keyOf(a.key)
	if d.steps += len(d.attributes); d.steps > maxSteps {
		return errors.New("the attributes take too long")
	}
	if old, ok := d.attributes[key]; ok && old.id.compare(a.id) >= 0 {
		return nil
	}
	for other, o := range d.attributes {
		if other != key && (strings.HasPrefix(other, key) || strings.HasPrefix(key, other)) {
			if o.id.compare(a.id) > 0 {
				return nil
			}
			delete(d.attributes, other)
		}
	}
	d.attributes[key] = a
	return nil
}

// Attributes are those of the document: text, int64, bool, and maps of them for keys with several parts.
func (d *Document) Attributes() map[string]any {
	out := map[string]any{}
	for _, a := range slices.SortedFunc(maps.Values(d.attributes), func(a, b attribute) int { return a.id.compare(b.id) }) {
		if a.value == nil {
			continue
		}
		at := out
		for _, part := range a.key[:len(a.key)-1] {
			below, ok := at[part].(map[string]any)
			if !ok {
				below = map[string]any{}
				at[part] = below
			}
			at = below
		}
		at[a.key[len(a.key)-1]] = a.value
	}
	return out
}

// Name is the document's title.
func (d *Document) Name() string {
	attributes := d.Attributes()
	for _, key := range []string{"name", "title"} {
		if s, ok := attributes[key].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// Content is the tree of the document.
func (d *Document) Content() ([]Node, error) { return d.below("", 0) }

// Detached are the blocks that were written and never placed, by their ids, each with what lies below it.
func (d *Document) Detached() (map[string]Node, error) {
	out := map[string]Node{}
	for id := range d.blocks {
		if _, placed := d.latest[id]; placed {
			continue
		}
		children, err := d.below(id, 1)
		if err != nil {
			return nil, err
		}
		out[id] = d.node(id, children)
	}
	return out, nil
}

func (d *Document) node(id string, children []Node) Node {
	w, ok := d.blocks[id]
	if !ok { // placed and never written: the tree keeps its shape, and a reader sees the gap
		w.block.ID = id
	}
	return Node{Block: w.block, Revision: w.change, Children: children}
}

func (d *Document) below(parent string, depth int) ([]Node, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("blocks lie more than %d deep in each other", MaxDepth)
	}
	var out []Node
	for _, m := range d.shown(parent) {
		children, err := d.below(m.block, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, d.node(m.block, children))
	}
	return out, nil
}

// shown are the visible slots of a parent in their order.
func (d *Document) shown(parent string) []move {
	l := d.lists[parent]
	if l == nil {
		return nil
	}
	var out []move
	for s := l.head.next; s != nil; s = s.next {
		if d.visible[s.id] {
			out = append(out, s.move)
		}
	}
	return out
}

// Authors are the signers of the changes, sorted by their texts.
func (d *Document) Authors() []ident.Account {
	seen := map[ident.Account]bool{}
	for _, e := range d.Entries {
		seen[e.Change.Signer] = true
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b ident.Account) int { return cmp.Compare(a.String(), b.String()) })
}

// At is the document of an earlier version.
func (d *Document) At(v ident.Version) (*Document, error) {
	if len(v) == 0 || v.Equal(d.Heads) {
		return d, nil
	}
	byID := map[cid.Cid]Entry{}
	for _, e := range d.Entries {
		byID[e.ID] = e
	}
	seen := map[cid.Cid]bool{}
	var kept []Entry
	for queue := slices.Clone([]cid.Cid(v)); len(queue) > 0; queue = queue[1:] {
		if seen[queue[0]] {
			continue
		}
		seen[queue[0]] = true
		e, ok := byID[queue[0]]
		if !ok {
			return nil, fmt.Errorf("%w: version %s", ErrNoVersion, queue[0])
		}
		kept = append(kept, e)
		queue = append(queue, e.Change.Deps...)
	}
	return New(kept)
}

// ErrNoVersion says that a version does not belong to the document.
var ErrNoVersion = fmt.Errorf("the document has no such version")

// Find gives what a block says, and whether it is placed in the document.
func (d *Document) Find(id string) (b blob.Block, placed, written bool) {
	w, written := d.blocks[id]
	m, placed := d.latest[id]
	return w.block, placed && m.parent != trash, written
}
