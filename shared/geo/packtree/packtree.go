// Package packtree is a static packed R-tree over boxes: built once, never changed, safe for
// concurrent reads, searched without allocation. It owns the tree and the Hilbert order; what the
// boxes stand for is the caller's.
//
// Items are grouped in their order, sixteen to a node, level over level, so the tree is nothing but
// arrays of boxes (17/16 of the items' own) and is rebuilt at load instead of being stored. Items that
// already lie in a spatial order keep it (Ordered: visits come in rising index); others are put in
// Hilbert order first (Pack: four more bytes an item).
package packtree

import (
	"slices"

	"mappe/shared/geo/geom"
)

// fan is the number of children of a node.
const fan = 16

// maxLevels holds 16^8 = 4.3e9 items.
const maxLevels = 9

// Tree is the index. The zero Tree holds nothing.
type Tree struct {
	levels [][]geom.Box // [0] the items, [k] one box per 16 of [k-1]; the last has one box
	ids    []uint32     // item at each place of levels[0]; nil when they stand in their own order
}

// Ordered indexes boxes in the order given, which should be spatial for speed; visits come in rising
// index. The slice is kept, not copied. Empty boxes are never found.
func Ordered(boxes []geom.Box) *Tree {
	t := &Tree{}
	t.grow(boxes)
	return t
}

// Pack indexes boxes in any order by putting their middles in Hilbert order; visits come in that order.
func Pack(boxes []geom.Box) *Tree {
	all := geom.EmptyBox
	for _, b := range boxes {
		all = all.Union(b)
	}
	keys := make([]uint64, len(boxes))
	for i, b := range boxes {
		keys[i] = uint64(Hilbert(middle(b), all))<<32 | uint64(i)
	}
	slices.Sort(keys)
	t := &Tree{ids: make([]uint32, len(boxes))}
	sorted := make([]geom.Box, len(boxes))
	for k, key := range keys {
		t.ids[k] = uint32(key)
		sorted[k] = boxes[uint32(key)]
	}
	t.grow(sorted)
	return t
}

func (t *Tree) grow(boxes []geom.Box) {
	if len(boxes) == 0 {
		return
	}
	t.levels = append(t.levels, boxes)
	for len(boxes) > 1 {
		up := make([]geom.Box, (len(boxes)+fan-1)/fan)
		for i := range up {
			b := geom.EmptyBox
			for _, c := range boxes[i*fan : min((i+1)*fan, len(boxes))] {
				b = b.Union(c)
			}
			up[i] = b
		}
		t.levels = append(t.levels, up)
		boxes = up
	}
}

// Len is the number of items.
func (t *Tree) Len() int {
	if len(t.levels) == 0 {
		return 0
	}
	return len(t.levels[0])
}

// Bounds is the box of everything.
func (t *Tree) Bounds() geom.Box {
	if len(t.levels) == 0 {
		return geom.EmptyBox
	}
	return t.levels[len(t.levels)-1][0]
}

// Bytes is the memory the tree takes, with the item boxes.
func (t *Tree) Bytes() int64 {
	n := 4 * len(t.ids)
	for _, l := range t.levels {
		n += 16 * len(l)
	}
	return int64(n)
}

func (t *Tree) item(place int) int {
	if t.ids == nil {
		return place
	}
	return int(t.ids[place])
}

// Search calls visit for every item whose box shares a point with q, until visit says false.
func (t *Tree) Search(q geom.Box, visit func(item int) bool) {
	top := len(t.levels) - 1
	if top < 0 || q.Empty() {
		return
	}
	// next[k] and end[k] are the open places of level k; at most one node a level is open.
	var next, end [maxLevels]int
	next[top], end[top] = 0, 1
	for k := top; k <= top; {
		if next[k] == end[k] {
			k++
			continue
		}
		i := next[k]
		next[k]++
		if b := t.levels[k][i]; b.Empty() || !b.Intersects(q) {
			continue
		}
		if k == 0 {
			if !visit(t.item(i)) {
				return
			}
			continue
		}
		k--
		next[k], end[k] = i*fan, min((i+1)*fan, len(t.levels[k]))
	}
}

func middle(b geom.Box) geom.Point {
	if b.Empty() {
		return geom.Point{}
	}
	return geom.Point{X: int32((int64(b.MinX) + int64(b.MaxX)) / 2), Y: int32((int64(b.MinY) + int64(b.MaxY)) / 2)}
}
