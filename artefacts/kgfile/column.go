package kgfile

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
)

var errShort = errors.New("ends early")

// zstdEncoder and zstdDecoder are built on first use; EncodeAll and DecodeAll are safe for concurrent use.
var zstdEncoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderCRC(false),
		zstd.WithEncoderConcurrency(1), zstd.WithAllLitEntropyCompression(true), zstd.WithSingleSegment(true))
})

var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	// DecodeAll writes at most cap(dst), so a frame can never grow beyond what the section declares.
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxRaw))
})

// writer builds the body of one section: a row of frames and numbers.
type writer struct {
	buf []byte
	raw int // bytes all frames decode to
	err error
}

func (w *writer) uvarint(v uint64) { w.buf = binary.AppendUvarint(w.buf, v) }

func (w *writer) count(n int) { w.uvarint(uint64(n)) }

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// frame writes one byte column in the codec that is smallest; the reader knows its length.
func (w *writer) frame(p []byte) {
	w.raw += len(p)
	if len(p) > 0 && constant(p) {
		w.buf = append(w.buf, codecConstant, p[0])
		return
	}
	if len(p) > 16 {
		enc, err := zstdEncoder()
		if err != nil {
			w.fail("zstd: %w", err)
			return
		}
		// Where compression saves under one byte in 32 the raw column is read without a copy instead.
		if z := enc.EncodeAll(p, nil); len(z) < len(p)-len(p)/32 {
			w.buf = append(w.buf, codecZstd)
			w.count(len(z))
			w.buf = append(w.buf, z...)
			return
		}
	}
	w.buf = append(w.buf, codecRaw)
	w.buf = append(w.buf, p...)
}

func constant(p []byte) bool {
	for _, b := range p[1:] {
		if b != p[0] {
			return false
		}
	}
	return true
}

// ints writes a column of numbers as byte planes, the lowest first; the reader knows the count.
func (w *writer) ints(v []uint64) {
	var all uint64
	for _, x := range v {
		all |= x
	}
	width := (bits.Len64(all) + 7) / 8
	w.buf = append(w.buf, byte(width))
	plane := make([]byte, len(v))
	for p := range width {
		for i, x := range v {
			plane[i] = byte(x >> (8 * p))
		}
		w.frame(plane)
	}
}

// signed writes a column of numbers that may be negative.
func (w *writer) signed(v []int64) {
	u := make([]uint64, len(v))
	for i, x := range v {
		u[i] = zig(x)
	}
	w.ints(u)
}

// text writes a column of strings: the distinct ones in the order they first appear, then the index
// of each row.
func (w *writer) text(v []string) {
	index := make(map[string]uint64, len(v))
	var lens, rows []uint64
	var blob []byte
	for _, s := range v {
		k, ok := index[s]
		if !ok {
			if len(s) > maxString {
				w.fail("text %.40q… has %d bytes: at most %d are allowed", s, len(s), maxString)
				return
			}
			k = uint64(len(lens))
			index[s] = k
			lens = append(lens, uint64(len(s)))
			blob = append(blob, s...)
		}
		rows = append(rows, k)
	}
	w.count(len(lens))
	w.count(len(blob))
	w.ints(lens)
	w.frame(blob)
	w.ints(rows)
}

func zig(x int64) uint64   { return uint64(x<<1) ^ uint64(x>>63) }
func unzig(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// reader takes a section body apart. The first error sticks; after it every read gives zero values of
// the asked length, so callers check err once at the end.
type reader struct {
	b       []byte
	raw     int // bytes frames may still decode to
	err     error
	scratch []byte
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
		r.b = nil
	}
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail("number: %w", errShort)
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads a number of things of which at most limit are allowed.
func (r *reader) count(limit int) int {
	v := r.uvarint()
	if v > uint64(limit) {
		r.fail("count %d: at most %d are allowed", v, limit)
		return 0
	}
	return int(v)
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail("byte: %w", errShort)
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.fail("%d bytes asked, %d left: %w", n, len(r.b), errShort)
		return nil
	}
	p := r.b[:n:n]
	r.b = r.b[n:]
	return p
}

// frame reads a column of n bytes. The result is valid until the next frame; nil after an error.
func (r *reader) frame(n int) []byte {
	if r.raw -= n; r.raw < 0 {
		r.fail("columns decode to more bytes than the section declares")
		return nil
	}
	switch codec := r.byte(); {
	case r.err != nil:
		return nil
	case codec == codecRaw:
		return r.take(n)
	case codec == codecConstant:
		c := r.byte()
		p := r.buffer(n)
		for i := range p {
			p[i] = c
		}
		return p
	case codec == codecZstd:
		z := r.take(r.count(len(r.b)))
		if r.err != nil {
			return nil
		}
		dec, err := zstdDecoder()
		if err != nil {
			r.fail("zstd: %w", err)
			return nil
		}
		p, err := dec.DecodeAll(z, r.buffer(n)[:0])
		if err != nil || len(p) != n {
			r.fail("zstd column of %d bytes gave %d: %w", n, len(p), errors.Join(err, errShort))
			return nil
		}
		return p
	default:
		r.fail("codec %d: expected 0 to 2", codec)
		return nil
	}
}

// buffer is scratch space of n bytes with capacity exactly n.
func (r *reader) buffer(n int) []byte {
	if cap(r.scratch) < n {
		r.scratch = make([]byte, n)
	}
	return r.scratch[:n:n]
}

type unsigned interface{ ~uint8 | ~uint32 | ~uint64 }

// ints reads a column of n numbers that fit T.
func ints[T unsigned](r *reader, n int) []T {
	var size = bits.Len64(uint64(^T(0))) / 8
	width := int(r.byte())
	if width > size {
		r.fail("numbers of %d bytes: at most %d are allowed", width, size)
	}
	out := make([]T, n)
	for p := range width {
		col := r.frame(n)
		if r.err != nil {
			return out
		}
		if p == 0 {
			for i, b := range col {
				out[i] = T(b)
			}
			continue
		}
		for i, b := range col {
			out[i] |= T(b) << (8 * p)
		}
	}
	return out
}

// text reads a column of n strings; equal ones share their bytes.
func (r *reader) text(n int) []string {
	out := make([]string, n)
	distinct, size := r.count(n), r.count(r.raw)
	lens := ints[uint32](r, distinct)
	blob := string(r.frame(size))
	rows := ints[uint32](r, n)
	if r.err != nil {
		return out
	}
	words := make([]string, distinct)
	at := uint64(0)
	for i, l := range lens {
		if at+uint64(l) > uint64(len(blob)) || l > maxString {
			r.fail("text %d of %d bytes: %w", i, l, errShort)
			return out
		}
		words[i] = blob[at : at+uint64(l)]
		at += uint64(l)
	}
	for i, k := range rows {
		if int(k) >= len(words) {
			r.fail("text row %d names word %d of %d", i, k, len(words))
			return out
		}
		out[i] = words[k]
	}
	return out
}
