package format

import (
	"bytes"
	"slices"

	"mappe/shared/geo/geom"
)

func appendGeoJSON(b []byte, g Geometry, p Projection, t *template) []byte {
	switch g.Shape {
	case ShapePoint:
		b = append(b, `{"type":"Point","coordinates":`...)
		b = appendPosition(b, g.Point, p)
		return append(b, '}')
	case ShapeMultiPolygon:
		if len(g.Polygons) == 1 && !g.Multi {
			b = append(b, `{"type":"Polygon","coordinates":`...)
			b = appendRings(b, g.Polygons[0], p, t)
			return append(b, '}')
		}
		b = append(b, `{"type":"MultiPolygon","coordinates":[`...)
		for i, poly := range g.Polygons {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendRings(b, poly, p, t)
		}
		return append(b, "]}"...)
	case ShapeMultiLine:
		b = append(b, `{"type":"MultiLineString","coordinates":[`...)
		for i, line := range g.Lines {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, '[')
			for k, q := range line {
				if k > 0 {
					b = append(b, ',')
				}
				b = appendPosition(b, q, p)
			}
			b = append(b, ']')
		}
		return append(b, "]}"...)
	}
	return append(b, "null"...)
}

func appendRings(b []byte, poly geom.Polygon, p Projection, t *template) []byte {
	b = append(b, '[')
	for i, ring := range poly {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		start := len(b) // of the first position, which the ring ends with too
		if p.Forward == nil {
			b = appendRing(slices.Grow(b, (len(ring)+1)*positionSize), ring, t)
		} else {
			for _, q := range ring {
				b = append(appendPosition(b, q, p), ',')
			}
		}
		if len(ring) > 0 {
			size := bytes.IndexByte(b[start:], ']') + 1
			b = append(b, b[start:start+size]...)
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

// appendRing writes the positions of a ring in degrees, each with a comma behind it.
func appendRing(b []byte, ring geom.Ring, t *template) []byte {
	n := len(b)
	for len(ring) > 0 {
		k := t.put(b[n:cap(b)], ring)
		n += k * positionSize
		if ring = ring[k:]; len(ring) > 0 && !t.take(ring[0]) {
			b = append(appendPosition(b[:n], ring[0], Projection{}), ',')
			n, ring = len(b), ring[1:]
			b = slices.Grow(b, len(ring)*positionSize+positionSize) // the room that was made was for shorter texts
		}
	}
	return b[:n]
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
	b = appendFixed(b, x, p.decimals())
	b = append(b, sep)
	return appendFixed(b, y, p.decimals())
}
