package spatial

import (
	"cmp"
	"errors"
	"fmt"

	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

const geometryExpected = "a GeoJSON Polygon or MultiPolygon, or a Feature with one"

// foreign turns a reader's error into a fault; where names the parameter for errors about the text as a
// whole.
func foreign(err error, where string) error {
	var e *jsonin.Error
	if !errors.As(err, &e) {
		return err
	}
	return e.Fault(cmp.Or(e.Member, where))
}

// parsePolygon reads the geojson= parameter.
func parsePolygon(text string) (geom.MultiPolygon, error) {
	r := jsonin.New([]byte(text))
	g, err := r.ReadGeometry("geojson", &jsonin.Budget{Left: maxVertices, Max: maxVertices})
	if err == nil {
		err = r.End()
	}
	if err != nil {
		return nil, foreign(err, "geojson")
	}
	return tidy(g.Polygons, "geojson")
}

// tidy makes foreign polygons fit for exact tests, or says what is wrong with them and where.
func tidy(m geom.MultiPolygon, member string) (geom.MultiPolygon, error) {
	if at := m[0][0][0]; allSwapped(m) {
		return nil, fault.BadValue(member, fmt.Sprintf("first position [%g, %g]", at.Lon(), at.Lat()), "positions as [lon, lat]: the axes look swapped")
	}
	t, ok := region.Tidy(m)
	if !ok {
		return nil, fault.BadValue(member, "a ring without area", "rings that enclose an area on the grid of 1e-7 degrees")
	}
	c, err := region.Check(t)
	if err != nil {
		return nil, fault.BadValue(member, fmt.Sprintf("%d vertices", t.Vertices()), "a simpler polygon: "+err.Error())
	}
	if c != nil {
		return nil, fault.BadValue(member, fmt.Sprintf("rings cross or overlap at lon %.7f, lat %.7f", c.Lon, c.Lat), "rings that neither cross nor share a stretch of border, with holes inside their exterior")
	}
	return t, nil
}

// allSwapped says whether every vertex lies in Austria with its axes exchanged and none without.
func allSwapped(m geom.MultiPolygon) bool {
	b := m.Bounds()
	return swapped(geom.Point{X: b.MinX}.Lon(), geom.Point{Y: b.MinY}.Lat()) && swapped(geom.Point{X: b.MaxX}.Lon(), geom.Point{Y: b.MaxY}.Lat())
}
