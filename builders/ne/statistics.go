package ne

import (
	"cmp"
	"math"
	"slices"

	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
)

// sums are what is added up of a cell of resolution 12. Areas are twice those in mm², lengths are in µm: whole numbers,
// so that the order of adding does not matter.
type sums struct {
	covered, surveyed int64
	use               [9]int64
	built             int64
	footprints, units int
	length            int64
	east, north       int64 // of the doubled directions, times the length
}

// unitSums are what is gathered of a cell of resolution 10.
type unitSums struct {
	units  []float64 // m² of whole parcels
	folios map[folio]struct{}
	built  []float64 // m² of footprints
}

type folio struct {
	kg austria.KGCode
	ez austria.EZ
}

// counted is a chunk whose cells are added up over some KGs.
type counted struct {
	*chunk
	sums  []sums                    // as chunk.cells
	gains []unitSums                // as chunk.units
	owned map[austria.KGCode]*owned // the KGs that touch it
}

// owned is what one KG has of a chunk.
type owned struct {
	cells [ne.ChunkCells]int64 // area covered by its parcels
	units [7]bool              // cells of resolution 10 that its parcels touch
}

// counter adds chunks up. It keeps its scratch between them and is not safe for concurrent use.
type counter struct {
	clip    clipper
	ring    []pt
	found   []int32
	shared  [ne.ChunkCells]int64
	touched []int
	edges   []edge
}

// count adds up a chunk over KGs, which come by rising code. The order changes nothing.
func (t *counter) count(k *chunk, kgs []*features) *counted {
	c := &counted{chunk: k, sums: make([]sums, len(k.cells)), gains: make([]unitSums, len(k.units)), owned: map[austria.KGCode]*owned{}}
	for i := range c.gains {
		c.gains[i].folios = map[folio]struct{}{}
	}
	for _, f := range kgs {
		t.parcels(c, f)
		t.uses(c, f)
		t.footprints(c, f)
	}
	t.boundaries(c, kgs)
	return c
}

// over adds up the areas that a polygon shares with the cells: touched are the cells, shared their areas.
func (t *counter) over(k *chunk, a *area) {
	t.touched = t.touched[:0]
	for _, r := range a.rings {
		t.ring = t.ring[:0]
		for _, p := range r {
			t.ring = append(t.ring, pt{p.x - k.x0, p.y - k.y0})
		}
		k.overlay(&t.clip, t.ring, func(cell int, shared2 int64) {
			if t.shared[cell] == 0 {
				t.touched = append(t.touched, cell)
			}
			t.shared[cell] += shared2
		})
	}
}

// take empties the shared area of a cell; a cell may be touched twice where its sum was 0 in between.
func (t *counter) take(cell int) int64 {
	v := t.shared[cell]
	t.shared[cell] = 0
	return v
}

func (t *counter) parcels(c *counted, f *features) {
	t.found = f.parcelGrid.near(t.found[:0], c.box)
	for _, i := range t.found {
		p := &f.parcels[i]
		t.over(c.chunk, &p.area)
		for _, cell := range t.touched {
			a := t.take(cell)
			if a <= 0 {
				continue
			}
			s := &c.sums[cell]
			s.covered += a
			s.units++
			if p.surveyed {
				s.surveyed += a
			}
			c.of(f.code).cells[cell] += a
		}
		for u := range c.units {
			if t.touches(&c.units[u], c.chunk, &p.area) {
				s := &c.gains[u]
				s.units = append(s.units, p.sqm)
				if p.folio != 0 {
					s.folios[folio{f.code, p.folio}] = struct{}{}
				}
				c.of(f.code).units[u] = true
			}
		}
	}
}

// of is what a KG has of the chunk.
func (c *counted) of(code austria.KGCode) *owned {
	o := c.owned[code]
	if o == nil {
		o = &owned{}
		c.owned[code] = o
	}
	return o
}

// touches says whether a polygon shares area with a cell.
func (t *counter) touches(h *hexagon, k *chunk, a *area) bool {
	if !a.box.shifted(k.x0, k.y0).meets(h.box) {
		return false
	}
	sum := int64(0)
	for _, r := range a.rings {
		t.ring = t.ring[:0]
		for _, p := range r {
			t.ring = append(t.ring, pt{p.x - k.x0, p.y - k.y0})
		}
		sum += round(area2(t.clip.to(h.sides, t.clip.within(0, h.box, t.ring))))
	}
	return sum > 0
}

func (t *counter) uses(c *counted, f *features) {
	t.found = f.useGrid.near(t.found[:0], c.box)
	for _, i := range t.found {
		u := &f.uses[i]
		t.over(c.chunk, &u.area)
		for _, cell := range t.touched {
			a := t.take(cell)
			if a <= 0 || u.class == austria.ClassNone {
				continue
			}
			c.sums[cell].use[u.class-austria.ClassBuilding] += a
			if u.building {
				c.sums[cell].built += a
			}
		}
	}
}

// footprints counts buildings where their points on the surface lie.
func (t *counter) footprints(c *counted, f *features) {
	for _, p := range f.inCells[c.cell] {
		if i, ok := slices.BinarySearchFunc(c.cells, p.cell, byCell); ok {
			c.sums[i].footprints++
		}
	}
	for _, p := range f.inUnits[c.cell] {
		if i, ok := slices.BinarySearchFunc(c.units, p.cell, byCell); ok {
			c.gains[i].built = append(c.gains[i].built, p.sqm)
		}
	}
}

func byCell(h hexagon, cell hexgrid.Cell) int { return cmp.Compare(h.cell, cell) }

// boundaries adds up the boundaries of parcels, those that neighbours share once.
func (t *counter) boundaries(c *counted, kgs []*features) {
	several := len(c.owned) > 1
	t.edges = t.edges[:0]
	for _, f := range kgs {
		t.found = f.lineGrid.near(t.found[:0], c.box)
		for _, i := range t.found {
			if several {
				t.edges = append(t.edges, f.edges[i])
				continue
			}
			c.addLine(&f.lines[i])
		}
	}
	if !several {
		return
	}
	t.edges = once(t.edges)
	for _, e := range t.edges {
		u, v := planar(e.a), planar(e.b)
		dx, dy := v.x-u.x, v.y-u.y
		c.addLine(&line{u, v, math.Sqrt(float64(dx*dx) + float64(dy*dy))})
	}
}

func (c *counted) addLine(l *line) {
	if l.length == 0 {
		return
	}
	u, v := pt{l.u.x - c.x0, l.u.y - c.y0}, pt{l.v.x - c.x0, l.v.y - c.y0}
	dx, dy := (v.x-u.x)/l.length, (v.y-u.y)/l.length
	// The doubled angle from grid north: cos 2a = n² - e², sin 2a = 2 n e.
	cos, sin := float64(dy*dy)-float64(dx*dx), 2*float64(dx*dy)
	c.along(&c.root, u, v, func(cell int, share float64) {
		s := &c.sums[cell]
		um := float64(l.length*share) * 1000
		s.length += round(um)
		s.north += round(float64(um * cos))
		s.east += round(float64(um * sin))
	})
}
