// Package hexgrid is the H3 grid of hexagons (https://h3geo.org) in pure Go: the same indexes, the same
// centres and borders and the same neighbours as uber/h3-go/v4, which is C and is its oracle in tests. It owns
// the grid and nothing that is stored by cell. Positions are WGS84 degrees, resolutions 0 to 15, areas and
// lengths those of H3's sphere.
//
// A Cell is 64 bits, from the high end:
//
//	bits 63      reserved, 0
//	bits 59..62  mode, 1 for a cell
//	bits 56..58  reserved, 0
//	bits 52..55  resolution
//	bits 45..51  base cell, 0..121
//	bits 0..44   15 digits of 3 bits, coarsest first: 0 the centre child, 1..6 the ones around it;
//	             7 below the resolution
package hexgrid

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
)

// MaxResolution is the finest resolution, with cells of about 0.9 m².
const MaxResolution = 15

// What the functions of the package refuse.
var (
	ErrCell       = errors.New("not a valid H3 cell")
	ErrResolution = errors.New("resolution out of range")
	ErrPosition   = errors.New("latitude or longitude is not a finite number")
	ErrTooFar     = errors.New("cells are too far apart, or a pentagon lies between them")
	ErrDomain     = errors.New("argument out of range")
)

// Cell is the index of a cell. The zero Cell is unset.
type Cell uint64

const (
	baseCells  = 122
	modeCell   = 1
	modeShift  = 59
	resShift   = 52
	baseShift  = 45
	digitsMask = 1<<baseShift - 1
	ones       = 0o111111111111111 // the lowest bit of each of 15 digits
)

// Parse reads the 15 or 16 hexadecimal digits of a cell, in lower or upper case. Other indexes of H3
// (edges, vertices) are refused.
func Parse(s string) (Cell, error) {
	if len(s) < 15 || len(s) > 16 {
		return 0, fmt.Errorf("%w: %.20q: expected 15 hexadecimal digits", ErrCell, s)
	}
	for _, c := range []byte(s) { // ParseUint would take signs and underscores
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return 0, fmt.Errorf("%w: %.20q: expected 15 hexadecimal digits", ErrCell, s)
		}
	}
	v, err := strconv.ParseUint(s, 16, 64)
	if c := Cell(v); err == nil && c.IsValid() {
		return c, nil
	}
	return 0, fmt.Errorf("%w: %q", ErrCell, s)
}

// String is the index in lower-case hexadecimal digits, 15 of them for a valid cell. JSON carries cells in
// this form: a JSON number holds 53 bits.
func (c Cell) String() string { return strconv.FormatUint(uint64(c), 16) }

// AppendText appends String to b.
func (c Cell) AppendText(b []byte) ([]byte, error) { return strconv.AppendUint(b, uint64(c), 16), nil }

// MarshalText is String.
func (c Cell) MarshalText() ([]byte, error) { return c.AppendText(nil) }

// UnmarshalText is Parse.
func (c *Cell) UnmarshalText(b []byte) error {
	v, err := Parse(string(b))
	if err == nil {
		*c = v
	}
	return err
}

// IsValid says whether the index is that of a cell of the grid.
func (c Cell) IsValid() bool {
	if c>>56 != modeCell<<3 || c.BaseCell() >= baseCells {
		return false
	}
	unused := 3 * (MaxResolution - c.Resolution())
	if ^c&(1<<unused-1) != 0 {
		return false
	}
	d := c.path()
	if d&(d>>1)&(d>>2)&ones != 0 { // a digit 7
		return false
	}
	return !isPentagonBase[c.BaseCell()] || leading(d) != digitK
}

// Resolution is the resolution, 0 to 15.
func (c Cell) Resolution() int { return int(c>>resShift) & 15 }

// BaseCell is the number of the cell of resolution 0 above, 0 to 121.
func (c Cell) BaseCell() int { return int(c>>baseShift) & 127 }

// IsPentagon says whether the cell is one of the twelve of its resolution with five neighbours.
func (c Cell) IsPentagon() bool {
	return c.IsValid() && isPentagonBase[c.BaseCell()] && c.path() == 0
}

// path are the digits down to the resolution, the finest in the lowest bits.
func (c Cell) path() uint64 {
	return uint64(c) & digitsMask >> (3 * (MaxResolution - c.Resolution()))
}

// cellOf is the inverse of Resolution, BaseCell and path.
func cellOf(res, base int, path uint64) Cell {
	unused := 3 * (MaxResolution - res)
	return Cell(modeCell<<modeShift | uint64(res)<<resShift | uint64(base)<<baseShift | path<<unused | (1<<unused - 1))
}

// leading is the coarsest digit of a path that is not 0, 0 if all digits are 0.
func leading(path uint64) int {
	if path == 0 {
		return 0
	}
	return int(path >> ((bits.Len64(path) - 1) / 3 * 3))
}

// classIII says whether the grid of a resolution is turned against the icosahedron's axes.
func classIII(res int) bool { return res&1 == 1 }

// checkResolution refuses a resolution outside [from, MaxResolution].
func checkResolution(res, from int) error {
	if res < from || res > MaxResolution {
		return fmt.Errorf("%w: %d: expected %d to %d", ErrResolution, res, from, MaxResolution)
	}
	return nil
}

func (c Cell) check() error {
	if !c.IsValid() {
		return fmt.Errorf("%w: %x", ErrCell, uint64(c))
	}
	return nil
}
