package rasters

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"mappe/artefacts/rasters"
	source "mappe/builders/source/rasters"
	"mappe/infra/oracles"
	"mappe/localdev/demo/scene"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// BenchmarkOrthophoto lays out 1 km² of colours and near infrared of 0.2 m: as the builder does (colours and near infrared
// into cells of 0.4 m), and beside it gdalwarp, to cells of 0.2 m and to those of 0.4 m from as many samples. Seconds
// of CPU of both are reported.
func BenchmarkOrthophoto(b *testing.B) {
	px, py := 4_550_000.0, 2_700_000.0
	west, north := crs.GaussKruegerMid.Forward(crs.LAEA.Inverse(px-20, py+1030))
	dir := b.TempDir()
	for name, bands := range map[string]int{"RGB": 3, "NIR": 1} {
		p := &scene.Bytes{West: float64(int(west)), North: float64(int(north)), Step: 0.2, Cols: 5400, Rows: 5400, Bands: bands,
			EPSG: int(crs.GaussKruegerMid), NoData: 0}
		p.Pix = make([]uint8, p.Cols*p.Rows*bands)
		state := uint32(1)
		for i := range p.Pix {
			state = state*1664525 + 1013904223
			p.Pix[i] = uint8(60 + i/bands%p.Cols/40 + int(state>>28))
		}
		body, err := p.Encode()
		if err != nil {
			b.Fatal(err)
		}
		file := filepath.Join(dir, "rasters", "20240625", name+".tif")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, body, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	files, passed, err := source.Look(os.DirFS(dir))
	if err != nil || len(files) != 2 {
		b.Fatal(err, passed)
	}
	k := rasters.LayerTypeOf(rasters.Ortho)
	b.Run("laid out", func(b *testing.B) {
		before := cpu(b, syscall.RUSAGE_SELF)
		for b.Loop() {
			out, err := raster.SamplesOver[uint8](rasters.BoxOf(4550, 2700, 1), k.Step, 4)
			if err != nil {
				b.Fatal(err)
			}
			for _, f := range files {
				if err := develop(out, f, true); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric((cpu(b, syscall.RUSAGE_SELF)-before)/float64(b.N), "cpu-s/op")
	})
	b.Run("and packed", func(b *testing.B) {
		before := cpu(b, syscall.RUSAGE_SELF)
		for b.Loop() {
			l := k.New("2024-06-25", k.Credit)
			t := rasters.Tile{E: 4550, N: 2700, Km: 1}
			if _, err := photoOf(b.Context(), &l, &t, files); err != nil || t.Known < 6_000_000 {
				b.Fatal(err, t.Known)
			}
		}
		b.ReportMetric((cpu(b, syscall.RUSAGE_SELF)-before)/float64(b.N), "cpu-s/op")
	})
	warp := oracles.Program(b, "gdalwarp")
	for name, args := range map[string][]string{"gdalwarp, 0.2 m": {"-r", "bilinear", "-tr", "0.2", "0.2"},
		"gdalwarp, 0.4 m": {"-r", "average", "-tr", "0.4", "0.4"}} {
		b.Run(name, func(b *testing.B) {
			before := cpu(b, syscall.RUSAGE_CHILDREN)
			for b.Loop() {
				for _, file := range []string{"RGB", "NIR"} {
					all := append([]string{"-q", "-overwrite", "-t_srs", "EPSG:3035", "-te", "4550000", "2700000", "4551000",
						"2701000"}, args...)
					all = append(all, filepath.Join(dir, "rasters", "20240625", file+".tif"), filepath.Join(dir, "out.tif"))
					if text, err := exec.Command(warp, all...).CombinedOutput(); err != nil {
						b.Fatalf("%v: %s", err, text)
					}
				}
			}
			b.ReportMetric((cpu(b, syscall.RUSAGE_CHILDREN)-before)/float64(b.N), "cpu-s/op")
		})
	}
}

// cpu are the seconds of CPU of this process, or of those that it has started.
func cpu(b *testing.B, who int) float64 {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(who, &r); err != nil {
		b.Fatal(err)
	}
	return float64(r.Utime.Sec+r.Stime.Sec) + float64(r.Utime.Usec+r.Stime.Usec)/1e6
}
