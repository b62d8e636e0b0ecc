package pay

import (
	"encoding/binary"
	"math/bits"
)

// keccak256 is the hash of Ethereum: Keccak with the padding that stood before SHA-3, which the standard
// library does not have. Only EIP-55 checksums and event names are hashed here.
func keccak256(data []byte) (sum [32]byte) {
	const rate = 136 // bytes
	var a [25]uint64
	absorb := func(block []byte) {
		for i := range rate / 8 {
			a[i] ^= binary.LittleEndian.Uint64(block[8*i:])
		}
		permute(&a)
	}
	for ; len(data) >= rate; data = data[rate:] {
		absorb(data)
	}
	var last [rate]byte
	copy(last[:], data)
	last[len(data)] ^= 0x01
	last[rate-1] ^= 0x80
	absorb(last[:])
	for i := range 4 {
		binary.LittleEndian.PutUint64(sum[8*i:], a[i])
	}
	return sum
}

// permute is Keccak-f[1600]; its constants come from the rules of FIPS 202, section 3.2.
func permute(a *[25]uint64) {
	lfsr := byte(1)
	for range 24 {
		var c [5]uint64
		for x := range 5 { // theta
			c[x] = a[x] ^ a[x+5] ^ a[x+10] ^ a[x+15] ^ a[x+20]
		}
		for x := range 5 {
			d := c[(x+4)%5] ^ bits.RotateLeft64(c[(x+1)%5], 1)
			for y := 0; y < 25; y += 5 {
				a[x+y] ^= d
			}
		}
		x, y, moved := 1, 0, a[1] // rho and pi
		for t := range 24 {
			x, y = y, (2*x+3*y)%5
			a[x+5*y], moved = bits.RotateLeft64(moved, (t+1)*(t+2)/2%64), a[x+5*y]
		}
		for y := 0; y < 25; y += 5 { // chi
			row := [5]uint64(a[y : y+5])
			for x := range 5 {
				a[x+y] = row[x] ^ (^row[(x+1)%5] & row[(x+2)%5])
			}
		}
		for j := range 7 { // iota
			if lfsr&1 != 0 {
				a[0] ^= 1 << (1<<j - 1)
			}
			lfsr = lfsr<<1 ^ lfsr>>7*0x71
		}
	}
}
