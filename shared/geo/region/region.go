// Package region is the area a question asks about, prepared for many tests: a rectangle, polygons,
// lines and points, with or without a buffer. It answers exactly, on the integer grid of shared/geo/geom,
// whether the interiors of an area and of a feature overlap, whether the area covers the feature and
// whether it holds a point, and in metres how far away a feature is.
//
// It owns the relations and the check of foreign polygons (crossing rings, Check); the edge index and the
// exact predicates are geom's, the metres are those of crs.Ruler. It knows no features, files or requests. An Area serves one request: it
// counts its work and is not safe for concurrent use.
//
// Relations (geom.MultiPolygon with exterior rings counter-clockwise and holes clockwise):
//
//	Overlaps  the interiors share area; touching along a border or at a corner is not enough, but for lines and
//	          points of the area, which have no interior
//	Covers    no part of the feature lies outside the area; its border may lie on the area's border
//	Contains  half-open for points: of the areas that share a border exactly one holds a point on it
package region

import (
	"errors"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// MaxWork bounds the edges and index nodes one Area looks at, about two seconds of one core; CheckWork
// those of one Check, about half a second.
const (
	MaxWork   = 250_000_000
	CheckWork = 50_000_000
)

// ErrWork says that the area's rings are so entangled that its tests ran over their bound.
var ErrWork = errors.New("polygon too intricate: its edges overlap each other's extents too often")

// Area is a prepared polygon, several polygons, or a rectangle, optionally grown by a buffer.
type Area struct {
	index   *geom.Index
	edges   []geom.Edge // of index
	box     geom.Box    // with the buffer
	core    geom.Box    // without
	rect    bool        // the polygon is exactly core
	bufferM float64
	work    int
	cand    []int32   // scratch of searches
	touch   []contact // scratch of the border test
	lines   *lines    // parts without an interior; nil: none
}

// OfBox prepares a rectangle.
func OfBox(b geom.Box) *Area {
	a := Of(geom.MultiPolygon{{{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MaxX, Y: b.MaxY}, {X: b.MinX, Y: b.MaxY}}}})
	a.rect = true
	return a
}

// Of prepares polygons whose rings do not cross (Check says so) and run as geom says.
func Of(m geom.MultiPolygon) *Area { return Buffered(m, 0) }

// Buffered prepares polygons grown by a distance in metres.
func Buffered(m geom.MultiPolygon, metres float64) *Area {
	x := geom.NewIndex(m)
	a := &Area{index: x, edges: x.Edges(), core: m.Bounds(), bufferM: metres}
	a.box = a.core
	if metres > 0 {
		a.box = crs.Grow(a.core, metres)
	}
	return a
}

// Box is the bounding box of the area with its buffer.
func (a *Area) Box() geom.Box { return a.box }

// Err is ErrWork once the tests ran over MaxWork; answers given after that mean nothing.
func (a *Area) Err() error {
	if a.work > MaxWork || a.lines != nil && a.lines.work > MaxWork {
		return ErrWork
	}
	return nil
}

// Side is where a box lies.
type Side uint8

// The sides: Outside and Inside are certain, Border needs the feature's own geometry.
const (
	Border Side = iota
	Inside
	Outside
)

// Side says where a closed box lies, cheaply.
func (a *Area) Side(b geom.Box) Side {
	if !a.box.Intersects(b) {
		return Outside
	}
	if a.rect {
		if b.MinX >= a.core.MinX && b.MaxX <= a.core.MaxX && b.MinY >= a.core.MinY && b.MaxY <= a.core.MaxY {
			return Inside
		}
		// Sharing no more than a border is outside for features with an interior; boxes of single
		// points are told apart by their callers.
		return Border
	}
	if a.core.Intersects(b) {
		if a.search(b); len(a.cand) > 0 {
			return Border
		}
		if a.holds(geom.Point{X: b.MinX, Y: b.MinY}) {
			return Inside
		}
	}
	if a.bufferM > 0 || a.lines != nil && a.lines.box.Intersects(b) {
		return Border
	}
	return Outside
}

// Contains says whether the area holds a point; with a buffer also within that distance of it.
func (a *Area) Contains(p geom.Point) bool {
	if !a.box.Contains(p) {
		return false
	}
	return a.holds(p) || a.bufferM > 0 && a.nearPoint(p) || a.lines != nil && a.lines.at(p)
}

// holds is the half-open even-odd test over all edges, without the buffer.
func (a *Area) holds(p geom.Point) bool {
	if !a.core.Contains(p) {
		return false
	}
	if a.work > MaxWork {
		return false
	}
	in, n := a.index.Holds(p)
	a.work += n + 1
	return in
}

// place places a position against the area's own edges.
func (a *Area) place(p geom.Mid) geom.Place {
	if a.work > MaxWork {
		return geom.Outside
	}
	at, n := a.index.Place(p)
	a.work += n + 1
	return at
}

// search leaves in cand the edges whose boxes share a point with b, in edge order.
func (a *Area) search(b geom.Box) {
	a.cand = a.cand[:0]
	if a.work > MaxWork {
		return
	}
	var n int
	a.cand, n = a.index.Search(a.cand, b)
	a.work += n + 1
}
