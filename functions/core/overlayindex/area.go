package overlayindex

import (
	"context"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/overlays"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/spelling"
)

// AreasNamed are the protected areas with a text in their name, in the spelling that names are compared in. A text without a letter or
// digit names none.
func (o *Overlays) AreasNamed(ctx context.Context, name string) ([]int, error) {
	areas, err := o.Areas(ctx)
	if err != nil {
		return nil, err
	}
	key := spelling.Fold(name)
	var found []int
	for i := range areas {
		if key != "" && strings.Contains(spelling.Fold(areas[i].Name), key) {
			found = append(found, i)
		}
	}
	return found, nil
}

// Surroundings are areas with their borders, for points: whether one lies within, and how far outside.
// It belongs to one request.
type Surroundings struct {
	shapes []*overlays.Shape
	metres float64
	edges  []int32
}

// Around prepares protected areas and what lies within a distance of them.
func (o *Overlays) Around(ctx context.Context, areas []int, metres float64) (*Surroundings, error) {
	shapes, err := o.Shapes(ctx, overlays.AreaShapes, areas)
	return &Surroundings{shapes: shapes, metres: metres}, err
}

// Box is what a point near the areas lies in.
func (s *Surroundings) Box() geom.Box {
	b := geom.EmptyBox
	for _, shape := range s.shapes {
		b = b.Union(grown(shape.Box, s.metres))
	}
	return b
}

// Near says whether a box, as that of a KG's parcels, comes near the box of one of the areas.
func (s *Surroundings) Near(b geom.Box) bool {
	return slices.ContainsFunc(s.shapes, func(shape *overlays.Shape) bool { return b.Intersects(grown(shape.Box, s.metres)) })
}

// Reaches says whether a KG without a snapshot may come near one of the areas: by its outline, as far as one is known.
func (s *Surroundings) Reaches(o *Overlays, code austria.KGCode) bool {
	g, known := o.view.Register().Ground(code)
	return !known || s.Near(g.Box())
}

// grown is a box with everything within a distance of it, in metres.
func grown(b geom.Box, metres float64) geom.Box {
	if metres <= 0 {
		return b
	}
	const slack = 1.01 // a degree of longitude is longest at the southern edge, which scale is not taken at
	at := crs.ScaleAt(b.Center())
	x, y := int32(min(metres/at.X*slack, 1e8))+1, int32(min(metres/at.Y*slack, 1e8))+1
	return geom.Box{MinX: b.MinX - x, MinY: b.MinY - y, MaxX: b.MaxX + x, MaxY: b.MaxY + y}
}

// Place is where a point lies against areas.
type Place struct {
	Within bool
	Near   bool    // outside all, at most the distance from one
	Metres float64 // to the nearest border, where Near
}

// Place is exact for Within; distances are geodesic within 1e-5.
func (s *Surroundings) Place(p geom.Point) (at Place) {
	best := math.Inf(1)
	ruler := crs.RulerAt(p)
	for _, shape := range s.shapes {
		if shape.Contains(p) {
			return Place{Within: true}
		}
		if s.metres <= 0 || ruler.ToBox(shape.Box) > s.metres {
			continue
		}
		around := grown(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, s.metres)
		s.edges, _ = shape.Index().Search(s.edges[:0], around)
		edges := shape.Index().Edges()
		for _, e := range s.edges {
			best = min(best, ruler.ToEdge2(edges[e].A, edges[e].B))
		}
	}
	if d := math.Sqrt(best); d <= s.metres {
		return Place{Near: true, Metres: d}
	}
	return Place{}
}
