// Package column is the byte layer of the project's own binary artefacts: a checked section table and,
// inside a section, columns of numbers, texts and bytes as compressed frames. It owns the codecs, the
// limits and the hostile-input rules; artefacts/kgfile and artefacts/register own what the columns mean.
//
//	frame    1 codec byte; codec 0: the bytes · 1: uvarint length, zstd frame · 2: one byte for all ·
//	         3: per 65,536 decoded bytes a uvarint length and a Huffman block of RFC 8878 (4.2.1 tree
//	         description, then four streams as in 3.1.1.3.1.6).
//	         The decoded length is known from the row count, never read from the frame.
//	ints     1 byte width 0..8, then that many frames: the byte planes, lowest first
//	signed   ints of zigzag numbers
//	text     uvarint distinct strings, uvarint bytes of them, ints lengths, frame bytes, ints row -> string
package column

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// The codecs of a frame.
const (
	codecRaw      = 0 // the bytes as they are
	codecZstd     = 1 // one zstd frame without its own checksum
	codecConstant = 2 // one byte that stands for all
	codecHuffman  = 3 // blocks of 65,536 bytes, each a uvarint length, a code table and four streams
)

// ErrShort: a column, number or list ends before its rows do.
var ErrShort = errors.New("ends early")

// The encoders and the decoder are built on first use; EncodeAll and DecodeAll are safe for concurrent use.
var (
	thorough = sync.OnceValues(func() (*zstd.Encoder, error) { return newEncoder(zstd.SpeedBestCompression) })
	plain    = sync.OnceValues(func() (*zstd.Encoder, error) { return newEncoder(zstd.SpeedFastest) })
)

func newEncoder(level zstd.EncoderLevel) (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(false),
		zstd.WithAllLitEntropyCompression(true), zstd.WithSingleSegment(true))
}

// squeeze gives the frame that is smallest, but prefers the plain one up to a 32nd larger: it holds
// few matches and is read twice as fast.
func squeeze(p []byte) ([]byte, error) {
	slow, err := thorough()
	if err != nil {
		return nil, err
	}
	fast, err := plain()
	if err != nil {
		return nil, err
	}
	a, b := slow.EncodeAll(p, nil), fast.EncodeAll(p, nil)
	if len(b) <= len(a)+len(a)/32 {
		return b, nil
	}
	return a, nil
}

var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	// DecodeAll writes at most cap(dst), so a frame can never grow beyond what the section declares.
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxRaw))
})

// Writer builds the body of one section: a row of frames and numbers.
type Writer struct {
	Buf []byte
	Raw int // bytes all frames decode to
	Err error
}

// Uvarint writes one number.
func (w *Writer) Uvarint(v uint64) { w.Buf = binary.AppendUvarint(w.Buf, v) }

// Count writes a number of things.
func (w *Writer) Count(n int) { w.Uvarint(uint64(n)) }

// Fail keeps the first error.
func (w *Writer) Fail(format string, args ...any) {
	if w.Err == nil {
		w.Err = fmt.Errorf(format, args...)
	}
}

// Frame writes one byte column in the codec that is smallest; the reader knows its length.
func (w *Writer) Frame(p []byte) {
	w.Raw += len(p)
	if len(p) > 0 && constant(p) {
		w.Buf = append(w.Buf, codecConstant, p[0])
		return
	}
	if len(p) > 16 {
		z, err := squeeze(p)
		if err != nil {
			w.Fail("zstd: %w", err)
			return
		}
		// Columns of numbers hold few repeats: their Huffman code alone is as small and read faster.
		if h := huffman(p); h != nil && len(h) <= len(z)+len(z)/32 && len(h) < len(p)-len(p)/32 {
			w.Buf = append(append(w.Buf, codecHuffman), h...)
			return
		}
		// Where compression saves under one byte in 32 the raw column is read without a copy instead.
		if len(z) < len(p)-len(p)/32 {
			w.Buf = append(w.Buf, codecZstd)
			w.Count(len(z))
			w.Buf = append(w.Buf, z...)
			return
		}
	}
	w.Buf = append(w.Buf, codecRaw)
	w.Buf = append(w.Buf, p...)
}

// Plain writes a byte column raw, for one that is read in place.
func (w *Writer) Plain(p []byte) {
	w.Raw += len(p)
	w.Buf = append(append(w.Buf, codecRaw), p...)
}

func constant(p []byte) bool {
	for _, b := range p[1:] {
		if b != p[0] {
			return false
		}
	}
	return true
}

// Ints writes a column of numbers as byte planes, the lowest first; the reader knows the count.
func (w *Writer) Ints(v []uint64) {
	var all uint64
	for _, x := range v {
		all |= x
	}
	width := (bits.Len64(all) + 7) / 8
	w.Buf = append(w.Buf, byte(width))
	plane := make([]byte, len(v))
	for p := range width {
		for i, x := range v {
			plane[i] = byte(x >> (8 * p))
		}
		w.Frame(plane)
	}
}

// Signed writes a column of numbers that may be negative.
func (w *Writer) Signed(v []int64) {
	u := make([]uint64, len(v))
	for i, x := range v {
		u[i] = Zig(x)
	}
	w.Ints(u)
}

// Text writes a column of strings: the distinct ones in the order they first appear, then the index
// of each row.
func (w *Writer) Text(v []string) {
	index := make(map[string]uint64, len(v))
	var lens, rows []uint64
	var blob []byte
	for _, s := range v {
		k, ok := index[s]
		if !ok {
			if len(s) > MaxString {
				w.Fail("text %.40q… has %d bytes: at most %d are allowed", s, len(s), MaxString)
				return
			}
			k = uint64(len(lens))
			index[s] = k
			lens = append(lens, uint64(len(s)))
			blob = append(blob, s...)
		}
		rows = append(rows, k)
	}
	w.Count(len(lens))
	w.Count(len(blob))
	w.Ints(lens)
	w.Frame(blob)
	w.Ints(rows)
}

// Zig folds a signed number into an unsigned one, small for small.
func Zig(x int64) uint64 { return uint64(x<<1) ^ uint64(x>>63) }

// Unzig is the inverse of Zig.
func Unzig(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// Reader takes a section body apart. The first error sticks; after it every read gives zero values of
// the asked length, so callers check err once at the end.
type Reader struct {
	Rest    []byte
	Raw     int // bytes frames may still decode to
	Err     error
	scratch []byte
}

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

// Frame reads a column of n bytes. The result is valid until the next frame; nil after an error.
func (r *Reader) Frame(n int) []byte {
	if r.Raw -= n; r.Raw < 0 {
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
	if cap(r.scratch) < n {
		r.scratch = make([]byte, n)
	}
	return r.scratch[:n:n]
}

type unsigned interface{ ~uint8 | ~uint32 | ~uint64 }

// Ints reads a column of n numbers that fit T.
func Ints[T unsigned](r *Reader, n int) []T {
	var size = bits.Len64(uint64(^T(0))) / 8
	width := int(r.Byte())
	if width > size {
		r.Fail("numbers of %d bytes: at most %d are allowed", width, size)
	}
	out := make([]T, n)
	for p := range width {
		col := r.Frame(n)
		if r.Err != nil {
			return out
		}
		add(out, col, 8*p)
	}
	return out
}

// add puts one byte plane into its place.
func add[T unsigned](out []T, col []byte, shift int) {
	col = col[:len(out)]
	if shift == 0 {
		for i := range out {
			out[i] = T(col[i])
		}
		return
	}
	for i := range out {
		out[i] |= T(col[i]) << (shift & 63)
	}
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
		if end[k]-a > MaxString {
			r.Fail("text row %d has %d bytes: at most %d are allowed", i, end[k]-a, MaxString)
			return
		}
		set(i, blob[a:end[k]])
	}
}
