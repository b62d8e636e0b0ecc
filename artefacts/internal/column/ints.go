package column

import (
	"encoding/binary"
	"math/bits"
)

type unsigned interface{ ~uint8 | ~uint32 | ~uint64 }

// Ints reads a column of n numbers that fit T. n must come from what bounds it: the rows of the
// section, or Reader.List and Reader.Many.
func Ints[T unsigned](r *Reader, n int) []T {
	out := make([]T, n)
	IntsInto(r, out)
	return out
}

// IntsInto is Ints into space the caller has, which it fills whatever stood there.
func IntsInto[T unsigned](r *Reader, out []T) {
	size := bits.Len64(uint64(^T(0))) / 8
	head := r.Byte()
	width := int(head &^ hasOdd)
	if width > size {
		r.Fail("numbers of %d bytes: at most %d are allowed", width, size)
	}
	if width == 0 || r.Err != nil {
		clear(out)
	} else if !readPlanes(r, out, width) {
		return
	}
	if head&hasOdd != 0 {
		readOdd(r, out, 8*width)
	}
}

// readPlanes puts the planes together, two at a time.
func readPlanes[T unsigned](r *Reader, out []T, width int) bool {
	for p := 0; p < width; p += 2 {
		low := r.Frame(len(out))
		var high []byte
		if p+1 < width && r.Err == nil {
			high = r.Frame(len(out))
		}
		switch {
		case r.Err != nil:
			clear(out)
			return false
		case p == 0 && high == nil:
			low = low[:len(out)]
			for i := range out {
				out[i] = T(low[i])
			}
		case p == 0:
			merge(out, low, high)
		default:
			add(out, low, 8*p)
			if high != nil {
				add(out, high, 8*p+8)
			}
		}
	}
	return true
}

// merge makes numbers of their two lowest planes.
func merge[T unsigned](out []T, low, high []byte) {
	low, high = low[:len(out)], high[:len(out)]
	for i := range out {
		out[i] = T(uint32(low[i]) | uint32(high[i])<<8)
	}
}

// add puts one byte plane into its place.
func add[T unsigned](out []T, col []byte, shift int) {
	col = col[:len(out)]
	for i := range out {
		out[i] |= T(col[i]) << (shift & 63)
	}
}

// readOdd reads the numbers that do not fit the planes.
func readOdd[T unsigned](r *Reader, out []T, shift int) {
	at := 0
	for range r.Count(len(out)) {
		gap, n := binary.Uvarint(r.Rest)
		if n <= 0 {
			r.Fail("odd number: %w", ErrShort)
			return
		}
		high, m := binary.Uvarint(r.Rest[n:])
		if m <= 0 {
			r.Fail("odd number: %w", ErrShort)
			return
		}
		r.Rest = r.Rest[n+m:]
		if gap >= uint64(len(out)-at) {
			r.Fail("odd number %d rows after row %d of %d", gap, at, len(out))
			return
		}
		if high == 0 || bits.Len64(high)+shift > bits.Len64(uint64(^T(0))) {
			r.Fail("odd number: bits %d above %d do not fit %d", high, shift, bits.Len64(uint64(^T(0))))
			return
		}
		at += int(gap)
		out[at] |= T(high << shift)
		at++
	}
}
