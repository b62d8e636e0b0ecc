package format

import "mappe/shared/geo/geom"

// AppendWKT writes a geometry as well-known text; no geometry writes nothing.
func AppendWKT(b []byte, g Geometry, p Projection) []byte {
	switch g.Shape {
	case ShapePoint:
		b = append(b, "POINT ("...)
		b = appendXY(b, g.Point, p, ' ')
		return append(b, ')')
	case ShapeMultiPolygon:
		if len(g.Polygons) == 1 && !g.Multi {
			return appendWKTRings(append(b, "POLYGON "...), g.Polygons[0], p)
		}
		b = append(b, "MULTIPOLYGON ("...)
		for i, poly := range g.Polygons {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendWKTRings(b, poly, p)
		}
		return append(b, ')')
	}
	return b
}

func appendWKTRings(b []byte, poly geom.Polygon, p Projection) []byte {
	b = append(b, '(')
	for i, ring := range poly {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '(')
		for _, q := range ring {
			b = appendXY(b, q, p, ' ')
			b = append(b, ',')
		}
		if len(ring) > 0 {
			b = appendXY(b, ring[0], p, ' ')
		}
		b = append(b, ')')
	}
	return append(b, ')')
}
