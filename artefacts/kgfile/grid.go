package kgfile

import (
	"math"

	"mappe/shared/geo/geom"
)

// grid is a uniform grid over the parcels for containment: about two parcels a cell, each cell the
// list of parcels that may hold a point of it. Parcels that span many cells (roads, rivers) are entered
// only where their rows reach, and the grid is made coarser until its lists are at most gridFill entries
// a parcel, so memory is linear for every input.
type grid struct {
	box    geom.Box
	nx, ny int
	// sx and sy are cells per unit as 32-bit binary fractions: cell = d * s >> 32.
	sx, sy uint64
	start  []uint32
	items  []uint32
}

const (
	perCell  = 2
	gridFill = 12
	bigSpan  = 16 // cells from which a parcel is entered by its rows
)

func buildGrid(s *shapeSet) *grid {
	g := &grid{box: geom.EmptyBox}
	for _, b := range s.boxes {
		g.box = g.box.Union(b)
	}
	n := len(s.boxes)
	if g.box.Empty() {
		return g
	}
	for want := n/perCell + 1; ; want /= 4 {
		g.shape(max(want, 1))
		if g.fill(s, gridFill*n+64) {
			return g
		}
	}
}

// shape sets a grid of about that many cells, square on the ground at 47.5° north.
func (g *grid) shape(want int) {
	w := float64(int64(g.box.MaxX)-int64(g.box.MinX)+1) * 0.675
	h := float64(int64(g.box.MaxY) - int64(g.box.MinY) + 1)
	g.nx = min(max(int(math.Sqrt(float64(want)*w/h)), 1), want)
	g.ny = max(want/g.nx, 1)
	g.sx = scale(g.nx, g.box.MinX, g.box.MaxX)
	g.sy = scale(g.ny, g.box.MinY, g.box.MaxY)
}

func scale(n int, lo, hi int32) uint64 { return uint64(n) << 32 / uint64(int64(hi)-int64(lo)+1) }

// col and row need a value within the box; the quotient is below nx and ny because scale rounds down.
func (g *grid) col(x int32) int { return int(uint64(int64(x)-int64(g.box.MinX)) * g.sx >> 32) }
func (g *grid) row(y int32) int { return int(uint64(int64(y)-int64(g.box.MinY)) * g.sy >> 32) }

// fill makes the lists, or says false when they would be longer than limit.
func (g *grid) fill(s *shapeSet, limit int) bool {
	var spans []colSpan
	reach, total := g.count(s, limit, &spans)
	if reach == nil {
		return false
	}
	// Ends first; filling from the last parcel backwards turns them into starts and keeps the lists rising.
	for k := 1; k < len(g.start); k++ {
		g.start[k] += g.start[k-1]
	}
	copy(g.start, g.start[1:])
	g.items = make([]uint32, total)
	for i := len(reach) - 1; i >= 0; i-- {
		c := reach[i]
		if c.big() {
			spans = g.rows(s.geometry(i), c, spans)
			for r, sp := range spans {
				row := g.start[(int(c.r0)+r)*g.nx:]
				for k := sp.lo; k <= sp.hi; k++ {
					row[k]--
					g.items[row[k]] = uint32(i)
				}
			}
			continue
		}
		for r := c.r0; r <= c.r1; r++ {
			row := g.start[int(r)*g.nx:]
			for k := c.c0; k <= c.c1; k++ {
				row[k]--
				g.items[row[k]] = uint32(i)
			}
		}
	}
	return true
}

// count gives the cells that each parcel reaches and the length of all lists, and counts each list in start, one
// place up. nil when the lists would be longer than limit. spans is working space.
func (g *grid) count(s *shapeSet, limit int, spans *[]colSpan) (reach []cells, total int) {
	g.start = make([]uint32, g.nx*g.ny+1)
	reach = make([]cells, len(s.boxes))
	for i, b := range s.boxes {
		if b.Empty() {
			reach[i] = cells{1, 0, 1, 0}
			continue
		}
		c := cells{int32(g.col(b.MinX)), int32(g.col(b.MaxX)), int32(g.row(b.MinY)), int32(g.row(b.MaxY))}
		reach[i] = c
		if c.big() {
			*spans = g.rows(s.geometry(i), c, *spans)
			for r, sp := range *spans {
				for k := sp.lo; k <= sp.hi; k++ {
					g.start[(int(c.r0)+r)*g.nx+k+1]++
				}
				total += max(sp.hi-sp.lo+1, 0)
			}
		} else {
			for r := c.r0; r <= c.r1; r++ {
				row := g.start[int(r)*g.nx+1:]
				for k := c.c0; k <= c.c1; k++ {
					row[k]++
				}
			}
			total += int((c.c1 - c.c0 + 1) * (c.r1 - c.r0 + 1))
		}
		if total > limit && g.nx*g.ny > 1 {
			return nil, 0
		}
	}
	return reach, total
}

// cells is the rectangle of cells a box reaches.
type cells struct{ c0, c1, r0, r1 int32 }

func (c cells) big() bool { return c.r1 > c.r0 && (c.c1-c.c0+1)*(c.r1-c.r0+1) >= bigSpan }

type colSpan struct{ lo, hi int }

// rows gives for each row of cells the columns between the leftmost and rightmost edge in it.
func (g *grid) rows(m geom.MultiPolygon, c cells, spans []colSpan) []colSpan {
	spans = spans[:0]
	for range c.r1 - c.r0 + 1 {
		spans = append(spans, colSpan{g.nx, -1})
	}
	for _, p := range m {
		for _, ring := range p {
			a := ring[len(ring)-1]
			for _, b := range ring {
				g.edge(a, b, int(c.r0), spans)
				a = b
			}
		}
	}
	return spans
}

// edge widens the spans of the rows an edge crosses by the columns it has there, one unit wider than
// the rounded crossing on each side.
func (g *grid) edge(a, b geom.Point, r0 int, spans []colSpan) {
	if a.Y > b.Y {
		a, b = b, a
	}
	ra, rb := g.row(a.Y), g.row(b.Y)
	for r := ra; r <= rb; r++ {
		x0, x1 := a.X, b.X
		if r > ra {
			x0 = g.crossing(a, b, r)
		}
		if r < rb {
			x1 = g.crossing(a, b, r+1)
		}
		lo, hi := min(x0, x1), max(x0, x1)
		if ra != rb {
			lo, hi = max(lo-1, g.box.MinX), min(hi+1, g.box.MaxX)
		}
		s := &spans[r-r0]
		s.lo, s.hi = min(s.lo, g.col(lo)), max(s.hi, g.col(hi))
	}
}

// crossing is the X of the edge where row r begins.
func (g *grid) crossing(a, b geom.Point, r int) int32 {
	// The first Y of the row: the smallest one whose row is r.
	y := int64(g.box.MinY) + int64((uint64(r)<<32+g.sy-1)/g.sy)
	y = min(max(y, int64(a.Y)), int64(b.Y))
	return int32(int64(a.X) + (int64(b.X)-int64(a.X))*(y-int64(a.Y))/(int64(b.Y)-int64(a.Y)))
}

// cell lists the parcels that may hold p.
func (g *grid) cell(p geom.Point) []uint32 {
	if !g.box.Contains(p) {
		return nil
	}
	k := g.row(p.Y)*g.nx + g.col(p.X)
	return g.items[g.start[k]:g.start[k+1]]
}

func (g *grid) bytes() int64 { return int64(4 * (len(g.start) + len(g.items))) }
