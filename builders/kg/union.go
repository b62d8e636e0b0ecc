package kg

import (
	"math"
	"slices"

	sf "github.com/peterstace/simplefeatures/geom"

	"mappe/shared/geo/geom"
)

// The way of last resort, for pieces that cannot be traced: a tile is missing, or two tiles draw the
// same edge so differently that no edge of one continues that of the other. Each piece is cut to its
// tile's own square (to the whole of what the tile shows on sides where no tile could show the rest), and
// the cut pieces are united by an overlay. Vertices on tile borders may stay, half a pixel off.

// unite returns the rings of the united pieces: those rings of the views that failed, and the bare ones,
// which fill a tile. lacks says which tiles show nothing where they should.
func (d *dissolver) unite(lacks func(square) bool) [][]pt {
	take := make(map[int32]bool, len(d.failed))
	for _, r := range d.failed {
		take[r] = true
	}
	for _, r := range d.bare() {
		take[r] = d.matters == nil || d.matters(r)
	}
	var outer, holes [][]pt
	for i := range d.rings {
		if !take[int32(i)] {
			continue
		}
		c := &d.rings[i]
		tile := d.views[c.view].tile
		b := d.own(tile)
		if lacks(square{tile.x - 1, tile.y}) {
			b.MinX -= d.extent
		}
		if lacks(square{tile.x + 1, tile.y}) {
			b.MaxX += d.extent
		}
		if lacks(square{tile.x, tile.y - 1}) {
			b.MinY -= d.extent
		}
		if lacks(square{tile.x, tile.y + 1}) {
			b.MaxY += d.extent
		}
		if r := clipRing(c.pts, b); area2(r) > 0 {
			outer = append(outer, r)
		} else if area2(r) < 0 {
			holes = append(holes, r)
		}
	}
	if len(outer) == 0 {
		return nil
	}
	if whole, err := d.overlay(solids(outer), solids(holes)); err == nil {
		return gridRings(whole)
	}
	// Without the overlay the pieces are read by the even-odd rule: they lie in squares of their own, so that
	// only what stands in for a missing tile may lie over another piece.
	if whole, err := evenOdd(append(outer, holes...)); err == nil {
		return whole
	}
	d.apart++
	return append(outer, holes...)
}

// overlay unites the exteriors and takes the holes out.
func overlay(outer, holes []sf.Geometry) (sf.Geometry, error) {
	whole, err := sf.UnionMany(outer)
	if err != nil || len(holes) == 0 {
		return whole, err
	}
	cut, err := sf.UnionMany(holes)
	if err != nil {
		return whole, err
	}
	return sf.Difference(whole, cut)
}

// evenOdd makes valid rings of any: exteriors positive, holes negative.
func evenOdd(rings [][]pt) ([][]pt, error) {
	in := make([]geom.Ring, len(rings))
	for i, r := range rings {
		in[i] = r
	}
	m, err := geom.Rebuild(in)
	if err != nil {
		return nil, err
	}
	var out [][]pt
	for _, r := range m.Rings() {
		out = append(out, r)
	}
	return out, nil
}

// bare lists the rings that pass over their tile's own square without a vertex in it, where the closed
// rings do not tell the same as the tile: nothing else says that the shape, or the hole, is there.
func (d *dissolver) bare() (out []int32) {
next:
	for i := range d.rings {
		c := &d.rings[i]
		for _, m := range c.marks {
			if m >= 0 {
				continue next
			}
		}
		own := d.own(d.views[c.view].tile)
		if b := geom.Ring(c.pts).Bounds(); b.MinX >= own.MaxX || b.MaxX <= own.MinX || b.MinY >= own.MaxY || b.MaxY <= own.MinY {
			continue
		}
		r := clipRing(c.pts, own)
		if area2(r) == 0 {
			continue
		}
		if x2, y2 := within2(r); winding(x2, y2, d.result) != winding(x2, y2, d.views[c.view].rings) {
			out = append(out, int32(i))
		}
	}
	return out
}

// winding counts the exteriors around a point, less the holes.
func winding(x2, y2 int64, rings [][]pt) (n int) {
	for _, r := range rings {
		if locate2(x2, y2, r) != inside {
			continue
		}
		if area2(r) > 0 {
			n++
		} else {
			n--
		}
	}
	return n
}

// own is a tile's own square.
func (d *dissolver) own(s square) geom.Box {
	return geom.Box{MinX: s.x * d.extent, MinY: s.y * d.extent, MaxX: (s.x + 1) * d.extent, MaxY: (s.y + 1) * d.extent}
}

// within2 is a point inside a ring in doubled coordinates: the middle of the widest span on a line half
// way up, between pixel rows.
func within2(r []pt) (x2, y2 int64) {
	b := geom.Ring(r).Bounds()
	y := int64(b.MinY) + int64(b.MaxY-b.MinY)/2
	y2 = 2*y + 1
	var xs []float64
	p := r[len(r)-1]
	for _, q := range r {
		if (int64(p.Y) > y) != (int64(q.Y) > y) {
			t := (float64(y) + 0.5 - float64(p.Y)) / float64(q.Y-p.Y)
			xs = append(xs, float64(p.X)+t*float64(q.X-p.X))
		}
		p = q
	}
	slices.Sort(xs)
	widest := -1.0
	for i := 0; i+1 < len(xs); i += 2 {
		if w := xs[i+1] - xs[i]; w > widest {
			widest, x2 = w, int64(math.Round(xs[i]+xs[i+1]))
		}
	}
	return x2, y2
}

// solids are rings as valid polygons: the overlay gives up on those that cross themselves.
func solids(rings [][]pt) []sf.Geometry {
	var out []sf.Geometry
	for _, r := range rings {
		m, err := geom.Rebuild([]geom.Ring{r})
		if err != nil {
			m = geom.MultiPolygon{{r}} // for the overlay to judge
		}
		for _, p := range m {
			out = append(out, overlayPolygon(p))
		}
	}
	return out
}

// gridRings rounds the rings of a polygonal geometry to the grid; exteriors come positive.
func gridRings(g sf.Geometry) [][]pt {
	var out [][]pt
	for _, r := range overlayRings(g) {
		if q := tidy(r); len(q) >= 3 && area2(q) != 0 {
			out = append(out, q)
		}
	}
	return out
}

// clipRing cuts a ring to a box; cut vertices are rounded to the grid.
func clipRing(r []pt, b geom.Box) []pt {
	var g geom.Bridger
	return tidy(slices.Clone(g.Clip(r, b)))
}
