package world

import (
	"math"

	"mappe/localdev/demo/planar"
)

// FootprintKind says what a building is.
type FootprintKind uint8

// The kinds of buildings.
const (
	House FootprintKind = iota
	Outhouse
	Farmhouse
	Barn
	Church
	Hall
	Hut
	Station
)

// Footprint is a building outline; it lies inside its parcel.
type Footprint struct {
	Parcel int // index into World.Parcels
	Kind   FootprintKind
	Shape  planar.Poly // z16 grid
	At     P           // middle
}

// house is a building while parcels have no numbers yet.
type house struct {
	draft int
	kind  FootprintKind
	ring  []P
	court []P // courtyard, clockwise, nil none
	wide  []P // outline of the paved yard around it, nil none
	at    P
}

// site is the polygon a building has to fit into.
type site struct {
	poly planar.Poly
	used [][]P
}

// fits says whether the ring, widened by gap, lies inside the site and off the buildings that stand.
func (s *site) fits(ring []P, gap float64) bool {
	r := widened(ring, gap)
	for _, p := range r {
		if !s.poly.Contains(p.X/Unit, p.Y/Unit) {
			return false
		}
	}
	for _, b := range s.poly {
		pts := make([]P, len(b))
		for i, q := range b {
			pts[i] = metres(q)
		}
		if inRing(r, pts[0]) || ringsCross(r, pts) {
			return false
		}
	}
	for _, u := range s.used {
		if ringsCross(r, u) || inRing(r, u[0]) || inRing(u, r[0]) {
			return false
		}
	}
	return true
}

// widened moves every vertex of a convex or L-shaped counter-clockwise ring outwards by gap.
func widened(ring []P, gap float64) []P {
	out := make([]P, len(ring))
	for i, p := range ring {
		a, b := ring[(i+len(ring)-1)%len(ring)], ring[(i+1)%len(ring)]
		out[i] = p.sub(unit(p.sub(a)).left().mul(gap)).sub(unit(b.sub(p)).left().mul(gap))
	}
	return out
}

func ringsCross(a, b []P) bool {
	for i, p := range a {
		q := a[(i+1)%len(a)]
		for j, r := range b {
			s := b[(j+1)%len(b)]
			d := q.sub(p)
			e := s.sub(r)
			if (d.cross(r.sub(p)) > 0) != (d.cross(s.sub(p)) > 0) && (e.cross(p.sub(r)) > 0) != (e.cross(q.sub(r)) > 0) {
				return true
			}
		}
	}
	return false
}

// ell is an L-shaped ring in the box around c.
func ell(c, d P, long, short float64, flip bool) []P {
	u, v := d, d.left()
	f := 1.0
	if flip {
		f = -1
	}
	at := func(x, y float64) P { return c.add(u.mul(f * x * long / 2)).add(v.mul(y * short / 2)) }
	ring := []P{at(-1, -1), at(1, -1), at(1, 0.1), at(0.05, 0.1), at(0.05, 1), at(-1, 1)}
	if flip {
		for i, j := 0, len(ring)-1; i < j; i, j = i+1, j-1 {
			ring[i], ring[j] = ring[j], ring[i]
		}
	}
	return ring
}

// buildHouses puts buildings on the plots.
func (w *World) buildHouses() {
	for i := range w.draft {
		d := &w.draft[i]
		c := newChance(uint64(i), 2003)
		switch {
		case d.class.kind == buildBlock:
			w.plotHouses(i, c)
		case d.class.kind == shapeBlock:
			w.shapeHouses(i, c)
		}
	}
}

// plotHouses builds a house, and often an outhouse, on a building plot.
func (w *World) plotHouses(i int, c *chance) {
	d := &w.draft[i]
	if d.area < 120 || len(d.parts) != 1 || c.unit() < 0.16 {
		return
	}
	s := &site{poly: d.parts[0]}
	front, n := d.front, d.front.left()
	if front == (P{}) {
		if d.area < 260 {
			return
		}
		front, _, _ = longAxis(s.poly)
		n = front.left()
	}
	core := w.inCore(d.at, int(d.class.no))
	if core && w.coreHouse(i, s, front, c) {
		return
	}
	long, short := c.between(10.5, 15), c.between(8.5, 11)
	angled := c.unit() < 0.25
	for try := 0; try < 30; try++ {
		f := []float64{1, 0.84, 0.68}[try%3]
		l, b := long*f, short*f
		if c.unit() < 0.3 {
			l, b = b, l
		}
		at := d.side.add(n.mul(c.between(3.5, 8) + b/2)).add(front.mul(c.between(-4, 4)))
		if d.front == (P{}) || try > 15 {
			at = d.at.add(P{c.between(-4, 4), c.between(-4, 4)})
		}
		ring := box(at, front, l, b)
		if angled {
			ring = ell(at, front, l*1.15, b*1.3, c.unit() < 0.5)
		}
		if !s.fits(ring, 1.2) {
			continue
		}
		h := house{draft: i, kind: House, ring: ring, at: at}
		s.used = append(s.used, ring)
		out, ok := w.outhouse(i, s, front, c)
		if yard := widened(box(at, front, l*1.15, b*1.3), 2.6); s.fitsYard(yard, out.ring) && d.area > 330 {
			h.wide = yard
		}
		w.house = append(w.house, h)
		if ok {
			w.house = append(w.house, out)
		}
		return
	}
}

// fitsYard says whether a paved yard lies inside the plot and off the outhouse.
func (s *site) fitsYard(yard, out []P) bool {
	t := site{poly: s.poly}
	if out != nil {
		t.used = [][]P{out}
	}
	return t.fits(yard, 0.5)
}

// outhouse is a garage or shed in a free part of the plot.
func (w *World) outhouse(i int, s *site, front P, c *chance) (house, bool) {
	if c.unit() > 0.3 {
		return house{}, false
	}
	l, b := c.between(5.5, 7.5), c.between(3.2, 6)
	lo, hi := s.poly.Bounds()
	for try := 0; try < 14; try++ {
		at := metres(lo).add(P{c.unit() * float64(hi.X-lo.X) * Unit, c.unit() * float64(hi.Y-lo.Y) * Unit})
		if ring := box(at, front, l, b); s.fits(ring, 0.9) {
			return house{draft: i, kind: Outhouse, ring: ring, at: at}, true
		}
	}
	return house{}, false
}

// coreHouse fills most of a plot in the old middle, large plots around a courtyard.
func (w *World) coreHouse(i int, s *site, front P, c *chance) bool {
	d := &w.draft[i]
	axisDir, long, short := longAxis(s.poly)
	if d.front != (P{}) && math.Abs(axisDir.dot(front)) < 0.95 && math.Abs(axisDir.dot(front)) > 0.3 {
		axisDir = front
	}
	for _, f := range []float64{0.82, 0.74, 0.66, 0.58, 0.5} {
		ring := box(d.at, axisDir, long*f, short*f)
		if !s.fits(ring, 0.8) {
			continue
		}
		h := house{draft: i, kind: House, ring: ring, at: d.at}
		if long*f > 20 && short*f > 18 {
			h.court = box(d.at, axisDir, long*f-14, short*f-14)
			h.at = ring[0].mix(ring[2], 0.12)
		} else if c.unit() < 0.35 {
			h.ring = ell(d.at, axisDir, long*f, short*f, c.unit() < 0.5)
			h.at = h.ring[0].mix(h.ring[3], 0.5)
		}
		w.house = append(w.house, h)
		return true
	}
	return false
}

// shapeHouses builds on farmyards, church plots, works and the like.
func (w *World) shapeHouses(i int, c *chance) {
	d := &w.draft[i]
	sh := w.shapes[d.class.no]
	s := &site{poly: d.parts[0]}
	put := func(kind FootprintKind, at P, long, short float64, angled bool) bool {
		ring := box(at, sh.axis, long, short)
		if angled {
			ring = ell(at, sh.axis, long, short, c.unit() < 0.5)
		}
		if !s.fits(ring, 1) {
			return false
		}
		s.used = append(s.used, ring)
		if angled {
			at = ring[0].mix(ring[3], 0.5)
			if !inRing(ring, at) {
				at = ring[0].mix(ring[1], 0.5).mix(ring[3], 0.2)
			}
		}
		w.house = append(w.house, house{draft: i, kind: kind, ring: ring, at: at})
		return true
	}
	off := func(x, y float64) P { return d.at.add(sh.axis.mul(x)).add(sh.axis.left().mul(y)) }
	switch sh.kind {
	case shapeFarm:
		put(Farmhouse, off(-14, 4), 16, 12, false)
		put(Barn, off(11, 1), 25, 14, c.unit() < 0.5)
		put(Outhouse, off(-14, -11), 9, 6, false)
	case shapeHut:
		put(Hut, off(-1, 0), 10.5, 7.5, false)
	case shapeChurch:
		put(Church, off(-3, 2), 31, 13, false)
		put(House, off(21, -12), 10, 9, false)
	case shapeStation:
		put(Station, off(0, 0), 38, 11, false)
		put(Outhouse, off(60, 0), 15, 8, false)
	case shapeSport:
		put(Outhouse, off(-48, -30), 16, 8, false)
	case shapeWorks:
		for _, f := range []float64{0.62, 0.5, 0.36} {
			_, l, b := longAxis(s.poly)
			if put(Hall, off(c.between(-4, 4), c.between(-3, 3)), l*f, b*f, c.unit() < 0.4) {
				break
			}
		}
	}
}
