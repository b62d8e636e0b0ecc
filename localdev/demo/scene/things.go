package scene

import (
	"cmp"
	"math"
	"slices"
)

// Roof is the form of a roof.
type Roof uint8

// The forms.
const (
	Flat Roof = iota
	Gable
	Hip
)

var roofNames = [...]string{"flat", "gable", "hip"}

func (r Roof) String() string { return roofNames[r] }

// Building is a building of the truth: a rectangle with walls to the eaves and a roof.
type Building struct {
	ID           uint64
	At           Place
	AxisX, AxisY float64 // direction of the ridge
	A, B         float64 // half its length and width in metres
	Eaves, Ridge float64 // metres above the ground
	Roof         Roof
	Use          string // house, outhouse, hall, barn, greenhouse, shell (under construction)
	From, Until  int    // dates at which it stands: From <= date < Until; Until 3: to the end
	Registered   bool   // the cadastre has it
	base         float64
}

// Ring is its outline, not closed.
func (b *Building) Ring() []Place {
	s := shape{c: b.At, ax: b.AxisX, ay: b.AxisY, a: b.A, b: b.B}
	return s.ring(nil)
}

// Stands says whether it stands on a date.
func (b *Building) Stands(date int) bool { return date >= b.From && date < b.Until }

// piece is a small thing that is only seen from above: a car, a bale, a stack, a mast, a scaffold.
type piece struct {
	shape
	id     uint64
	height float64
	class  Class
	from   int // dates
	until  int
	porous float64 // share of pulses that pass through it
	rough  float64 // metres by which its top is uneven
	name   string
}

// wire is a cable between two places, heights above the Adriatic.
type wire struct {
	a, b   Place
	za, zb float64
	sag    float64
}

// things are what stands on the ground of an area, and what happens there.
type things struct {
	trees     []Tree
	buildings []Building
	pieces    []piece
	wires     []wire
	changes   []*change
}

// reach is how far a thing may stick out of its place, metres.
const reach = 70

// kept is how many tiles are kept in memory.
const kept = 4

// tile are the things of a tile and around it.
func (s *Scene) tile(col, row int) *things {
	at := [2]int{col, row}
	s.mu.Lock()
	t := s.tiles[at]
	s.mu.Unlock()
	if t != nil {
		return t
	}
	w := s.window(col, row)
	t = s.thingsOf(w.box().grown(1))
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.tiles[at]; known != nil {
		return known
	}
	if len(s.order) == kept {
		delete(s.tiles, s.order[0])
		s.order = s.order[1:]
	}
	s.tiles[at], s.order = t, append(s.order, at)
	return t
}

// thingsOf are the things that reach into an area. A thing is the same in each area that holds it.
func (s *Scene) thingsOf(area box) *things {
	t := &things{}
	wide := area.grown(reach)
	blocks := s.layout.blocks(wide)
	for _, b := range blocks {
		t.changes = append(t.changes, s.changesOf(b)...)
	}
	near := area.grown(12)
	t.trees = s.woodsOf(near)
	for _, b := range blocks {
		for _, p := range s.layout.leaves(b) {
			s.furnish(t, &p)
		}
	}
	s.lines(t, wide)
	s.alter(t)
	t.trees = slices.DeleteFunc(t.trees, func(x Tree) bool { return !near.has(x.Crown.X, x.Crown.Y) })
	slices.SortFunc(t.trees, func(a, b Tree) int { return cmp.Compare(a.ID, b.ID) })
	for i := range t.buildings {
		b := &t.buildings[i]
		b.base = s.plain(b.At.X, b.At.Y, even)
	}
	return t
}

// furnish puts on a leaf what belongs to its use.
func (s *Scene) furnish(t *things, p *leaf) {
	d := dice(mix(p.id ^ 0x6675726e))
	mu, mv := p.middle()
	wet := math.Abs(s.layout.stream(mu, mv, 16)) < 16
	var own *change
	for _, c := range t.changes {
		if c.leaf == p.id {
			own = c
		}
	}
	switch p.use {
	case garden:
		if !wet {
			s.house(t, p, own, &d)
		}
		s.strew(t, p, 1+d.n(3), [2]float64{4, 11}, &d)
	case yard:
		if !wet {
			s.hall(t, p, own, &d)
		}
	case glasshouses:
		s.rows(t, p, &d)
	case meadow:
		if own == nil || own.kind < NewBuilding {
			s.strew(t, p, d.n(4), [2]float64{7, 19}, &d)
		}
		if d.is(0.3) {
			s.hedge(t, p, &d)
		}
		if own == nil && !wet && d.is(0.07) {
			s.erect(t, p, nil, &plan{"barn", [4]float64{8, 14, 5, 8}, [2]float64{4, 7}, 0, len(Dates)}, &d)
		}
	case arable:
		if d.is(0.18) {
			s.hedge(t, p, &d)
		}
	case orchard:
		s.orchard(t, p, &d)
	}
	if own != nil && own.kind == NewBuilding && p.use == meadow {
		s.erect(t, p, own, &plan{"house", [4]float64{6, 10, 4.5, 7}, [2]float64{4, 7}, own.when, len(Dates)}, &d)
	}
}

// house builds a house, perhaps with an outhouse, on a plot.
func (s *Scene) house(t *things, p *leaf, own *change, d *dice) {
	from, until := 0, len(Dates)
	if own != nil {
		switch own.kind {
		case NewBuilding:
			from = own.when
		case Demolition:
			until = own.when
		case Construction:
			return
		}
	} else if d.is(0.1) {
		if !d.is(0.5) {
			return
		}
		until = 0 // it is gone, and the cadastre may not know
	}
	s.erect(t, p, own, &plan{"house", [4]float64{5.5, 8.5, 4, 5.5}, [2]float64{3.2, 7.2}, from, until}, d)
	if own == nil && until > 0 && d.is(0.4) && p.depth(p.middle()) > 13 {
		mu, mv := p.middle()
		x, y := s.layout.xy(mu+11, mv+d.between(-3, 3))
		ax, ay := s.layout.axis(x, y)
		t.buildings = append(t.buildings, Building{ID: d.next(), At: Place{x, y}, AxisX: ax, AxisY: ay, A: 3.2, B: 2.8,
			Eaves: 2.6, Ridge: 2.6, Use: "outhouse", Until: len(Dates), Registered: d.is(0.8)})
	}
}

// hall builds a hall of trade on a yard.
func (s *Scene) hall(t *things, p *leaf, own *change, d *dice) {
	from, until := 0, len(Dates)
	if own != nil {
		switch own.kind {
		case NewBuilding:
			from = own.when
		case Demolition:
			until = own.when
		default:
			return
		}
	}
	long := float64(max(p.u1-p.u0, p.v1-p.v0)/2) - 8
	wide := float64(min(p.u1-p.u0, p.v1-p.v0)/2) - 8
	if wide < 6 {
		return
	}
	s.erect(t, p, own, &plan{"hall", [4]float64{min(12, long), min(38, long), min(7, wide), min(20, wide)}, [2]float64{6, 13}, from, until},
		d)
}

// plan bounds what is drawn for a building.
type plan struct {
	use         string
	sides       [4]float64 // least and greatest half length and half width, metres
	eaves       [2]float64
	from, until int
}

// erect builds in the middle of a leaf; a change of it, where there is one, gets the building's ground.
func (s *Scene) erect(t *things, p *leaf, own *change, q *plan, d *dice) {
	mu, mv := p.middle()
	b := Building{ID: d.next(), Use: q.use, From: q.from, Until: q.until, A: d.between(q.sides[0], q.sides[1]),
		B:     d.between(q.sides[2], q.sides[3]),
		Eaves: d.between(q.eaves[0], q.eaves[1]), Registered: !d.is(0.1)}
	b.A, b.B = max(b.A, b.B), min(b.A, b.B)
	b.At.X, b.At.Y = s.layout.xy(mu, mv)
	b.AxisX, b.AxisY = s.layout.axis(b.At.X, b.At.Y)
	if p.v1-p.v0 > p.u1-p.u0 {
		b.AxisX, b.AxisY = -b.AxisY, b.AxisX
	}
	b.Roof, b.Ridge = Gable, b.Eaves+float64(b.B*d.between(0.5, 0.95))
	switch x := d.f(); {
	case q.use == "hall" || x < 0.15:
		b.Roof, b.Ridge = Flat, b.Eaves
	case x < 0.4:
		b.Roof = Hip
	}
	if q.use == "hall" && b.A > 16 {
		b.Eaves = d.between(7, 13)
		b.Ridge = b.Eaves
	}
	t.buildings = append(t.buildings, b)
	if own != nil && (own.kind == NewBuilding || own.kind == Demolition) {
		own.shape = shape{c: b.At, ax: b.AxisX, ay: b.AxisY, a: b.A, b: b.B}
		own.held = own.shape.box(&s.layout)
	}
}

// rows builds greenhouses side by side.
func (s *Scene) rows(t *things, p *leaf, d *dice) {
	mu, _ := p.middle()
	long := float64((p.u1-p.u0)/2) - 8
	for v := p.v0 + 9; v < p.v1-9 && long > 6; v += 9.5 {
		x, y := s.layout.xy(mu, v)
		ax, ay := s.layout.axis(x, y)
		t.buildings = append(t.buildings, Building{ID: d.next(), At: Place{x, y}, AxisX: ax, AxisY: ay, A: min(long, 30), B: 3.6,
			Eaves: 2.6, Ridge: 3.9, Roof: Gable, Use: "greenhouse", Until: len(Dates), Registered: d.is(0.5)})
	}
}

// strew plants single trees near the border of a leaf, between a least and a greatest height.
func (s *Scene) strew(t *things, p *leaf, n int, heights [2]float64, d *dice) {
	for range n {
		side, along := d.n(4), d.f()
		in := d.between(3.2, 5.5)
		u, v := lerp(p.u0+4, p.u1-4, along), lerp(p.v0+4, p.v1-4, along)
		switch side {
		case 0:
			v = p.v0 + in
		case 1:
			v = p.v1 - in
		case 2:
			u = p.u0 + in
		default:
			u = p.u1 - in
		}
		sp := Beech
		if d.is(0.3) {
			sp = Spruce
		}
		height, id := d.between(heights[0], heights[1]), d.next()
		s.single(t, p, u, v, sapling{id: id, species: sp, height: height, growth: 0.2})
	}
}

// single plants a tree on a leaf, at its bent coordinates, where there is room.
func (s *Scene) single(t *things, p *leaf, u, v float64, young sapling) {
	if w, _, _ := p.block.onWay(u, v, 2.5); w != noWay || p.depth(u, v) < 0.6 {
		return
	}
	young.at.X, young.at.Y = s.layout.xy(u, v)
	d := dice(mix(young.id))
	tree := s.tree(young, &d)
	tree.Stand, tree.hedge = p.id, young.species == Shrub
	t.trees = append(t.trees, tree)
}

// hedge plants shrubs along the northern border of a leaf.
func (s *Scene) hedge(t *things, p *leaf, d *dice) {
	height := d.between(2.2, 4)
	for u := p.u0 + 6; u < p.u1-6; u += 1.5 {
		h, off, id := height*d.between(0.8, 1.2), d.between(-0.3, 0.3), d.next()
		s.single(t, p, u, p.v1-2.4+off, sapling{id: id, species: Shrub, height: h})
	}
}

// orchard plants fruit trees in rows.
func (s *Scene) orchard(t *things, p *leaf, d *dice) {
	for v := p.v0 + 6; v < p.v1-5; v += 8 {
		for u := p.u0 + 6; u < p.u1-5; u += 7 {
			height, id := d.between(3.4, 5.5), d.next()
			if d.is(0.93) {
				s.single(t, p, u, v, sapling{id: id, species: Beech, height: height, growth: 0.1})
			}
		}
	}
}
