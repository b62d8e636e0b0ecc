package format

import (
	"encoding/binary"

	"mappe/shared/geo/geom"
)

// positionSize is the length of two coordinates of two digits each, and the comma to the next:
// [00.0000000,00.0000000],
const positionSize = 24

// template is the text of a position in degrees whose last five digits of each coordinate are open. The
// vertices of a parcel lie within some hundred metres, and so do parcels that follow each other, so nearly all
// positions share it with the one before.
type template struct {
	x, y uint32    // of the position with zeros there; the zero template fits nothing
	text [3]uint64 // little-endian
}

// openDigits is the range of the open digits: 1e-2 degrees, 750 to 1,110 m.
const openDigits = 1e5

// take makes the template one that the position fits; it is false for a position of other than two
// digits before the points. All of Austria has two.
func (t *template) take(q geom.Point) bool {
	if !twoDigits(q.X) || !twoDigits(q.Y) {
		return false
	}
	if x := uint32(q.X); x-t.x >= openDigits || t.x == 0 {
		d := eightDigits(x/openDigits) >> 32 // four digits
		t.text[0] = '[' | d&0xffff<<8 | '.'<<24 | d>>16<<32 | '0'<<48
		t.x = x - x%openDigits
	}
	if y := uint32(q.Y); y-t.y >= openDigits || t.y == 0 {
		d := eightDigits(y/openDigits) >> 32
		t.text[1], t.text[2] = ','<<24|d&0xffff<<32|'.'<<48|d>>16<<56, d>>24|'0'<<8|']'<<48|','<<56
		t.y = y - y%openDigits
	}
	return true
}

// put writes positions from the first of the ring on, up to one that does not fit, and says how many. d has
// room for all.
func (t *template) put(d []byte, ring []geom.Point) int {
	x, y, head, middle, tail := t.x, t.y, t.text[0], t.text[1], t.text[2]
	if x == 0 {
		return 0
	}
	for i, q := range ring {
		dx, dy := uint32(q.X)-x, uint32(q.Y)-y
		if dx >= openDigits || dy >= openDigits {
			return i
		}
		hx, hy := dx/1e4, dy/1e4 // the first of the five
		open := twiceFour(uint64(dx-hx*1e4) | uint64(dy-hy*1e4)<<32)
		w := (*[positionSize]byte)(d[i*positionSize:])
		binary.LittleEndian.PutUint64(w[0:], head+uint64(hx)<<48|open<<56)
		binary.LittleEndian.PutUint64(w[8:], middle|open<<32>>40)
		binary.LittleEndian.PutUint64(w[16:], tail+uint64(hy)<<8|open>>32<<16)
	}
	return len(ring)
}

// twoDigits says whether a coordinate has two digits before the point, as all of Austria has nearly
// everywhere (longitudes from 10°, latitudes).
func twoDigits(e7 int32) bool { return e7 >= 10e7 && e7 < 100e7 }

// eightDigits is a number below 1e8 as its eight decimal digits, the first in the lowest byte.
func eightDigits(v uint32) uint64 {
	hi := v / 1e4
	return twiceFour(uint64(hi) | uint64(v-hi*1e4)<<32)
}

// twiceFour is two numbers below 1e4, one in each half, as four decimal digits each. All digits come out
// of the same few operations on ever smaller lanes: two of 4 digits, four of 2, eight.
func twiceFour(x uint64) uint64 {
	q := x * 10486 >> 20 & 0x7f0000007f // 10486/2^20 divides by 100 below 10,000
	x = q | (x-q*100)<<16
	q = x * 103 >> 10 & 0x000f000f000f000f // 103/2^10 divides by 10 below 100
	return (q | (x-q*10)<<8) + 0x3030303030303030
}
