package kg

import (
	sf "github.com/peterstace/simplefeatures/geom"

	"mappe/shared/geo/geom"
)

// pt is a position on the world's pixel grid, y down.
type pt = geom.Point

// square is a tile by its column and row.
type square struct{ x, y int32 }

// view is what one tile shows of one pool: its pieces' rings, without repeated vertices. A pool is the
// set of pieces that may belong together: those of one parcel number, or those of one land-use code.
type view struct {
	tile  square
	rings [][]pt
}

// dissolver puts the views of one pool together again. It is used for many pools, one after another.
type dissolver struct {
	extent int32

	views   []view
	at      map[square]int32 // view of a tile
	rings   []crossing
	marks   []mark
	first   map[pt]int32 // newest mark at a position
	arrive  [][]arrival  // per view: edges that come from outside the tile's own square
	result  [][]pt
	overlay func(outer, holes []sf.Geometry) (sf.Geometry, error)
	missing map[square]bool // tiles that would have to show the pool and do not
	apart   int             // pools whose pieces no overlay could unite
	failed  []int32         // rings (indexes into d.rings) that could not be closed

	// matters, when set, says which rings count: lines that stay open are failed only when they pass
	// through one of them, and needs lists the tiles where such lines go on.
	matters func(ring int32) bool
	needs   []square
}

// crossing is a ring of a view that leaves the tile's own square, or is cut by the tile's buffer.
type crossing struct {
	view  int32
	pts   []pt
	marks []int32 // per vertex: its mark, -1 when it lies in another tile's square
}

// mark is a true vertex: a vertex seen by the tile in whose own square it lies. Vertices made by cutting
// are never marks, because cutting happens a buffer away from that square.
type mark struct {
	p       pt
	ring, i int32
	older   int32 // next mark at the same position, -1 at the end
	succ    int32
	reached bool
	onPath  bool
	lost    bool // the edge that leaves runs into tile lack, which does not show the pool
	lack    square
}

// arrival is the edge that ends in vertex i of a ring.
type arrival struct{ ring, i int32 }

// reachTol is how far, in pixels, a rounded clip vertex and what another tile draws of the same edge can
// lie apart: half a pixel diagonal for each of the three rounded ends, and one to spare.
const reachTol = 2.5

func newDissolver(extent int32) *dissolver {
	return &dissolver{extent: extent, overlay: overlay, at: map[square]int32{}, first: map[pt]int32{}, missing: map[square]bool{}}
}

func (d *dissolver) home(p pt) square { return square{p.X / d.extent, p.Y / d.extent} }

// run dissolves one pool. The rings of the result are closed lines of true vertices; their slices may be
// those of the views. d.missing and d.failed tell what could not be closed.
func (d *dissolver) run(views []view) [][]pt {
	d.views, d.rings, d.marks, d.result, d.failed, d.needs = views, d.rings[:0], d.marks[:0], nil, d.failed[:0], nil
	clear(d.at)
	clear(d.first)
	clear(d.missing)
	for i := range views {
		d.at[views[i].tile] = int32(i)
	}
	for i := range views {
		for _, r := range views[i].rings {
			d.take(int32(i), r)
		}
	}
	if len(d.rings) == 0 {
		return d.result
	}
	d.indexArrivals()
	for m := range d.marks {
		d.marks[m].succ = d.successor(int32(m))
	}
	d.link()
	return d.result
}

// take sorts a ring into whole ones, which are results, and crossing ones, which have to be traced.
func (d *dissolver) take(view int32, ring []pt) {
	tile, own := d.views[view].tile, 0
	for _, p := range ring {
		if d.home(p) == tile {
			own++
		}
	}
	if own == len(ring) {
		d.result = append(d.result, ring)
		return
	}
	c := crossing{view: view, pts: ring, marks: make([]int32, len(ring))}
	for i, p := range ring {
		c.marks[i] = -1
		if own > 0 && d.home(p) == tile {
			older, ok := d.first[p]
			if !ok {
				older = -1
			}
			c.marks[i] = int32(len(d.marks))
			d.first[p] = c.marks[i]
			d.marks = append(d.marks, mark{p: p, ring: int32(len(d.rings)), i: int32(i), older: older, succ: -1})
		}
	}
	d.rings = append(d.rings, c)
}

func (d *dissolver) indexArrivals() {
	d.arrive = append(d.arrive[:0], make([][]arrival, len(d.views))...)
	for r := range d.rings {
		c := &d.rings[r]
		for i := range c.pts {
			if prev := (i + len(c.pts) - 1) % len(c.pts); c.marks[prev] < 0 {
				d.arrive[c.view] = append(d.arrive[c.view], arrival{int32(r), int32(i)})
			}
		}
	}
}

// successor follows the edge that leaves a mark to the next true vertex. Where the tile's buffer cuts the
// edge, the tile that owns the place of the cut goes on drawing it: hop there, and on, until a tile shows
// the end in its own square.
func (d *dissolver) successor(m int32) int32 {
	from := d.marks[m].p
	ring, i := d.marks[m].ring, d.marks[m].i
	for hops := 0; hops <= len(d.views); hops++ {
		c := &d.rings[ring]
		i = (i + 1) % int32(len(c.pts))
		if c.marks[i] >= 0 {
			return c.marks[i]
		}
		p := c.pts[i]
		home := d.home(p)
		v, ok := d.at[home]
		if !ok {
			d.missing[home] = true
			d.marks[m].lost, d.marks[m].lack = true, home
			return -1
		}
		if to := d.trueVertex(from, p); to >= 0 {
			return to
		}
		a, ok := d.continuation(v, from, p)
		if !ok {
			return -1
		}
		ring, i = a.ring, a.i-1
		if i < 0 {
			i += int32(len(d.rings[ring].pts))
		}
	}
	return -1
}

// trueVertex is the mark at p that is entered from the direction of from, -1 when p is no vertex.
func (d *dissolver) trueVertex(from, p pt) int32 {
	m, ok := d.first[p]
	if !ok {
		return -1
	}
	near := int32(-1)
	for ; m >= 0; m = d.marks[m].older {
		c := &d.rings[d.marks[m].ring]
		prev := c.pts[(int(d.marks[m].i)+len(c.pts)-1)%len(c.pts)]
		if prev == from {
			return m
		}
		if near < 0 && c.marks[(int(d.marks[m].i)+len(c.pts)-1)%len(c.pts)] < 0 && distance(prev, from, p) <= reachTol {
			near = m
		}
	}
	return near
}

// continuation is the edge of view v that draws the stretch around p of the edge from -> p -> ...
func (d *dissolver) continuation(v int32, from, p pt) (arrival, bool) {
	best, found := arrival{}, false
	bestDist := reachTol + 1.0 // edges that start in from itself come before any other
	for _, a := range d.arrive[v] {
		c := &d.rings[a.ring]
		s, e := c.pts[(int(a.i)+len(c.pts)-1)%len(c.pts)], c.pts[a.i]
		dist := distance(p, s, e)
		if dist > reachTol || dot(from, p, s, e) <= 0 {
			continue
		}
		if s == from {
			dist -= reachTol + 1
		} else if distance(s, from, p) > reachTol {
			continue
		}
		if dist < bestDist {
			best, bestDist, found = a, dist, true
		}
	}
	return best, found
}

// link closes the marks to rings. Marks that two edges claim, or that lead nowhere, fail with every mark
// that leads to them, and their rings are reported.
func (d *dissolver) link() {
	for i := range d.marks {
		if s := d.marks[i].succ; s >= 0 {
			if d.marks[s].reached {
				d.marks[i].succ = -1
				continue
			}
			d.marks[s].reached = true
		}
	}
	bad := make([]bool, len(d.rings))
	// Open chains start at marks that nothing leads to.
	for i := range d.marks {
		if d.marks[i].reached {
			continue
		}
		counts := d.matters == nil
		last, ring := int32(i), int32(-1)
		for m := last; m >= 0; m = d.marks[m].succ {
			last = m
			d.marks[m].onPath = true
			if !counts && d.marks[m].ring != ring {
				ring = d.marks[m].ring
				counts = d.matters(ring)
			}
		}
		if !counts {
			continue
		}
		for m := int32(i); m >= 0; m = d.marks[m].succ {
			bad[d.marks[m].ring] = true
		}
		if d.marks[last].lost {
			d.needs = append(d.needs, d.marks[last].lack)
		}
	}
	for i := range d.marks {
		if d.marks[i].onPath {
			continue
		}
		var ring []pt
		for m := int32(i); !d.marks[m].onPath; m = d.marks[m].succ {
			d.marks[m].onPath = true
			ring = append(ring, d.marks[m].p)
		}
		d.result = append(d.result, ring)
	}
	for r := range bad {
		if bad[r] {
			d.failed = append(d.failed, int32(r))
		}
	}
}
