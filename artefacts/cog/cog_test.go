package cog

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/raster"
)

// hills is a grid of heights in centimetres' steps with unknown parts: a corner of more than a tile, and single cells.
func hills(cols, rows int) *raster.Grid {
	g := raster.New(4_400_000, 2_700_000, 1, cols, rows)
	r := rand.New(rand.NewPCG(1, 2))
	for row := range rows {
		for col := range cols {
			z := 900 + 80*math.Sin(float64(col)/90)*math.Cos(float64(row)/70) + 0.2*r.Float64()
			if !(col < 520 && row < 515) && r.IntN(500) > 0 {
				g.Z[row*cols+col] = float32(math.Round(z*100) / 100)
			}
		}
	}
	return g
}

func equal(t *testing.T, name string, got, want *raster.Grid) {
	t.Helper()
	if got.Cols != want.Cols || got.Rows != want.Rows || got.West != want.West || got.North != want.North || got.Step != want.Step {
		t.Fatalf("%s: %d x %d from %g, %g in cells of %g; expected %d x %d from %g, %g in cells of %g", name, got.Cols, got.Rows, got.West,
			got.North, got.Step,
			want.Cols, want.Rows, want.West, want.North, want.Step)
	}
	wrong := 0
	for i, v := range got.Z {
		if w := want.Z[i]; v != w && (v == v || w == w) {
			if wrong++; wrong == 1 {
				t.Errorf("%s: row %d, column %d: %g, expected %g", name, i/got.Cols, i%got.Cols, v, w)
			}
		}
	}
	if wrong > 1 {
		t.Errorf("%s: %d cells differ", name, wrong)
	}
}

func whole(t *testing.T, b []byte, band int) *raster.Grid {
	t.Helper()
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Read(bytes.NewReader(b), &f.Images[0], band, f.Images[0].Whole())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func encode(t *testing.T, g *raster.Grid, p Packing) []byte {
	t.Helper()
	b, err := Encode(g, Options{Packing: p, EPSG: 3035, Unit: "m", About: map[string]string{"SOURCE": `hills & <dales> "1"`}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAGridIsReadAsWritten(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {511, 3}, {512, 512}, {1300, 1100}} {
		for _, p := range []Packing{Deflate, Zstd} {
			g := hills(size[0], size[1])
			b := encode(t, g, p)
			equal(t, "whole", whole(t, b, 0), g)
			if again := encode(t, g, p); !bytes.Equal(b, again) {
				t.Error("the same grid gives other bytes")
			}
		}
	}
}

// A window is what it covers, whichever tiles it takes; overviews are means of the known cells.
func TestWindowsAndOverviews(t *testing.T) {
	g := hills(1300, 1100)
	b := encode(t, g, Zstd)
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if f.EPSG != 3035 {
		t.Errorf("EPSG %d", f.EPSG)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		w := Window{r.IntN(1300), r.IntN(1100), 0, 0}
		w.Cols, w.Rows = 1+r.IntN(1300-w.Col), 1+r.IntN(1100-w.Row)
		got, err := f.Read(bytes.NewReader(b), &f.Images[0], 0, w)
		if err != nil {
			t.Fatal(err)
		}
		want := raster.New(g.West+float64(w.Col), g.North-float64(w.Row), 1, w.Cols, w.Rows)
		if err := want.Paste(g); err != nil {
			t.Fatal(err)
		}
		equal(t, "window", got, want)
	}
	if len(f.Images) != 3 || f.Images[2].Width != 325 {
		t.Fatalf("%d images: %+v", len(f.Images), f.Images)
	}
	half, err := f.Read(bytes.NewReader(b), &f.Images[1], 0, f.Images[1].Whole())
	if err != nil || half.Step != 2 {
		t.Fatal(err)
	}
	for _, at := range [][2]int{{300, 300}, {10, 500}, {649, 549}, {0, 0}} {
		sum, n := 0.0, 0
		for _, d := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
			if z := float64(g.Z[(2*at[1]+d[1])*1300+2*at[0]+d[0]]); z == z {
				sum, n = sum+z, n+1
			}
		}
		want := float32(sum / float64(n))
		if got := half.Z[at[1]*650+at[0]]; got != want && (got == got || want == want) {
			t.Errorf("overview at %v: %g, expected %g", at, got, want)
		}
	}
	// What is not known is not stored, and the tiles of the full resolution are the last.
	if _, length := f.Images[0].Tile(0, 0, 0); length != 0 {
		t.Errorf("a tile without values takes %d bytes", length)
	}
	if first, _ := f.Images[0].Tile(1, 0, 0); first < int64(f.Images[1].offsets[1]) {
		t.Error("the full resolution stands before an overview")
	}
}

// gdal runs a program of GDAL.
func gdal(t *testing.T, program string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(oracles.Program(t, program), args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	b, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v: %s", program, args, err, errs.Bytes())
	}
	return b
}

// GDAL reads what is written: place, plane, unit, overviews, and every value.
func TestGDALReadsIt(t *testing.T) {
	g := hills(1300, 1100)
	dir := t.TempDir()
	for name, p := range map[string]Packing{"deflate": Deflate, "zstd": Zstd} {
		in, raw := filepath.Join(dir, name+".tif"), filepath.Join(dir, name+".bin")
		if err := os.WriteFile(in, encode(t, g, p), 0o600); err != nil {
			t.Fatal(err)
		}
		var info struct {
			GeoTransform []float64 `json:"geoTransform"`
			STAC         struct {
				EPSG int `json:"proj:epsg"`
			} `json:"stac"`
			Bands []struct {
				Unit      string `json:"unit"`
				Overviews []struct {
					Size []int `json:"size"`
				} `json:"overviews"`
			} `json:"bands"`
			Metadata map[string]map[string]string `json:"metadata"`
		}
		if err := json.Unmarshal(gdal(t, "gdalinfo", "-json", in), &info); err != nil {
			t.Fatal(err)
		}
		if want := []float64{4_400_000, 1, 0, 2_700_000, 0, -1}; !equalFloats(info.GeoTransform, want) || info.STAC.EPSG != 3035 {
			t.Errorf("%s: %v, EPSG %d", name, info.GeoTransform, info.STAC.EPSG)
		}
		if len(info.Bands) != 1 || info.Bands[0].Unit != "m" || len(info.Bands[0].Overviews) != 2 {
			t.Errorf("%s: bands %+v", name, info.Bands)
		}
		if info.Metadata[""]["SOURCE"] != `hills & <dales> "1"` {
			t.Errorf("%s: metadata %v", name, info.Metadata)
		}
		gdal(t, "gdal_translate", "-q", "-of", "ENVI", in, raw)
		equal(t, name, envi(t, raw, g), g)
	}
}

func equalFloats(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9 {
			return false
		}
	}
	return true
}

// envi reads the plain float32 that GDAL writes.
func envi(t *testing.T, name string, like *raster.Grid) *raster.Grid {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil || len(b) != 4*len(like.Z) {
		t.Fatalf("%v, %d bytes", err, len(b))
	}
	g := raster.New(like.West, like.North, like.Step, like.Cols, like.Rows)
	for i := range g.Z {
		g.Z[i] = math.Float32frombits(uint32(b[4*i]) | uint32(b[4*i+1])<<8 | uint32(b[4*i+2])<<16 | uint32(b[4*i+3])<<24)
	}
	return g
}

// Whatever form GDAL writes the same values in, they are read.
func TestFilesOfGDALAreRead(t *testing.T) {
	g := hills(700, 600)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.tif")
	if err := os.WriteFile(in, encode(t, g, Deflate), 0o600); err != nil {
		t.Fatal(err)
	}
	whole16 := raster.New(g.West, g.North, 1, g.Cols, g.Rows) // as whole metres
	for i, z := range g.Z {
		if z == z {
			whole16.Z[i] = float32(math.Floor(float64(z) + 0.5))
		}
	}
	for name, c := range map[string]struct {
		args string
		want *raster.Grid
	}{
		"strips":                 {"", g},
		"strips of one row, LZW": {"-co BLOCKYSIZE=1 -co COMPRESS=LZW", g},
		"LZW, predictor 3":       {"-co TILED=YES -co COMPRESS=LZW -co PREDICTOR=3", g},
		"LZW, predictor 2":       {"-co TILED=YES -co COMPRESS=LZW -co PREDICTOR=2", g},
		"deflate, predictor 2":   {"-co TILED=YES -co BLOCKXSIZE=128 -co BLOCKYSIZE=64 -co COMPRESS=DEFLATE -co PREDICTOR=2", g},
		"zstd":                   {"-co TILED=YES -co COMPRESS=ZSTD -co PREDICTOR=3", g},
		"BigTIFF":                {"-co BIGTIFF=YES -co TILED=YES -co COMPRESS=DEFLATE", g},
		// with predictor 3 GDAL 3.6 does not read what it writes
		"big-endian":              {"-co ENDIANNESS=BIG -co COMPRESS=LZW", g},
		"big-endian, predictor 2": {"-co ENDIANNESS=BIG -co COMPRESS=DEFLATE -co PREDICTOR=2", g},
		"COG":                     {"-of COG -co COMPRESS=LZW -co BLOCKSIZE=128", g},
		"float64":                 {"-ot Float64 -co COMPRESS=LZW -co PREDICTOR=3", g},
		"int16 with -32768":       {"-ot Int16 -a_nodata -32768 -co COMPRESS=LZW -co PREDICTOR=2", whole16},
		"uint16 with 65535":       {"-ot UInt16 -a_nodata 65535 -co TILED=YES -co COMPRESS=DEFLATE", whole16},
		"int32":                   {"-ot Int32 -a_nodata -9999 -co COMPRESS=LZW", whole16},
		"three bands, by pixel":   {"-b 1 -b 1 -b 1 -co COMPRESS=LZW -co PREDICTOR=3 -co INTERLEAVE=PIXEL", g},
		"three bands, apart":      {"-b 1 -b 1 -b 1 -co TILED=YES -co COMPRESS=DEFLATE -co INTERLEAVE=BAND", g},
		"three bands by pixel, int16": {"-b 1 -b 1 -b 1 -ot Int16 -a_nodata -1 -co COMPRESS=LZW -co PREDICTOR=2 -co INTERLEAVE=PIXEL",
			whole16},
		"nodata of a number":           {"-a_nodata -9999", g},
		"sparse":                       {"-co SPARSE_OK=TRUE -co TILED=YES -co COMPRESS=DEFLATE", g},
		"a pixel is a point":           {"-mo AREA_OR_POINT=Point -co COMPRESS=LZW", g},
		"a pixel is a point, 32 tiles": {"-mo AREA_OR_POINT=Point -co COMPRESS=ZSTD -co TILED=YES -co BLOCKXSIZE=32 -co BLOCKYSIZE=32", g},
	} {
		source := in
		if strings.Contains(c.args, "-a_nodata") { // unknown cells become the number
			source = filepath.Join(dir, "numbered.tif")
			number := strings.Fields(c.args[strings.Index(c.args, "-a_nodata"):])[1]
			gdal(t, "gdalwarp", "-q", "-overwrite", "-srcnodata", "nan", "-dstnodata", number, in, source)
		}
		out := filepath.Join(dir, "out.tif")
		gdal(t, "gdal_translate", append(append([]string{"-q"}, strings.Fields(c.args)...), source, out)...)
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.EPSG != 3035 {
			t.Errorf("%s: EPSG %d", name, f.EPSG)
		}
		for band := range f.Images[0].Bands {
			equal(t, name, whole(t, b, band), c.want)
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
	}
}

// A south-up file has the same cells in the same places.
func TestSouthUp(t *testing.T) {
	g := hills(600, 530)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.tif"), filepath.Join(dir, "out.tif")
	if err := os.WriteFile(in, encode(t, g, Deflate), 0o600); err != nil {
		t.Fatal(err)
	}
	// A window upside down: ullr with the south first, of values that are turned with it.
	turned := raster.New(g.West, g.North, 1, g.Cols, g.Rows)
	for row := range g.Rows {
		copy(turned.Row(row), g.Row(g.Rows-1-row))
	}
	if err := os.WriteFile(in, encode(t, turned, Deflate), 0o600); err != nil {
		t.Fatal(err)
	}
	gdal(t, "gdal_translate", "-q", "-a_ullr", "4400000", "2699470", "4400600", "2700000", "-co", "TILED=YES", "-co", "BLOCKXSIZE=256",
		"-co", "BLOCKYSIZE=256", in, out)
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil || !f.SouthUp {
		t.Fatalf("%v, south up %v", err, f)
	}
	equal(t, "whole", whole(t, b, 0), g)
	w := Window{100, 13, 333, 400}
	got, err := f.Read(bytes.NewReader(b), &f.Images[0], 0, w)
	if err != nil {
		t.Fatal(err)
	}
	want := raster.New(g.West+100, g.North-13, 1, 333, 400)
	if err := want.Paste(g); err != nil {
		t.Fatal(err)
	}
	equal(t, "window", got, want)
}

// Whatever byte is changed or cut off, a file is refused or read without more memory than it may take.
func TestDamagedFiles(t *testing.T) {
	b := encode(t, hills(600, 40), Deflate)
	for at := 0; at < len(b); at += 1 + len(b)/300 {
		for _, hurt := range [][]byte{b[:at], append(append(bytes.Clone(b[:at]), b[at]^0xff), b[at+1:]...)} {
			f, err := Open(bytes.NewReader(hurt), int64(len(hurt)))
			if err != nil {
				if !errors.Is(err, ErrFormat) {
					t.Fatalf("byte %d: %v", at, err)
				}
				continue
			}
			im := &f.Images[0]
			if im.Width*im.Height > 1<<22 {
				continue
			}
			if _, err := f.Read(bytes.NewReader(hurt), im, 0, im.Whole()); err != nil && !errors.Is(err, ErrFormat) {
				t.Fatalf("byte %d: %v", at, err)
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, p := range []Packing{Deflate, Zstd} {
		b, err := Encode(hills(20, 10), Options{Packing: p, EPSG: 3035})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for i := range file.Images {
			if im := &file.Images[i]; im.Width*im.Height < 1<<20 {
				_, _ = file.Read(bytes.NewReader(b), im, im.Bands-1, im.Whole()) // it ends without a panic
			}
		}
	})
}

func FuzzLZW(f *testing.F) {
	f.Add([]byte{0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01})
	f.Fuzz(func(t *testing.T, b []byte) {
		out := make([]byte, 1<<12)
		if n, _ := unLZW(out, b); n > len(out) {
			t.Errorf("%d bytes of %d", n, len(out))
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	g := hills(5000, 5000)
	for name, p := range map[string]Packing{"deflate": Deflate, "zstd": Zstd} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(4 * len(g.Z)))
			size := 0
			for b.Loop() {
				out, err := Encode(g, Options{Packing: p, EPSG: 3035})
				if err != nil {
					b.Fatal(err)
				}
				size = len(out)
			}
			b.ReportMetric(float64(size)/1e6, "MB")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	g := hills(5000, 5000)
	for name, p := range map[string]Packing{"deflate": Deflate, "zstd": Zstd} {
		b.Run(name, func(b *testing.B) {
			out, err := Encode(g, Options{Packing: p, EPSG: 3035})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(4 * len(g.Z)))
			for b.Loop() {
				f, err := Open(bytes.NewReader(out), int64(len(out)))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := f.Read(bytes.NewReader(out), &f.Images[0], 0, f.Images[0].Whole()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
