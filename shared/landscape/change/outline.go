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
	// What was closed beyond the area is none of it.
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

// outline traces the border of cells: each part a polygon with its holes, corners only. Where two cells touch at a corner alone
// they are two parts.
func (f *finder) outline(b *bitmap) []raster.Polygon {
	in, w, h := b.in, b.w, b.h
	t := tracer{in: in, w: w, seen: make([]bool, w*h)}
	var outer []raster.Polygon
	var holes [][]raster.XY
	for i := range in {
		// The northern side of a cell is walked once, from west to east along an outer border, or along that of a hole to the west.
		if !in[i] || in[i-w] || t.seen[i] {
			continue
		}
		for _, ring := range parted(t.walk(i)) {
			size := doubled(ring)
			for k := range ring {
				ring[k] = raster.XY{X: float64(f.area.x0+b.x0) + ring[k].X, Y: float64(f.area.y1-b.y0) - ring[k].Y}
			}
			if size < 0 { // rows run to the south
				outer = append(outer, raster.Polygon{ring})
			} else {
				holes = append(holes, ring)
			}
		}
	}
	for _, hole := range holes {
		best, least := -1, 0.0
		for i := range outer {
			if size := doubled(outer[i][0]); (best < 0 || size < least) && within(outer[i][0], hole[0], hole[1]) {
				best, least = i, size
			}
		}
		if best >= 0 {
			outer[best] = append(outer[best], hole)
		}
	}
	return outer
}

// parted are the loops of a ring that meets corners twice: each meets a corner once.
func parted(ring []raster.XY) (out [][]raster.XY) {
	at := map[raster.XY]int{} // where a corner stands on the way
	var way []raster.XY
	for _, v := range ring {
		if first, met := at[v]; met {
			out = append(out, slices.Clone(way[first:]))
			for _, passed := range way[first+1:] {
				delete(at, passed)
			}
			way = way[:first+1]
			continue
		}
		at[v] = len(way)
		way = append(way, v)
	}
	return append(out, way)
}

// doubled is twice the area of a ring, above 0 against the clock where y runs to the north. Corners are whole metres: it is
// exact.
func doubled(ring []raster.XY) (sum float64) {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		dx, dy := a.X-ring[0].X, a.Y-ring[0].Y
		sum += float64(dx*(b.Y-ring[0].Y)) - float64((b.X-ring[0].X)*dy)
	}
	return sum
}

// tracer walks along borders with the cells on its right hand.
type tracer struct {
	in   []bool
	w    int
	seen []bool // northern sides that were walked
}

// The directions: east, south, west, north, as corners.
var steps = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// walk follows the border from the north-western corner of a cell to the east.
func (t *tracer) walk(start int) (ring []raster.XY) {
	x, y, dir := start%t.w, start/t.w, 0
	x0, y0 := x, y
	for {
		// On the right of a step east from corner (x, y) lies cell (x, y), of a step south cell (x-1, y), and so on.
		if dir == 0 {
			t.seen[y*t.w+x] = true
		}
		x, y = x+steps[dir][0], y+steps[dir][1]
		next := t.turn(x, y, dir)
		if next != dir {
			ring = append(ring, raster.XY{X: float64(x), Y: float64(y)})
		}
		if dir = next; x == x0 && y == y0 && dir == 0 {
			slices.Reverse(ring) // against the clock around what is inside, as GeoJSON has it
			return ring
		}
	}
}

// turn is the direction after a corner: to the right where the cell ahead on the right is none, so that cells that touch at a
// corner are parted.
func (t *tracer) turn(x, y, dir int) int {
	ahead := func(left bool) bool {
		// The cells around the corner (x, y) are (x-1|x, y-1|y).
		var cx, cy int
		switch dir {
		case 0:
			cx, cy = x, y
			if left {
				cy--
			}
		case 1:
			cx, cy = x-1, y
			if left {
				cx++
			}
		case 2:
			cx, cy = x-1, y-1
			if left {
				cy++
			}
		default:
			cx, cy = x, y-1
			if left {
				cx--
			}
		}
		return t.in[cy*t.w+cx]
	}
	switch {
	case !ahead(false):
		return (dir + 1) % 4
	case ahead(true):
		return (dir + 3) % 4
	}
	return dir
}

// within says whether the middle of a hole's first side, moved into it, lies in a ring.
func within(ring []raster.XY, a, b raster.XY) bool {
	// Sides lie on whole metres: a place a quarter beside the corner lies on none of them.
	x, y := a.X+float64((b.X-a.X)/2)+0.25, a.Y+float64((b.Y-a.Y)/2)+0.25
	in := false
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		if (p.Y > y) != (q.Y > y) && x < p.X {
			in = !in
		}
	}
	return in
}
