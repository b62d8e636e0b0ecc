// Package outline is how multipolygons stand in the project's own artefacts: vertices as small differences. It owns
// the bytes; artefacts/register and artefacts/overlays say where they stand.
//
//	uvarint polygons · per polygon uvarint rings · per ring uvarint vertices, then per vertex zigzag uvarints of
//	the differences in longitude and latitude (1e-7 degree) from the vertex before, the first from the lower
//	corner of the box. No geometry is 0 polygons.
package outline

import (
	"encoding/binary"

	"mappe/artefacts/internal/column"
	"mappe/shared/geo/geom"
)

// Append appends a geometry whose bounding box its reader will know.
func Append(b []byte, m geom.MultiPolygon, box geom.Box) []byte {
	b = binary.AppendUvarint(b, uint64(len(m)))
	prev := geom.Point{X: box.MinX, Y: box.MinY}
	for _, p := range m {
		b = binary.AppendUvarint(b, uint64(len(p)))
		for _, r := range p {
			b = binary.AppendUvarint(b, uint64(len(r)))
			for _, v := range r {
				b = binary.AppendUvarint(b, column.Zig(int64(v.X)-int64(prev.X)))
				b = binary.AppendUvarint(b, column.Zig(int64(v.Y)-int64(prev.Y)))
				prev = v
			}
		}
	}
	return b
}

// Parse is the inverse of Append; b comes from a checked file, but what does not decode is nil. Every
// number asks for at least one byte, so nothing is allocated beyond what b can hold.
func Parse(b []byte, box geom.Box) geom.MultiPolygon {
	ok := true
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			ok = false
			return 0
		}
		b = b[n:]
		return v
	}
	count := func() int {
		v := next()
		if v > uint64(len(b)) {
			ok = false
			return 0
		}
		return int(v)
	}
	prev := geom.Point{X: box.MinX, Y: box.MinY}
	m := make(geom.MultiPolygon, count())
	for i := range m {
		m[i] = make(geom.Polygon, count())
		for j := range m[i] {
			r := make(geom.Ring, count())
			for k := range r {
				prev.X += int32(column.Unzig(next()))
				prev.Y += int32(column.Unzig(next()))
				r[k] = prev
			}
			m[i][j] = r
		}
		if !ok {
			return nil
		}
	}
	if !ok || len(m) == 0 {
		return nil
	}
	return m
}
