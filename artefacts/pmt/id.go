package pmt

import "math/bits"

// MaxZoom is the highest zoom whose ids this package gives: 4^27 tiles stay far below 2^63.
const MaxZoom = 26

// ZXY is the address of one tile.
type ZXY struct {
	Z    uint8
	X, Y uint32
}

// Valid says whether the address names a tile of its zoom.
func (t ZXY) Valid() bool { return t.Z <= MaxZoom && t.X>>t.Z == 0 && t.Y>>t.Z == 0 }

// ID is the tile's position in the archive order. The address must be valid.
func (t ZXY) ID() uint64 {
	id := zoomBase(t.Z)
	x, y := t.X, t.Y
	for s := int(t.Z) - 1; s >= 0; s-- {
		rx, ry := x>>s&1, y>>s&1
		id += uint64(3*rx^ry) << (2 * s)
		x, y = rotate(s, x, y, rx, ry)
	}
	return id
}

// Address is the inverse of ID; ok is false for an id above MaxZoom.
func Address(id uint64) (t ZXY, ok bool) {
	// 3*id+1 lies in [4^z, 4^(z+1)).
	if id >= zoomBase(MaxZoom+1) {
		return ZXY{}, false
	}
	t.Z = uint8((bits.Len64(3*id+1) - 1) / 2)
	d := id - zoomBase(t.Z)
	for s := 0; s < int(t.Z); s++ {
		rx := uint32(d>>1) & 1
		ry := uint32(d^uint64(rx)) & 1
		t.X, t.Y = rotate(s, t.X, t.Y, rx, ry)
		t.X |= rx << s
		t.Y |= ry << s
		d >>= 2
	}
	return t, true
}

// zoomBase counts the tiles of all zooms below z.
func zoomBase(z uint8) uint64 { return (1<<(2*uint64(z)) - 1) / 3 }

// rotate turns the lower s bits of a quadrant so that the curve enters and leaves it at the right corners.
func rotate(s int, x, y, rx, ry uint32) (uint32, uint32) {
	if ry != 0 {
		return x, y
	}
	if rx == 1 {
		m := uint32(1)<<s - 1
		x, y = m-x&m|x&^m, m-y&m|y&^m
	}
	return y, x
}
