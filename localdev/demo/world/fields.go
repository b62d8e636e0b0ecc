package world

import (
	"math"

	"mappe/localdev/demo/planar"
)

// cutter divides one block into plots by straight lines, again and again.
type cutter struct {
	w     *World
	c     *chance
	class class
	along P       // direction of the strips of fields and forest
	width float64 // of a strip in m
	long  float64 // longest strip in m
	least float64 // area in m² below which nothing is divided
	plot  float64 // wanted area of a building plot in m²
	out   []planar.Poly
}

// cutBlock is the block's pieces.
func (w *World) cutBlock(block int, cl class, p planar.Poly) []planar.Poly {
	k := &cutter{w: w, c: newChance(uint64(block), 1001), class: cl}
	x, y, _ := p.Inside()
	at := P{x * Unit, y * Unit}
	d, l, s := longAxis(p)
	switch cl.kind {
	case buildBlock:
		k.plot = w.settlements[cl.no].plot
	case meadowBlock:
		k.along, k.width, k.long, k.least = d, k.c.between(20, 41), k.c.between(200, 330), k.c.between(1800, 3200)
		if l < 2.2*s && k.c.unit() < 0.5 {
			k.along = d.left()
		}
		if _, rel := bareHeight(at); rel > 120 {
			k.width, k.least = k.width*1.8, k.least*2
		}
	case forestBlock:
		k.along, k.width, k.long, k.least = w.uphill(at), k.c.between(105, 190), k.c.between(500, 800), 14000
	case alpBlock:
		k.least = k.c.between(240000, 450000)
	case wildBlock:
		k.least = 1.9e6
	case shapeBlock:
		if w.shapes[cl.no].kind != shapeWorks {
			return []planar.Poly{p}
		}
		k.least = 7000
	default:
		return []planar.Poly{p}
	}
	k.cut(p, 0)
	return k.out
}

// uphill is the direction of the smooth slope.
func (w *World) uphill(p P) P {
	h := func(x, y float64) float64 { z, _ := bareHeight(P{p.X + x, p.Y + y}); return z }
	g := P{h(60, 0) - h(-60, 0), h(0, 60) - h(0, -60)}
	if g.len() < 1 {
		return P{0, 1}
	}
	return unit(g)
}

// cut divides the piece or keeps it.
func (k *cutter) cut(p planar.Poly, depth int) {
	at, dir, ok := k.line(p)
	if !ok || depth > 26 {
		k.out = append(k.out, p)
		return
	}
	for try := 0; ; try++ {
		if try == 5 || !throughHole(p, at, dir) {
			break
		}
		at = at.add(dir.left().mul([]float64{18, -36, 62, -88, 60}[try]))
	}
	pieces := splitPoly(p, at, dir)
	if len(pieces) < 2 {
		k.out = append(k.out, p)
		return
	}
	for _, q := range pieces {
		k.cut(q, depth+1)
	}
}

// line says where to cut next; ok is false when the piece is small enough.
func (k *cutter) line(p planar.Poly) (at, dir P, ok bool) {
	area := squareMetres(p.Area2())
	d, long, short := longAxis(p)
	switch {
	case k.plot > 0:
		want := k.plot * k.c.between(0.75, 1.25)
		x, y, _ := p.Inside()
		if k.w.inCore(P{x * Unit, y * Unit}, int(k.class.no)) {
			// Most plots of the old middle are small; a few hold a house around a courtyard.
			if want *= 0.5; k.c.unit() < 0.16 {
				want *= 4
			}
		}
		if area < 1.4*want && (long < 2.9*short || area < 0.7*want) {
			return at, dir, false
		}
		at, dir = k.middle(p, d)
		return at, dir, true
	case k.width > 0:
		if area < k.least {
			return at, dir, false
		}
		lo, hi := extent(p, k.along.left())
		if n := math.Round((hi - lo) / k.width); n >= 2 {
			f := (math.Floor(n/2) + k.c.between(-0.2, 0.2)) / n
			return k.along.left().mul(lo + (hi-lo)*f), k.along, true
		}
		lo, hi = extent(p, k.along)
		if hi-lo > 1.5*k.long {
			return k.along.mul(lo + (hi-lo)*k.c.between(0.42, 0.58)), k.along.left(), true
		}
		return at, dir, false
	}
	if area < 1.5*k.least {
		return at, dir, false
	}
	at, dir = k.middle(p, d)
	return at, dir, true
}

// middle is a cut across the long axis, near the middle.
func (k *cutter) middle(p planar.Poly, d P) (at, dir P) {
	lo, hi := extent(p, d)
	return d.mul(lo + (hi-lo)*k.c.between(0.44, 0.56)), d.left()
}

// inCore says whether p lies in the dense middle of a settlement.
func (w *World) inCore(p P, st int) bool {
	v := w.settlements[st]
	f := v.f
	if f == nil {
		f = mainFrame
	}
	mid := f((v.from+v.to)/2, v.lanes[0])
	return p.dist(mid) < v.core
}

// extent is the range of the exterior along a direction in metres.
func extent(p planar.Poly, d P) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, q := range p[0] {
		v := metres(q).dot(d)
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	return lo, hi
}

// longAxis is the long direction of the smallest box along one of the exterior's edges, and its sides.
func longAxis(p planar.Poly) (d P, long, short float64) {
	best := math.Inf(1)
	r := p[0]
	step := max(1, len(r)/60)
	for i := 0; i < len(r); i += step {
		e := metres(r[(i+1)%len(r)]).sub(metres(r[i]))
		if e.len() < 4 && len(r) > 12 {
			continue
		}
		u := unit(e)
		a0, a1 := extent(p, u)
		b0, b1 := extent(p, u.left())
		if s := (a1 - a0) * (b1 - b0); s < best {
			best = s
			if d, long, short = u, a1-a0, b1-b0; long < short {
				d, long, short = u.left(), short, long
			}
		}
	}
	if math.IsInf(best, 1) {
		lo, hi := extent(p, P{1, 0})
		l2, h2 := extent(p, P{0, 1})
		if hi-lo >= h2-l2 {
			return P{1, 0}, hi - lo, h2 - l2
		}
		return P{0, 1}, h2 - l2, hi - lo
	}
	return d, long, short
}

// throughHole says whether the line cuts one of the holes.
func throughHole(p planar.Poly, at, dir P) bool {
	for _, h := range p[1:] {
		l, r := false, false
		for _, q := range h {
			if dir.cross(metres(q).sub(at)) > 0 {
				l = true
			} else {
				r = true
			}
		}
		if l && r {
			return true
		}
	}
	return false
}

// splitPoly cuts a polygon along a line; the pieces share the cut's vertices exactly.
func splitPoly(p planar.Poly, at, dir P) []planar.Poly {
	d := &drawing{}
	for _, r := range p {
		d.ring(r, tagLine)
	}
	// Only the stretch of the line that spans the exterior is drawn.
	lo, hi := extent(p, dir)
	base := at.sub(dir.mul(at.dot(dir)))
	d.open([]P{base.add(dir.mul(lo - 10)), base.add(dir.mul(hi + 10))}, tagLine)
	g, err := planar.Arrange(d.segs, 3)
	if err != nil {
		return nil
	}
	label := make([]int32, len(g.Faces))
	label[0] = -1
	n := int32(0)
	for i, q := range g.FacePolys() {
		if i == 0 {
			continue
		}
		label[i] = -1
		if x, y, _ := q.Inside(); p.Contains(x, y) {
			label[i] = n
			n++
		}
	}
	var out []planar.Poly
	for _, parts := range g.Dissolve(label) {
		out = append(out, parts...)
	}
	return out
}
