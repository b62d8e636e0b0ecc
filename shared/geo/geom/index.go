package geom

import "math"

// Index is a multipolygon prepared for many exact questions: its edges in horizontal bands. Built once
// per query polygon; safe for concurrent use. Containment is the half-open rule of Contains; the
// intersection tests are closed (a touch counts).
type Index struct {
	m      MultiPolygon
	box    Box
	edges  []edge
	starts []int32 // band i holds slots[starts[i]:starts[i+1]]
	slots  []int32
	height int64 // of a band, in grid units
}

type edge struct{ a, b Point }

const (
	edgesPerBand = 4
	maxBands     = 1 << 14
	maxSlots     = 16 // entries per edge over which fewer bands are made
)

// NewIndex prepares m, which must not change afterwards.
func NewIndex(m MultiPolygon) *Index {
	x := &Index{m: m, box: EmptyBox}
	for _, p := range m {
		for _, r := range p {
			x.box = x.box.Union(r.Bounds()) // holes too: nothing says that they lie inside
			if len(r) == 0 {
				continue
			}
			a := r[len(r)-1]
			for _, b := range r {
				x.edges = append(x.edges, edge{a, b})
				a = b
			}
		}
	}
	if x.box.Empty() {
		return x
	}
	span := int64(x.box.MaxY) - int64(x.box.MinY) + 1
	bands := int64(max(1, min(len(x.edges)/edgesPerBand, maxBands)))
	for ; ; bands /= 2 {
		x.height = (span + bands - 1) / bands
		total := 0
		for _, e := range x.edges {
			lo, hi := x.bands(min(e.a.Y, e.b.Y), max(e.a.Y, e.b.Y))
			total += hi - lo + 1
		}
		if total <= maxSlots*len(x.edges) || bands <= 1 {
			break
		}
	}
	n := int((span + x.height - 1) / x.height)
	x.starts = make([]int32, n+1)
	for _, e := range x.edges {
		lo, hi := x.bands(min(e.a.Y, e.b.Y), max(e.a.Y, e.b.Y))
		for i := lo; i <= hi; i++ {
			x.starts[i+1]++
		}
	}
	for i := range n {
		x.starts[i+1] += x.starts[i]
	}
	x.slots = make([]int32, x.starts[n])
	fill := append([]int32(nil), x.starts[:n]...)
	for k, e := range x.edges {
		lo, hi := x.bands(min(e.a.Y, e.b.Y), max(e.a.Y, e.b.Y))
		for i := lo; i <= hi; i++ {
			x.slots[fill[i]] = int32(k)
			fill[i]++
		}
	}
	return x
}

// bands are the first and last band of a stretch of Y; they may lie outside 0..n-1.
func (x *Index) bands(lo, hi int32) (int, int) {
	return int(floorDiv(int64(lo)-int64(x.box.MinY), x.height)), int(floorDiv(int64(hi)-int64(x.box.MinY), x.height))
}

func (x *Index) band(i int) []int32 { return x.slots[x.starts[i]:x.starts[i+1]] }

// Bounds is the box of the multipolygon.
func (x *Index) Bounds() Box { return x.box }

// Contains is MultiPolygon.Contains: parts of a valid multipolygon do not overlap, so even-odd over all
// edges is the same.
func (x *Index) Contains(p Point) bool {
	if !x.box.Contains(p) {
		return false
	}
	i, _ := x.bands(p.Y, p.Y)
	in := false
	for _, k := range x.band(i) {
		e := &x.edges[k]
		if (e.a.Y > p.Y) != (e.b.Y > p.Y) && leftOf(p, e.a, e.b) {
			in = !in
		}
	}
	return in
}

// Touches says whether p lies in the closed multipolygon: inside or on a border.
func (x *Index) Touches(p Point) bool { return x.Contains(p) || x.onBorder(p) }

func (x *Index) onBorder(p Point) bool {
	if !x.box.Contains(p) {
		return false
	}
	i, _ := x.bands(p.Y, p.Y)
	for _, k := range x.band(i) {
		if onSegment(p, x.edges[k].a, x.edges[k].b) {
			return true
		}
	}
	return false
}

// near calls f for each edge that may reach the box, some more than once, until f says true.
func (x *Index) near(b Box, f func(e edge) bool) bool {
	if !x.box.Intersects(b) {
		return false
	}
	lo, hi := x.bands(max(b.MinY, x.box.MinY), min(b.MaxY, x.box.MaxY))
	for i := lo; i <= hi; i++ {
		for _, k := range x.band(i) {
			e := x.edges[k]
			if max(e.a.X, e.b.X) >= b.MinX && min(e.a.X, e.b.X) <= b.MaxX &&
				max(e.a.Y, e.b.Y) >= b.MinY && min(e.a.Y, e.b.Y) <= b.MaxY && f(e) {
				return true
			}
		}
	}
	return false
}

// IntersectsBox says whether the closed box and the closed multipolygon share a point.
func (x *Index) IntersectsBox(b Box) bool {
	if x.near(b, func(e edge) bool { return segmentMeetsBox(e.a, e.b, b) }) {
		return true
	}
	return x.Contains(Point{b.MinX, b.MinY}) // no edge reaches the box: it is inside or outside as a whole
}

// Intersects says whether the closed multipolygons share a point.
func (x *Index) Intersects(m MultiPolygon) bool {
	for _, p := range m {
		if !x.box.Intersects(p.Bounds()) {
			continue
		}
		for _, r := range p {
			if x.ringMeets(r, func(t touch) bool { return t != apart }) {
				return true
			}
		}
		// No border meets: either lies in the other as a whole, or they are apart.
		if len(p) > 0 && len(p[0]) > 0 && x.Contains(p[0][0]) {
			return true
		}
		for _, q := range x.m {
			if len(q) > 0 && len(q[0]) > 0 && p.Contains(q[0][0]) {
				return true
			}
		}
	}
	return false
}

func (x *Index) ringMeets(r Ring, bad func(touch) bool) bool {
	if len(r) == 0 {
		return false
	}
	a := r[len(r)-1]
	for _, b := range r {
		box := Box{min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y)}
		if x.near(box, func(e edge) bool { return bad(meet(a, b, e.a, e.b)) }) {
			return true
		}
		a = b
	}
	return false
}

// Covers says whether m lies in the closed multipolygon: no vertex outside, no border crossed, no hole
// or gap inside m. An edge of m that runs outside between two points of one border without crossing it
// (a chord over a notch) is judged by its middle, rounded to the grid.
func (x *Index) Covers(m MultiPolygon) bool {
	n := 0
	for _, p := range m {
		b := p.Bounds()
		if b.MinX < x.box.MinX || b.MaxX > x.box.MaxX || b.MinY < x.box.MinY || b.MaxY > x.box.MaxY {
			return false
		}
		for _, r := range p {
			for i, v := range r {
				n++
				if !x.Touches(v) {
					return false
				}
				w := r[(i+1)%len(r)]
				if mid := (Box{v.X, v.Y, w.X, w.Y}).Center(); x.onBorder(v) && x.onBorder(w) && !x.nearlyTouches(mid) {
					return false
				}
			}
			if x.ringMeets(r, func(t touch) bool { return t == crossing }) {
				return false
			}
		}
		// A border of the index wholly inside p is a hole of the index, or a gap between its parts.
		if x.near(b, func(e edge) bool { return p.Contains(e.a) && !p.onBorder(e.a) }) {
			return false
		}
	}
	return n > 0
}

// nearlyTouches is Touches with one grid unit of grace, for points rounded to the grid.
func (x *Index) nearlyTouches(p Point) bool {
	return x.Touches(p) || x.near(Box{p.X - 1, p.Y - 1, p.X + 1, p.Y + 1}, func(e edge) bool {
		return segmentMeetsBox(e.a, e.b, Box{p.X - 1, p.Y - 1, p.X + 1, p.Y + 1})
	})
}

func (p Polygon) onBorder(q Point) bool {
	for _, r := range p {
		for i, v := range r {
			if onSegment(q, v, r[(i+1)%len(r)]) {
				return true
			}
		}
	}
	return false
}

// IntersectsBox says whether the closed box and the closed multipolygon share a point. Exact.
func (m MultiPolygon) IntersectsBox(b Box) bool {
	for _, p := range m {
		if !p.Bounds().Intersects(b) {
			continue
		}
		for _, r := range p {
			for i, v := range r {
				if segmentMeetsBox(v, r[(i+1)%len(r)], b) {
					return true
				}
			}
		}
		if p.Contains(Point{b.MinX, b.MinY}) {
			return true
		}
	}
	return false
}

// Intersects says whether the closed multipolygons share a point. For many questions to one of them
// prepare it with NewIndex.
func (m MultiPolygon) Intersects(o MultiPolygon) bool {
	if !m.Bounds().Intersects(o.Bounds()) {
		return false
	}
	if m.Vertices() < o.Vertices() {
		m, o = o, m
	}
	return NewIndex(m).Intersects(o)
}

// Distance is the distance of p from the closed multipolygon in metres, 0 inside and +Inf where there is
// no vertex. The plane should be centred at p (crs.Around).
func (m MultiPolygon) Distance(p Point, plane Projection) float64 {
	if m.Contains(p) {
		return 0
	}
	px, py := plane(p)
	best := math.Inf(1)
	for _, poly := range m {
		for _, r := range poly {
			if len(r) == 0 {
				continue
			}
			ax, ay := plane(r[len(r)-1])
			ax, ay = ax-px, ay-py
			for _, v := range r {
				bx, by := plane(v)
				bx, by = bx-px, by-py
				best = min(best, segmentDistance(ax, ay, bx, by))
				ax, ay = bx, by
			}
		}
	}
	return best
}

// Distance is the distance of two points in a plane.
func Distance(a, b Point, plane Projection) float64 {
	ax, ay := plane(a)
	bx, by := plane(b)
	return math.Hypot(bx-ax, by-ay)
}
