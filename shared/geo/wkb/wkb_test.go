package wkb_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"

	"mappe/builders/source/geopackage/geopackagetest"
	"mappe/shared/geo/wkb"
)

func square(x, y, side float64) []wkb.XY {
	return []wkb.XY{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}
}

// geometry is well-known binary behind a header without envelope.
func geometry(typ uint32, parts ...any) []byte {
	var b bytes.Buffer
	b.WriteString("GP\x00\x01\x00\x00\x00\x00\x01")
	for _, p := range append([]any{typ}, parts...) {
		_ = binary.Write(&b, binary.LittleEndian, p) // a buffer takes all
	}
	return b.Bytes()
}

func TestGeometriesThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		bytes []byte
		want  string
	}{
		"nothing":         {nil, "begins with GP"},
		"version":         {[]byte("GP\x01\x01\x00\x00\x00\x00"), "version 1"},
		"extended":        {[]byte("GP\x00\x21\x00\x00\x00\x00"), "extended"},
		"envelope":        {[]byte("GP\x00\x0b\x00\x00\x00\x00"), "envelope of kind 5"},
		"envelope cut":    {[]byte("GP\x00\x03\x00\x00\x00\x00"), "too early"},
		"byte order":      {[]byte("GP\x00\x01\x00\x00\x00\x00\x07\x03\x00\x00\x00"), "byte order 7"},
		"type":            {geometry(99), "type 99 is not known"},
		"dimensions":      {geometry(4003), "type 4003"},
		"line":            {geometry(2, uint32(0)), "a line"},
		"circular string": {geometry(8, uint32(0)), "a curve"},
		"curve polygon":   {geometry(10, uint32(0)), "CONVERT_TO_LINEAR"},
		"multi surface":   {geometry(1012, uint32(0)), "curved"},
		"rings":           {geometry(3, uint32(math.MaxUint32)), "announced"},
		"vertices":        {geometry(3, uint32(1), uint32(1<<28)), "announced"},
		"parts":           {geometry(6, uint32(1<<30)), "announced"},
		"point cut":       {geometry(1, 1.0), "too early"},
		"nested": {geometry(7, uint32(1), uint8(1), uint32(7), uint32(1), uint8(1), uint32(7), uint32(1), uint8(1), uint32(7), uint32(1),
			uint8(1), uint32(7), uint32(0), uint32(0)), "levels"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := wkb.Decode(c.bytes); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want an error with %q, got %v", c.want, err)
			}
		})
	}
}

// Spellings of one triangle that are all read as it.
func TestGeometriesThatAreRead(t *testing.T) {
	ring := []wkb.XY{{0, 0}, {10, 0}, {0, 10}}
	two := []any{0.0, 0.0, 10.0, 0.0, 0.0, 10.0, 0.0, 0.0}
	four := []any{}
	for i := 0; i < len(two); i += 2 {
		four = append(four, two[i], two[i+1], 5.0, 6.0)
	}
	triangle := func(typ uint32, extra []any, vertices []any) []byte {
		return geometry(typ, append(append(extra, uint32(1), uint32(4)), vertices...)...)
	}
	for name, b := range map[string][]byte{
		"plain": triangle(3, nil, two), "height and measure": triangle(3003, nil, four),
		"as PostGIS flags them": triangle(0xE0000003, []any{uint32(31287)}, four),
	} {
		if s, err := wkb.Decode(b); err != nil || !reflect.DeepEqual(s.Polygons, [][][]wkb.XY{{ring}}) {
			t.Errorf("%s: %v %v", name, s, err)
		}
	}
	for name, b := range map[string][]byte{
		"empty flag": geopackagetest.Empty().Geometry, "no rings": geometry(3, uint32(0)), "no parts": geometry(6, uint32(0)),
		"NaN point": geometry(1, math.NaN(), math.NaN()),
	} {
		if s, err := wkb.Decode(b); err != nil || len(s.Polygons)+len(s.Points) > 0 {
			t.Errorf("%s: want an empty shape, got %v %v", name, s, err)
		}
	}
}

// Lines are read where they are asked for, alone and in collections.
func TestLines(t *testing.T) {
	line := []any{uint32(3), 0.0, 0.0, 10.0, 0.0, 0.0, 10.0}
	part := append([]any{uint8(1), uint32(2)}, line...)
	want := []wkb.XY{{0, 0}, {10, 0}, {0, 10}}
	for name, c := range map[string]struct {
		bytes []byte
		n     int
	}{
		"line":       {geometry(2, line...), 1},
		"lines":      {geometry(5, append([]any{uint32(2)}, append(part, part...)...)...), 2},
		"collection": {geometry(7, append([]any{uint32(1)}, part...)...), 1},
		"no line":    {geometry(2, uint32(0)), 0},
	} {
		s, err := wkb.DecodeLines(c.bytes)
		if err != nil || len(s.Lines) != c.n || c.n > 0 && !reflect.DeepEqual(s.Lines[0], want) {
			t.Errorf("%s: %v %v", name, s, err)
		}
		if _, err := wkb.Decode(c.bytes); err == nil || !strings.Contains(err.Error(), "line") {
			t.Errorf("%s: not refused where areas must stand: %v", name, err)
		}
	}
	if _, err := wkb.DecodeLines(geometry(2, uint32(1<<28))); err == nil || !strings.Contains(err.Error(), "announced") {
		t.Errorf("a line that lies: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(geopackagetest.Areas([][][]wkb.XY{{square(0, 0, 1), square(2, 2, 1)}}).Geometry)
	f.Add(geopackagetest.Point(wkb.XY{1, 2}).Geometry)
	f.Add(geopackagetest.Empty().Geometry)
	f.Add(geometry(3, uint32(1), uint32(1<<28)))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := wkb.DecodeLines(b)
		if err != nil {
			return
		}
		n := len(s.Points)
		for _, l := range s.Lines {
			n += len(l)
		}
		for _, p := range s.Polygons {
			for _, r := range p {
				n += len(r)
			}
		}
		if 16*n > len(b) {
			t.Errorf("%d vertices from %d bytes", n, len(b))
		}
	})
}
