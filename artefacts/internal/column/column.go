// Package column is the byte layer of the project's own binary artefacts: a checked section table and,
// inside a section, columns of numbers, texts and bytes as compressed frames. It owns the codecs, the
// limits and the hostile-input rules; artefacts/kgfile and artefacts/register own what the columns mean.
//
//	frame    1 codec byte; codec 0: the bytes · 1: uvarint length, zstd frame · 2: one byte for all ·
//	         3: per 65,536 decoded bytes a uvarint length and a Huffman block of RFC 8878 (4.2.1 tree
//	         description, then four streams as in 3.1.1.3.1.6).
//	         The decoded length is known from the row count, never read from the frame.
//	ints     1 byte width 0..8, then that many frames: the byte planes, lowest first. Bit 7 of the width
//	         (files of version 2 on): the few numbers that do not fit follow the planes, uvarint how many,
//	         then per number two uvarints: its row less the row after the one before, and the bits
//	         above the planes, not 0
//	list     uvarint number of entries of all rows, at most 64 and one for each byte of the section
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
	swift    = sync.OnceValues(func() (*zstd.Encoder, error) { return newEncoder(zstd.SpeedBetterCompression) })
	plain    = sync.OnceValues(func() (*zstd.Encoder, error) { return newEncoder(zstd.SpeedFastest) })
)

func newEncoder(level zstd.EncoderLevel) (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(false),
		zstd.WithAllLitEntropyCompression(true), zstd.WithSingleSegment(true))
}

// squeeze gives the frame that is smallest, but prefers the plain one up to a 32nd larger: it holds
// few matches and is read twice as fast.
func squeeze(p []byte, large func() (*zstd.Encoder, error)) ([]byte, error) {
	slow, err := large()
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
	// Quick prefers what is read fast over what is smallest: for columns that every open file needs.
	Quick bool
	Err   error
	swift bool
	most  int // stored bytes that the counts ask for
}

// Uvarint writes one number.
func (w *Writer) Uvarint(v uint64) { w.Buf = binary.AppendUvarint(w.Buf, v) }

// Count writes a number of things.
func (w *Writer) Count(n int) { w.Uvarint(uint64(n)) }

// Many writes a number of things of which base, and per for each stored byte of the section, may be
// read; the section is padded until they may.
func (w *Writer) Many(n, base, per int) {
	w.most = max(w.most, (n-base+per-1)/per)
	w.Count(n)
}

// List writes the number of entries that all rows of a list column have together.
func (w *Writer) List(n int) { w.Many(n, rowSlack, 1) }

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
		large := thorough
		if w.swift {
			large = swift
		}
		z, err := squeeze(p, large)
		if err != nil {
			w.Fail("zstd: %w", err)
			return
		}
		// Columns of numbers hold few repeats: their Huffman code alone is as small and read faster.
		slack := len(z) / 32
		if w.Quick {
			slack = len(p) / quickShare
		}
		if h := huffman(p); h != nil && len(h) <= len(z)+slack && len(h) < len(p)-len(p)/32 {
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

// quickShare: a quick column may be larger by one byte in that many it decodes to.
const quickShare = 8

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

// oddShare: numbers that need more planes than the others are written one by one when they are at most
// one in that many. A plane that is almost all zero costs few bytes but the time of a whole one.
const oddShare = 64

// planes is how many byte planes hold all but the odd numbers, and how many odd ones there are.
func planes(v []uint64) (width, odd int) {
	var above [9]int // numbers that need more than k bytes
	for _, x := range v {
		above[(bits.Len64(x)+7)/8]++
	}
	for k := 8; k > 0; k-- {
		if odd+above[k] > len(v)/oddShare {
			return k, odd
		}
		odd += above[k]
	}
	return 0, odd
}

// Ints writes a column of numbers as byte planes, the lowest first; the reader knows the count.
func (w *Writer) Ints(v []uint64) {
	width, odd := planes(v)
	if odd == 0 {
		w.Buf = append(w.Buf, byte(width))
	} else {
		w.Buf = append(w.Buf, byte(width)|hasOdd)
	}
	plane := make([]byte, len(v))
	for p := range width {
		for i, x := range v {
			plane[i] = byte(x >> (8 * p))
		}
		w.Frame(plane)
	}
	if odd == 0 {
		return
	}
	w.Count(odd)
	next := 0
	for i, x := range v {
		if high := x >> (8 * width); high != 0 && width < 8 {
			w.Count(i - next)
			w.Uvarint(high)
			next = i + 1
		}
	}
}

const hasOdd = 0x80

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
			if len(s) > maxString {
				w.Fail("text %.40q… has %d bytes: at most %d are allowed", s, len(s), maxString)
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
