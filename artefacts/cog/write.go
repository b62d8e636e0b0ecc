package cog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"mappe/shared/geo/raster"
)

// side of a written tile in cells.
const side = 512

// Packing is how tiles are packed.
type Packing int

const (
	Deflate Packing = packDeflate // read by every program
	Zstd    Packing = packZstd    // smaller, and unpacked in half the time; read by GDAL, QGIS, geotiff.js
)

// Options say what is written beside the values.
type Options struct {
	Packing Packing
	EPSG    int               // of the plane, a projected system in metres
	Unit    string            // of the values, "m"
	About   map[string]string // further items of the metadata: source, date, licence
	Names   []string          // of the bands; nil: none
	// NoData is the whole number of cells where nothing is known; nil: all are known. Of float32 it is NaN.
	NoData *float64
	// Classes says that numbers are no quantities: a cell of an overview has the one that most of its four known cells have,
	// of equally many the first from the north-west. Else it is their mean, of whole numbers rounded, halves upwards.
	Classes bool
	Colours bool // the first three bands are red, green and blue
	// Scale and Offset make values of whole numbers: number · Scale + Offset. A Scale of 0 is 1.
	Scale, Offset float64
	Big           bool // BigTIFF even where offsets of 32 bits would do
}

// maxClassic bounds a file with offsets of 32 bits.
const maxClassic = 4<<30 - 1

// Encode writes a grid. The same grid gives the same bytes on every machine.
func Encode(g *raster.Grid, o Options) ([]byte, error) { return EncodeSamples(raster.SamplesOf(g), o) }

// EncodeSamples writes samples of one form. The same samples give the same bytes on every machine.
func EncodeSamples[T raster.Sample](s *raster.Samples[T], o Options) ([]byte, error) {
	w, err := NewWriter[T](s.Grid(), s.Bands, o, nil)
	if err != nil {
		return nil, err
	}
	if err := w.Write(s.Pix); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Grow(int(w.Size()))
	_, err = w.Close(&out)
	return out.Bytes(), err
}

// Spool keeps packed tiles until the front that stands before them is known: a temporary file.
type Spool interface {
	io.Writer
	io.ReaderAt
}

// Writer writes a file row by row from the north: it holds a row of tiles of each resolution, and of packed tiles their
// places alone where it has a spool. It is for one goroutine.
type Writer[T raster.Sample] struct {
	at      *raster.Grid // where the cells lie
	o       Options
	bands   int
	none    T
	gaps    bool // none says that nothing is known
	spool   Spool
	spooled int64
	levels  []*level[T]
	rows    int // that were written
}

// level is a resolution that is being written.
type level[T raster.Sample] struct {
	cols, rows int
	strip      []T // of up to side rows
	n          int // rows in it
	before     []T // the northern row of a pair, for the next resolution; empty: none
	pair       []T
	tiles      []packed
}

// packed is a packed tile: in memory, or in the spool.
type packed struct {
	bytes  []byte
	at     int64
	length int64
}

// NewWriter begins a file of the cells of a grid, whose values are not read. spool may be nil: packed tiles stay in memory.
func NewWriter[T raster.Sample](at *raster.Grid, bands int, o Options, spool Spool) (*Writer[T], error) {
	if at.Cols < 1 || at.Rows < 1 || bands < 1 || bands > maxBands || at.Cols > maxSide || at.Rows > maxSide {
		return nil, fmt.Errorf("cog: %d x %d cells of %d bands", at.Cols, at.Rows, bands)
	}
	if o.Names != nil && len(o.Names) != bands || o.Colours && bands < 3 {
		return nil, fmt.Errorf("cog: %d names of %d bands", len(o.Names), bands)
	}
	w := &Writer[T]{at: at, o: o, bands: bands, spool: spool}
	var err error
	if w.none, w.gaps, err = noneOf[T](o.NoData); err != nil {
		return nil, err
	}
	for cols, rows := at.Cols, at.Rows; ; cols, rows = (cols+1)/2, (rows+1)/2 {
		w.levels = append(w.levels, &level[T]{cols: cols, rows: rows, strip: make([]T, cols*bands*min(side, rows))})
		if max(cols, rows) <= side {
			return w, nil
		}
	}
}

// noneOf is the sample of what is not known, and whether there is one.
func noneOf[T raster.Sample](noData *float64) (none T, gaps bool, err error) {
	if n, ok := any(&none).(*float32); ok {
		*n = math.Float32frombits(0x7fc00000) // NaN
		if noData != nil {
			return none, true, errors.New("cog: what is not known of float32 is NaN")
		}
		return none, true, nil
	}
	if noData == nil {
		return none, false, nil
	}
	if none = T(*noData); float64(none) != *noData {
		return none, false, fmt.Errorf("cog: no sample has the value %g", *noData)
	}
	return none, true, nil
}

// Write takes whole rows, as many as they are.
func (w *Writer[T]) Write(pix []T) error {
	n := w.at.Cols * w.bands
	if len(pix)%n != 0 || w.rows+len(pix)/n > w.at.Rows {
		return fmt.Errorf("cog: %d samples behind row %d of %d rows of %d", len(pix), w.rows, w.at.Rows, n)
	}
	for ; len(pix) > 0; pix = pix[n:] {
		w.rows++
		if err := w.take(0, pix[:n]); err != nil {
			return err
		}
	}
	return nil
}

// take takes a row of a resolution, and gives the next one that of two.
func (w *Writer[T]) take(at int, row []T) error {
	l := w.levels[at]
	copy(l.strip[l.n*len(row):], row)
	l.n++
	last := len(l.tiles)/across(l.cols)*side+l.n == l.rows
	if at+1 < len(w.levels) {
		if len(l.before) == 0 && !last {
			l.before = append(l.before, row...)
		} else {
			north, south := l.before, row
			if len(north) == 0 {
				north, south = row, nil // the last row of an odd number
			}
			l.pair = w.halved(l.pair, north, south)
			l.before = l.before[:0]
			if err := w.take(at+1, l.pair); err != nil {
				return err
			}
		}
	}
	if l.n < side && !last {
		return nil
	}
	return w.flush(l)
}

// across is how many tiles stand beside each other.
func across(cells int) int { return (cells + side - 1) / side }

// flush packs the tiles of a strip.
func (w *Writer[T]) flush(l *level[T]) error {
	tiles, err := packStrip(l.strip[:l.n*l.cols*w.bands], form[T]{cols: l.cols, bands: w.bands, none: w.none, gaps: w.gaps, p: w.o.Packing})
	if err != nil {
		return err
	}
	l.n = 0
	for _, b := range tiles {
		t := packed{bytes: b, length: int64(len(b))}
		if w.spool != nil && len(b) > 0 {
			if _, err := w.spool.Write(b); err != nil {
				return fmt.Errorf("cog: %w", err)
			}
			t.bytes, t.at = nil, w.spooled
			w.spooled += t.length
		}
		l.tiles = append(l.tiles, t)
	}
	return nil
}

// Size is about the length of the file.
func (w *Writer[T]) Size() int64 {
	n := int64(4096)
	for _, l := range w.levels {
		for _, t := range l.tiles {
			n += t.length + 16
		}
	}
	return n
}

// Close writes the file, when all rows are there, and gives its length.
func (w *Writer[T]) Close(out io.Writer) (int64, error) {
	if w.rows != w.at.Rows {
		return 0, fmt.Errorf("cog: %d of %d rows", w.rows, w.at.Rows)
	}
	front, size, err := w.front()
	if err != nil {
		return 0, err
	}
	if _, err := out.Write(front); err != nil {
		return 0, err
	}
	for _, l := range slices.Backward(w.levels) {
		for _, t := range l.tiles {
			if t.length == 0 {
				continue
			}
			if t.bytes == nil {
				t.bytes = make([]byte, t.length)
				if _, err := w.spool.ReadAt(t.bytes, t.at); err != nil {
					return 0, fmt.Errorf("cog: %w", err)
				}
			}
			if _, err := out.Write(t.bytes); err != nil {
				return 0, err
			}
		}
	}
	return size, nil
}
