package cog

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"mappe/shared/geo/raster"
)

// packStrip packs the tiles of some rows of an image on all processors.
func packStrip[T raster.Sample](strip []T, f form[T]) ([][]byte, error) {
	out := make([][]byte, across(f.cols))
	errs := make([]error, len(out))
	next := make(chan int, len(out))
	for i := range out {
		next <- i
	}
	close(next)
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(out)) {
		wait.Go(func() {
			t := tilers.Get().(*tiler)
			defer tilers.Put(t)
			for i := range next {
				if known := fill(t, strip, f, i*side); known {
					out[i], errs[i] = t.pack(f.p)
				}
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

// tilers keep their packers: one of zstd takes some MB.
var tilers = sync.Pool{New: func() any { return &tiler{} }}

// tiler packs tiles one after the other.
type tiler struct {
	raw  []byte
	zlib *zlib.Writer
	zstd *zstd.Encoder
}

// fill sets the bytes of a tile that begins in a column, as the predictor leaves them; false where nothing in it is known.
func fill[T raster.Sample](t *tiler, strip []T, f form[T], col int) bool {
	width := int(unsafe.Sizeof(f.none))
	row := side * f.bands * width
	if cap(t.raw) < row*side {
		t.raw = make([]byte, row*side)
	}
	t.raw = t.raw[:row*side]
	rows, n := len(strip)/f.cols/f.bands, min(side, f.cols-col)*f.bands
	line := make([]T, side*f.bands)
	for i := range line {
		line[i] = f.none
	}
	known := !f.gaps
	for r := range side {
		to := t.raw[r*row : (r+1)*row]
		if r < rows {
			at := (r*f.cols + col) * f.bands
			copy(line, strip[at:at+n])
			known = known || anyKnown(line[:n], f.none)
		} else if r == rows {
			for i := range line {
				line[i] = f.none
			}
		}
		predict(to, line, f.bands)
	}
	return known
}

func anyKnown[T raster.Sample](line []T, none T) bool {
	for _, v := range line {
		if v == v && v != none {
			return true
		}
	}
	return false
}

// predict writes a row as differences: predictor 3 of float32, 2 of whole numbers.
func predict[T raster.Sample](to []byte, line []T, bands int) {
	switch line := any(line).(type) {
	case []float32:
		n := len(line)
		for i, v := range line { // the bytes of all samples by falling weight
			bits := math.Float32bits(v)
			if v != v {
				bits = 0x7fc00000 // one for all NaNs
			}
			to[i], to[n+i], to[2*n+i], to[3*n+i] = byte(bits>>24), byte(bits>>16), byte(bits>>8), byte(bits)
		}
		for i := len(to) - 1; i >= bands; i-- {
			to[i] -= to[i-bands]
		}
	case []uint8:
		copy(to, line[:bands])
		for i := bands; i < len(line); i++ {
			to[i] = line[i] - line[i-bands]
		}
	case []uint16:
		differences16(to, line, bands)
	case []int16:
		differences16(to, line, bands)
	}
}

func differences16[T uint16 | int16](to []byte, line []T, bands int) {
	for i, v := range line {
		if i >= bands {
			v -= line[i-bands]
		}
		binary.LittleEndian.PutUint16(to[2*i:], uint16(v))
	}
}

func (t *tiler) pack(p Packing) ([]byte, error) {
	if p == Zstd {
		if t.zstd == nil {
			z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1),
				zstd.WithEncoderCRC(true), zstd.WithSingleSegment(true))
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
