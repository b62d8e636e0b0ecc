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
			return appendWKTRings(append(b, "POLYGON "...), g.Polygons[0], p, true)
		}
		b = append(b, "MULTIPOLYGON ("...)
		for i, poly := range g.Polygons {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendWKTRings(b, poly, p, true)
		}
		return append(b, ')')
	case ShapeMultiLine:
		return appendWKTRings(append(b, "MULTILINESTRING "...), g.Lines, p, false)
	}
	return b
}

// appendWKTRings writes rings, which end where they begin, or lines.
func appendWKTRings[R ~[]geom.Point](b []byte, poly []R, p Projection, closed bool) []byte {
	b = append(b, '(')
	for i, ring := range poly {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '(')
		for k, q := range ring {
			if k > 0 {
				b = append(b, ',')
			}
			b = appendXY(b, q, p, ' ')
		}
		if closed && len(ring) > 0 {
			b = append(b, ',')
			b = appendXY(b, ring[0], p, ' ')
		}
		b = append(b, ')')
	}
	return append(b, ')')
}
