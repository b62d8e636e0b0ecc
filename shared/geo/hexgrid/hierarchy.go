package hexgrid

import (
	"fmt"
	"iter"
)

// NumCells is the number of cells of a resolution, 0 to 15.
func NumCells(res int) int { return 2 + 120*power(res) }

// power is 7^n.
func power(n int) int {
	p := 1
	for range n {
		p *= 7
	}
	return p
}

// below is the number of cells n resolutions below one cell.
func below(pentagon bool, n int) int {
	if pentagon {
		return 1 + 5*(power(n)-1)/6
	}
	return power(n)
}

// Parent is the cell of a coarser or the same resolution whose digits the cell's start with. Cells lie
// mostly, not wholly, in their parents.
func (c Cell) Parent(res int) (Cell, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	if own := c.Resolution(); res < 0 || res > own {
		return 0, fmt.Errorf("%w: %d: expected 0 to %d, the resolution of the cell", ErrResolution, res, own)
	}
	return c.parent(res), nil
}

func (c Cell) parent(res int) Cell {
	return cellOf(res, c.BaseCell(), c.path()>>(3*(c.Resolution()-res)))
}

// CenterChild is the cell of a finer or the same resolution at the cell's centre.
func (c Cell) CenterChild(res int) (Cell, error) {
	if err := c.checkChildren(res); err != nil {
		return 0, err
	}
	return cellOf(res, c.BaseCell(), c.path()<<(3*(res-c.Resolution()))), nil
}

func (c Cell) checkChildren(res int) error {
	if err := c.check(); err != nil {
		return err
	}
	return checkResolution(res, c.Resolution())
}

// NumChildren is the number of cells of a finer or the same resolution below the cell.
func (c Cell) NumChildren(res int) (int, error) {
	if err := c.checkChildren(res); err != nil {
		return 0, err
	}
	return below(c.IsPentagon(), res-c.Resolution()), nil
}

// Children yields the cells of a finer or the same resolution below the cell, in ascending order; nothing
// where the cell or the resolution is refused by NumChildren.
func (c Cell) Children(res int) iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		n, err := c.NumChildren(res)
		if err != nil {
			return
		}
		first, _ := c.CenterChild(res)
		base, path := c.BaseCell(), first.path()
		for range n {
			if !yield(cellOf(res, base, path)) {
				return
			}
			path = nextPath(path, isPentagonBase[base])
		}
	}
}

// nextPath counts on in digits 0 to 6. In a pentagon K leads no path: it would be a lone 1.
func nextPath(path uint64, pentagon bool) uint64 {
	path++
	for shift := 0; path>>shift&7 == 7; shift += 3 {
		path += 1 << shift
	}
	if pentagon && path&(path-1) == 0 && leading(path) == digitK {
		path <<= 1
	}
	return path
}

// ChildPos is the cell's number, from 0, among the children of its parent of a resolution.
func (c Cell) ChildPos(parentRes int) (int, error) {
	parent, err := c.Parent(parentRes)
	if err != nil {
		return 0, err
	}
	pentagon, pos := parent.IsPentagon(), 0
	path := c.path()
	for n := c.Resolution() - parentRes - 1; n >= 0; n-- {
		digit := int(path >> (3 * n) & 7)
		if pentagon && digit > 0 {
			pos += below(true, n) + (digit-2)*below(false, n)
			pentagon = false
		} else {
			pos += digit * below(false, n)
		}
	}
	return pos, nil
}

// ChildAt is the inverse of ChildPos: the child of a resolution with a number.
func (c Cell) ChildAt(pos, res int) (Cell, error) {
	n, err := c.NumChildren(res)
	if err != nil {
		return 0, err
	}
	if pos < 0 || pos >= n {
		return 0, fmt.Errorf("%w: child %d: expected 0 to %d", ErrDomain, pos, n-1)
	}
	pentagon, path := c.IsPentagon(), c.path()
	for n := res - c.Resolution() - 1; n >= 0; n-- {
		digit := 0
		if centre := below(pentagon, n); pos >= centre {
			digit = 1 + (pos-centre)/below(false, n)
			pos = (pos - centre) % below(false, n)
			if pentagon {
				digit++ // K is missing
				pentagon = false
			}
		}
		path = path<<3 | uint64(digit)
	}
	return cellOf(res, c.BaseCell(), path), nil
}

// BaseCells yields the cells of resolution 0.
func BaseCells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for b := range baseCells {
			if !yield(cellOf(0, b, 0)) {
				return
			}
		}
	}
}

// Pentagons are the twelve pentagons of a resolution.
func Pentagons(res int) ([]Cell, error) {
	if err := checkResolution(res, 0); err != nil {
		return nil, err
	}
	out := make([]Cell, 0, 12)
	for b, pentagon := range isPentagonBase {
		if pentagon {
			out = append(out, cellOf(res, b, 0))
		}
	}
	return out, nil
}
