package overlays

import (
	"context"
	"math"
	"slices"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/picked"
	"mappe/functions/core/view"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
)

// The bounds of a place: the sides of a box in degrees, and the edges and pairs of edges that are looked at for all overlaps of
// a request, which take about a second.
const (
	mostDegrees = 2.0
	mostPairs   = 60_000_000
)

// A border that two sources draw with other vertices leaves slivers of a centimetre's width, which is what the grid of positions
// resolves: less than leastShared m² is no shared area, unless it is leastPart of the smaller of the two, as of the square
// metres around a tree.
const (
	leastShared = 1.0
	leastPart   = 0.05
)

// byOverlap is the closed set of sort=.
type byOverlap string

const overlapDesc byOverlap = "overlap"

var (
	inKG       = params.KG("kg", "Only what shares area with this KG")
	inGemeinde = endpoint.String("gemeinde", "Only what shares area with this municipality: its name, in any usual spelling, or its code.",
		endpoint.Between(1, 100), endpoint.Alias("gemeinde_code"))
	inBox  = params.Box("Only what shares area with this box, of at most 2 degrees:")
	sortBy = endpoint.Enum("sort", "overlap: by the area shared with the place, the largest first.", []byOverlap{overlapDesc})

	// inPlace are the parameters of a place.
	inPlace = []endpoint.AnyParam{inKG, inGemeinde, inBox, sortBy}
)

const placeDoc = `
kg, gemeinde or bbox, one of them, name a place: the answer has what shares area with it, each row with overlap_sqm and the shares of the place
and of the row's own drawn area; less than 1 m² is a shared border, unless it is 5 % of the smaller of the two. meta.place says what the place is. Areas are those of EPSG:3035. A KG is taken by the outline of its survey; one that was not
built here by the outline of the register, as far as meta.place.tolerance_m says.`

// placeMeta is what meta holds of the place.
type placeMeta struct {
	Place *placed `json:"place,omitempty" doc:"left out where no place was asked for"`
	view.GapsMeta
}

// placed describes a place in an answer.
type placed struct {
	Kind       string   `json:"kind" enum:"kg,gemeinde,bbox,area"`
	Code       string   `json:"code,omitempty"`
	Name       string   `json:"name,omitempty"`
	AreaSqm    float64  `json:"area_sqm" doc:"EPSG:3035"`
	ToleranceM float64  `json:"tolerance_m" doc:"how far in metres the outline may lie from the true one; 0: it is that"`
	Warnings   []string `json:"warnings,omitempty" doc:"what of the area was repaired, and where"`
}

// Area is what the body of a request draws; its Geometry is nil where that draws nothing.
type Area struct {
	Geometry geom.MultiPolygon
	Warnings []string // what of it was repaired, and where
}

// Posts are the endpoints whose place may be drawn: body reads an area in all its forms, and of gives what it has read. Who serves
// places by name alone need not link the readers.
func Posts(body endpoint.AnyBody, of func(*endpoint.Request) *Area) []endpoint.Endpoint {
	return []endpoint.Endpoint{protectedPost(body, of), naturaPost(body, of)}
}

// place is what overlaps are taken with.
type place struct {
	placed
	shape geom.MultiPolygon
	box   geom.Box
	cover *geom.Cover
	gaps  view.Missing
	work  int64
}

// placeOf is the place of a request; nil where it names none. a is the area of a body, nil where it has none.
func placeOf(ctx context.Context, v *view.View, r *endpoint.Request, a *Area) (*place, error) {
	drawnArea := a != nil && a.Geometry != nil
	given := 0
	for _, is := range []bool{inKG.Given(r), inGemeinde.Given(r), inBox.Given(r), drawnArea} {
		if is {
			given++
		}
	}
	switch {
	case given == 0 && sortBy.Given(r):
		return nil, sortBy.Clash(r, "no sort, or a place: kg, gemeinde, bbox or an area")
	case given == 0:
		return nil, nil
	case given > 1:
		return nil, fault.New(fault.Conflict, "several places are named: expected one of kg, gemeinde, bbox and an area in the body")
	}
	switch {
	case inKG.Given(r):
		return pickedPlace(picked.OfKG(ctx, v, inKG.Of(r)))
	case inGemeinde.Given(r):
		return pickedPlace(picked.OfGemeinde(ctx, v, inGemeinde.Of(r), inGemeinde.Name()))
	case inBox.Given(r):
		d := inBox.Of(r)
		if !d.Within(mostDegrees) {
			return nil, inBox.Bad(r, "a box of at most 2 degrees on either side")
		}
		return newPlace(placed{Kind: "bbox"}, geom.MultiPolygon{{boxRing(d.Grid())}}), nil
	}
	if err := TooLong(a.Geometry); err != nil {
		return nil, err
	}
	return newPlace(placed{Kind: "area", Warnings: a.Warnings}, a.Geometry), nil
}

// pickedPlace is a place that a request names.
func pickedPlace(a *picked.Area, err error) (*place, error) {
	if err != nil {
		return nil, err
	}
	p := newPlace(placed{Kind: string(a.Kind), Code: a.Code, Name: a.Name, ToleranceM: a.ToleranceM}, a.Shape)
	p.gaps = a.Missing
	return p, nil
}

// newPlace prepares a place for overlaps.
func newPlace(as placed, shape geom.MultiPolygon) *place {
	p := &place{placed: as, shape: shape, box: shape.Bounds(), cover: CoverOf(shape), work: mostPairs}
	p.AreaSqm = rounded(p.cover.Area())
	return p
}

// boxRing is a box as a ring.
func boxRing(b geom.Box) geom.Ring {
	return geom.Ring{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MaxX, Y: b.MaxY}, {X: b.MinX, Y: b.MaxY}}
}

// longEdge is the longest edge in units of the grid that stays as it is: edges are straight on the grid, and the chord of
// 225 m lies a millimetre from the parallel in the plane of areas.
const longEdge = 30_000

// mostEdges bounds the edges of a place with those that long ones are divided into: laying them into the plane takes some hundred
// milliseconds.
const mostEdges = 100_000

// TooLong refuses an area whose borders have too many edges for overlaps.
func TooLong(m geom.MultiPolygon) error {
	n := int64(0)
	for _, p := range m {
		for _, r := range p {
			for i, a := range r {
				b := r[(i+1)%len(r)]
				dx, dy := int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y)
				n += max(1, (max(dx, -dx, dy, -dy)+longEdge-1)/longEdge)
			}
		}
	}
	if n > mostEdges {
		return fault.New(fault.TooLarge, "the borders of the area are too long: they have %d edges of at most some 200 m, at most %d are "+
			"held against others", n, mostEdges)
	}
	return nil
}

// CoverOf prepares a geometry for overlaps. Long edges are given vertices, so that those who share a border with one share
// it in the plane too.
func CoverOf(m geom.MultiPolygon) *geom.Cover {
	out := slices.Clone(m)
	for i, p := range m {
		for k, r := range p {
			if d := divided(r); len(d) > len(r) {
				if &out[i][0] == &p[0] {
					out[i] = slices.Clone(p)
				}
				out[i][k] = d
			}
		}
	}
	return geom.NewCover(out, crs.EqualArea)
}

// divided is a ring with vertices along its long edges; the ring itself where it has none.
func divided(r geom.Ring) geom.Ring {
	steps := func(a, b geom.Point) (n, dx, dy int64) {
		dx, dy = int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y)
		return max(1, (max(dx, -dx, dy, -dy)+longEdge-1)/longEdge), dx, dy
	}
	long := false
	for i, a := range r {
		n, _, _ := steps(a, r[(i+1)%len(r)])
		long = long || n > 1
	}
	if !long {
		return r
	}
	var out geom.Ring
	for i, a := range r {
		n, dx, dy := steps(a, r[(i+1)%len(r)])
		for k := range n {
			out = append(out, geom.Point{X: between(a.X, dx, k, n), Y: between(a.Y, dy, k, n)})
		}
	}
	return out
}

// between is the coordinate of the grid nearest to the k-th of n parts of the way from v, d long: the same from either end.
func between(v int32, d, k, n int64) int32 {
	part := int64(v)*n + d*k
	return int32(math.Floor(float64(2*part+n) / float64(2*n)))
}

// of is what a shape shares with the place; ok is false where that is no area.
func (p *place) of(s *overlays.Shape) (in rowschema.Overlap, ok bool, err error) {
	if !s.Box.Intersects(p.box) {
		return in, false, nil
	}
	c := CoverOf(s.Geometry)
	sqm, lasted := c.CommonWithin(p.cover, &p.work)
	if !lasted {
		return in, false, fault.New(fault.TooLarge,
			"the place shares too long borders with what lies over it: expected a smaller place, or a simpler area")
	}
	whole, own := p.cover.Area(), c.Area()
	sqm = min(sqm, whole, own)
	in = rowschema.Overlap{Asked: true, Sqm: rounded(sqm), PlacePct: share(sqm, whole), SelfPct: share(sqm, own)}
	return in, in.Sqm >= leastShared || sqm > 0 && sqm >= leastPart*min(whole, own), nil
}

// share is a part in percent of a whole.
func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return rounded(100 * part / whole)
}
