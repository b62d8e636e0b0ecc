package register

import (
	"encoding/binary"

	"mappe/artefacts/internal/column"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// maxOutlines bounds the bytes of all outlines of one section.
const maxOutlines = 64 << 20

func putOutlines(w *column.Writer, n int, at func(int) geom.MultiPolygon) {
	var lens, boxes []uint64
	var packed []byte
	for i := range n {
		m := at(i)
		start := len(packed)
		box := m.Bounds()
		packed = pack(packed, m, box)
		lens = append(lens, uint64(len(packed)-start))
		for _, v := range [4]int32{box.MinX, box.MinY, box.MaxX, box.MaxY} {
			boxes = append(boxes, uint64(uint32(v)))
		}
	}
	w.Count(len(packed))
	w.Ints(lens)
	w.Ints(boxes)
	w.Plain(packed)
}

func pack(b []byte, m geom.MultiPolygon, box geom.Box) []byte {
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

// unpack is the inverse of pack; b comes from a checked file, but what does not decode is nil. Every
// number asks for at least one byte, so nothing is allocated beyond what b can hold.
func unpack(b []byte, box geom.Box) geom.MultiPolygon {
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

// Simplify is a valid outline with fewer vertices, whose border lies within a tolerance in metres of the
// given one. Lines that cross when vertices are left out are read by the even-odd rule; where that is too
// much work, the outline comes back as it is.
func Simplify(m geom.MultiPolygon, tolerance float64) geom.MultiPolygon {
	if len(m) == 0 {
		return nil
	}
	plane := crs.Around(m.Bounds().Center())
	s := m.Simplify(tolerance, plane.Project)
	if s.Validate() == nil {
		return s
	}
	valid, err := geom.Rebuild(s.Rings())
	if err != nil || len(valid) == 0 {
		return m
	}
	return valid
}
