package format

import "mappe/shared/geo/geom"

func appendGeoJSON(b []byte, g Geometry, p Projection) []byte {
	switch g.Shape {
	case ShapePoint:
		b = append(b, `{"type":"Point","coordinates":`...)
		b = appendPosition(b, g.Point, p)
		return append(b, '}')
	case ShapeMultiPolygon:
		if len(g.Polygons) == 1 {
			b = append(b, `{"type":"Polygon","coordinates":`...)
			b = appendRings(b, g.Polygons[0], p)
			return append(b, '}')
		}
		b = append(b, `{"type":"MultiPolygon","coordinates":[`...)
		for i, poly := range g.Polygons {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendRings(b, poly, p)
		}
		return append(b, "]}"...)
	}
	return append(b, "null"...)
}

func appendRings(b []byte, poly geom.Polygon, p Projection) []byte {
	b = append(b, '[')
	for i, ring := range poly {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		for _, q := range ring {
			b = appendPosition(b, q, p)
			b = append(b, ',')
		}
		if len(ring) > 0 {
			b = appendPosition(b, ring[0], p)
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

// metreDecimals: projected coordinates are written in millimetres.
const metreDecimals = 3

func appendPosition(b []byte, q geom.Point, p Projection) []byte {
	b = append(b, '[')
	b = appendXY(b, q, p, ',')
	return append(b, ']')
}

func appendXY(b []byte, q geom.Point, p Projection, sep byte) []byte {
	if p.Forward == nil {
		b = appendE7(b, q.X)
		b = append(b, sep)
		return appendE7(b, q.Y)
	}
	x, y := p.Forward(q.Lon(), q.Lat())
	b = appendFixed(b, x, metreDecimals)
	b = append(b, sep)
	return appendFixed(b, y, metreDecimals)
}
