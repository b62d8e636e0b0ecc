package ne

import (
	"errors"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// area is a polygon in the plane.
type area struct {
	rings [][]pt
	box   rect
}

// parcel is what cells say of a parcel.
type parcel struct {
	area
	surveyed bool
	sqm      float64
	folio    austria.EZ // 0: none
}

// use is an area of one land-use class.
type use struct {
	area
	class    austria.LandUseClass
	building bool // a footprint
}

// footprint is where a building counts.
type footprint struct {
	cell hexgrid.Cell // that holds its point on the surface
	sqm  float64
}

// buildings are footprints by the cell of resolution 9 above theirs.
type buildings map[hexgrid.Cell][]footprint

func (m buildings) add(p *kgfile.Footprint, res int) error {
	cell, err := hexgrid.PointToCell(p.Inside, res)
	if err != nil {
		return err
	}
	chunk, err := cell.Parent(ne.ChunkRes)
	m[chunk] = append(m[chunk], footprint{cell, p.AreaSqm})
	return err
}

// edge is a stretch of boundary, its ends in grid order.
type edge struct{ a, b geom.Point }

// line is an edge in the plane.
type line struct {
	u, v   pt
	length float64 // mm
}

// features are those of one KG, with a grid over them that finds what lies near a chunk.
type features struct {
	code    austria.KGCode
	parcels []parcel
	uses    []use
	edges   []edge
	lines   []line
	// A cell of resolution 10 does not hold quite what the cells below it hold: buildings stand in each apart.
	inCells, inUnits buildings

	parcelGrid, useGrid, lineGrid grid
}

// read takes the features of a KG whose boxes meet a box.
func read(f *kgfile.File, box geom.Box) (*features, error) {
	near := box.Intersects
	out := &features{code: f.KG().Code, inCells: buildings{}, inUnits: buildings{}}
	parcels, err := f.Parcels()
	if err != nil {
		return nil, err
	}
	for i := range parcels {
		p := &parcels[i]
		if len(p.Geometry) == 0 || !near(f.ParcelBox(i)) {
			continue
		}
		out.parcels = append(out.parcels, parcel{planarArea(p.Geometry), p.Status == austria.StatusG, p.AreaSqm, p.EZ})
		out.addEdges(p.Geometry)
	}
	uses, err := f.LandUse()
	if err != nil {
		return nil, err
	}
	for i := range uses {
		if u := &uses[i]; near(u.Geometry.Bounds()) {
			out.uses = append(out.uses, use{planarArea(u.Geometry), u.NS.Class(), false})
		}
	}
	prints, err := f.Footprints()
	if err != nil {
		return nil, err
	}
	for i := range prints {
		p := &prints[i]
		if !near(p.Geometry.Bounds()) {
			continue
		}
		out.uses = append(out.uses, use{planarArea(p.Geometry), austria.ClassBuilding, true})
		if err := errors.Join(out.inCells.add(p, ne.LURes), out.inUnits.add(p, ne.KRes)); err != nil {
			return nil, err
		}
	}
	out.finish()
	return out, nil
}

// addEdges adds the boundary of a parcel.
func (f *features) addEdges(m geom.MultiPolygon) {
	for _, p := range m {
		for _, r := range p {
			for i, a := range r {
				b := r[(i+1)%len(r)]
				if a == b {
					continue
				}
				if b.Compare(a) < 0 {
					a, b = b, a
				}
				f.edges = append(f.edges, edge{a, b})
			}
		}
	}
}

// finish leaves each edge once and makes the grids.
func (f *features) finish() {
	f.edges = once(f.edges)
	f.lines = make([]line, len(f.edges))
	for i, e := range f.edges {
		u, v := planar(e.a), planar(e.b)
		dx, dy := v.x-u.x, v.y-u.y
		f.lines[i] = line{u, v, math.Sqrt(float64(dx*dx) + float64(dy*dy))}
	}
	f.parcelGrid.fill(len(f.parcels), func(i int) rect { return f.parcels[i].box })
	f.useGrid.fill(len(f.uses), func(i int) rect { return f.uses[i].box })
	f.lineGrid.fill(len(f.lines), func(i int) rect { return emptyRect.extend(f.lines[i].u).extend(f.lines[i].v) })
}

func compareEdges(e, o edge) int {
	if c := e.a.Compare(o.a); c != 0 {
		return c
	}
	return e.b.Compare(o.b)
}

// once sorts edges and drops the repeated ones: neighbouring parcels share theirs.
func once(edges []edge) []edge {
	slices.SortFunc(edges, compareEdges)
	return slices.Compact(edges)
}

func planarArea(m geom.MultiPolygon) area {
	a := area{box: emptyRect}
	for _, p := range m {
		for _, r := range p {
			ring := make([]pt, len(r))
			for i, q := range r {
				ring[i] = planar(q)
			}
			a.rings = append(a.rings, ring)
			a.box = a.box.union(bounds(ring))
		}
	}
	return a
}

// gridStep is the side of a square of a grid in mm: about that of a chunk.
const gridStep = 400_000

type square struct{ x, y int32 }

// grid finds which boxes come near a place.
type grid struct {
	boxes   []rect
	squares map[square][]int32
	seen    []uint32
	round   uint32
}

func squareOf(x, y float64) square {
	return square{int32(math.Floor(x / gridStep)), int32(math.Floor(y / gridStep))}
}

func (g *grid) fill(n int, box func(int) rect) {
	g.boxes, g.seen, g.squares = make([]rect, n), make([]uint32, n), map[square][]int32{}
	for i := range n {
		g.boxes[i] = box(i)
		lo, hi := squareOf(g.boxes[i].x0, g.boxes[i].y0), squareOf(g.boxes[i].x1, g.boxes[i].y1)
		for x := lo.x; x <= hi.x; x++ {
			for y := lo.y; y <= hi.y; y++ {
				s := square{x, y}
				g.squares[s] = append(g.squares[s], int32(i))
			}
		}
	}
}

// near appends the numbers of the boxes that meet one, rising.
func (g *grid) near(found []int32, b rect) []int32 {
	g.round++
	lo, hi := squareOf(b.x0, b.y0), squareOf(b.x1, b.y1)
	for x := lo.x; x <= hi.x; x++ {
		for y := lo.y; y <= hi.y; y++ {
			for _, i := range g.squares[square{x, y}] {
				if g.seen[i] != g.round && g.boxes[i].meets(b) {
					g.seen[i] = g.round
					found = append(found, i)
				}
			}
		}
	}
	slices.Sort(found)
	return found
}
