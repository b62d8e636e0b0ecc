package ne

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"mappe/shared/geo/hexgrid"
)

// Ground is how much ground of a cell has another class than before, in tenths of a m².
type Ground struct {
	Cell                 hexgrid.Cell
	Confirmed, Candidate int64

	confirmed, candidate int64 // while it is added up, in 255ths of a cm²
}

// add adds a cell of resolution 12 of an area in cm².
func (g *Ground) add(x CellChange, area int64) {
	for _, c := range x.changes() {
		before, after := c.Before.Row(c.Cell), c.After.Row(c.Cell)
		gained := int64(0)
		for _, d := range Deltas(&before, &after) {
			gained += int64(max(d, 0))
		}
		if c.Status == Candidate {
			g.candidate += gained * area
		} else {
			g.confirmed += gained * area
		}
	}
	g.round()
}

// merge adds what another has added up of the same cell.
func (g *Ground) merge(o *Ground) {
	g.confirmed += o.confirmed
	g.candidate += o.candidate
	g.round()
}

func (g *Ground) round() {
	const tenth = 255 * areaUnit / 10
	g.Confirmed, g.Candidate = (g.confirmed+tenth/2)/tenth, (g.candidate+tenth/2)/tenth
}

const (
	groundBytes = 8 + 4 + 4
	maxGround   = 1 << 21 // the country has 800,000 cells of resolution 9
)

// EncodeGround writes the changed ground: for each cell, rising, its index and two u32 of tenths of a m², confirmed and
// candidate, little-endian. Cells without any are left out.
func EncodeGround(list []*Ground) []byte {
	slices.SortFunc(list, func(a, b *Ground) int { return cmp.Compare(a.Cell, b.Cell) })
	var b []byte
	for _, g := range list {
		if g.Confirmed == 0 && g.Candidate == 0 {
			continue
		}
		b = binary.LittleEndian.AppendUint64(b, uint64(g.Cell))
		b = binary.LittleEndian.AppendUint32(b, uint32(g.Confirmed))
		b = binary.LittleEndian.AppendUint32(b, uint32(g.Candidate))
	}
	return b
}

// ParseGround reads it; the cells rise and are of resolution 9.
func ParseGround(b []byte) ([]Ground, error) {
	if len(b)%groundBytes != 0 || len(b)/groundBytes > maxGround {
		return nil, fmt.Errorf("changed ground: %d bytes: want a multiple of %d, at most %d rows", len(b), groundBytes, maxGround)
	}
	out := make([]Ground, 0, len(b)/groundBytes)
	for ; len(b) > 0; b = b[groundBytes:] {
		g := Ground{Cell: CellOf(b), Confirmed: int64(binary.LittleEndian.Uint32(b[8:])),
			Candidate: int64(binary.LittleEndian.Uint32(b[12:]))}
		if !g.Cell.IsValid() || g.Cell.Resolution() != ChunkRes || len(out) > 0 && g.Cell <= out[len(out)-1].Cell {
			return nil, fmt.Errorf("changed ground: row %d: %x is no cell of resolution %d, or stands behind a larger one", len(out),
				uint64(g.Cell), ChunkRes)
		}
		out = append(out, g)
	}
	return out, nil
}

// LiftGround adds changed ground up to a lower resolution, by cell.
func LiftGround(list []Ground, resolution int) (map[hexgrid.Cell]Ground, error) {
	out := map[hexgrid.Cell]Ground{}
	for _, g := range list {
		above := g.Cell
		if above.Resolution() != resolution {
			var err error
			if above, err = g.Cell.Parent(resolution); err != nil {
				return nil, err
			}
		}
		sum := out[above]
		out[above] = Ground{Cell: above, Confirmed: sum.Confirmed + g.Confirmed, Candidate: sum.Candidate + g.Candidate}
	}
	return out, nil
}

// WithGround are sums by rising cell and, of changed cells that are not among them, empty ones: of a sliver of a cell the
// share is 0, what changed there is not lost.
func WithGround(list []Coarse, changed map[hexgrid.Cell]Ground) []Coarse {
	known := make(map[hexgrid.Cell]bool, len(list))
	for i := range list {
		known[list[i].Cell] = true
	}
	out := slices.Clip(list)
	for cell := range changed {
		if !known[cell] {
			out = append(out, Coarse{Cell: cell})
		}
	}
	slices.SortFunc(out, func(a, b Coarse) int { return cmp.Compare(a.Cell, b.Cell) })
	return out
}
