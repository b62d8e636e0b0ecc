package scene

import (
	"cmp"
	"math"
	"slices"
)

// Event is a change between two dates, of the truth.
type Event struct {
	ID            uint64
	Type          ChangeType
	From, To      int     // dates it lies between, next to each other for what was planted
	Ring          []Place // its ground, not closed
	Area          float64 // of the ground in m²: cells of 1 m whose middles lie inside
	Changed       float64 // m² on which terrain or surface differ by at least 0.3 m, or 0.05 m for resurfaced and levelled ground
	TerrainVolume float64 // m³ that the terrain has gained, without measuring error
	SurfaceVolume float64 // m³ that the surface has gained
	TerrainBefore float64 // mean of the terrain in metres above the Adriatic
	TerrainAfter  float64
	HeightBefore  float64 // 95th percentile of the surface above the ground, metres
	HeightAfter   float64
	Trees         int // that are gone or new
}

// Events are the changes between two dates, those that begin in a tile of the scene, in the order of their places. Growth of
// stands counts from least metres on, crops from 1 m on.
func (s *Scene) Events(from, to int, least float64) []Event {
	var out []Event
	seen := map[uint64]bool{}
	for row := range s.opt.Rows {
		for col := range s.opt.Cols {
			w := s.window(col, row)
			b := w.box()
			inside := box{b.west - 0.5, b.south - 0.5, b.east + 0.5, b.north + 0.5}
			t, around := s.tile(col, row), s.around(col, row)
			list := append(slices.Clone(t.changes), s.natural(inside, from, to, least)...)
			for _, c := range list {
				if c.when <= from || c.when > to || seen[c.id] {
					continue
				}
				mid := c.at(&s.layout)
				if !inside.has(mid.X, mid.Y) {
					continue
				}
				seen[c.id] = true
				if e, ok := s.measure(c, around, from, to); ok {
					out = append(out, e)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// surroundings is how far things around a tile are known when its events are measured, metres: half the longest field.
const surroundings = 250

// around are the things of a tile and of what lies around it; those of the last tile are kept.
func (s *Scene) around(col, row int) *things {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := [2]int{col, row}; s.wide == nil || s.wideAt != at {
		w := s.window(col, row)
		s.wide, s.wideAt = s.thingsOf(w.box().grown(surroundings)), at
	}
	return s.wide
}

// within are the things that reach into an area.
func (t *things) within(b box) *things {
	out := &things{wires: t.wires}
	for i := range t.trees {
		if b.grown(12).has(t.trees[i].Crown.X, t.trees[i].Crown.Y) {
			out.trees = append(out.trees, t.trees[i])
		}
	}
	for i := range t.buildings {
		if b.grown(reach).has(t.buildings[i].At.X, t.buildings[i].At.Y) {
			out.buildings = append(out.buildings, t.buildings[i])
		}
	}
	for i := range t.pieces {
		if b.grown(reach).has(t.pieces[i].c.X, t.pieces[i].c.Y) {
			out.pieces = append(out.pieces, t.pieces[i])
		}
	}
	for _, c := range t.changes {
		if c.held.meets(b.grown(2 * margin)) {
			out.changes = append(out.changes, c)
		}
	}
	return out
}

// at is the middle of the ground of a change.
func (c *change) at(l *layout) Place {
	if r := c.shape.bent; r != nil {
		x, y := l.xy(r.middle())
		return Place{x, y}
	}
	return c.shape.c
}

// natural are the changes that nobody planted: stands that have grown, fields with another crop.
func (s *Scene) natural(area box, from, to int, least float64) []*change {
	if s.opt.Events <= 0 {
		return nil
	}
	var out []*change
	for _, b := range s.layout.blocks(area) {
		var planted []*change
		for _, p := range s.layout.leaves(b) {
			c := &change{id: mix(p.id + uint64(from*4+to)), when: to, leaf: p.id, side: -1}
			switch p.use {
			case woods:
				c.kind, c.height = TreeGrowth, s.standOf(&p).growth*float64(to-from)
				if c.height < least {
					continue
				}
			case arable:
				c.height = crops[s.crop(&p, to)].height - crops[s.crop(&p, from)].height
				if c.kind = VegetationGrowth; c.height < 0 {
					c.kind = VegetationLoss
				}
				if math.Abs(c.height) < 1 {
					continue
				}
			default:
				continue
			}
			if planted == nil {
				planted = append(s.changesOf(b), &change{})
			}
			if slices.ContainsFunc(planted, func(x *change) bool {
				return x.leaf == p.id && x.when > from && x.when <= to && x.kind == ForestClearcut
			}) {
				continue // it went with the change that was planted
			}
			r := p.grown(-1)
			c.shape.bent = &r
			c.held = c.shape.box(&s.layout)
			out = append(out, c)
		}
	}
	return out
}

// measure is the event of a change, measured on the ground and surface without error; not ok where nothing came of it.
func (s *Scene) measure(c *change, around *things, from, to int) (Event, bool) {
	e := Event{ID: c.id, Type: c.kind, From: from, To: to, Ring: c.shape.ring(&s.layout)}
	if from < c.when-1 || to > c.when {
		e.From, e.To = from, to
	}
	col0, row0 := int(math.Floor(c.held.west))-1, int(math.Ceil(c.held.north))
	w := window{perMetre: 1, col0: col0, row0: row0, cols: int(math.Ceil(c.held.east)) + 1 - col0,
		rows: row0 + 2 - int(math.Floor(c.held.south))}
	b := w.box()
	t := around.within(b.grown(1))
	before, after := s.paint(w, from, t, false), s.paint(w, to, t, false)
	limit := 0.3
	if c.kind == RoadResurfaced || c.kind == EarthworkGrading || c.kind == SurfaceChange || c.kind == RoadNew || c.kind == RoadWidened {
		limit = 0.05
	}
	var heights [2][]float64
	gone := map[int32]bool{}
	before.core(func(i, _ int) {
		col, row := i%before.cols, i/before.cols
		if c.shape.depth(before.x(col), before.y(row), before.u[i], before.v[i]) <= 0 {
			return
		}
		dz, ds := after.z[i]-before.z[i], float64(after.top[i])-float64(before.top[i])
		e.Area++
		e.TerrainVolume += dz
		e.SurfaceVolume += ds
		e.TerrainBefore += before.z[i]
		e.TerrainAfter += after.z[i]
		if max(math.Abs(dz), math.Abs(ds)) >= limit {
			e.Changed++
		}
		heights[0] = append(heights[0], float64(before.top[i])-before.z[i])
		heights[1] = append(heights[1], float64(after.top[i])-after.z[i])
		for _, k := range [2]int32{before.tree[i], after.tree[i]} {
			if k >= 0 && t.trees[k].Stands(from) != t.trees[k].Stands(to) {
				gone[k] = true
			}
		}
	})
	if e.Area == 0 {
		return e, false
	}
	e.TerrainBefore, e.TerrainAfter = e.TerrainBefore/e.Area, e.TerrainAfter/e.Area
	for i, p := range [2]*float64{&e.HeightBefore, &e.HeightAfter} {
		slices.Sort(heights[i])
		*p = heights[i][len(heights[i])*95/100]
	}
	e.Trees = len(gone)
	if e.Changed == 0 || (c.kind == TreeFelling || c.kind == ForestClearcut) && e.Trees == 0 {
		return e, false // it met a gap, or found no room
	}
	return e, true
}

// Passing is a thing that stands about on one date and is no change of the land: a car, lorry, bale or scaffold.
type Passing struct {
	Kind   string
	Ring   []Place // not closed
	Height float64 // metres
}

// Passing are those of a tile on a date of the laser.
func (s *Scene) Passing(col, row, date int) []Passing {
	w := s.window(col, row)
	b := w.box()
	inside := box{b.west - 0.5, b.south - 0.5, b.east + 0.5, b.north + 0.5}
	var out []Passing
	for _, p := range s.traffic(inside, date, s.tile(col, row)) {
		if inside.has(p.c.X, p.c.Y) {
			out = append(out, Passing{p.name, p.shape.ring(&s.layout), p.height})
		}
	}
	return out
}

// Pairs are the pairs of dates that events are told of.
var Pairs = [...][2]int{{0, 1}, {1, 2}, {0, 2}}

// Owned are the trees whose trunks, and the buildings whose middles, lie in a tile.
func (s *Scene) Owned(col, row int) (trees []Tree, buildings []Building) {
	w := s.window(col, row)
	b := w.box()
	inside := box{b.west - 0.5, b.south - 0.5, b.east + 0.5, b.north + 0.5}
	t := s.tile(col, row)
	for _, x := range t.trees {
		if inside.has(x.Crown.X, x.Crown.Y) {
			trees = append(trees, x)
		}
	}
	for _, x := range t.buildings {
		if inside.has(x.At.X, x.At.Y) {
			buildings = append(buildings, x)
		}
	}
	return trees, buildings
}

// LeastGrowth is how many metres a stand has to have grown to be an event of the truth.
const LeastGrowth = 1.0
