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
			b.x0 -= d.extent
		}
		if lacks(square{tile.x + 1, tile.y}) {
			b.x1 += d.extent
		}
		if lacks(square{tile.x, tile.y - 1}) {
			b.y0 -= d.extent
		}
		if lacks(square{tile.x, tile.y + 1}) {
			b.y1 += d.extent
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
		for _, p := range r {
			in[i] = append(in[i], geom.Point{X: p.x, Y: p.y})
		}
	}
	m, err := geom.Rebuild(in)
	if err != nil {
		return nil, err
	}
	var out [][]pt
	for _, r := range m.Rings() {
		out = append(out, gridRing(r))
	}
	return out, nil
}

func gridRing(r geom.Ring) []pt {
	out := make([]pt, len(r))
	for i, p := range r {
		out[i] = pt{p.X, p.Y}
	}
	return out
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
		if b := boxOf(c.pts); b.x0 >= own.x1 || b.x1 <= own.x0 || b.y0 >= own.y1 || b.y1 <= own.y0 {
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
func (d *dissolver) own(s square) box {
	return box{s.x * d.extent, s.y * d.extent, (s.x + 1) * d.extent, (s.y + 1) * d.extent}
}

// within2 is a point inside a ring in doubled coordinates: the middle of the widest span on a line half
// way up, between pixel rows.
func within2(r []pt) (x2, y2 int64) {
	b := boxOf(r)
	y := int64(b.y0) + int64(b.y1-b.y0)/2
	y2 = 2*y + 1
	var xs []float64
	p := r[len(r)-1]
	for _, q := range r {
		if (int64(p.y) > y) != (int64(q.y) > y) {
			t := (float64(y) + 0.5 - float64(p.y)) / float64(q.y-p.y)
			xs = append(xs, float64(p.x)+t*float64(q.x-p.x))
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
		ring := make(geom.Ring, len(r))
		for i, p := range r {
			ring[i] = geom.Point{X: p.x, Y: p.y}
		}
		m, err := geom.Rebuild([]geom.Ring{ring})
		if err != nil {
			m = geom.MultiPolygon{{ring}} // for the overlay to judge
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
		if q := tidy(gridRing(r)); len(q) >= 3 && area2(q) != 0 {
			out = append(out, q)
		}
	}
	return out
}

// clipRing cuts a ring to a box (Sutherland-Hodgman); cut vertices are rounded to the grid.
func clipRing(r []pt, b box) []pt {
	for side := range 4 {
		in := func(p pt) int64 {
			switch side {
			case 0:
				return int64(p.x) - int64(b.x0)
			case 1:
				return int64(b.x1) - int64(p.x)
			case 2:
				return int64(p.y) - int64(b.y0)
			}
			return int64(b.y1) - int64(p.y)
		}
		var out []pt
		for i, q := range r {
			p := r[(i+len(r)-1)%len(r)]
			dp, dq := in(p), in(q)
			if (dp < 0) != (dq < 0) {
				t := float64(dp) / float64(dp-dq)
				out = append(out, pt{
					p.x + int32(math.Round(t*float64(q.x-p.x))),
					p.y + int32(math.Round(t*float64(q.y-p.y))),
				})
			}
			if dq >= 0 {
				out = append(out, q)
			}
		}
		r = out
	}
	return tidy(r)
}
