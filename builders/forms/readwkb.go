package forms

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"mappe/shared/geo/geom"
)

var errShort = errors.New("well-known binary ends too early")

// wkbReader reads little-endian well-known binary into geometries on the grid. Its rings are cut from
// one buffer and live until the next call.
type wkbReader struct {
	b        []byte
	vertices []geom.Point
}

// The geometry types of well-known binary that the forms use.
const (
	wkbPoint        = 1
	wkbPolygon      = 3
	wkbMultiPolygon = 6
)

func (r *wkbReader) u32() (uint32, error) {
	if len(r.b) < 4 {
		return 0, errShort
	}
	v := binary.LittleEndian.Uint32(r.b)
	r.b = r.b[4:]
	return v, nil
}

func (r *wkbReader) head(want uint32) error {
	if len(r.b) < 5 || r.b[0] != 1 {
		return errors.New("well-known binary is not little-endian")
	}
	if got := binary.LittleEndian.Uint32(r.b[1:]); got != want {
		return fmt.Errorf("well-known binary has type %d, want %d", got, want)
	}
	r.b = r.b[5:]
	return nil
}

func (r *wkbReader) point() (geom.Point, error) {
	if len(r.b) < 16 {
		return geom.Point{}, errShort
	}
	x, y := math.Float64frombits(binary.LittleEndian.Uint64(r.b)), math.Float64frombits(binary.LittleEndian.Uint64(r.b[8:]))
	r.b = r.b[16:]
	return geom.Point{X: e7(x), Y: e7(y)}, nil
}

// readPoint reads a whole point.
func (r *wkbReader) readPoint(b []byte) (geom.Point, error) {
	r.b = b
	if err := r.head(wkbPoint); err != nil {
		return geom.Point{}, err
	}
	p, err := r.point()
	return p, errors.Join(err, r.end())
}

// readArea reads a whole multi-polygon. Rings lose their closing vertex, which must equal the first.
func (r *wkbReader) readArea(b []byte) (geom.MultiPolygon, error) {
	r.b, r.vertices = b, r.vertices[:0]
	if need := len(b) / 16; cap(r.vertices) < need {
		r.vertices = make([]geom.Point, 0, 2*need) // rings point into it, so it must not move
	}
	if err := r.head(wkbMultiPolygon); err != nil {
		return nil, err
	}
	parts, err := r.u32()
	if err != nil || uint64(parts) > uint64(len(b)) {
		return nil, errShort
	}
	m := make(geom.MultiPolygon, parts)
	for i := range m {
		if m[i], err = r.polygon(); err != nil {
			return nil, err
		}
	}
	return m, r.end()
}

func (r *wkbReader) polygon() (geom.Polygon, error) {
	if err := r.head(wkbPolygon); err != nil {
		return nil, err
	}
	rings, err := r.u32()
	if err != nil || uint64(rings) > uint64(len(r.b)) {
		return nil, errShort
	}
	p := make(geom.Polygon, rings)
	for i := range p {
		n, err := r.u32()
		if err != nil || uint64(n) > uint64(len(r.b)/16) {
			return nil, errShort
		}
		at := len(r.vertices)
		for range n {
			q, err := r.point()
			if err != nil {
				return nil, err
			}
			r.vertices = append(r.vertices, q)
		}
		if n < 4 || r.vertices[at] != r.vertices[len(r.vertices)-1] {
			return nil, fmt.Errorf("a ring of %d vertices is not closed", n)
		}
		p[i] = r.vertices[at : len(r.vertices)-1]
	}
	return p, nil
}

func (r *wkbReader) end() error {
	if len(r.b) > 0 {
		return fmt.Errorf("%d bytes follow the geometry", len(r.b))
	}
	return nil
}
