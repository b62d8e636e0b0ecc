package cog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/shared/geo/raster"
)

// stripes are samples of several bands; some hundred cells in the north-west and single ones have no value.
func stripes[T raster.Sample](cols, rows, bands int, none T) *raster.Samples[T] {
	s := &raster.Samples[T]{West: 4_400_000, North: 2_700_000, Step: 0.4, Cols: cols, Rows: rows, Bands: bands, Pix: make([]T,
		cols*rows*bands)}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range s.Pix {
		c, row := i/bands%cols, i/bands/cols
		if s.Pix[i] = T(1 + (c/7+row/5+i%bands*40+r.IntN(3))%200); c < 515 && row < 513 || c%97 == 0 {
			s.Pix[i] = none
		}
	}
	return s
}

func number(v float64) *float64 { return &v }

func written[T raster.Sample](t *testing.T, s *raster.Samples[T], o Options) []byte {
	t.Helper()
	o.EPSG = 3035
	b, err := EncodeSamples(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readBack[T raster.Sample](t *testing.T, b []byte, image int) *raster.Samples[T] {
	t.Helper()
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadSamples[T](f, bytes.NewReader(b), &f.Images[image], f.Images[image].Whole())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// roundTrip writes samples in every packing, as TIFF and BigTIFF, whole and row by row, and reads them; GDAL has the same.
func roundTrip[T raster.Sample](t *testing.T, none T, o Options, gdalType string) {
	t.Helper()
	dir := t.TempDir()
	for _, c := range []struct {
		cols, rows, bands int
		packing           Packing
		big               bool
	}{{1, 1, 1, Deflate, false}, {700, 600, 1, Zstd, false}, {1030, 1100, 4, Zstd, true}, {513, 5, 3, Deflate, true}, {1025, 1100,
		2, Deflate, false}} {
		s := stripes(c.cols, c.rows, c.bands, none)
		o.Packing, o.Big, o.Colours = c.packing, c.big, c.bands >= 3
		b := written(t, s, o)
		if got := readBack[T](t, b, 0); !slices.Equal(got.Pix, s.Pix) || got.West != s.West || got.North != s.North ||
			got.Step != s.Step || got.Bands != s.Bands {
			t.Errorf("%T, %+v: other samples are read than written", none, c)
		}
		spool, err := os.Create(filepath.Join(dir, "spool"))
		if err != nil {
			t.Fatal(err)
		}
		o.EPSG = 3035
		w, err := NewWriter[T](s.Grid(), c.bands, o, spool)
		if err != nil {
			t.Fatal(err)
		}
		for row := range s.Rows {
			if err := w.Write(s.Row(row)); err != nil {
				t.Fatal(err)
			}
		}
		var out bytes.Buffer
		if size, err := w.Close(&out); err != nil || size != int64(out.Len()) || !bytes.Equal(out.Bytes(), b) {
			t.Errorf("%T, %+v: row by row other bytes are written: %d, %v", none, c, size, err)
		}
		if err := spool.Close(); err != nil {
			t.Fatal(err)
		}
		in, raw := filepath.Join(dir, "in.tif"), filepath.Join(dir, "out.bin")
		if err := os.WriteFile(in, b, 0o600); err != nil {
			t.Fatal(err)
		}
		gdal(t, "gdal_translate", "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP", in, raw)
		theirs, err := os.ReadFile(raw)
		if err != nil {
			t.Fatal(err)
		}
		same := make([]T, len(s.Pix))
		ordered(same, theirs, binary.LittleEndian)
		if !slices.Equal(same, s.Pix) {
			t.Errorf("%T, %+v: GDAL reads other samples", none, c)
		}
		if info := gdal(t, "gdalinfo", in); bytes.Count(info, []byte("Type="+gdalType)) != c.bands || o.NoData != nil &&
			!bytes.Contains(info, fmt.Appendf(nil, "NoData Value=%g", *o.NoData)) {
			t.Errorf("%T, %+v: %s", none, c, info)
		}
	}
}

func TestSamplesOfEveryForm(t *testing.T) {
	roundTrip[uint8](t, 0, Options{NoData: number(0)}, "Byte")
	roundTrip[uint8](t, 0, Options{}, "Byte")
	roundTrip[uint16](t, 65535, Options{NoData: number(65535)}, "UInt16")
	roundTrip[int16](t, -32768, Options{NoData: number(-32768), Unit: "dB", Scale: 0.01}, "Int16")
	roundTrip[float32](t, 7, Options{}, "Float32")
}

// A cell of an overview is the mean of the known ones, or the class that most of them are.
func TestOverviewsOfNumbers(t *testing.T) {
	s := &raster.Samples[uint8]{Step: 1, Cols: 1030, Rows: 3, Bands: 2, Pix: make([]uint8, 1030*3*2)}
	set := func(row, col, band int, v uint8) { s.Pix[(row*1030+col)*2+band] = v }
	for i, v := range []uint8{10, 20, 20, 30} { // mean 20, most 20
		set(i/2, i%2, 0, v)
	}
	set(0, 2, 0, 7) // the others have no value
	set(0, 4, 1, 1)
	set(1, 4, 1, 2) // mean 1.5
	set(2, 0, 1, 9) // the last row stands alone
	wide := &raster.Samples[uint16]{Step: 1, Cols: 1030, Rows: 3, Bands: 2, Pix: make([]uint16, len(s.Pix))}
	for i, v := range s.Pix {
		wide.Pix[i] = uint16(v)
	}
	for _, classes := range []bool{false, true} {
		o := Options{Packing: Zstd, NoData: number(0), Classes: classes}
		got := readBack[uint8](t, written(t, s, o), 1)
		want := map[[3]int]uint8{{0, 0, 0}: 20, {0, 1, 0}: 7, {0, 2, 1}: 2, {1, 0, 1}: 9, {1, 1, 1}: 0, {0, 500, 0}: 0}
		if classes {
			want[[3]int{0, 2, 1}] = 1 // the first of two
		}
		for at, v := range want {
			if g := got.Row(at[0])[at[1]*2+at[2]]; g != v {
				t.Errorf("classes %v, overview at %v: %d, expected %d", classes, at, g, v)
			}
		}
		same := readBack[uint16](t, written(t, wide, o), 1)
		for i, v := range got.Pix {
			if uint16(v) != same.Pix[i] {
				t.Fatalf("classes %v: bytes give %d, whole numbers %d", classes, v, same.Pix[i])
			}
		}
	}
}

// A file is as long as its offsets allow: beyond 32 bits it is a BigTIFF.
func TestLongFilesAreBigTIFF(t *testing.T) {
	w, err := NewWriter[uint8](&raster.Grid{Step: 1, Cols: 512, Rows: 1024}, 1, Options{Packing: Zstd, EPSG: 3035}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(make([]uint8, 512*1024)); err != nil {
		t.Fatal(err)
	}
	for length, version := range map[int64]byte{100: 42, 3 << 30: 43} {
		for i := range w.levels[0].tiles {
			w.levels[0].tiles[i].length = length
		}
		front, size, err := w.front()
		if err != nil || front[2] != version || size < 2*length {
			t.Errorf("tiles of %d bytes: version %d, %d bytes, %v", length, front[2], size, err)
		}
		if f, err := Open(bytes.NewReader(front), size); err != nil {
			t.Errorf("tiles of %d bytes: %v", length, err)
		} else if at, n := f.Images[0].Tile(0, 1, 0); n != length || at+n != size {
			t.Errorf("tiles of %d bytes: the second at %d", length, at)
		}
	}
}

func TestWhatIsNotWritten(t *testing.T) {
	at := &raster.Grid{Step: 1, Cols: 3, Rows: 2}
	for name, o := range map[string]Options{"a name too much": {Names: []string{"a", "b"}}, "colours of one band": {Colours: true},
		"a nodata that is no byte": {NoData: number(256)}, "half a nodata": {NoData: number(0.5)}} {
		if _, err := NewWriter[uint8](at, 1, o, nil); err == nil {
			t.Errorf("%s is written", name)
		}
	}
	if _, err := NewWriter[float32](at, 1, Options{NoData: number(-1)}, nil); err == nil {
		t.Error("a nodata of float32 is written")
	}
	w, err := NewWriter[uint8](at, 1, Options{Packing: Zstd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(make([]uint8, 4)); err == nil {
		t.Error("a row and a third are taken")
	}
	if _, err := w.Close(&bytes.Buffer{}); err == nil {
		t.Error("a file without its rows is closed")
	}
	if err := w.Write(make([]uint8, 9)); err == nil {
		t.Error("a row too much is taken")
	}
}

// Pictures packed by JPEG are read as GDAL unpacks them: grey, three planes, brightness and differences, with a mask.
func TestPicturesInJPEG(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.tif")
	s := &raster.Samples[uint8]{West: 4_400_000, North: 2_700_000, Step: 1, Cols: 300, Rows: 200, Bands: 3, Pix: make([]uint8, 300*200*3)}
	for i := range s.Pix {
		s.Pix[i] = uint8(40 + i/3%300/3 + i/900/4 + 20*(i%3))
	}
	if err := os.WriteFile(in, written(t, s, Options{Packing: Deflate, Colours: true}), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"planes":          {"-co", "PHOTOMETRIC=RGB"},
		"differences":     {"-co", "PHOTOMETRIC=YCBCR"},
		"in tiles":        {"-co", "PHOTOMETRIC=YCBCR", "-co", "TILED=YES", "-co", "BLOCKXSIZE=128", "-co", "BLOCKYSIZE=128"},
		"grey":            {"-b", "1"},
		"apart":           {"-co", "INTERLEAVE=BAND"},
		"two bands apart": {"-b", "1", "-b", "2", "-co", "INTERLEAVE=BAND"},
	} {
		out, raw := filepath.Join(dir, "out.tif"), filepath.Join(dir, "out.bin")
		gdal(t, "gdal_translate", append(append([]string{"-q", "-co", "COMPRESS=JPEG", "-co", "JPEG_QUALITY=95"}, args...), in, out)...)
		gdal(t, "gdal_translate", "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP", out, raw)
		want, err := os.ReadFile(raw)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		got := readBack[uint8](t, b, 0)
		if len(got.Pix) != len(want) {
			t.Fatalf("%s: %d samples, expected %d", name, len(got.Pix), len(want))
		}
		worst := 0
		for i, v := range got.Pix {
			worst = max(worst, int(v)-int(want[i]), int(want[i])-int(v))
		}
		most := 3 // decoders round otherwise
		if strings.Contains(strings.Join(args, " "), "YCBCR") {
			most = 12 // and lay colours otherwise between their samples, of which there is one for four cells
		}
		if worst > most {
			t.Errorf("%s: a sample differs by %d", name, worst)
		}
	}
}

// Whatever bytes stand in a tile of JPEG, it ends.
func FuzzJPEG(f *testing.F) {
	f.Add([]byte{0xff, 0xd8, 0xff, 0xdb, 0, 4, 0, 0, 0xff, 0xd9}, []byte{0xff, 0xd8, 0xff, 0xd9})
	f.Fuzz(func(t *testing.T, tables, stored []byte) {
		im := Image{Width: 16, Height: 16, TileWidth: 16, TileHeight: 16, Bands: 3, bits: 8, format: formatUint,
			compression: packJPEG, predictor: 1, tables: tables}
		out := make([]byte, 16*16*3)
		if n, err := im.unJPEG(out, stored); err == nil && n > len(out) {
			t.Errorf("%d bytes of %d", n, len(out))
		}
	})
}

// Whatever stands in a file, its samples are refused or read.
func FuzzSamples(f *testing.F) {
	b, err := EncodeSamples(stripes[uint8](20, 10, 3, 0), Options{Packing: Zstd, EPSG: 3035, NoData: number(0)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for i := range file.Images {
			im := &file.Images[i]
			if im.Width*im.Height*im.Bands > 1<<20 {
				continue
			}
			if s, err := ReadSamples[uint8](file, bytes.NewReader(b), im, im.Whole()); err == nil && i == 0 {
				_ = file.Blank(bytes.NewReader(b), s, im.Whole())
			}
		}
	})
}
