package cog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Decode gives the values of a band of a stored tile: TileHeight rows of TileWidth cells in the order of the file, NaN
// where the file says that nothing is known. Nothing stored is a tile of NaN. What lies beyond the image's borders is
// whatever the file has there.
func (f *File) Decode(im *Image, band int, stored []byte) ([]float32, error) {
	out := make([]float32, im.TileWidth*im.TileHeight)
	if len(stored) == 0 {
		for i := range out {
			out[i] = float32(math.NaN())
		}
		return out, nil
	}
	raw, err := im.unpack(stored)
	if err != nil {
		return nil, err
	}
	im.unpredict(raw, f.order)
	if im.bits == 1 {
		im.bitsOf(raw, out, band)
		return out, nil
	}
	im.values(raw, out, band, f.order)
	if !math.IsNaN(f.NoData) {
		none := float32(f.NoData)
		for i, v := range out {
			if v == none {
				out[i] = float32(math.NaN())
			}
		}
	}
	f.scaled(band, out)
	return out, nil
}

// zstdReader is made on first use; DecodeAll is safe for concurrent use.
var zstdReader = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxTile))
})

// unpack gives the decoded bytes of a tile: as many as it has, or fewer rows of the last strip of a file.
func (im *Image) unpack(stored []byte) ([]byte, error) {
	want := int(im.tileBytes())
	raw := make([]byte, want)
	n := 0
	var err error
	switch im.compression {
	case packNone:
		n = copy(raw, stored)
	case packBits:
		n = unpackBits(raw, stored)
	case packLZW:
		n, err = unLZW(raw, stored)
	case packJPEG:
		n, err = im.unJPEG(raw, stored)
	case packZstd:
		var d *zstd.Decoder
		if d, err = zstdReader(); err == nil {
			var out []byte
			out, err = d.DecodeAll(stored, raw[:0])
			n = len(out)
		}
	default:
		var z io.ReadCloser
		if z, err = zlib.NewReader(bytes.NewReader(stored)); err == nil {
			n, err = io.ReadFull(z, raw)
			if err == io.ErrUnexpectedEOF || err == io.EOF {
				err = nil
			}
		}
	}
	if err == nil && (n == 0 || int64(n)%im.rowBytes() != 0 || n < want && im.TileWidth != im.Width) {
		err = fmt.Errorf("%d bytes, expected %d", n, want)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: a tile: %w", ErrFormat, err)
	}
	return raw, nil
}

// unpredict undoes the differences along rows.
func (im *Image) unpredict(raw []byte, order binary.ByteOrder) {
	if im.predictor == 1 {
		return
	}
	n, samples, width := int(im.rowBytes()), im.samples(), max(im.bits/8, 1)
	if im.predictor == 2 && width == 1 {
		for ; len(raw) >= n; raw = raw[n:] {
			sumBytes(raw[:n], samples)
		}
		return
	}
	swapped := make([]byte, n)
	for ; len(raw) >= n; raw = raw[n:] {
		row := raw[:n]
		if im.predictor == 3 {
			sumBytes(row, samples)
			// The bytes of all samples by falling weight become samples in the byte order of the file.
			copy(swapped, row)
			count := n / width
			for b := range width {
				place := b
				if order == binary.ByteOrder(binary.LittleEndian) {
					place = width - 1 - b
				}
				for i, v := range swapped[b*count : (b+1)*count] {
					row[i*width+place] = v
				}
			}
			continue
		}
		for i := samples * width; i+width <= n; i += width {
			a, b := row[i-samples*width:], row[i:]
			switch width {
			case 2:
				order.PutUint16(b, order.Uint16(b)+order.Uint16(a))
			case 4:
				order.PutUint32(b, order.Uint32(b)+order.Uint32(a))
			default:
				order.PutUint64(b, order.Uint64(b)+order.Uint64(a))
			}
		}
	}
}

// sumBytes adds to each byte the one so many before it.
func sumBytes(row []byte, samples int) {
	switch samples {
	case 1:
		sum := byte(0)
		for i, v := range row {
			sum += v
			row[i] = sum
		}
	case 3:
		var a, b, c byte
		for ; len(row) >= 3; row = row[3:] {
			a, b, c = a+row[0], b+row[1], c+row[2]
			row[0], row[1], row[2] = a, b, c
		}
	case 4:
		var a, b, c, d byte
		for ; len(row) >= 4; row = row[4:] {
			a, b, c, d = a+row[0], b+row[1], c+row[2], d+row[3]
			row[0], row[1], row[2], row[3] = a, b, c, d
		}
	default:
		for i := samples; i < len(row); i++ {
			row[i] += row[i-samples]
		}
	}
}

// values reads the samples of a band.
func (im *Image) values(raw []byte, out []float32, band int, order binary.ByteOrder) {
	width := im.bits / 8
	step, at := width*im.samples(), 0
	if !im.apart {
		at = band * width
	}
	read := sampleReader(im.format, width, order)
	for i := range out {
		out[i] = read(raw[at:])
		at += step
	}
}

// sampleReader reads a sample of a format.
func sampleReader(format, width int, order binary.ByteOrder) func([]byte) float32 {
	switch format*10 + width {
	case formatUint*10 + 1:
		return func(b []byte) float32 { return float32(b[0]) }
	case formatUint*10 + 2:
		return func(b []byte) float32 { return float32(order.Uint16(b)) }
	case formatUint*10 + 4:
		return func(b []byte) float32 { return float32(order.Uint32(b)) }
	case formatUint*10 + 8:
		return func(b []byte) float32 { return float32(order.Uint64(b)) }
	case formatInt*10 + 1:
		return func(b []byte) float32 { return float32(int8(b[0])) }
	case formatInt*10 + 2:
		return func(b []byte) float32 { return float32(int16(order.Uint16(b))) }
	case formatInt*10 + 4:
		return func(b []byte) float32 { return float32(int32(order.Uint32(b))) }
	case formatInt*10 + 8:
		return func(b []byte) float32 { return float32(int64(order.Uint64(b))) }
	case formatFloat*10 + 4:
		if order == binary.ByteOrder(binary.LittleEndian) {
			return func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
		}
		return func(b []byte) float32 { return math.Float32frombits(order.Uint32(b)) }
	}
	return func(b []byte) float32 { return float32(math.Float64frombits(order.Uint64(b))) }
}
