package overlays

import (
	"encoding/binary"
	"fmt"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/internal/outline"
	"mappe/shared/geo/geom"
)

func encode(name string, rows int, put func(*column.Writer)) ([]byte, error) {
	return column.EncodeAlone("overlays", name, rows, put)
}

// decode reads the columns of a section of any bytes.
func decode(name string, b []byte, read func(r *column.Reader, rows int)) error {
	return column.DecodeAlone("overlays", name, b, read)
}

func ints[T any](w *column.Writer, rows []T, of func(*T) uint64) {
	v := make([]uint64, len(rows))
	for i := range rows {
		v[i] = of(&rows[i])
	}
	w.Ints(v)
}

func readTexts[T any](r *column.Reader, rows []T, to func(*T) *string) {
	r.EachText(len(rows), func(i int, s string) { *to(&rows[i]) = s })
}

func readInts[T any](r *column.Reader, rows []T, set func(*T, uint64)) {
	for i, v := range column.Ints[uint64](r, len(rows)) {
		set(&rows[i], v)
	}
}

// perUnit are the steps of areas in ha and km²: 1 m².
const (
	perHa  = 10_000
	perKm2 = 1_000_000
)

func quantise(w *column.Writer, v float64, per int) uint64 {
	q, err := column.Steps(v, per)
	if err != nil {
		w.Fail("area %g: %v", v, err)
	}
	return q
}

func boxes[T any](w *column.Writer, rows []T, of func(*T) geom.Box) {
	for _, side := range []func(geom.Box) int32{
		func(b geom.Box) int32 { return b.MinX }, func(b geom.Box) int32 { return b.MinY },
		func(b geom.Box) int32 { return b.MaxX }, func(b geom.Box) int32 { return b.MaxY },
	} {
		ints(w, rows, func(t *T) uint64 { return uint64(uint32(side(of(t)))) })
	}
}

func readBoxes[T any](r *column.Reader, rows []T, to func(*T) *geom.Box) {
	for _, side := range []func(*geom.Box) *int32{
		func(b *geom.Box) *int32 { return &b.MinX }, func(b *geom.Box) *int32 { return &b.MinY },
		func(b *geom.Box) *int32 { return &b.MaxX }, func(b *geom.Box) *int32 { return &b.MaxY },
	} {
		for i, v := range column.Ints[uint32](r, len(rows)) {
			*side(to(&rows[i])) = int32(v)
		}
	}
}

// shapeHead is the length of the box before the rings of a shape.
const shapeHead = 16

func encodeShape(m geom.MultiPolygon) []byte {
	box := m.Bounds()
	b := make([]byte, 0, shapeHead+8*m.Vertices())
	for _, v := range [4]int32{box.MinX, box.MinY, box.MaxX, box.MaxY} {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return outline.Append(b, m, box)
}

// DecodeShape reads a shape of any bytes, and says what it takes in memory.
func DecodeShape(b []byte) (*Shape, int64, error) {
	if len(b) < shapeHead {
		return nil, 0, fmt.Errorf("overlays: a shape of %d bytes: expected %d at least", len(b), shapeHead)
	}
	var v [4]int32
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	box := geom.Box{MinX: v[0], MinY: v[1], MaxX: v[2], MaxY: v[3]}
	m := outline.Parse(b[shapeHead:], box)
	if m == nil {
		return nil, 0, fmt.Errorf("overlays: a shape of %d bytes holds no polygon", len(b))
	}
	for _, r := range m.Rings() {
		if len(r) < 3 {
			return nil, 0, fmt.Errorf("overlays: a ring of %d vertices: expected 3 at least", len(r))
		}
	}
	s := NewShape(m)
	if s.Box != box {
		return nil, 0, fmt.Errorf("overlays: a shape lies in %v, its head says %v", s.Box, box)
	}
	return s, shapeCost(m), nil
}

// shapeCost is what a shape takes in memory.
func shapeCost(m geom.MultiPolygon) int64 {
	const perVertex = 8 + 20 + 8 // vertex, edge, share of the index
	return int64(m.Vertices())*perVertex + 256
}
