package cog

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mappe/shared/geo/raster"
)

// Cells that a mask in the file, a mask beside it or a band of opacity leaves out are not known; scale and offset make
// heights of samples; PackBits is read. All as GDAL writes it.
func TestMasksAndScalesOfGDAL(t *testing.T) {
	g := hills(700, 600)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.tif")
	if err := os.WriteFile(in, encode(t, g, Deflate), 0o600); err != nil {
		t.Fatal(err)
	}
	known := func(z float32) bool { return z == z }
	hidden := raster.New(g.West, g.North, 1, g.Cols, g.Rows)
	copy(hidden.Z, g.Z)
	for row := range g.Rows { // a ring of the cells outside the cutline
		for col := range g.Cols {
			if col < 100 || col >= 660 || row < 90 || row >= 560 {
				hidden.Z[row*g.Cols+col] = float32(math.NaN())
			}
		}
	}
	cutline := filepath.Join(dir, "cut.csv")
	wkt := fmt.Sprintf("id,WKT\n1,\"POLYGON((%[1]f %[2]f,%[3]f %[2]f,%[3]f %[4]f,%[1]f %[4]f,%[1]f %[2]f))\"\n", g.West+100, g.North-90,
		g.West+660, g.North-560)
	if err := os.WriteFile(cutline, []byte(wkt), 0o600); err != nil {
		t.Fatal(err)
	}
	alpha, plain := filepath.Join(dir, "alpha.tif"), filepath.Join(dir, "plain.tif")
	gdal(t, "gdalwarp", "-q", "-srcnodata", "nan", "-dstnodata", "-9999", in, plain) // unknown cells must be a number under a mask
	gdal(t, "gdal_translate", "-q", "-a_nodata", "none", plain, filepath.Join(dir, "bare.tif"))
	gdal(t, "gdalwarp", "-q", "-cutline", cutline, "-dstalpha", filepath.Join(dir, "bare.tif"), alpha)
	for name, c := range map[string]struct {
		args   string
		source string
		want   *raster.Grid
		by     float64
	}{
		"opacity":          {"", alpha, hidden, 0},
		"opacity, apart":   {"-co INTERLEAVE=BAND -co TILED=YES -co COMPRESS=LZW", alpha, hidden, 0},
		"a mask":           {"--config GDAL_TIFF_INTERNAL_MASK YES -b 1 -mask 2 -co COMPRESS=DEFLATE -co TILED=YES", alpha, hidden, 0},
		"a mask in strips": {"--config GDAL_TIFF_INTERNAL_MASK YES -b 1 -mask 2", alpha, hidden, 0},
		"a mask of a COG":  {"-of COG -b 1 -mask 2 -co COMPRESS=LZW -co BLOCKSIZE=128", alpha, hidden, 0},
		"a mask beside":    {"--config GDAL_TIFF_INTERNAL_MASK NO -b 1 -mask 2", alpha, hidden, 0},
		"PackBits":         {"-co COMPRESS=PACKBITS -a_nodata -9999", plain, g, 0},
		"scale and offset": {"-ot Int16 -scale 300 3300 0 30000 -a_scale 0.1 -a_offset 300 -a_nodata -32768",
			filepath.Join(dir, "bare.tif"), g, 0.06},
	} {
		out := filepath.Join(dir, "out.tif")
		gdal(t, "gdal_translate", append(append([]string{"-q"}, strings.Fields(c.args)...), c.source, out)...)
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m, err := os.ReadFile(out + ".msk"); err == nil {
			if f, err = f.MaskedBy(bytes.NewReader(m), int64(len(m))); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if err := os.Remove(out + ".msk"); err != nil {
				t.Fatal(err)
			}
		}
		got, err := f.Read(bytes.NewReader(b), &f.Images[0], 0, f.Images[0].Whole())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wrong := 0
		for i, want := range c.want.Z {
			z := got.Z[i]
			if z == -9999 || c.by > 0 && !known(want) {
				z = float32(math.NaN()) // unknown in the source, and not masked
			}
			if known(z) != known(want) || known(z) && math.Abs(float64(z)-float64(want)) > c.by {
				wrong++
			}
		}
		if wrong > 0 || f.Values() != 1 || f.Scale(0) != (c.by > 0) {
			t.Errorf("%s: %d of %d cells are wrong; %d bands of values", name, wrong, len(got.Z), f.Values())
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
	}
}

// What cannot be read is refused by its name, and so is half a file.
func TestRefusedFiles(t *testing.T) {
	b := encode(t, hills(600, 530), Deflate)
	if _, err := Open(bytes.NewReader(b[:len(b)/2]), int64(len(b)/2)); !errors.Is(err, ErrFormat) ||
		!strings.Contains(err.Error(), "ends early") {
		t.Errorf("half a file: %v", err)
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.tif"), filepath.Join(dir, "out.tif")
	if err := os.WriteFile(in, encode(t, hills(700, 600), Deflate), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ args, want string }{
		"LZMA": {"-co COMPRESS=LZMA", "LZMA"}, "a picture of WebP": {"-ot Byte -b 1 -b 1 -b 1 -co COMPRESS=WEBP", "WebP"},
	} {
		if o, err := exec.Command("gdal_translate", append(append([]string{"-q"}, strings.Fields(c.args)...), in,
			out)...).CombinedOutput(); err != nil {
			t.Logf("%s: this GDAL does not write it: %s", name, o)
			continue
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(bytes.NewReader(b), int64(len(b))); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	gdal(t, "gdal_translate", "-q", in, out)
	gdal(t, "gdal_translate", "-q", "-of", "GTiff", "-mo", "a=b", in, out)
	vrt := filepath.Join(dir, "feet.vrt")
	gdal(t, "gdal_translate", "-q", "-of", "VRT", in, vrt)
	text, err := os.ReadFile(vrt)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`<UnitType>[^<]*</UnitType>|(<VRTRasterBand[^>]*>)`).ReplaceAll(text, []byte("$1"))
	text = regexp.MustCompile(`<VRTRasterBand[^>]*>`).ReplaceAll(text, []byte("$0<UnitType>ft</UnitType>"))
	if err := os.WriteFile(vrt, text, 0o600); err != nil {
		t.Fatal(err)
	}
	gdal(t, "gdal_translate", "-q", vrt, out)
	feet, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := Open(bytes.NewReader(feet), int64(len(feet))); err != nil || f.Unit != "ft" {
		t.Errorf("feet: %v %+v", err, f)
	}
}
