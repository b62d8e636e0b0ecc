package geom

import "fmt"

// FaultKind says what is wrong with a geometry.
type FaultKind uint8

// The kinds of faults, from harmless to grave.
const (
	FaultNone          FaultKind = iota
	FaultRingOrder               // exterior clockwise or hole counter-clockwise
	FaultDuplicate               // a vertex that stands twice in a row
	FaultSpike                   // the line runs straight back over itself
	FaultTooFew                  // fewer than three vertices, or no area
	FaultDuplicateRing           // a ring that stands twice
	FaultUnnoded                 // a ring touches the inner part of another's edge, see Validate
	FaultPinch                   // a ring touches itself
	FaultHoleOutside             // a hole outside its exterior: inverted rings
	FaultHoleInHole              // a hole inside another hole
	FaultPartsOverlap            // parts that lie over each other
	FaultDisconnected            // rings that touch cut the interior of a polygon apart
	FaultCrossing                // lines that cross or run along each other
	FaultTooComplex              // not checked, see ErrTooComplex
)

var faultNames = [...]string{"none", "ring_order", "duplicate_vertex", "spike", "too_few_vertices", "duplicate_ring", "no_vertex_at_touch",
	"ring_touches_itself", "hole_outside", "hole_in_hole", "parts_overlap", "interior_disconnected", "self_crossing", "too_complex"}

func (k FaultKind) String() string {
	if int(k) < len(faultNames) {
		return faultNames[k]
	}
	return ""
}

// Fault is one thing wrong and where.
type Fault struct {
	Kind       FaultKind
	Part, Ring int
	At         Point
}

func (f Fault) Error() string {
	return fmt.Sprintf("%v in part %d ring %d at %.7f %.7f", f.Kind, f.Part, f.Ring, f.At.Lon(), f.At.Lat())
}

// Check lists the faults of the geometry, each ring's first of a kind; empty means valid in the sense of
// the OGC simple features with RFC 7946 ring order. Exact.
func (m MultiPolygon) Check() []Fault {
	c := checker{m: m, seen: map[Fault]bool{}}
	c.vertices()
	if c.lines(); len(c.faults) == 0 || !c.grave() {
		c.nesting()
	}
	if len(c.faults) == 0 {
		if f := c.m.Validate(); f != nil && f.Kind != FaultUnnoded {
			c.faults = append(c.faults, *f)
		}
	}
	return c.faults
}

// maxMeetings bounds the crossings, touches and overlaps looked at in one Check.
const maxMeetings = 100_000

type checker struct {
	m      MultiPolygon
	faults []Fault
	seen   map[Fault]bool // without position
	looked int64          // by nesting
}

func (c *checker) add(k FaultKind, part, ring int, at Point) {
	f := Fault{Kind: k, Part: part, Ring: ring}
	if !c.seen[f] {
		c.seen[f] = true
		f.At = at
		c.faults = append(c.faults, f)
	}
}

// grave says whether lines cross, so that inside and outside of rings mean nothing.
func (c *checker) grave() bool {
	for _, f := range c.faults {
		if f.Kind >= FaultCrossing || f.Kind == FaultTooFew {
			return true
		}
	}
	return false
}

func (c *checker) vertices() {
	for pi, p := range c.m {
		if len(p) == 0 {
			c.add(FaultTooFew, pi, 0, Point{})
		}
		for ri, r := range p {
			n := len(r)
			if n == 0 {
				c.add(FaultTooFew, pi, ri, Point{})
				continue
			}
			s := r.Area2().Sign()
			if n < 3 || s == 0 && flat(r) {
				c.add(FaultTooFew, pi, ri, r[0])
				continue
			}
			if (s > 0) != (ri == 0) {
				c.add(FaultRingOrder, pi, ri, r[0])
			}
			for i, v := range r {
				next := r[(i+1)%n]
				if v == next {
					c.add(FaultDuplicate, pi, ri, v)
				} else if spike(r[(i+n-1)%n], v, next) {
					c.add(FaultSpike, pi, ri, v)
				}
			}
		}
	}
}

// edgePlace is where an edge stands: it begins at vertex i.
type edgePlace struct{ part, ring, i int }

// lines finds edges that meet other than as neighbours in a ring or at single points of two rings.
func (c *checker) lines() {
	var edges []edge
	var places []edgePlace
	for pi, p := range c.m {
		for ri, r := range p {
			for i, v := range r {
				if w := r[(i+1)%len(r)]; v != w {
					edges = append(edges, edge{v, w})
					places = append(places, edgePlace{pi, ri, i})
				}
			}
		}
	}
	meetings := 0
	err := edgePairs(edges, 0, func(i, j int32) bool {
		e, f := edges[i], edges[j]
		t := Meet(e.a, e.b, f.a, f.b)
		if t == Apart {
			return true
		}
		if t != AtEnds {
			if meetings++; meetings > maxMeetings {
				return false // faults enough are known
			}
		}
		c.meeting(t, e, f, places[i], places[j])
		return true
	})
	if err != nil {
		c.add(FaultTooComplex, 0, 0, Point{})
	}
}

// meeting judges two edges that meet.
func (c *checker) meeting(t Touch, e, f edge, pe, pf edgePlace) {
	p := pe // the fault is named by the earlier ring
	if pf.part < p.part || (pf.part == p.part && pf.ring < p.ring) {
		p = pf
	}
	switch {
	case t == Crossing && pe.part != pf.part:
		c.add(FaultPartsOverlap, p.part, p.ring, CrossPoint(e.a, e.b, f.a, f.b))
	case t == Crossing:
		c.add(FaultCrossing, p.part, p.ring, CrossPoint(e.a, e.b, f.a, f.b))
	case pe.part != pf.part:
		// Parts may touch; shared stretches are found by nesting when one lies over the other.
		if t == Overlap && (e == f || e == edge{f.b, f.a}) {
			c.sameRing(pe.part, pe.ring, pf.part, pf.ring)
		}
	case pe.ring != pf.ring:
		if t == Overlap && !c.sameRing(p.part, pe.ring, p.part, pf.ring) {
			c.add(FaultCrossing, p.part, p.ring, f.a)
		}
	case t == Overlap:
		c.add(FaultCrossing, p.part, p.ring, f.a)
	case t == Tee:
		c.add(FaultPinch, p.part, p.ring, teeAt(e, f))
	case t == AtEnds:
		n := len(c.m[p.part][p.ring])
		if d := (pf.i - pe.i + n) % n; n > 3 && d != 1 && d != n-1 && !c.seen[Fault{Kind: FaultDuplicate, Part: p.part, Ring: p.ring}] {
			at := e.a
			if at != f.a && at != f.b {
				at = e.b
			}
			c.add(FaultPinch, p.part, p.ring, at)
		}
	}
}

// teeAt is the end of one edge that lies on the other.
func teeAt(e, f edge) Point {
	switch {
	case onSegment(e.a, f.a, f.b):
		return e.a
	case onSegment(e.b, f.a, f.b):
		return e.b
	case onSegment(f.a, e.a, e.b):
		return f.a
	}
	return f.b
}

// sameRing says whether two rings are equal in whatever direction, and records it.
func (c *checker) sameRing(p1, r1, p2, r2 int) bool {
	a, b := c.m[p1][r1].Clean(), c.m[p2][r2].Clean()
	a.Orient(true)
	b.Orient(true)
	a.Rotate()
	b.Rotate()
	if len(a) == 0 || compareRings(a, b) != 0 {
		return false
	}
	c.add(FaultDuplicateRing, max(p1, p2), max(r1, r2), a[0])
	return true
}

// maxNesting bounds the vertices and boxes that are looked at for what lies in what, which take some hundred milliseconds.
const maxNesting = 100_000_000

// spend counts what is looked at; false where the bound is reached, which is a fault.
func (c *checker) spend(n int64) bool {
	if c.looked += n; c.looked <= maxNesting {
		return true
	}
	c.add(FaultTooComplex, 0, 0, c.m[0][0][0])
	return false
}

// nesting tells holes outside, holes in holes and parts over each other, for rings that do not cross.
func (c *checker) nesting() {
	points, known := make([]Point, len(c.m)), make([]bool, len(c.m))
	for pi, p := range c.m {
		points[pi], known[pi] = p.inside()
		for ri, r := range p[1:] {
			if !c.spend(int64(len(r) + len(p[0]))) {
				return
			}
			if !r.within(p[0]) {
				c.add(FaultHoleOutside, pi, ri+1, r[0])
			}
		}
		if !c.holes(pi, p) {
			return
		}
	}
	grid := newPointGrid(points, func(i int) bool { return known[i] })
	var near []int32
	for i, p := range c.m {
		var looked int64
		near, looked = grid.in(p.Bounds(), near[:0])
		if !c.spend(looked) {
			return
		}
		for _, j := range near {
			if i == int(j) {
				continue
			}
			if !c.spend(int64(p.vertices())) {
				return
			}
			if p.Contains(points[j]) {
				c.add(FaultPartsOverlap, max(i, int(j)), 0, points[j])
			}
		}
	}
}

func (p Polygon) vertices() (n int) {
	for _, r := range p {
		n += len(r)
	}
	return n
}

// holes tells the holes of a part that lie in others; false where the bound of work is reached.
func (c *checker) holes(pi int, p Polygon) bool {
	if len(p) < 3 {
		return true
	}
	boxes, areas, corners := make([]Box, len(p)), make([]float64, len(p)), make([]Point, len(p))
	for i, r := range p {
		boxes[i], areas[i] = r.Bounds(), r.Area2().abs()
		corners[i] = Point{boxes[i].MinX, boxes[i].MinY}
	}
	grid := newPointGrid(corners, func(i int) bool { return i > 0 })
	var near []int32
	for i := 1; i < len(p); i++ {
		var looked int64
		if near, looked = grid.in(boxes[i], near[:0]); !c.spend(looked) {
			return false
		}
		for _, j := range near {
			if i == int(j) || !boxes[i].Contains(Point{boxes[j].MaxX, boxes[j].MaxY}) || areas[i] <= areas[j] {
				continue
			}
			if !c.spend(int64(len(p[i]) + len(p[j]))) {
				return false
			}
			if p[j].within(p[i]) {
				c.add(FaultHoleInHole, pi, int(j), p[j][0])
			}
		}
	}
	return true
}

func (a Int128) abs() float64 { return max(a.Float(), -a.Float()) }

// Repaired is what Repair did.
type Repaired struct {
	Geometry MultiPolygon
	Faults   []Fault // what Check found before
}

// Repair makes the geometry valid and says what was wrong. Valid input comes back in canonical form.
// Faults of order, duplicates and spikes cost nothing; the others go through Rebuild, by the even-odd
// rule. Parts that lie over each other become even-odd too: unite them first where that is not meant.
func (m MultiPolygon) Repair() (Repaired, error) {
	r := Repaired{Faults: m.Check()}
	rebuild := false
	for _, f := range r.Faults {
		switch f.Kind {
		case FaultTooComplex:
			return r, ErrTooComplex
		case FaultHoleOutside, FaultHoleInHole, FaultDisconnected, FaultCrossing, FaultPinch, FaultPartsOverlap, FaultDuplicateRing,
			FaultSpike:
			rebuild = true
		}
	}
	if !rebuild {
		r.Geometry = m.Normalise()
		return r, nil
	}
	var err error
	r.Geometry, err = Rebuild(m.Rings())
	return r, err
}
