package register

import (
	"mappe/artefacts/internal/column"
	"mappe/artefacts/internal/outline"
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
		packed = outline.Append(packed, m, box)
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
