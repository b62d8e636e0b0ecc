// Package wkb reads well-known binary (OGC 06-103r4, 8) as GeoPackages hold it, with limits: every length is checked against
// the bytes that are left before room is made for it. It knows no file and no system.
//
//	geometry   "GP" · version 0 · flags · srs id int32 · envelope (0, 4, 6 or 8 float64) · well-known binary
//	flags      bit 0 little-endian · bits 1-3 envelope (0 none, 1 xy, 2 xyz, 3 xym, 4 xyzm) · bit 4 empty · bit 5 extended
package wkb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

var errShort = errors.New("the geometry ends too early")

// maxDepth bounds geometries within geometries: a collection of multipolygons of polygons has three levels.
const maxDepth = 4

// reader reads well-known binary: the types of the standard with and without height and measure (1000, 2000
// and 3000 more), and the flags that PostGIS sets instead.
type reader struct {
	b     []byte
	order binary.ByteOrder
	dims  int  // numbers of a position, 2 to 4
	lines bool // are read too

	within bool // polygons of a multipolygon are read
}

// Types of well-known binary.
const (
	typePoint        = 1
	typeLine         = 2
	typePolygon      = 3
	typeMultiPoint   = 4
	typeMultiLine    = 5
	typeMultiPolygon = 6
	typeCollection   = 7
)

// others names the types that are no areas or points.
var others = map[uint32]string{
	2: "a line", 5: "lines", 8: "a curve", 9: "a curve", 10: "an area with curved borders", 11: "curves",
	12: "areas with curved borders", 13: "a curve", 14: "a surface", 15: "surfaces", 16: "surfaces", 17: "a triangle",
}

func (r *reader) u32() (uint32, error) {
	if len(r.b) < 4 {
		return 0, errShort
	}
	v := r.order.Uint32(r.b)
	r.b = r.b[4:]
	return v, nil
}

// head reads byte order, type and dimensions.
func (r *reader) head() (uint32, error) {
	if len(r.b) < 5 {
		return 0, errShort
	}
	switch r.b[0] {
	case 0:
		r.order = binary.BigEndian
	case 1:
		r.order = binary.LittleEndian
	default:
		return 0, fmt.Errorf("byte order %d: expected 0 or 1", r.b[0])
	}
	r.b = r.b[1:]
	t, err := r.u32()
	if err != nil {
		return 0, err
	}
	r.dims = 2
	for _, flag := range [...]uint32{1 << 31, 1 << 30} {
		if t&flag != 0 {
			t &^= flag
			r.dims++
		}
	}
	if t&(1<<29) != 0 { // a system's number follows
		t &^= 1 << 29
		if _, err := r.u32(); err != nil {
			return 0, err
		}
	}
	switch t / 1000 {
	case 0:
	case 1, 2:
		r.dims = 3
	case 3:
		r.dims = 4
	default:
		return 0, fmt.Errorf("geometry type %d is not known", t)
	}
	return t % 1000, nil
}

func (r *reader) geometry(s *Shape, depth int) error {
	if depth >= maxDepth {
		return fmt.Errorf("geometries within geometries: at most %d levels are read", maxDepth)
	}
	t, err := r.head()
	if err != nil {
		return err
	}
	switch {
	case r.lines && t == typeLine:
		line, err := r.positions()
		if err == nil && len(line) > 0 {
			s.Lines = append(s.Lines, line)
		}
		return err
	case r.lines && t == typeMultiLine:
		return r.parts(s, depth)
	}
	switch t {
	case typePoint:
		p, err := r.position()
		if err == nil && !math.IsNaN(p[0]) && !math.IsNaN(p[1]) { // an empty point is NaN
			s.Points = append(s.Points, p)
		}
		return err
	case typePolygon:
		if !r.within {
			s.Parts = append(s.Parts, len(s.Polygons))
		}
		return r.polygon(s)
	case typeMultiPolygon:
		s.Parts = append(s.Parts, len(s.Polygons))
		r.within = true // its polygons are one geometry
		defer func() { r.within = false }()
		return r.parts(s, depth)
	case typeMultiPoint, typeCollection:
		return r.parts(s, depth)
	}
	if name, ok := others[t]; ok {
		return fmt.Errorf("%s (type %d) where an area or a point must stand; ogr2ogr -nlt CONVERT_TO_LINEAR makes areas of curved ones",
			name, t)
	}
	return fmt.Errorf("geometry type %d is not known", t)
}

// parts reads the geometries of a geometry.
func (r *reader) parts(s *Shape, depth int) error {
	n, err := r.count(5)
	for ; n > 0 && err == nil; n-- {
		err = r.geometry(s, depth+1)
	}
	return err
}

// positions reads a list of positions.
func (r *reader) positions() ([]XY, error) {
	n, err := r.count(8 * r.dims)
	if err != nil {
		return nil, err
	}
	out := make([]XY, n)
	for i := range out {
		if out[i], err = r.position(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// count reads a number of things of which each takes at least size bytes.
func (r *reader) count(size int) (int, error) {
	n, err := r.u32()
	if err != nil {
		return 0, err
	}
	if uint64(n)*uint64(size) > uint64(len(r.b)) {
		return 0, fmt.Errorf("%d parts or vertices announced, %d bytes left", n, len(r.b))
	}
	return int(n), nil
}

func (r *reader) polygon(s *Shape) error {
	n, err := r.count(4)
	if err != nil {
		return err
	}
	rings := make([][]XY, 0, n)
	for ; n > 0; n-- {
		ring, err := r.positions()
		if err != nil {
			return err
		}
		if m := len(ring); m > 1 && ring[0] == ring[m-1] {
			ring = ring[:m-1]
		}
		if len(ring) == 0 && len(rings) == 0 {
			continue // an exterior without vertices
		}
		rings = append(rings, ring)
	}
	if len(rings) > 0 {
		s.Polygons = append(s.Polygons, rings)
	}
	return nil
}

func (r *reader) position() (p XY, err error) {
	if len(r.b) < 8*r.dims {
		return p, errShort
	}
	p[0], p[1] = math.Float64frombits(r.order.Uint64(r.b)), math.Float64frombits(r.order.Uint64(r.b[8:]))
	r.b = r.b[8*r.dims:]
	return p, nil
}
