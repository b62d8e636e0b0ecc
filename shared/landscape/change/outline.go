package change

import (
	"slices"

	"mappe/shared/geo/raster"
)

// bitmap are the cells of a region in its box, with a margin of a cell at least.
type bitmap struct {
	in     []bool
	w, h   int
	x0, y0 int // of its north-western cell, from that of the area
}

// bitmap are the cells of a region without its skirt, closed: gaps of up to twice r cells belong to it where they lie in the area.
// road takes in the old surface of the road that it lies along.
func (f *finder) bitmap(g *region, r int, road bool) *bitmap {
	m := r + 1
	if road {
		m += roadReach
	}
	b := &bitmap{w: int(g.maxX-g.minX) + 1 + 2*m, h: int(g.maxY-g.minY) + 1 + 2*m, x0: int(g.minX) - m, y0: int(g.minY) - m}
	b.in = make([]bool, b.w*b.h)
	f.each(g, func(x, y int32, r *record) {
		if r.flags&inSkirt == 0 {
			b.in[(int(y)-b.y0)*b.w+int(x)-b.x0] = true
		}
	})
	if road {
		f.paved(b)
	}
	if r == 0 {
		return b
	}
	own := append([]bool(nil), b.in...)
	b.spread(r, true)
	b.spread(r, false)
	// What was closed beyond the area does not belong to it.
	area := make([]bool, b.w*b.h)
	for row := max(b.y0, 0); row < min(b.y0+b.h, f.area.rows()); row++ {
		f.mask.Each(row, func(from, to int) {
			for x := max(from, b.x0); x < min(to, b.x0+b.w); x++ {
				area[(row-b.y0)*b.w+x-b.x0] = true
			}
		})
	}
	for i := range b.in {
		b.in[i] = own[i] || b.in[i] && area[i]
	}
	return b
}

// roadReach is how far from what was added to a road its old surface is looked for, cells.
const roadReach = 7

// paved adds the old road along which cells lie: a road that was widened is known by its new width.
func (f *finder) paved(b *bitmap) {
	own := append([]bool(nil), b.in...)
	b.spread(roadReach, true)
	for i := range b.in {
		x, y := b.x0+i%b.w, b.y0+i/b.w
		old := x >= 0 && y >= 0 && x < f.area.cols() && y < f.area.rows() && f.hard[y*f.area.cols()+x]
		b.in[i] = own[i] || b.in[i] && old
	}
}

// spread makes every cell within r of one that is in (or out) so too.
func (b *bitmap) spread(r int, in bool) {
	pass := func(n, lines, step, stride int) {
		line := make([]bool, n)
		for l := range lines {
			until := -1
			for i := range n { // those after a cell
				if b.in[l*stride+i*step] == in {
					until = i + r
				}
				line[i] = i <= until
			}
			until = n
			for i := n - 1; i >= 0; i-- { // those before
				if b.in[l*stride+i*step] == in {
					until = i - r
				}
				line[i] = line[i] || i >= until
			}
			for i, hit := range line {
				if hit {
					b.in[l*stride+i*step] = in
				}
			}
		}
	}
	pass(b.w, b.h, 1, b.w)
	pass(b.h, b.w, b.w, 1)
}

func (b *bitmap) count() (n int) {
	for _, in := range b.in {
		if in {
			n++
		}
	}
	return n
}

// outline traces the border of cells: each part a polygon with its holes, corners only, rings against the clock and holes
// with it as GeoJSON has them.
func (f *finder) outline(b *bitmap) []raster.Polygon {
	parts := raster.Outline(b.in, b.w)
	for _, part := range parts {
		for _, ring := range part {
			for k, v := range ring {
				ring[k] = raster.XY{X: float64(f.area.x0+b.x0) + v.X, Y: float64(f.area.y1-b.y0) - v.Y}
			}
			slices.Reverse(ring)
		}
	}
	return parts
}
