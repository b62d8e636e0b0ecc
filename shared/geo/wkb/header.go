package wkb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// XY is a position in the layer's system: east, north.
type XY [2]float64

// Box is a rectangle in the layer's system, both edges included.
type Box struct{ MinX, MinY, MaxX, MaxY float64 }

// Shape is what a geometry draws: polygons, points, or, where they are asked for, lines. Rings are without the repeated closing vertex,
// exteriors first; their winding is as the file has it. None of them is an empty geometry.
type Shape struct {
	Polygons [][][]XY
	Parts    []int // where in Polygons those of each geometry of a collection begin
	Points   []XY
	Lines    [][]XY
}

// Decode reads areas and points as a GeoPackage stores them. Height and measure are passed over. Lines and curves are
// refused by name.
func Decode(b []byte) (Shape, error) { return decode(b, false) }

// DecodeLines is Decode that reads lines too.
func DecodeLines(b []byte) (Shape, error) { return decode(b, true) }

func decode(b []byte, lines bool) (Shape, error) {
	body, _, empty, err := header(b)
	if err != nil || empty {
		return Shape{}, err
	}
	r := reader{b: body, lines: lines}
	var s Shape
	if err := r.geometry(&s, 0); err != nil {
		return Shape{}, err
	}
	return s, nil
}

// Bounds is the box of a geometry, from its header where it states one; false for an empty geometry.
func Bounds(b []byte) (Box, bool, error) {
	_, box, empty, err := header(b)
	if err != nil || empty {
		return Box{}, false, err
	}
	if box != nil {
		return *box, true, nil
	}
	s, err := Decode(b)
	if err != nil {
		return Box{}, false, err
	}
	out := Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	add := func(p XY) {
		out.MinX, out.MaxX = min(out.MinX, p[0]), max(out.MaxX, p[0])
		out.MinY, out.MaxY = min(out.MinY, p[1]), max(out.MaxY, p[1])
	}
	for _, p := range s.Points {
		add(p)
	}
	for _, p := range s.Polygons {
		for _, r := range p {
			for _, v := range r {
				add(v)
			}
		}
	}
	return out, out.MinX <= out.MaxX && out.MinY <= out.MaxY, nil
}

// header reads what stands before the well-known binary; box is nil when no usable one is stated.
func header(b []byte) (body []byte, box *Box, empty bool, err error) {
	if len(b) < 8 || b[0] != 'G' || b[1] != 'P' {
		return nil, nil, false, errors.New("a GeoPackage geometry begins with GP and a header of 8 bytes")
	}
	if b[2] != 0 {
		return nil, nil, false, fmt.Errorf("GeoPackage geometry of version %d: expected 0", b[2])
	}
	flags := b[3]
	if flags&0x20 != 0 {
		return nil, nil, false, errors.New("an extended GeoPackage geometry, which only the program that wrote it can read")
	}
	kind := flags >> 1 & 7
	if kind > 4 {
		return nil, nil, false, fmt.Errorf("envelope of kind %d: expected 0 to 4", kind)
	}
	n := 8 + [...]int{0, 32, 48, 48, 64}[kind]
	if len(b) < n {
		return nil, nil, false, errShort
	}
	if kind > 0 {
		var order binary.ByteOrder = binary.BigEndian
		if flags&1 != 0 {
			order = binary.LittleEndian
		}
		v := func(i int) float64 { return math.Float64frombits(order.Uint64(b[8+8*i:])) }
		if e := (Box{MinX: v(0), MaxX: v(1), MinY: v(2), MaxY: v(3)}); e.MinX <= e.MaxX && e.MinY <= e.MaxY {
			box = &e // NaN, which an empty geometry has, is no box
		}
	}
	return b[n:], box, flags&0x10 != 0, nil
}
