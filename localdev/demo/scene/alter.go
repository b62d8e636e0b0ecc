package scene

import (
	"math"
	"slices"
)

// alter lets the changes act on what stands.
func (s *Scene) alter(t *things) {
	for _, c := range t.changes {
		for i := range t.trees {
			x := &t.trees[i]
			if !c.held.grown(6).has(x.Crown.X, x.Crown.Y) {
				continue
			}
			u, v := s.layout.uv(x.Crown.X, x.Crown.Y)
			room := x.Radius[0]
			if c.kind == TreeFelling || c.kind == ForestClearcut {
				room = 0
			}
			if c.clears() && c.shape.depth(x.Crown.X, x.Crown.Y, u, v) > -room {
				x.until = min(x.until, c.when)
			}
		}
		s.put(t, c)
	}
	t.trees = slices.DeleteFunc(t.trees, func(x Tree) bool { return x.from >= x.until || underLine(t, &x) || s.inHouse(t, &x) })
	for i := range t.trees {
		x := &t.trees[i]
		for date := range Dates {
			if !x.Stands(date) {
				x.Height[date], x.Radius[date] = 0, 0
			}
		}
	}
}

// lane is half the width in metres that is kept free of high trees below a power line.
const lane = 13

// underLine says whether a high tree stands below a power line.
func underLine(t *things, x *Tree) bool {
	if x.Height[0] < 6 {
		return false
	}
	for i := range t.wires {
		w := &t.wires[i]
		if distance(w.a, w.b, x.Crown) < lane {
			return true
		}
	}
	return false
}

// distance of a place from the stretch between two others.
func distance(a, b, p Place) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	k := min(max(dot(p.X-a.X, p.Y-a.Y, dx, dy)/dot(dx, dy, dx, dy), 0), 1)
	return length(a.X+float64(k*dx)-p.X, a.Y+float64(k*dy)-p.Y)
}

// inHouse says whether the trunk of a single tree stands in or too near a building.
func (s *Scene) inHouse(t *things, x *Tree) bool {
	for i := range t.buildings {
		b := &t.buildings[i]
		if dx, dy := x.Crown.X-b.At.X, x.Crown.Y-b.At.Y; dot(dx, dy, dx, dy) < 2500 {
			f := shape{c: b.At, ax: b.AxisX, ay: b.AxisY, a: b.A, b: b.B}
			if f.depth(x.Crown.X, x.Crown.Y, 0, 0) > -1.5 {
				return true
			}
		}
	}
	return false
}

// put is what a change puts on its ground.
func (s *Scene) put(t *things, c *change) {
	d := dice(mix(c.id))
	in := piece{shape: c.shape, id: c.id, from: c.when, until: len(Dates), height: c.height, rough: 0.4}
	switch c.kind {
	case NewTree:
		x := s.tree(sapling{c.id, c.shape.c, Beech, c.height, 0.2}, &d)
		x.from, x.Stand = c.when, c.leaf
		x.Apex, x.Leaning, x.Dead, x.planted = x.Crown, false, false, true
		t.trees = append(t.trees, x)
	case UnclassifiedChange:
		in.class, in.name = unclassified, "stack"
		t.pieces = append(t.pieces, in)
	case Construction:
		b := Building{ID: c.id, At: c.shape.c, AxisX: c.shape.ax, AxisY: c.shape.ay, A: c.shape.a - 2.5, B: c.shape.b - 2.5,
			Eaves: d.between(2.4, 4.5), Use: "shell", From: c.when, Until: len(Dates)}
		b.Ridge = b.Eaves
		t.buildings = append(t.buildings, b)
		in.shape.a, in.shape.b, in.height, in.porous = 0.8, 0.8, d.between(14, 22), 0.5 // a crane
		in.shape.c.X += float64(c.shape.ax * (c.shape.a - 1))
		in.shape.c.Y += float64(c.shape.ay * (c.shape.a - 1))
		in.class, in.name = Mast, "crane"
		t.pieces = append(t.pieces, in)
	case VegetationGrowth, VegetationLoss:
		s.thicket(t, c, &d)
	}
}

// thicket is a patch of shrubs that grows or is cut.
func (s *Scene) thicket(t *things, c *change, d *dice) {
	const apart = 1.7
	for a := -c.shape.a; a < c.shape.a; a += apart {
		for b := -c.shape.b; b < c.shape.b; b += apart {
			p, q := a+d.between(-0.4, 0.4), b+d.between(-0.4, 0.4)
			h, id := c.height*d.between(0.85, 1.15), d.next()
			at := Place{c.shape.c.X + float64(p*c.shape.ax) - float64(q*c.shape.ay),
				c.shape.c.Y + float64(p*c.shape.ay) + float64(q*c.shape.ax)}
			if c.shape.depth(at.X, at.Y, 0, 0) < 0.8 {
				continue
			}
			x := s.tree(sapling{id, at, Shrub, h, 0}, d)
			x.Stand, x.Leaning, x.CrownBase = c.leaf, false, 0.2
			for date := range Dates {
				if (date < c.when) == (c.kind == VegetationGrowth) {
					x.Height[date] = 0.3
				}
			}
			t.trees = append(t.trees, x)
		}
	}
}

// Power lines run straight through the scene, a mast every few hundred metres.
const (
	linePitch  = 2200 // metres between lines, at most one in two is there
	mastPitch  = 230
	mastHeight = 28
)

// lines puts up the masts and wires near an area.
func (s *Scene) lines(t *things, area box) {
	ax, ay := direction(unit(key(s.seed, forTraffic, 0, -1)))
	mx, my := (area.west+area.east)/2, (area.south+area.north)/2
	p, q, r := dot(mx, my, ax, ay), dot(mx, my, -ay, ax), float64(length(area.east-area.west, area.north-area.south)/2)
	for k := int(math.Floor((q - r) / linePitch)); k <= int(math.Floor((q+r)/linePitch)); k++ {
		x := key(s.seed, forTraffic, k, -2)
		if x%5 >= 3 {
			continue
		}
		off := (float64(k) + lerp(0.2, 0.8, unit(x))) * linePitch
		mast := func(m int) Place {
			along := (float64(m) + float64(0.2*unit(key(s.seed, forTraffic, m, k*8+5)))) * mastPitch
			return Place{float64(along*ax) - float64(off*ay), float64(along*ay) + float64(off*ax)}
		}
		for m := int(math.Floor((p-r)/mastPitch)) - 1; m <= int(math.Floor((p+r)/mastPitch))+1; m++ {
			a, b := mast(m), mast(m+1)
			if !(boxOf([]Place{a, b}).grown(8).meets(area)) {
				continue
			}
			za, zb := s.plain(a.X, a.Y, even), s.plain(b.X, b.Y, even)
			t.pieces = append(t.pieces, piece{shape: shape{c: a, ax: ax, ay: ay, a: 1.3, b: 1.3}, id: key(s.seed, forTraffic, m, k),
				height: mastHeight,
				class:  Mast, until: len(Dates), porous: 0.4, rough: 4, name: "mast"})
			for i := -1; i <= 1; i++ {
				o, h := float64(i)*5, float64(mastHeight-2)
				if i == 0 {
					h = mastHeight
				}
				t.wires = append(t.wires, wire{a: Place{a.X - float64(o*ay), a.Y + float64(o*ax)}, b: Place{b.X - float64(o*ay),
					b.Y + float64(o*ax)}, za: za + h, zb: zb + h, sag: 5})
			}
		}
	}
}

// traffic are the things that stand about on one date: cars, lorries, bales, scaffolds.
func (s *Scene) traffic(area box, date int, t *things) []piece {
	if s.opt.Survey.Traffic <= 0 {
		return nil
	}
	var out []piece
	put := func(d *dice, name string, x, y, ax, ay, a, b, height float64) {
		p := piece{shape: shape{c: Place{x, y}, ax: ax, ay: ay, a: a, b: b, round: name == "bale"}, id: d.next(), height: height,
			class: unclassified,
			from:  date, until: date + 1, name: name, rough: 0.2}
		if area.has(x, y) {
			out = append(out, p)
		}
	}
	for _, b := range s.layout.blocks(area) {
		d := dice(key(s.seed+uint64(date), forTraffic, b.i, b.j))
		for side := range 2 {
			for b.ways[side] == road && d.is(0.6*s.opt.Survey.Traffic) {
				u, v := b.u0+d.between(1, 2), d.between(b.v0, b.v1)
				if side == 1 {
					u, v = d.between(b.u0, b.u1), b.v0+d.between(1, 2)
				}
				x, y := s.layout.xy(u, v)
				ax, ay := s.layout.axis(x, y)
				if side == 0 {
					ax, ay = -ay, ax
				}
				if d.is(0.12) {
					put(&d, "lorry", x, y, ax, ay, 4.5, 1.25, 3.6)
				} else {
					put(&d, "car", x, y, ax, ay, 2.2, 0.9, 1.5)
				}
			}
		}
		for _, p := range s.layout.leaves(b) {
			s.strewn(&p, &d, put)
		}
	}
	for i := range t.buildings {
		b := &t.buildings[i]
		if d := dice(mix(b.ID + uint64(date))); b.Stands(date) && b.Use == "house" && d.is(0.05*s.opt.Survey.Traffic) {
			out = append(out, scaffold(b, date)...)
		}
	}
	return out
}

// strewn puts bales on a meadow and cars on a yard.
func (s *Scene) strewn(p *leaf, d *dice, put func(d *dice, name string, x, y, ax, ay, a, b, height float64)) {
	switch {
	case p.use == meadow && d.is(0.2*s.opt.Survey.Traffic):
		for range 8 + d.n(16) {
			x, y := s.layout.xy(d.between(p.u0+6, p.u1-6), d.between(p.v0+6, p.v1-6))
			ax, ay := direction(d.f())
			put(d, "bale", x, y, ax, ay, 0.75, 0.65, 1.25)
		}
	case p.use == yard && d.is(0.8*s.opt.Survey.Traffic):
		for range d.n(10) {
			x, y := s.layout.xy(d.between(p.u0+5, p.u1-5), p.v0+float64(5.5))
			ax, ay := s.layout.axis(x, y)
			put(d, "car", x, y, -ay, ax, 2.2, 0.9, 1.5)
		}
	}
}

// scaffold stands a metre around a building, up to its eaves.
func scaffold(b *Building, date int) []piece {
	var out []piece
	for i, side := range [4][2]float64{{0, b.B + 0.7}, {0, -b.B - 0.7}, {b.A + 0.7, 0}, {-b.A - 0.7, 0}} {
		f := shape{c: b.At, ax: b.AxisX, ay: b.AxisY, a: b.A + 1.2, b: 0.6}
		if i >= 2 {
			f.a, f.b = 0.6, b.B+1.2
		}
		f.c.X += float64(side[0]*b.AxisX) - float64(side[1]*b.AxisY)
		f.c.Y += float64(side[0]*b.AxisY) + float64(side[1]*b.AxisX)
		out = append(out, piece{shape: f, id: b.ID + uint64(i), height: b.Eaves + 1, class: unclassified, from: date, until: date + 1,
			porous: 0.5, rough: 0.3, name: "scaffold"})
	}
	return out
}
