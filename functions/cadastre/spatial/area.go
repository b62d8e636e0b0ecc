package spatial

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

const geometryExpected = "a GeoJSON geometry of any type, or a Feature with one"

// shape is an area that a client drew, fit for exact tests: polygons, lines and points.
type shape struct {
	polygons geom.MultiPolygon
	paths    [][]geom.Point // of one position: points
}

// area prepares the shape, grown by metres.
func (s shape) area(metres float64) *region.Area {
	return region.WithLines(s.polygons, s.paths, metres)
}

func (s shape) empty() bool { return len(s.polygons)+len(s.paths) == 0 }

// foreign turns a reader's error into a fault; where names the parameter for errors about the text as a
// whole.
func foreign(err error, where string) error {
	var e *jsonin.Error
	if !errors.As(err, &e) {
		return err
	}
	return e.Fault(cmp.Or(e.Member, where))
}

// parseShape reads the geojson= parameter.
func parseShape(text string) (shape, error) { return readShape([]byte(text), "geojson") }

// readShape reads one geometry; where names it in errors about the text as a whole.
func readShape(text []byte, where string) (shape, error) {
	r := jsonin.New(text)
	g, err := r.ReadGeometry("", &jsonin.Budget{Left: maxVertices, Max: maxVertices})
	if err == nil {
		err = r.End()
	}
	if err != nil {
		return shape{}, foreign(err, where)
	}
	return tidy(g, where)
}

// tidy makes a foreign geometry fit for exact tests, or says what is wrong with it and where.
func tidy(g *jsonin.Geometry, member string) (shape, error) {
	s := shape{g.Polygons, g.Paths}
	if s.empty() {
		return s, fault.BadValue(member, "geometry null", geometryExpected)
	}
	if at, is := allSwapped(s); is {
		return s, fault.BadValue(member, fmt.Sprintf("first position [%g, %g]", at.Lon(), at.Lat()), "positions as [lon, lat]: the axes look swapped")
	}
	if len(s.polygons) == 0 {
		return s, nil
	}
	t, ok := region.Tidy(s.polygons)
	if !ok {
		return s, fault.BadValue(member, "a ring without area", "rings that enclose an area on the grid of 1e-7 degrees")
	}
	c, err := region.Check(t)
	if err != nil {
		return s, fault.BadValue(member, fmt.Sprintf("%d vertices", t.Vertices()), "a simpler polygon: "+err.Error())
	}
	if c != nil {
		return s, fault.BadValue(member, fmt.Sprintf("rings cross or overlap at lon %.7f, lat %.7f", c.Lon, c.Lat), "rings that neither cross nor share a stretch of border, with holes inside their exterior")
	}
	s.polygons = t
	return s, nil
}

// allSwapped says whether every vertex lies in Austria with its axes exchanged and none without; first is one.
func allSwapped(s shape) (first geom.Point, is bool) {
	b := s.polygons.Bounds()
	if len(s.polygons) > 0 {
		first = s.polygons[0][0][0]
	} else {
		first = s.paths[0][0]
	}
	for _, p := range s.paths {
		b = b.Union(geom.Ring(p).Bounds())
	}
	return first, austria.Swapped(geom.Point{X: b.MinX}.Lon(), geom.Point{Y: b.MinY}.Lat()) && austria.Swapped(geom.Point{X: b.MaxX}.Lon(), geom.Point{Y: b.MaxY}.Lat())
}
