package canopy

import (
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"math"

	"mappe/shared/geo/raster"
)

// Outline is the border of a crown's cells in EPSG:3035, its parts in rings that have the crown on their right hand.
func (t *Tree) Outline(g *raster.Grid) []raster.Polygon {
	x0, y0, x1, y1 := g.Cols, g.Rows, 0, 0
	for _, cell := range t.Cells {
		x, y := int(cell)%g.Cols, int(cell)/g.Cols
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	w := x1 - x0 + 3
	in := make([]bool, w*(y1-y0+3))
	for _, cell := range t.Cells {
		in[(int(cell)/g.Cols-y0+1)*w+int(cell)%g.Cols-x0+1] = true
	}
	out := raster.Outline(in, w)
	for _, p := range out {
		for _, ring := range p {
			for i := range ring {
				ring[i] = raster.XY{X: g.West + float64((ring[i].X+float64(x0-1))*g.Step),
					Y: g.North - float64((ring[i].Y+float64(y0-1))*g.Step)}
			}
		}
	}
	return out
}

// ID names a tree by its place, snapped to half a metre: the same in every answer that finds the apex there.
func (t *Tree) ID() string {
	h := fnv.New64a()
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], uint64(int64(math.Round(2*t.X))))
	binary.LittleEndian.PutUint64(b[8:], uint64(int64(math.Round(2*t.Y))))
	h.Write(b[:])
	return "t" + hex.EncodeToString(h.Sum(nil))[:15]
}
