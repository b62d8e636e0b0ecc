package geom

import "slices"

// Validate says whether the geometry is valid as OGC 06-103r4 (6.1.11, 6.1.14) defines it and GEOS judges it,
// but for the direction of rings: rings are simple and do not touch themselves, rings meet in single points
// and do not cross there, holes lie in their exterior and not in each other, the interior of each polygon is
// one piece, parts share no area and no line. It gives the first fault found, nil for a valid geometry.
// Exact; repeated vertices are allowed, as GEOS allows them. What Rebuild makes is valid.
//
// One rule goes beyond it: where rings touch, both have a vertex (FaultUnnoded). A vertex on the inner part
// of an edge is on the line only on this grid. In degrees, as all readers get it, floating point puts it to
// the one or the other side, and the same rings may cross.
func (m MultiPolygon) Validate() *Fault {
	v := &validator{m: m}
	v.line, v.edges, v.of = v.few.line[:0], v.few.edges[:0], v.few.of[:0]
	if v.rings(); v.fault == nil {
		v.lines()
	}
	if v.fault == nil && len(v.line) > 1 {
		v.nesting()
	}
	if v.fault == nil && len(v.touches) > 0 {
		v.pieces()
	}
	if v.fault == nil {
		return v.mild
	}
	return v.fault
}

// bruteEdges is the number of edges up to which all pairs are compared without sorting them, fewEdges that
// of most parcels and houses.
const (
	bruteEdges = 64
	fewEdges   = 20
)

type validator struct {
	m       MultiPolygon
	fault   *Fault
	mild    *Fault
	line    []lineOf // the rings in order
	edges   []edge
	of      []int32 // ring (index into line) of an edge
	touches []touching

	few struct { // what a parcel of usual size needs, allocated at once
		line  [4]lineOf
		edges [fewEdges]edge
		of    [fewEdges]int32
	}
}

// lineOf is a ring and the range of its edges.
type lineOf struct{ part, ring, from, to int32 }

// touching is a point that two rings of one polygon share.
type touching struct {
	part, r, s int32 // r, s: indexes into line
	at         Point
}

func (v *validator) fail(k FaultKind, ring int32, at Point) {
	if v.fault == nil {
		v.fault = &Fault{Kind: k, Part: int(v.line[ring].part), Ring: int(v.line[ring].ring), At: at}
	}
}

// unnoded notes the mildest of the faults: any other takes its place.
func (v *validator) unnoded(ring int32, at Point) {
	if v.mild == nil {
		v.mild = &Fault{Kind: FaultUnnoded, Part: int(v.line[ring].part), Ring: int(v.line[ring].ring), At: at}
	}
}

// rings lists the edges, those without length left out.
func (v *validator) rings() {
	if n := v.m.Vertices(); n > fewEdges {
		v.edges, v.of = make([]edge, 0, n), make([]int32, 0, n)
	}
	for pi, p := range v.m {
		if len(p) == 0 {
			v.fault = &Fault{Kind: FaultTooFew, Part: pi}
			return
		}
		for ri, r := range p {
			k, from := int32(len(v.line)), int32(len(v.edges))
			if len(r) == 0 {
				v.fault = &Fault{Kind: FaultTooFew, Part: pi, Ring: ri}
				return
			}
			for i, a := range r {
				b := r[0]
				if i+1 < len(r) {
					b = r[i+1]
				}
				if a != b {
					v.edges, v.of = append(v.edges, edge{a, b}), append(v.of, k)
				}
			}
			v.line = append(v.line, lineOf{int32(pi), int32(ri), from, int32(len(v.edges))})
			if len(v.edges)-int(from) < 3 {
				v.fail(FaultTooFew, k, r[0])
				return
			}
		}
	}
}

// lines compares the edges.
func (v *validator) lines() {
	if len(v.edges) > bruteEdges {
		if edgePairs(v.edges, 0, v.pair) != nil {
			v.fail(FaultTooComplex, 0, v.edges[0].a)
		}
		return
	}
	for i := range v.edges {
		e := &v.edges[i]
		loX, hiX, loY, hiY := min(e.a.X, e.b.X), max(e.a.X, e.b.X), min(e.a.Y, e.b.Y), max(e.a.Y, e.b.Y)
		for j := i + 1; j < len(v.edges); j++ {
			f := &v.edges[j]
			if max(f.a.X, f.b.X) < loX || min(f.a.X, f.b.X) > hiX || max(f.a.Y, f.b.Y) < loY || min(f.a.Y, f.b.Y) > hiY {
				continue
			}
			if !v.pair(int32(i), int32(j)) {
				return
			}
		}
	}
}

// pair judges two edges whose boxes touch, and says whether to go on.
func (v *validator) pair(i, j int32) bool {
	e, f := v.edges[i], v.edges[j]
	r, s := v.of[i], v.of[j]
	switch Meet(e.a, e.b, f.a, f.b) {
	case Crossing:
		v.fail(FaultCrossing, min(r, s), CrossPoint(e.a, e.b, f.a, f.b))
	case Overlap:
		v.fail(FaultCrossing, min(r, s), f.a)
	case AtEnds:
		switch {
		case r != s:
			v.meeting(i, j)
		case v.next(i) != j && v.next(j) != i:
			v.fail(FaultPinch, r, sharedEnd(e, f))
		}
	case Tee:
		if r != s {
			v.meeting(i, j)
			break
		}
		for _, c := range [...]struct {
			p Point
			e edge
		}{{e.a, f}, {e.b, f}, {f.a, e}, {f.b, e}} {
			if onSegment(c.p, c.e.a, c.e.b) {
				v.fail(FaultPinch, r, c.p)
				break
			}
		}
	}
	return v.fault == nil
}

func sharedEnd(e, f edge) Point {
	if e.a == f.a || e.a == f.b {
		return e.a
	}
	return e.b
}

// next is the edge that follows edge i along its ring.
func (v *validator) next(i int32) int32 {
	if l := v.line[v.of[i]]; i+1 == l.to {
		return l.from
	}
	return i + 1
}

// meeting judges a point that two rings share: they may touch there, not pass through each other. Each
// point is judged once, where both edges end in it, or where one ends on the inner part of the other.
func (v *validator) meeting(i, j int32) {
	e, f := v.edges[i], v.edges[j]
	r, s := v.of[i], v.of[j]
	touch := func(at Point) {
		if e.b != f.b {
			v.unnoded(min(r, s), at)
		}
		if v.line[r].part == v.line[s].part {
			v.touches = append(v.touches, touching{v.line[r].part, r, s, at})
		}
	}
	switch {
	case e.b == f.b:
		in, out := e.a, v.edges[v.next(i)].b
		if between(e.b, in, out, f.a) != between(e.b, in, out, v.edges[v.next(j)].b) {
			v.fail(FaultCrossing, min(r, s), e.b)
			return
		}
		touch(e.b)
	case onSegment(e.b, f.a, f.b) && e.b != f.a:
		if Orient(f.a, f.b, e.a)*Orient(f.a, f.b, v.edges[v.next(i)].b) < 0 {
			v.fail(FaultCrossing, min(r, s), e.b)
			return
		}
		touch(e.b)
	case onSegment(f.b, e.a, e.b) && f.b != e.a:
		if Orient(e.a, e.b, f.a)*Orient(e.a, e.b, v.edges[v.next(j)].b) < 0 {
			v.fail(FaultCrossing, min(r, s), f.b)
			return
		}
		touch(f.b)
	}
}

// between says whether p lies, seen from v, in the sector swept counter-clockwise from the ray v-from to
// the ray v-to. No two of the rays run the same way: lines that do are an overlap.
func between(v, from, to, p Point) bool {
	a, b := Orient(v, from, p) > 0, Orient(v, p, to) > 0
	switch o := Orient(v, from, to); {
	case o > 0:
		return a && b
	case o < 0:
		return a || b
	}
	return a // from and to are opposite
}

// fewRings is the number of rings up to which each is held against all others.
const fewRings = 32

// bounded is a ring's box and its area, on the grid.
type bounded struct {
	box  Box
	area float64
}

// holds says whether another ring may lie in it.
func (b *bounded) holds(o *bounded) bool {
	return o.area <= b.area && b.box.Contains(Point{o.box.MinX, o.box.MinY}) && b.box.Contains(Point{o.box.MaxX, o.box.MaxY})
}

// nesting judges rings that do not cross: of two of them one lies in the other or they are apart.
func (v *validator) nesting() {
	bs := make([]bounded, len(v.line))
	ring := func(k int) Ring { return v.m[v.line[k].part][v.line[k].ring] }
	for k := range v.line {
		r := ring(k)
		bs[k] = bounded{r.Bounds(), r.Area2().abs()}
	}
	around, ok := holders(bs)
	looked := int64(0)
	in := func(i, j int) bool { // ring i in ring j
		if !ok || !bs[j].holds(&bs[i]) {
			return false
		}
		looked += int64(len(ring(i)) + len(ring(j)))
		ok = looked <= maxNesting
		return ok && ring(i).within(ring(j))
	}
	v.judge(around, in, ring)
	if !ok {
		v.fault = nil
		v.fail(FaultTooComplex, 0, ring(0)[0])
	}
}

// holders are, of each ring, by number, the others that may hold it, rising: those whose boxes do, or of few rings all. ok is false
// where there are too many.
func holders(bs []bounded) (around func(i int) []int32, ok bool) {
	if len(bs) <= fewRings {
		all := make([]int32, len(bs))
		for i := range all {
			all[i] = int32(i)
		}
		return func(int) []int32 { return all }, true
	}
	corners := make([]Point, len(bs))
	for i := range bs {
		corners[i] = Point{bs[i].box.MinX, bs[i].box.MinY}
	}
	grid := newPointGrid(corners, func(int) bool { return true })
	out := make([][]int32, len(bs))
	var near []int32
	looked, kept := int64(0), 0
	for j := range bs {
		var n int64
		near, n = grid.in(bs[j].box, near[:0])
		looked += n
		for _, i := range near {
			if int(i) != j && bs[j].holds(&bs[i]) {
				out[i] = append(out[i], int32(j))
				kept++
			}
		}
		if looked > maxNesting || kept > maxNesting/32 {
			return func(int) []int32 { return nil }, false
		}
	}
	return func(i int) []int32 { return out[i] }, true
}

// judge fails the first ring that lies where it may not; in says whether one lies in another.
func (v *validator) judge(around func(i int) []int32, in func(i, j int) bool, ring func(k int) Ring) {
	for i := range v.line {
		if v.line[i].ring == 0 {
			continue
		}
		shell := i - int(v.line[i].ring)
		if !in(i, shell) {
			v.fail(FaultHoleOutside, int32(i), ring(i)[0])
			return
		}
		for _, j := range around(i) {
			if int(j) > shell && v.line[j].part == v.line[i].part && i != int(j) && in(i, int(j)) {
				v.fail(FaultHoleInHole, int32(i), ring(i)[0])
				return
			}
		}
	}
	if len(v.m) < 2 {
		return
	}
	for i := range v.line {
		if v.line[i].ring != 0 {
			continue
		}
		for _, j := range around(i) {
			if i == int(j) || v.line[j].ring != 0 || !in(i, int(j)) {
				continue
			}
			free := slices.ContainsFunc(around(i), func(h int32) bool {
				return h > j && v.line[h].part == v.line[j].part && in(i, int(h))
			})
			if !free {
				v.fail(FaultPartsOverlap, int32(i), ring(i)[0])
				return
			}
		}
	}
}

// pieces finds polygons whose interior rings cut apart: rings and the points they share, taken as the
// nodes of a graph, hold a cycle.
func (v *validator) pieces() {
	type node struct {
		at   Point
		part int32
	}
	parent := make([]int32, len(v.line), len(v.line)+len(v.touches))
	for i := range parent {
		parent[i] = int32(i)
	}
	root := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	points := map[node]int32{}
	joined := map[[2]int32]bool{} // ring and point, which three rings in one point name twice
	for _, t := range v.touches {
		p, ok := points[node{t.at, t.part}]
		if !ok {
			p = int32(len(parent))
			parent = append(parent, p)
			points[node{t.at, t.part}] = p
		}
		for _, r := range [...]int32{t.r, t.s} {
			if joined[[2]int32{r, p}] {
				continue
			}
			joined[[2]int32{r, p}] = true
			a, b := root(r), root(p)
			if a == b {
				v.fail(FaultDisconnected, r, t.at)
				return
			}
			parent[a] = b
		}
	}
}
