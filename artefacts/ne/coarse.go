package ne

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"mappe/shared/geo/hexgrid"
)

// The kinds by which generations name what maps are drawn from: the sums of a KG, and the archive of vector tiles.
const (
	CoarseArtefact = "cell-coarse"
	BaseArtefact   = "base-cells"
)

// Coarse is what lies in a cell of a lower resolution, in m²: a KG's part of it, or the sum of all parts.
type Coarse struct {
	Cell      hexgrid.Cell
	Cov, Land float64
	Use       [9]float64
	Str       float64
}

// coarseBytes is the length of a row of EncodeCoarse.
const coarseBytes = 8 + 12*4

// maxCoarse bounds the rows of a KG: the largest has some 400 km², 4,000 cells of resolution 9.
const maxCoarse = 1 << 20

// CoarseOf sums rows of resolution 12, whose areas are those of CellArea, up to a resolution. Of a cell that several KGs
// share each takes the part that its parcels cover, so that the sums of all KGs are those of the land.
func CoarseOf(rows []LURow, areas []float64, resolution int) ([]Coarse, error) {
	at := map[hexgrid.Cell]*Coarse{}
	for i := range rows {
		r := &rows[i]
		if r.Cov == 0 || r.KGShare == 0 {
			continue
		}
		parent, err := r.Cell.Parent(resolution)
		if err != nil {
			return nil, err
		}
		c := at[parent]
		if c == nil {
			c = &Coarse{Cell: parent}
			at[parent] = c
		}
		m2 := areas[i] / 255 * math.Min(1, float64(r.KGShare)/float64(r.Cov))
		c.Cov += float64(r.Cov) * m2
		c.Land += float64(r.Land) * m2
		c.Str += float64(r.StrCover) * m2
		for k, u := range r.Use {
			c.Use[k] += float64(u) * m2
		}
	}
	return sortedCoarse(at), nil
}

// sortedCoarse are the sums by rising cell.
func sortedCoarse(at map[hexgrid.Cell]*Coarse) []Coarse {
	out := make([]Coarse, 0, len(at))
	for _, cell := range slices.Sorted(maps.Keys(at)) {
		out = append(out, *at[cell])
	}
	return out
}

// Lift adds parts up to a lower resolution, or those of one cell where the resolution is theirs. The order of the parts
// does not change the sums that a map shows.
func Lift(parts []Coarse, resolution int) ([]Coarse, error) {
	at := map[hexgrid.Cell]*Coarse{}
	for _, p := range parts {
		parent := p.Cell
		if p.Cell.Resolution() != resolution {
			var err error
			if parent, err = p.Cell.Parent(resolution); err != nil {
				return nil, err
			}
		}
		c := at[parent]
		if c == nil {
			c = &Coarse{Cell: parent}
			at[parent] = c
		}
		c.Cov, c.Land, c.Str = c.Cov+p.Cov, c.Land+p.Land, c.Str+p.Str
		for k := range c.Use {
			c.Use[k] += p.Use[k]
		}
	}
	return sortedCoarse(at), nil
}

// EncodeCoarse writes sums: for each cell its index and twelve 32-bit numbers of m², little-endian.
func EncodeCoarse(list []Coarse) []byte {
	b := make([]byte, 0, len(list)*coarseBytes)
	for i := range list {
		c := &list[i]
		b = binary.LittleEndian.AppendUint64(b, uint64(c.Cell))
		for _, v := range append([]float64{c.Cov, c.Land, c.Str}, c.Use[:]...) {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		}
	}
	return b
}

// ParseCoarse reads sums; the cells rise and are valid, the numbers are finite and not negative.
func ParseCoarse(b []byte) ([]Coarse, error) {
	if len(b)%coarseBytes != 0 || len(b)/coarseBytes > maxCoarse {
		return nil, fmt.Errorf("sums of cells: %d bytes: want a multiple of %d, at most %d rows", len(b), coarseBytes, maxCoarse)
	}
	out := make([]Coarse, 0, len(b)/coarseBytes)
	for ; len(b) > 0; b = b[coarseBytes:] {
		c := Coarse{Cell: hexgrid.Cell(binary.LittleEndian.Uint64(b))}
		if !c.Cell.IsValid() || len(out) > 0 && cmp.Compare(c.Cell, out[len(out)-1].Cell) <= 0 {
			return nil, fmt.Errorf("sums of cells: row %d: %x is no cell, or stands behind a larger one", len(out), uint64(c.Cell))
		}
		for i, to := range append([]*float64{&c.Cov, &c.Land, &c.Str}, pointers(&c.Use)...) {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[8+4*i:])))
			if !(v >= 0) || math.IsInf(v, 1) {
				return nil, fmt.Errorf("sums of cells: row %d: %v m²", len(out), v)
			}
			*to = v
		}
		out = append(out, c)
	}
	return out, nil
}

func pointers(use *[9]float64) (out []*float64) {
	for i := range use {
		out = append(out, &use[i])
	}
	return out
}
