// Package geometry reads the geometries that clients draw, as GeoJSON of any type, and makes them fit for the exact
// tests of shared/geo/region, or says what is wrong with them and where. The families that search by a geometry call
// it.
package geometry

import (
	"cmp"
	"errors"
	"fmt"

	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// Expected is what is said to a client whose geometry is invalid.
const Expected = "a GeoJSON geometry of any type, or a Feature with one"

// MaxVertices bounds the vertices of all geometries of a request.
const MaxVertices = 100_000

// Shape is an area that a client drew, fit for exact tests: polygons, lines and points.
type Shape struct {
	Polygons geom.MultiPolygon
	Paths    [][]geom.Point // of one position: points
	Warnings []string       // what was repaired or read otherwise than it was drawn, and where
	Repaired bool           // a polygon was not valid
}

// Area prepares the shape, grown by metres.
func (s Shape) Area(metres float64) *region.Area {
	return region.WithLines(s.Polygons, s.Paths, metres)
}

// Empty says that nothing was read.
func (s Shape) Empty() bool { return len(s.Polygons)+len(s.Paths) == 0 }

// Foreign turns a reader's error into a fault; where names the parameter for errors about the text as a
// whole.
func Foreign(err error, where string) error {
	var e *jsonin.Error
	if !errors.As(err, &e) {
		return err
	}
	return e.Fault(cmp.Or(e.Member, where))
}

// Read reads one geometry; where names it in errors about the text as a whole.
func Read(text []byte, where string) (Shape, error) {
	r := jsonin.New(text)
	g, err := r.ReadGeometry("", &jsonin.Budget{Left: MaxVertices, Max: MaxVertices})
	if err == nil {
		err = r.End()
	}
	if err != nil {
		return Shape{}, Foreign(err, where)
	}
	return new(Repairs).Tidy(g, where)
}

// Tidy makes a foreign geometry fit for exact tests, or says what is wrong with it and where. Polygons that cross or lie over each
// other are rebuilt by the even-odd rule; the geometries of a collection are united.
func (a *Repairs) Tidy(g *jsonin.Geometry, member string) (Shape, error) {
	s := Shape{Polygons: g.Polygons, Paths: g.Paths}
	if s.Empty() {
		return s, fault.BadValue(member, "geometry null", Expected)
	}
	if at, is := allSwapped(s); is {
		return s, fault.BadValue(member, fmt.Sprintf("first position [%g, %g]", at.Lon(), at.Lat()),
			"positions as [lon, lat]: the axes look swapped")
	}
	if len(s.Polygons) == 0 {
		return s, nil
	}
	t, ok := region.Tidy(s.Polygons)
	if !ok {
		return s, withoutArea(member)
	}
	c, err := region.Check(t)
	if err != nil {
		return s, tooComplex(member, t, err)
	}
	s.Polygons = t
	if c == nil && len(t) == 1 { // of several, one may lie over another
		return s, nil
	}
	r, err := a.Repair(t, g.Parts, member)
	if err != nil {
		return s, tooComplex(member, t, err)
	}
	if len(r.Polygons) == 0 {
		return s, withoutArea(member)
	}
	s.Polygons, s.Warnings, s.Repaired = r.Polygons, r.Warnings, len(r.Warnings) > 0
	return s, nil
}

func withoutArea(member string) error {
	return fault.BadValue(member, "a ring without area", "rings that enclose an area on the grid of 1e-7 degrees")
}

func tooComplex(member string, m geom.MultiPolygon, err error) error {
	return fault.BadValue(member, fmt.Sprintf("%d vertices", m.Vertices()), "a simpler polygon: "+err.Error())
}

// allSwapped says whether every vertex lies in Austria with its axes exchanged and none without; first is one.
func allSwapped(s Shape) (first geom.Point, is bool) {
	b := s.Polygons.Bounds()
	if len(s.Polygons) > 0 {
		first = s.Polygons[0][0][0]
	} else {
		first = s.Paths[0][0]
	}
	for _, p := range s.Paths {
		b = b.Union(geom.Ring(p).Bounds())
	}
	return first, austria.Swapped(geom.Point{X: b.MinX}.Lon(), geom.Point{Y: b.MinY}.Lat()) && austria.Swapped(geom.Point{X: b.MaxX}.Lon(),
		geom.Point{Y: b.MaxY}.Lat())
}
