package hexgrid

import (
	"cmp"
	"fmt"
	"slices"
)

// Compact gives the same area with the fewest cells: where all children of a cell are there, the cell
// stands for them. The cells given may be of several resolutions and in any order; none may stand twice or
// lie inside another. The result is ordered by place: by base cell and digits, whatever the resolution.
func Compact(cells []Cell) ([]Cell, error) {
	out := slices.Clone(cells)
	for _, c := range out {
		if err := c.check(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, compareByPlace)
	for i := 1; i < len(out); i++ {
		if a, b := out[i-1], out[i]; b.Resolution() >= a.Resolution() && b.parent(a.Resolution()) == a {
			return nil, fmt.Errorf("%w: %v in %v", ErrDuplicate, b, a)
		}
	}
	stacked := out[:0] // when the last child of a cell comes, the others are on top of the stack
	for _, c := range out {
		stacked = joinTop(append(stacked, c))
	}
	return stacked, nil
}

// joinTop replaces the children of a cell on top of a stack by the cell, and again for what that makes.
func joinTop(stack []Cell) []Cell {
	for {
		last := stack[len(stack)-1]
		res := last.Resolution()
		if res == 0 || last.path()&7 != 6 {
			return stack
		}
		parent := last.parent(res - 1)
		from := len(stack) - below(parent.IsPentagon(), 1)
		if from < 0 {
			return stack
		}
		for _, c := range stack[from:] {
			if c.Resolution() != res || c.parent(res-1) != parent {
				return stack
			}
		}
		stack = append(stack[:from], parent)
	}
}

// compareByPlace orders cells by base cell and digits, each cell before those inside it.
func compareByPlace(a, b Cell) int {
	position := func(c Cell) uint64 {
		unused := 3 * (MaxResolution - c.Resolution())
		return uint64(c) & (127<<baseShift | digitsMask) >> unused << unused
	}
	if d := cmp.Compare(position(a), position(b)); d != 0 {
		return d
	}
	return a.Resolution() - b.Resolution()
}

// Uncompact gives the cells of one resolution for the same area: the inverse of Compact. No cell may be
// finer than that. limit bounds the number of cells, which grows by seven with each resolution.
func Uncompact(cells []Cell, res, limit int) ([]Cell, error) {
	n := 0
	for _, c := range cells {
		m, err := c.NumChildren(res)
		if err != nil {
			return nil, err
		}
		if n += m; n > limit {
			return nil, fmt.Errorf("%w: more than %d cells", ErrDomain, limit)
		}
	}
	out := make([]Cell, 0, n)
	for _, c := range cells {
		for d := range c.Children(res) {
			out = append(out, d)
		}
	}
	return out, nil
}
