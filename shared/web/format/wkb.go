package format

import (
	"encoding/binary"
	"math"

	"mappe/shared/geo/geom"
)

// The geometry types of well-known binary.
const (
	wkbPoint        = 1
	wkbLine         = 2
	wkbPolygon      = 3
	wkbMultiLine    = 5
	wkbMultiPolygon = 6
)

// AppendWKB writes a geometry as little-endian well-known binary: Point or, for any number of parts,
// MultiPolygon or MultiLineString. No geometry writes nothing.
func AppendWKB(b []byte, g Geometry, p Projection) []byte {
	switch g.Shape {
	case ShapePoint:
		b = append(b, 1)
		b = binary.LittleEndian.AppendUint32(b, wkbPoint)
		return appendXYBinary(b, g.Point, p)
	case ShapeMultiPolygon:
		b = append(b, 1)
		b = binary.LittleEndian.AppendUint32(b, wkbMultiPolygon)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(g.Polygons)))
		for _, poly := range g.Polygons {
			b = append(b, 1)
			b = binary.LittleEndian.AppendUint32(b, wkbPolygon)
			b = binary.LittleEndian.AppendUint32(b, uint32(len(poly)))
			for _, ring := range poly {
				n := len(ring)
				if n > 0 {
					n++
				}
				b = binary.LittleEndian.AppendUint32(b, uint32(n))
				for _, q := range ring {
					b = appendXYBinary(b, q, p)
				}
				if len(ring) > 0 {
					b = appendXYBinary(b, ring[0], p)
				}
			}
		}
		return b
	case ShapeMultiLine:
		b = append(b, 1)
		b = binary.LittleEndian.AppendUint32(b, wkbMultiLine)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(g.Lines)))
		for _, line := range g.Lines {
			b = append(b, 1)
			b = binary.LittleEndian.AppendUint32(b, wkbLine)
			b = binary.LittleEndian.AppendUint32(b, uint32(len(line)))
			for _, q := range line {
				b = appendXYBinary(b, q, p)
			}
		}
	}
	return b
}

func appendXYBinary(b []byte, q geom.Point, p Projection) []byte {
	x, y := p.xy(q)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(y))
}

// xy is a position in the output system; projected coordinates are rounded to millimetres, as text
// forms write them.
func (p Projection) xy(q geom.Point) (x, y float64) {
	if p.Forward == nil {
		return q.Lon(), q.Lat()
	}
	x, y = p.Forward(q.Lon(), q.Lat())
	return math.Round(x*1000) / 1000, math.Round(y*1000) / 1000
}

// Envelope is the bounding box of a geometry in the output system: min x, min y, max x, max y. It is
// false for no geometry.
func (p Projection) Envelope(g Geometry) (e [4]float64, ok bool) {
	e = [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	extend := func(q geom.Point) {
		x, y := p.xy(q)
		e = [4]float64{min(e[0], x), min(e[1], y), max(e[2], x), max(e[3], y)}
	}
	switch g.Shape {
	case ShapePoint:
		extend(g.Point)
	case ShapeMultiPolygon:
		for _, poly := range g.Polygons {
			if len(poly) == 0 {
				continue
			}
			for _, q := range poly[0] {
				extend(q)
			}
		}
	case ShapeMultiLine:
		for _, line := range g.Lines {
			for _, q := range line {
				extend(q)
			}
		}
	}
	return e, e[0] <= e[2]
}
