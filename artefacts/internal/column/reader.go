package column

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
)

// Reader takes a section body apart. The first error sticks; after it every read gives zero values of
// the asked length, so callers check err once at the end.
type Reader struct {
	Rest    []byte
	Raw     int // bytes frames may still decode to
	Err     error
	size    int // stored bytes of the section
	scratch *scratch
	plane   int // which buffer the next frame fills
}

// scratch is used by one reader at a time: two byte planes of a column.
type scratch [2][]byte

// maxKept bounds a buffer that is kept for the next reader.
const maxKept = 4 << 20

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Fail keeps the first error and drops what is left to read.
func (r *Reader) Fail(format string, args ...any) {
	if r.Err == nil {
		r.Err = fmt.Errorf(format, args...)
		r.Rest = nil
	}
}

// Uvarint reads one number.
func (r *Reader) Uvarint() uint64 {
	v, n := binary.Uvarint(r.Rest)
	if n <= 0 {
		r.Fail("number: %w", ErrShort)
		return 0
	}
	r.Rest = r.Rest[n:]
	return v
}

// Count reads a number of things of which at most limit are allowed.
func (r *Reader) Count(limit int) int {
	v := r.Uvarint()
	if v > uint64(limit) {
		r.Fail("count %d: at most %d are allowed", v, limit)
		return 0
	}
	return int(v)
}

// Many reads what Writer.Many wrote.
func (r *Reader) Many(base, per int) int { return r.Count(base + per*r.size) }

// List reads what Writer.List wrote.
func (r *Reader) List() int { return r.Many(rowSlack, 1) }

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if len(r.Rest) == 0 {
		r.Fail("byte: %w", ErrShort)
		return 0
	}
	c := r.Rest[0]
	r.Rest = r.Rest[1:]
	return c
}

// Take gives the next n bytes as they are.
func (r *Reader) Take(n int) []byte {
	if n > len(r.Rest) {
		r.Fail("%d bytes asked, %d left: %w", n, len(r.Rest), ErrShort)
		return nil
	}
	p := r.Rest[:n:n]
	r.Rest = r.Rest[n:]
	return p
}

// Frame reads a column of n bytes. The result is valid until the next frame but one
// and until the section ends; nil after an error.
func (r *Reader) Frame(n int) []byte {
	if r.Raw -= n; r.Raw < 0 || n < 0 {
		r.Fail("columns decode to more bytes than the section declares")
		return nil
	}
	switch codec := r.Byte(); {
	case r.Err != nil:
		return nil
	case codec == codecRaw:
		return r.Take(n)
	case codec == codecConstant:
		c := r.Byte()
		p := r.buffer(n)
		for i := range p {
			p[i] = c
		}
		return p
	case codec == codecHuffman:
		return r.huffman(r.buffer(n))
	case codec == codecZstd:
		z := r.Take(r.Count(len(r.Rest)))
		if r.Err != nil {
			return nil
		}
		dec, err := zstdDecoder()
		if err != nil {
			r.Fail("zstd: %w", err)
			return nil
		}
		p, err := dec.DecodeAll(z, r.buffer(n)[:0])
		if err != nil || len(p) != n {
			r.Fail("zstd column of %d bytes gave %d: %w", n, len(p), errors.Join(err, ErrShort))
			return nil
		}
		return p
	default:
		r.Fail("codec %d: expected 0 to 3", codec)
		return nil
	}
}

// Plain reads a column that Plain wrote; the result is part of the section and stays valid.
func (r *Reader) Plain(n int) []byte {
	if len(r.Rest) > 0 && r.Rest[0] != codecRaw {
		r.Fail("codec %d: expected 0", r.Rest[0])
		return nil
	}
	return r.Frame(n)
}

// buffer is scratch space of n bytes with capacity exactly n.
func (r *Reader) buffer(n int) []byte {
	if r.scratch == nil {
		r.scratch = scratches.Get().(*scratch)
	}
	b := &r.scratch[r.plane]
	r.plane = 1 - r.plane
	if cap(*b) < n {
		*b = make([]byte, n)
	}
	return (*b)[:n:n]
}

// close gives the scratch space back.
func (r *Reader) close() {
	if r.scratch == nil {
		return
	}
	for i, b := range r.scratch {
		if cap(b) > maxKept {
			r.scratch[i] = nil
		}
	}
	scratches.Put(r.scratch)
	r.scratch = nil
}

// Text reads a column of n strings; equal ones share their bytes.
func (r *Reader) Text(n int) []string {
	out := make([]string, n)
	r.EachText(n, func(i int, s string) { out[i] = s })
	return out
}

// EachText is Text row by row; after an error it gives no more rows.
func (r *Reader) EachText(n int, set func(i int, s string)) {
	distinct, size := r.Count(n), r.Count(r.Raw)
	end := Ends(r, Ints[uint32](r, distinct), size)
	blob := string(r.Frame(size))
	rows := Ints[uint32](r, n)
	if r.Err != nil {
		return
	}
	for i, k := range rows {
		if int(k) >= distinct {
			r.Fail("text row %d names word %d of %d", i, k, distinct)
			return
		}
		a := uint32(0)
		if k > 0 {
			a = end[k-1]
		}
		if end[k]-a > maxString {
			r.Fail("text row %d has %d bytes: at most %d are allowed", i, end[k]-a, maxString)
			return
		}
		set(i, blob[a:end[k]])
	}
}
