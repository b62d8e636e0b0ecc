package cog

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"mappe/shared/geo/raster"
)

// Form is the form of the samples of an image: uint8, int16, float32 ...; "" of one that has no name.
func (im *Image) Form() string {
	switch {
	case im.format == formatFloat:
		return fmt.Sprintf("float%d", im.bits)
	case im.format == formatInt:
		return fmt.Sprintf("int%d", im.bits)
	case im.format == formatUint:
		return fmt.Sprintf("uint%d", im.bits)
	}
	return ""
}

// formOf is the form of samples.
func formOf[T raster.Sample]() string {
	var v T
	return fmt.Sprintf("%T", v)
}

// DecodeSamples gives the samples of a stored tile as the file has them, without nodata, scale and mask: TileHeight rows of
// TileWidth cells in the order of the file, all bands of a cell beside each other, or one band where bands are stored apart.
// Nothing stored is a tile of the number that says that nothing is known, of 0 if the file declares no such number.
func DecodeSamples[T raster.Sample](f *File, im *Image, stored []byte) ([]T, error) {
	if im.Form() != formOf[T]() {
		return nil, fmt.Errorf("%w: samples are %s, %s are asked for", ErrFormat, im.Form(), formOf[T]())
	}
	out := make([]T, im.TileWidth*im.TileHeight*im.samples())
	if len(stored) == 0 {
		if none := f.none(); none != 0 {
			for i := range out {
				out[i] = T(none)
			}
		}
		return out, nil
	}
	raw, err := im.unpack(stored)
	if err != nil {
		return nil, err
	}
	im.unpredict(raw, f.order)
	ordered(out, raw, f.order)
	return out, nil
}

// none is the number of what is not known; NaN of floats, 0 where the file names none.
func (f *File) none() float64 {
	if f.NoData != f.NoData && f.Images[0].format != formatFloat {
		return 0
	}
	return f.NoData
}

// ordered takes samples out of bytes.
func ordered[T raster.Sample](out []T, raw []byte, order binary.ByteOrder) {
	switch out := any(out).(type) {
	case []uint8:
		copy(out, raw)
	case []uint16:
		for i := range out {
			out[i] = order.Uint16(raw[2*i:])
		}
	case []int16:
		for i := range out {
			out[i] = int16(order.Uint16(raw[2*i:]))
		}
	case []float32:
		if order == binary.ByteOrder(binary.LittleEndian) { // told apart once, as most files are written so
			for i := range out {
				out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
			}
			return
		}
		for i := range out {
			out[i] = math.Float32frombits(order.Uint32(raw[4*i:]))
		}
	}
}

// ReadSamples reads a window of all bands of an image as the file has them.
func ReadSamples[T raster.Sample](f *File, in io.ReaderAt, im *Image, w Window) (*raster.Samples[T], error) {
	if w.Col < 0 || w.Row < 0 || w.Cols < 1 || w.Rows < 1 || w.Col+w.Cols > im.Width || w.Row+w.Rows > im.Height {
		return nil, fmt.Errorf("cog: a window of %d x %d cells from %d, %d of an image of %d x %d", w.Cols, w.Rows, w.Col, w.Row,
			im.Width, im.Height)
	}
	g := f.Grid(im)
	b := raster.Box{West: g.West + float64(w.Col)*g.Step, North: g.North - float64(w.Row)*g.Step}
	b.East, b.South = b.West+float64(w.Cols)*g.Step, b.North-float64(w.Rows)*g.Step
	out, err := raster.SamplesOver[T](b, g.Step, im.Bands)
	if err != nil {
		return nil, err
	}
	bands := 1
	if im.apart {
		bands = im.Bands
	}
	to := Pasting[T]{To: out, File: f, Image: im, Window: w}
	for _, at := range f.Tiles(im, w) {
		for band := range bands {
			stored, err := f.Stored(in, im, at, band)
			if err != nil {
				return nil, err
			}
			values, err := DecodeSamples[T](f, im, stored)
			if err != nil {
				return nil, err
			}
			to.Paste(at, band, values)
		}
	}
	return out, nil
}

// Stored reads the bytes of a tile; none where nothing is stored.
func (f *File) Stored(in io.ReaderAt, im *Image, at Place, band int) ([]byte, error) {
	offset, length := im.Tile(at.Col, at.Row, band)
	if length == 0 {
		return nil, nil
	}
	if length < 0 || offset < 0 || length > 2*maxTile || offset+length > f.size {
		return nil, ErrFormat
	}
	stored := make([]byte, length)
	if _, err := in.ReadAt(stored, offset); err != nil && err != io.EOF {
		return nil, err
	}
	return stored, nil
}

// Pasting says where decoded tiles of an image are copied: what of a window of the image they hold goes to samples in which the
// window's north-western cell has a column and a row.
type Pasting[T raster.Sample] struct {
	To       *raster.Samples[T]
	Col, Row int // in To, of the window's north-western cell
	File     *File
	Image    *Image
	Window   Window // of the image
}

// Paste copies the cells of a decoded tile that lie in the window. Of an image whose bands are stored apart it is one band.
func (p *Pasting[T]) Paste(at Place, band int, values []T) {
	p.cells(at, p.Image.samples(), band, values)
}

// cells copies cells of n samples each.
func (p *Pasting[T]) cells(at Place, n, band int, values []T) {
	to, im, w := p.To, p.Image, p.Window
	from, end := max(w.Col, at.Col*im.TileWidth), min(w.Col+w.Cols, (at.Col+1)*im.TileWidth, im.Width)
	if from >= end {
		return
	}
	for r := range im.TileHeight {
		y := at.Row*im.TileHeight + r
		if y >= im.Height {
			break
		}
		if p.File.SouthUp {
			y = im.Height - 1 - y
		}
		if y < w.Row || y >= w.Row+w.Rows {
			continue
		}
		line := values[(r*im.TileWidth+from-at.Col*im.TileWidth)*n:][:(end-from)*n]
		out := to.Row(p.Row + y - w.Row)[(p.Col+from-w.Col)*to.Bands:]
		if n == to.Bands {
			copy(out, line)
			continue
		}
		for i := range end - from {
			out[i*to.Bands+band] = line[i*n]
		}
	}
}

// SampleBytes is what a decoded tile takes in memory.
func (im *Image) SampleBytes() int64 { return im.tileBytes() }
