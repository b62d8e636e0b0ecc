package format

import (
	"encoding/binary"

	"mappe/shared/geo/geom"
)

// positionSize is the length of two coordinates of two digits each, and the comma to the next:
// [00.0000000,00.0000000],
const positionSize = 24

// template is the text of a position in degrees whose last four digits of each coordinate are open. The
// vertices of a parcel lie within some hundred metres, and so do parcels that follow each other, so most
// positions share it with the one before.
type template struct {
	x, y uint32    // of the position with zeros there; the zero template fits nothing
	text [3]uint64 // little-endian
}

// openDigits is the range of the open digits: 1e-3 degrees, 75 to 111 m.
const openDigits = 1e4

// fit makes the template one that the position fits; it is false for a position of other than two digits
// before the points. All of Austria has two.
func (t *template) fit(q geom.Point) bool {
	x, y := uint32(q.X), uint32(q.Y)
	if x-t.x < openDigits && y-t.y < openDigits && t.x != 0 {
		return true
	}
	if !twoDigits(q.X) || !twoDigits(q.Y) {
		return false
	}
	dx, dy := eightDigits(x/openDigits)>>24, eightDigits(y/openDigits)>>24 // five digits each
	t.text = [3]uint64{
		'[' | dx&0xffff<<8 | '.'<<24 | dx>>16<<32,
		','<<24 | dy&0xffff<<32 | '.'<<48 | dy>>16<<56,
		dy>>24 | ']'<<48 | ','<<56,
	}
	t.x, t.y = x-x%openDigits, y-y%openDigits
	return true
}

// put writes a position that fits.
func (t *template) put(d *[positionSize]byte, q geom.Point) {
	open := twiceFour(uint64(uint32(q.X)-t.x) | uint64(uint32(q.Y)-t.y)<<32)
	binary.LittleEndian.PutUint64(d[0:], t.text[0])
	binary.LittleEndian.PutUint64(d[8:], t.text[1])
	binary.LittleEndian.PutUint64(d[16:], t.text[2])
	binary.LittleEndian.PutUint32(d[7:], uint32(open))
	binary.LittleEndian.PutUint32(d[18:], uint32(open>>32))
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
