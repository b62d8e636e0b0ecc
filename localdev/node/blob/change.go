package blob

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/ident"
)

const (
	// MaxDeps is the most changes that a change follows.
	MaxDeps = 1024
	// MaxIndex is the greatest index of an operation in its change.
	MaxIndex = math.MaxInt32
)

// Change is a step of a document. A change without genesis is the first.
type Change struct {
	Signer ident.Account
	Time   int64

	Genesis cid.Cid
	Deps    []cid.Cid
	Depth   int64
	Ops     []Op
}

// First says whether the change begins a document.
func (c *Change) First() bool { return !c.Genesis.Defined() }

// Op is an operation of a change: one of the kinds below.
type Op interface {
	// Items is how many items the operation has. The i-th item, from 0, raises the index of the change by i.
	Items() int
	fields() map[string]any
}

// SetAttributes sets attributes of the document.
type SetAttributes struct{ Attributes []Attribute }

// Attribute is a value at a path of keys. A value is nil, a string, an int64 or a bool.
type Attribute struct {
	Key   []string
	Value any
}

// MoveBlocks places blocks one after the other below a parent, right of what an earlier move has placed.
type MoveBlocks struct {
	Parent string
	Blocks []string
	Ref    []int64 // none: the first place; index: a move of this change; time, index, actor: a move of an earlier one
}

// ReplaceBlock sets what a block says.
type ReplaceBlock struct{ Block Block }

// DeleteBlocks takes blocks out of the document.
type DeleteBlocks struct{ Blocks []string }

// Items of the operations.
func (o SetAttributes) Items() int { return len(o.Attributes) }

// Items are the blocks.
func (o MoveBlocks) Items() int { return len(o.Blocks) }

// Items is one block.
func (o ReplaceBlock) Items() int { return 1 }

// Items are the blocks.
func (o DeleteBlocks) Items() int { return len(o.Blocks) }

func (o SetAttributes) fields() map[string]any {
	attrs := make([]any, len(o.Attributes))
	for i, a := range o.Attributes {
		attrs[i] = map[string]any{"key": textList(a.Key), "value": a.Value}
	}
	return map[string]any{"type": "SetAttributes", "attrs": attrs}
}

func (o MoveBlocks) fields() map[string]any {
	m := map[string]any{"type": "MoveBlocks", "blocks": textList(o.Blocks)}
	if o.Parent != "" {
		m["parent"] = o.Parent
	}
	if len(o.Ref) > 0 {
		ref := make([]any, len(o.Ref))
		for i, n := range o.Ref {
			ref[i] = n
		}
		m["ref"] = ref
	}
	return m
}

func (o ReplaceBlock) fields() map[string]any {
	return map[string]any{"type": "ReplaceBlock", "block": o.Block.Fields()}
}

func (o DeleteBlocks) fields() map[string]any {
	return map[string]any{"type": "DeleteBlocks", "blocks": textList(o.Blocks)}
}

func textList(texts []string) []any {
	out := make([]any, len(texts))
	for i, s := range texts {
		out[i] = s
	}
	return out
}

// Fields are those of the map, for Sign and Unsigned.
func (c *Change) Fields() map[string]any {
	m := map[string]any{"type": string(TypeChange), "ts": c.Time}
	if !c.First() {
		m["genesis"], m["deps"], m["depth"] = c.Genesis, linkList(SortLinks(c.Deps)), c.Depth
	}
	if len(c.Ops) > 0 {
		count, ops := 0, make([]any, len(c.Ops))
		for i, op := range c.Ops {
			count += op.Items()
			ops[i] = op.fields()
		}
		m["body"] = map[string]any{"opCount": int64(count), "ops": ops}
	}
	return m
}

// SortLinks sorts by the bytes of the CIDs.
func SortLinks(links []cid.Cid) []cid.Cid {
	out := slices.Clone(links)
	slices.SortFunc(out, func(a, b cid.Cid) int { return bytes.Compare(a.Bytes(), b.Bytes()) })
	return out
}

func readChange(f *fields) *Change {
	c := &Change{Genesis: f.link("genesis"), Deps: f.links("deps", MaxDeps), Depth: f.number("depth", 0, math.MaxInt32)}
	f.within("body", func(g *fields) {
		g.number("opCount", 0, math.MaxInt32)
		c.Ops = readOps(g)
	})
	switch {
	case f.err != nil:
	case c.First() != (len(c.Deps) == 0) || c.First() != (c.Depth == 0):
		f.err = errors.New("a change has genesis, deps and depth, or none of them")
	case !slices.EqualFunc(SortLinks(c.Deps), c.Deps, cid.Cid.Equals):
		f.err = errors.New("deps are not in the order of their bytes")
	case len(slices.CompactFunc(slices.Clone(c.Deps), cid.Cid.Equals)) != len(c.Deps):
		f.err = errors.New("a link stands twice in deps")
	}
	return c
}

func readOps(f *fields) []Op {
	var ops []Op
	last := int64(-1)
	for i, v := range f.list("ops") {
		m, ok := v.(map[string]any)
		if !ok {
			f.wrong("ops", "a list of maps", v)
			return nil
		}
		g := &fields{m: m}
		op := readOp(g)
		if err := g.end(); err != nil && f.err == nil {
			f.err = fmt.Errorf("ops[%d]: %w", i, err)
		}
		if f.err != nil {
			return nil
		}
		n := int64(op.Items())
		if last += 1 + n*max(n-1, 0)/2; last > MaxIndex {
			f.err = fmt.Errorf("ops[%d]: the index of an operation is above %d", i, MaxIndex)
			return nil
		}
		ops = append(ops, op)
	}
	return ops
}

func readOp(f *fields) Op {
	kind := f.text("type")
	switch kind {
	case "SetKey": // the older form of an attribute
		return SetAttributes{[]Attribute{{Key: []string{f.text("key")}, Value: f.scalar("value")}}}
	case "SetAttributes":
		if f.text("block") != "" && f.err == nil {
			f.err = errors.New("block: attributes of single blocks are not part of the format")
		}
		var o SetAttributes
		for i, v := range f.list("attrs") {
			m, _ := v.(map[string]any)
			g := &fields{m: m}
			o.Attributes = append(o.Attributes, Attribute{Key: g.texts("key"), Value: g.scalar("value")})
			if err := g.end(); (err != nil || len(o.Attributes[i].Key) == 0) && f.err == nil {
				f.err = errors.Join(fmt.Errorf("attrs[%d] needs a key and a value", i), err)
			}
		}
		return o
	case "MoveBlocks":
		o := MoveBlocks{Parent: f.text("parent"), Blocks: f.blocks(), Ref: f.ref()}
		return o
	case "ReplaceBlock":
		var o ReplaceBlock
		v, _ := f.take("block")
		m, _ := v.(map[string]any)
		var err error
		if o.Block, err = readBlock(m); err != nil && f.err == nil {
			f.err = fmt.Errorf("block: %w", err)
		}
		return o
	case "DeleteBlocks":
		return DeleteBlocks{f.blocks()}
	}
	if f.err == nil {
		f.err = fmt.Errorf("operation %.40q is not known", kind)
	}
	return DeleteBlocks{}
}

// blocks reads the ids of an operation: at least one, none empty.
func (f *fields) blocks() []string {
	ids := f.texts("blocks")
	if (len(ids) == 0 || slices.Contains(ids, "")) && f.err == nil {
		f.err = errors.New("blocks: expected the ids of blocks")
	}
	return ids
}

// ref reads the place of a move.
func (f *fields) ref() []int64 {
	var out []int64
	for _, v := range f.list("ref") {
		n, ok := v.(int64)
		if !ok || n < 0 {
			f.wrong("ref", "none, one or three whole numbers", v)
			return nil
		}
		out = append(out, n)
	}
	switch {
	case f.err != nil, len(out) == 0:
	case len(out) == 1 && out[0] <= MaxIndex:
	case len(out) == 3 && out[0] < MaxTime && out[1] <= MaxIndex:
	default:
		f.err = errors.New("ref: expected an index, or time, index and actor")
	}
	return out
}

// scalar reads a value of an attribute.
func (f *fields) scalar(key string) any {
	v, ok := f.take(key)
	if !ok {
		return nil
	}
	switch v.(type) {
	case string, int64, bool:
		return v
	}
	f.wrong(key, "null, text, a whole number, true or false", v)
	return nil
}
