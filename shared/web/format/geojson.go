package format

import (
	"slices"

	"mappe/shared/geo/geom"
)

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
		b = slices.Grow(b, (len(ring)+1)*positionSize)
		start, size := len(b), 0 // of the first position, which the ring ends with too
		for k, q := range ring {
			if k == 1 {
				size = len(b) - 1 - start
			}
			if p.Forward == nil && twoDigits(q.X) && twoDigits(q.Y) {
				n := len(b)
				b = slices.Grow(b, positionSize)[:n+positionSize]
				d := (*[positionSize]byte)(b[n:])
				putE7((*[10]byte)(d[1:]), uint32(q.X))
				putE7((*[10]byte)(d[12:]), uint32(q.Y))
				d[0], d[11], d[22], d[23] = '[', ',', ']', ','
				continue
			}
			b = append(appendPosition(b, q, p), ',')
		}
		switch {
		case size > 0:
			b = append(b, b[start:start+size]...)
		case len(ring) > 0:
			b = appendPosition(b, ring[0], p)
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

// positionSize is the length of two coordinates of two digits each, and the comma to the next:
// [00.0000000,00.0000000],
const positionSize = 24

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
