package cog

import "errors"

var errLZW = errors.New("LZW: a code that is not there yet")

// Codes of LZW in TIFF: the first that is given out, and the largest. Codes are written from the highest bit and grow by
// a bit one code early.
const (
	lzwClear, lzwEnd, lzwFirst = 256, 257, 258
	lzwCodes                   = 4096
)

// unLZW decodes into out, at most as many bytes as it has, and says how many came. A text of a code is that of an earlier
// one with a byte behind it: the table keeps where in out it stands.
func unLZW(out, in []byte) (int, error) {
	var at, length [lzwCodes + 1]int32 // texts by code, as parts of out
	next, width := lzwFirst, uint(9)
	n, bits, have := 0, uint64(0), uint(0)
	before := -1 // code before; -1: none
	beforeAt, beforeLen := 0, 0
	for {
		for have < width {
			if len(in) == 0 {
				return n, nil // without an end, as some programs write
			}
			bits, have, in = bits<<8|uint64(in[0]), have+8, in[1:]
		}
		have -= width
		code := int(bits >> have & (1<<width - 1))
		switch {
		case code == lzwEnd:
			return n, nil
		case code == lzwClear:
			next, width, before = lzwFirst, 9, -1
			continue
		case before < 0 && code > lzwClear, code > next, code == next && before < 0:
			return n, errLZW
		}
		if before >= 0 && next < lzwCodes {
			at[next], length[next] = int32(beforeAt), int32(beforeLen+1) // its last byte is the first of what comes now
			next++
		}
		from, size := n, 1
		if code < lzwClear {
			if n == len(out) {
				return n, nil
			}
			out[n] = byte(code)
		} else {
			src := int(at[code])
			size = min(int(length[code]), len(out)-n)
			for i := range size { // byte by byte: the text may reach into itself
				out[n+i] = out[src+i]
			}
		}
		n += size
		before, beforeAt, beforeLen = code, from, size
		if n == len(out) {
			return n, nil
		}
		if next == 1<<width-1 && width < 12 {
			width++
		}
	}
}
