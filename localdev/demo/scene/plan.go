package scene

import (
	"math"
	"slices"
)

// possible are the changes of the uses of land.
var possible = map[use][]ChangeType{
	woods: {ForestClearcut, TreeFelling, ForestClearcut, TreeFelling, RoadNew},
	meadow: {EarthworkFill, EarthworkCut, EarthworkGrading, EarthworkDam, EarthworkTrench, EarthworkPond, NewBuilding, Construction,
		SurfaceChange, UnclassifiedChange, NewTree, VegetationGrowth, VegetationLoss},
	arable:      {EarthworkFill, EarthworkCut, EarthworkGrading, EarthworkDam, EarthworkTrench, EarthworkPond, RoadNew, UnclassifiedChange},
	garden:      {NewBuilding, Demolition, Construction},
	yard:        {NewBuilding, Demolition, UnclassifiedChange, Construction},
	glasshouses: {Demolition, UnclassifiedChange},
	quarry:      {EarthworkFill, EarthworkCut},
}

// changesOf are the planted changes of a block: up to three on its leaves, and one on the way at its west or south.
func (s *Scene) changesOf(b *block) []*change {
	if s.opt.Events <= 0 {
		return nil
	}
	var out []*change
	area := float64((b.u1 - b.u0) * (b.v1 - b.v0))
	share := s.opt.Events * area / 1e6
	leaves := s.layout.leaves(b)
	d := dice(key(s.seed, forEvent, b.i, b.j))
	for slot := range 3 {
		// What does not fit where it was drawn is lost, which a higher chance makes up for.
		if !d.is(share * 0.5) {
			continue
		}
		p := &leaves[d.n(len(leaves))]
		list := possible[p.use]
		if len(list) == 0 || slot > 0 && slices.ContainsFunc(out, func(c *change) bool { return c.leaf == p.id }) {
			continue
		}
		if c := s.plant(p, list[d.n(len(list))], &d); c != nil {
			out = append(out, c)
		}
	}
	for side := range 2 {
		if b.ways[side] >= track && d.is(share*0.22) {
			out = append(out, s.remake(b, side, &d))
		}
	}
	for i, c := range out {
		c.id = key(s.seed, forEvent, b.i*8+i, b.j*8+5)
		c.when = 1 + int(c.id>>20%2)
		c.held = c.shape.box(&s.layout)
	}
	return out
}

// remake renews or widens the way along a side of a block.
func (s *Scene) remake(b *block, side int, d *dice) *change {
	w := b.ways[side]
	c := &change{kind: RoadResurfaced, side: side, height: d.between(0.05, 0.2), run: 0.3, i: b.i, j: b.j}
	from, to := d.between(12, 40), d.between(12, 40)
	half := float64(widths[w]/2) - 0.3
	if d.is(0.5) {
		c.kind, c.height = RoadWidened, d.between(1.6, 2.4)
		half = float64(widths[w]/2) + c.height + bank
	}
	r := rect{b.u0 - half, b.v0 + from, b.u0 + half, b.v1 - to}
	if side == 1 {
		r = rect{b.u0 + from, b.v0 - half, b.u1 - to, b.v0 + half}
	}
	c.shape.bent = &r
	return c
}

// plant makes a change of a kind in a leaf; nil where it finds no room.
func (s *Scene) plant(p *leaf, k ChangeType, d *dice) *change {
	c := &change{kind: k, side: -1, leaf: p.id}
	mu, mv := p.middle()
	half := float64(min(p.u1-p.u0, p.v1-p.v0)/2) - 7 // to the way or the neighbour
	c.shape.c.X, c.shape.c.Y = s.layout.xy(mu, mv)
	c.shape.ax, c.shape.ay = s.layout.axis(c.shape.c.X, c.shape.c.Y)
	long := float64(max(p.u1-p.u0, p.v1-p.v0)/2) - 9
	if p.v1-p.v0 > p.u1-p.u0 {
		c.shape.ax, c.shape.ay = -c.shape.ay, c.shape.ax
	}
	if off := math.Abs(s.layout.stream(mu, mv, half+14)); off < half+14 && (k.Digs() || k >= NewBuilding && k <= Construction) ||
		k == EarthworkGrading && p.use == arable && p.id%3 == 0 { // water is in the way, or terraces
		return nil
	}
	room := 8.0
	switch {
	case k.Digs():
		room = s.earth(c, half, long, d)
	case k == ForestClearcut:
		r := p.grown(-4)
		c.shape.bent = &r
		if (r.u1-r.u0)*(r.v1-r.v0) < 3300 {
			c.kind, c.shape.bent = TreeFelling, nil
			c.shape.a, c.shape.b, c.shape.round = 13, 11, true
		}
	case k == TreeFelling:
		room, c.shape.round = 3, true
		c.shape.a = d.between(5, min(18, half))
		c.shape.b = c.shape.a * d.between(0.7, 1)
	default:
		room = s.built(c, half, long, d)
	}
	if k == RoadNew {
		r := rect{p.u0 + 1, mv - 2.6, p.u1 - 1, mv + 2.6}
		c.shape.bent, c.run = &r, 1
		if p.use == woods {
			room = 0
		}
	}
	if half < room {
		return nil
	}
	return c
}

// earth sizes an earthwork; room is the half width that its leaf needs.
func (s *Scene) earth(c *change, half, long float64, d *dice) (room float64) {
	c.shape.a, c.shape.b = d.between(9, min(24, max(half, 9.5))), 0
	c.shape.b = c.shape.a * d.between(0.6, 0.95)
	c.shape.round = d.is(0.5)
	c.height = d.between(1.3, 3.6)
	c.run = c.height * d.between(1.2, 1.8)
	switch c.kind {
	case EarthworkPond:
		c.shape.round, c.height, c.run = true, d.between(1.6, 2.4), 2.4
	case EarthworkGrading:
		c.height, c.run = d.between(-0.12, 0.12), 2.5
		c.shape.round = false
	case EarthworkDam:
		c.shape.round, c.height = false, d.between(1.8, 3.2)
		c.shape.b = float64(c.height*1.5) + 1
		c.run = c.height * 1.4
		c.shape.a = c.shape.b * d.between(5.6, 9)
		if c.shape.a > long {
			return 1e9
		}
	case EarthworkTrench:
		c.shape.round, c.height = false, d.between(1.2, 2.4)
		c.shape.b, c.run = d.between(1.6, 2.4), 1
		c.shape.a = min(long, d.between(20, 60))
	}
	return min(c.shape.b, 10) + 1
}

// built sizes what is built, planted or put down; room is the half width that its leaf needs.
func (s *Scene) built(c *change, half, long float64, d *dice) (room float64) {
	c.shape.a, c.shape.b = d.between(5.5, 9), d.between(4, 6)
	c.height = d.between(3, 7)
	switch c.kind {
	case Construction:
		c.shape.a, c.shape.b = c.shape.a+2.5, c.shape.b+2.5
		c.height, c.run = d.between(0.8, 1.8), 1
		return 5
	case SurfaceChange:
		c.shape.a, c.shape.b = d.between(10, max(min(half, 20), 10.1)), d.between(8, max(min(half, 14), 8.1))
		c.height = d.between(0.02, 0.1)
	case UnclassifiedChange:
		c.shape.a, c.shape.b = d.between(4, 12), d.between(2.5, 5)
		c.height = d.between(2.2, 4.5)
	case NewTree:
		c.shape.a, c.shape.b, c.shape.round = 2.2, 2.2, true
		c.height = d.between(3.2, 5)
	case VegetationGrowth, VegetationLoss:
		c.shape.a, c.shape.b, c.shape.round = d.between(7, max(min(half, 16), 7.1)), d.between(6, max(min(half, 12), 6.1)), true
		c.height = d.between(1.5, 2.6)
	case NewBuilding, Demolition:
		return 4.5
	}
	return max(c.shape.b, 4) + 1
}
