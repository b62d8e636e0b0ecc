package cog

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/raster"
)

// cpu are the seconds of CPU of this process, or of those that it has started.
func cpu(b *testing.B, who int) float64 {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(who, &r); err != nil {
		b.Fatal(err)
	}
	return float64(r.Utime.Sec+r.Stime.Sec) + float64(r.Utime.Usec+r.Stime.Usec)/1e6
}

// measured runs a benchmark and reports the seconds of CPU of an operation.
func measured(b *testing.B, name string, who int, op func() error) {
	b.Run(name, func(b *testing.B) {
		before := cpu(b, who)
		for b.Loop() {
			if err := op(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric((cpu(b, who)-before)/float64(b.N), "cpu-s/op")
	})
}

// BenchmarkBesideGDAL reads and writes 5,000 x 5,000 cells as this package and as GDAL do it, in seconds of CPU: heights of
// float32, and pictures of four bands of bytes. GDAL starts a process for each, some hundredths of a second.
func BenchmarkBesideGDAL(b *testing.B) {
	translate := oracles.Program(b, "gdal_translate")
	heights := raster.SamplesOf(hills(5000, 5000))
	besideGDAL(b, "float32", translate, heights, Options{EPSG: 3035})
	photo := &raster.Samples[uint8]{West: 4_400_000, North: 2_700_000, Step: 0.4, Cols: 5000, Rows: 5000, Bands: 4,
		Pix: make([]uint8, 100e6)}
	state := uint32(1)
	for i := range photo.Pix {
		state = state*1664525 + 1013904223
		photo.Pix[i] = uint8(90 + 50*math.Sin(float64(i/4%5000)/37)*math.Cos(float64(i/20000)/23) + float64(state>>29))
	}
	besideGDAL(b, "four bands of bytes", translate, photo, Options{EPSG: 3035, Colours: true, NoData: number(0)})
}

func besideGDAL[T raster.Sample](b *testing.B, what, translate string, s *raster.Samples[T], o Options) {
	dir := b.TempDir()
	run := func(args ...string) error {
		if text, err := exec.Command(translate, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
		return nil
	}
	plain := filepath.Join(dir, "plain.tif")
	for _, p := range []struct {
		name    string
		packing Packing
	}{{"DEFLATE", Deflate}, {"ZSTD", Zstd}} {
		o.Packing = p.packing
		body, err := EncodeSamples(s, o)
		if err != nil {
			b.Fatal(err)
		}
		in := filepath.Join(dir, p.name+".tif")
		if err := os.WriteFile(in, body, 0o600); err != nil {
			b.Fatal(err)
		}
		measured(b, what+", "+p.name+", read", syscall.RUSAGE_SELF, func() error {
			f, err := Open(bytes.NewReader(body), int64(len(body)))
			if err != nil {
				return err
			}
			_, err = ReadSamples[T](f, bytes.NewReader(body), &f.Images[0], f.Images[0].Whole())
			return err
		})
		measured(b, what+", "+p.name+", written", syscall.RUSAGE_SELF, func() error {
			_, err := EncodeSamples(s, o)
			return err
		})
		if err := run("-q", "-co", "TILED=NO", in, plain); err != nil {
			b.Fatal(err)
		}
		measured(b, what+", "+p.name+", read by GDAL", syscall.RUSAGE_CHILDREN, func() error { return run("-q", "-of", "MEM", in, "none") })
		measured(b, what+", "+p.name+", written by GDAL", syscall.RUSAGE_CHILDREN, func() error {
			return run("-q", "-of", "COG", "-co", "COMPRESS="+p.name, "-co", "PREDICTOR=YES", "-co", "BIGTIFF=NO", plain,
				filepath.Join(dir, "out.tif"))
		})
	}
}
