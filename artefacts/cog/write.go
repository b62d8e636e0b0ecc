package cog

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

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
}

// maxWritten bounds a file: offsets of a TIFF have 32 bits.
const maxWritten = 4 << 30

// Encode writes a grid. The same grid gives the same bytes on every machine.
func Encode(g *raster.Grid, o Options) ([]byte, error) {
	images := []*raster.Grid{g}
	for last := g; max(last.Cols, last.Rows) > side; images = append(images, last) {
		last = halved(last)
	}
	packed := make([][][]byte, len(images))
	for i, im := range images {
		var err error
		if packed[i], err = tilesOf(im, o.Packing); err != nil {
			return nil, err
		}
	}
	w := &writer{}
	front := 0
	for range 2 { // the first pass tells how long the front is
		w.out = nil
		at := front
		offsets := make([][]uint32, len(images))
		for i := len(images) - 1; i >= 0; i-- {
			offsets[i] = make([]uint32, len(packed[i]))
			for k, b := range packed[i] {
				if len(b) > 0 {
					offsets[i][k] = uint32(at)
					at += len(b)
				}
			}
		}
		if int64(at) >= maxWritten {
			return nil, fmt.Errorf("cog: a file of %d bytes, at most %d are written", at, int64(maxWritten))
		}
		w.front(images, packed, offsets, o)
		front = len(w.out)
	}
	for i := len(images) - 1; i >= 0; i-- {
		for _, b := range packed[i] {
			w.out = append(w.out, b...)
		}
	}
	return w.out, nil
}

// halved is a grid with half as many cells a side: the mean of the known ones of four.
func halved(g *raster.Grid) *raster.Grid {
	h := raster.New(g.West, g.North, 2*g.Step, (g.Cols+1)/2, (g.Rows+1)/2)
	for row := range h.Rows {
		for col := range h.Cols {
			sum, n := float64(0), 0
			for r := 2 * row; r < min(2*row+2, g.Rows); r++ {
				for c := 2 * col; c < min(2*col+2, g.Cols); c++ {
					if z := g.Z[r*g.Cols+c]; z == z {
						sum, n = sum+float64(z), n+1
					}
				}
			}
			if n > 0 {
				h.Z[row*h.Cols+col] = float32(sum / float64(n))
			}
		}
	}
	return h
}

// tilesOf packs the tiles of an image on all processors.
func tilesOf(g *raster.Grid, p Packing) ([][]byte, error) {
	across, down := (g.Cols+side-1)/side, (g.Rows+side-1)/side
	out := make([][]byte, across*down)
	errs := make([]error, len(out))
	next := make(chan int, len(out))
	for i := range out {
		next <- i
	}
	close(next)
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(out)) {
		wait.Go(func() {
			t := &tiler{p: p, raw: make([]byte, side*side*4)}
			for i := range next {
				out[i], errs[i] = t.tile(g, i%across*side, i/across*side)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// tiler packs tiles one after the other.
type tiler struct {
	p    Packing
	raw  []byte
	zlib *zlib.Writer
	zstd *zstd.Encoder
}

// tile packs the tile whose north-western cell is named; nil where nothing in it is known.
func (t *tiler) tile(g *raster.Grid, col, row int) ([]byte, error) {
	known := false
	for r := range side {
		line := t.raw[r*side*4 : (r+1)*side*4]
		for c := range side {
			bits := uint32(0x7fc00000) // NaN
			if row+r < g.Rows && col+c < g.Cols {
				if z := g.Z[(row+r)*g.Cols+col+c]; z == z {
					bits, known = math.Float32bits(z), true
				}
			}
			// Predictor 3: the bytes of all samples by falling weight, then differences.
			line[c], line[side+c], line[2*side+c], line[3*side+c] = byte(bits>>24), byte(bits>>16), byte(bits>>8), byte(bits)
		}
		for i := len(line) - 1; i > 0; i-- {
			line[i] -= line[i-1]
		}
	}
	if !known {
		return nil, nil
	}
	return t.pack()
}

func (t *tiler) pack() ([]byte, error) {
	if t.p == Zstd {
		if t.zstd == nil {
			z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithSingleSegment(true))
			if err != nil {
				return nil, err
			}
			t.zstd = z
		}
		return t.zstd.EncodeAll(t.raw, nil), nil
	}
	var b bytes.Buffer
	if t.zlib == nil {
		z, err := zlib.NewWriterLevel(&b, 6)
		if err != nil {
			return nil, err
		}
		t.zlib = z
	}
	t.zlib.Reset(&b)
	if _, err := t.zlib.Write(t.raw); err != nil {
		return nil, err
	}
	if err := t.zlib.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// writer writes directories.
type writer struct{ out []byte }

// entry is a tag with its values.
type entry struct {
	code, kind int
	count      int
	value      []byte
}

func shorts(code int, values ...uint16) entry {
	e := entry{code: code, kind: 3, count: len(values)}
	for _, v := range values {
		e.value = binary.LittleEndian.AppendUint16(e.value, v)
	}
	return e
}

func longs(code int, values ...uint32) entry {
	e := entry{code: code, kind: 4, count: len(values)}
	for _, v := range values {
		e.value = binary.LittleEndian.AppendUint32(e.value, v)
	}
	return e
}

func doubles(code int, values ...float64) entry {
	e := entry{code: code, kind: 12, count: len(values)}
	for _, v := range values {
		e.value = binary.LittleEndian.AppendUint64(e.value, math.Float64bits(v))
	}
	return e
}

func text(code int, s string) entry {
	return entry{code: code, kind: 2, count: len(s) + 1, value: append([]byte(s), 0)}
}

// front writes the head and the directories.
func (w *writer) front(images []*raster.Grid, packed [][][]byte, offsets [][]uint32, o Options) {
	w.out = append(w.out, "II*\x00\x08\x00\x00\x00"...)
	for i, g := range images {
		lengths := make([]uint32, len(packed[i]))
		for k, b := range packed[i] {
			lengths[k] = uint32(len(b))
		}
		list := []entry{longs(tagWidth, uint32(g.Cols)), longs(tagHeight, uint32(g.Rows)), shorts(tagBits, 32), shorts(tagCompression, uint16(o.Packing)),
			shorts(tagPhotometric, 1), shorts(tagSamples, 1), shorts(tagPlanar, 1), shorts(tagPredictor, 3), shorts(tagTileWidth, side), shorts(tagTileHeight, side),
			longs(tagTileOffsets, offsets[i]...), longs(tagTileBytes, lengths...), shorts(tagSampleFormat, formatFloat), text(tagNoData, "nan")}
		if i > 0 {
			list = append([]entry{longs(tagSubfile, 1)}, list...)
		} else {
			list = append(list, doubles(tagScale, g.Step, g.Step, 0), doubles(tagTiepoint, 0, 0, 0, g.West, g.North, 0),
				shorts(tagGeoKeys, 1, 1, 0, 4, keyModel, 0, 1, 1, keyRaster, 0, 1, 1, keyProject, 0, 1, uint16(o.EPSG), 3076, 0, 1, 9001), text(tagMetadata, metadata(o)))
		}
		slices.SortFunc(list, func(a, b entry) int { return a.code - b.code })
		w.directory(list, i == len(images)-1)
	}
}

// directory writes a directory and, behind it, the values that do not fit into its entries.
func (w *writer) directory(list []entry, last bool) {
	at := len(w.out)
	behind := at + 2 + 12*len(list) + 4
	w.out = binary.LittleEndian.AppendUint16(w.out, uint16(len(list)))
	var values []byte
	for _, e := range list {
		w.out = binary.LittleEndian.AppendUint16(w.out, uint16(e.code))
		w.out = binary.LittleEndian.AppendUint16(w.out, uint16(e.kind))
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(e.count))
		if len(e.value) <= 4 {
			w.out = append(w.out, append(e.value, make([]byte, 4-len(e.value))...)...)
			continue
		}
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(behind+len(values)))
		if values = append(values, e.value...); len(values)%2 == 1 {
			values = append(values, 0) // values begin at even places
		}
	}
	next := uint32(behind + len(values))
	if last {
		next = 0
	}
	w.out = append(binary.LittleEndian.AppendUint32(w.out, next), values...)
}

// metadata is the XML that GDAL shows.
func metadata(o Options) string {
	var b strings.Builder
	b.WriteString("<GDALMetadata>")
	item := func(attributes, name, value string) {
		fmt.Fprintf(&b, `<Item name="%s"%s>`, name, attributes)
		// Twice, as GDAL reads it. A builder takes everything.
		var once strings.Builder
		_ = xml.EscapeText(&once, []byte(value))
		_ = xml.EscapeText(&b, []byte(once.String()))
		b.WriteString("</Item>")
	}
	if o.Unit != "" {
		item(` sample="0" role="unittype"`, "UNITTYPE", o.Unit)
	}
	names := make([]string, 0, len(o.About))
	for name := range o.About {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		item("", name, o.About[name])
	}
	b.WriteString("</GDALMetadata>")
	return b.String()
}
