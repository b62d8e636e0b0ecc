package line

import (
	"cmp"
	"slices"

	"mappe/shared/geo/geom"
)

// Clip is the part of the line inside a multipolygon, in the line's direction. Which side of a border counts
// is the half-open rule of geom's Contains: of the areas that share a border exactly one holds a line that
// runs along it, and the parts in areas without gaps add up to the line. Vertices at the border are grid
// points within a unit of it, the same for both areas; what shrinks to a point is left out.
func (s String) Clip(x *geom.Index) Multi {
	c := clipper{index: x}
	return c.clip(s)
}

// Clip is String.Clip of all lines.
func (m Multi) Clip(x *geom.Index) Multi {
	c := clipper{index: x}
	var out Multi
	for _, s := range m {
		out = append(out, c.clip(s)...)
	}
	return out
}

// ClipBox is the part of the line inside a box, of whose sides the western and the southern one belong to
// it, so that boxes side by side share nothing. A line that lies in the box as a whole is not copied.
func (s String) ClipBox(b geom.Box) Multi {
	all := s.Bounds()
	switch {
	case len(s) < 2 || b.Empty() || !b.Intersects(all):
		return nil
	case all.MinX >= b.MinX && all.MinY >= b.MinY && all.MaxX < b.MaxX && all.MaxY < b.MaxY:
		return Multi{s}
	}
	ring := geom.Ring{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MaxX, Y: b.MaxY}, {X: b.MinX, Y: b.MaxY}}
	return s.Clip(geom.NewIndex(geom.MultiPolygon{{ring}}))
}

// Intersects says whether the line and the multipolygon, with its border, share a point.
func (s String) Intersects(x *geom.Index) bool {
	var found []int32
	for i, p := range s {
		if x.Contains(p) {
			return true
		}
		a := s[max(0, i-1)]
		found, _ = x.Search(found[:0], geom.Edge{A: a, B: p}.Box())
		for _, k := range found {
			if e := x.Edges()[k]; geom.Meet(a, p, e.A, e.B) != geom.Apart {
				return true
			}
		}
	}
	return false
}

type clipper struct {
	index *geom.Index
	found []int32
	cuts  []geom.Point
}

// clip follows the line and changes sides at every edge it crosses.
func (c *clipper) clip(s String) (out Multi) {
	if len(s) < 2 {
		return nil
	}
	var part String
	add := func(p geom.Point) {
		if n := len(part); n == 0 || part[n-1] != p {
			part = append(part, p)
		}
	}
	end := func() {
		if len(part) > 1 {
			out = append(out, part)
		}
		part = nil
	}
	in := c.index.Contains(s[0])
	if in {
		add(s[0])
	}
	for i := 1; i < len(s); i++ {
		c.cross(s[i-1], s[i])
		for _, p := range c.cuts {
			if in = !in; in {
				part = String{p}
			} else {
				add(p)
				end()
			}
		}
		if in {
			add(s[i])
		}
	}
	end()
	return out
}

// cross collects the points where the segment from a to b crosses an edge, in its order. The segment is
// taken to lie a hair east of where it does, and a hair of that north: so it meets no vertex and runs along
// no edge, each edge is crossed or not, and the sides agree with Contains.
func (c *clipper) cross(a, b geom.Point) {
	c.cuts = c.cuts[:0]
	if a == b {
		return
	}
	c.found, _ = c.index.Search(c.found[:0], geom.Edge{A: a, B: b}.Box())
	for _, k := range c.found {
		if e := c.index.Edges()[k]; besideLine(a, b, e.A)*besideLine(a, b, e.B) < 0 && beside(e, a)*beside(e, b) < 0 {
			c.cuts = append(c.cuts, cutPoint(a, b, e))
		}
	}
	slices.SortFunc(c.cuts, func(p, q geom.Point) int {
		return cmp.Or(cmp.Compare(along(a, b, p), along(a, b, q)), p.Compare(q))
	})
}

// besideLine is the side of the shifted line from a to b that p lies on: 1 left, -1 right.
func besideLine(a, b, p geom.Point) int {
	if o := geom.Orient(a, b, p); o != 0 {
		return o
	}
	return cmp.Or(cmp.Compare(b.Y, a.Y), cmp.Compare(a.X, b.X))
}

// beside is the side of an edge that the shifted p lies on.
func beside(e geom.Edge, p geom.Point) int {
	if o := geom.Orient(e.A, e.B, p); o != 0 {
		return o
	}
	return cmp.Or(cmp.Compare(e.A.Y, e.B.Y), cmp.Compare(e.B.X, e.A.X))
}

// cutPoint is where the segment meets an edge that it crosses when shifted.
func cutPoint(a, b geom.Point, e geom.Edge) geom.Point {
	switch {
	case geom.Orient(a, b, e.A) == 0:
		return e.A
	case geom.Orient(a, b, e.B) == 0:
		return e.B
	case geom.Orient(e.A, e.B, a) == 0:
		return a
	case geom.Orient(e.A, e.B, b) == 0:
		return b
	}
	return geom.CrossPoint(a, b, e.A, e.B)
}

// along orders points of the segment from a to b by the axis it is longer on.
func along(a, b, p geom.Point) int64 {
	dx, dy := int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y)
	px, py := int64(p.X)-int64(a.X), int64(p.Y)-int64(a.Y)
	if max(dx, -dx) >= max(dy, -dy) {
		if dx < 0 {
			return -px
		}
		return px
	}
	if dy < 0 {
		return -py
	}
	return py
}
