package rasters

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/rasters"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// A plane in another system is a plane in the tiles: each cell has the height of its own place.
func TestAPlaneOfAnotherSystem(t *testing.T) {
	const west, north = 167_700.0, 364_500.0
	height := func(x, y float64) float64 { return 1500 + 0.4*(x-west) - 0.7*(north-y) }
	for _, step := range []float64{0.7, 5} {
		g := raster.New(west, north, step, int(math.Ceil(400/step)), int(math.Ceil(400/step)))
		for row := range g.Rows {
			for col := range g.Cols {
				g.Z[row*g.Cols+col] = float32(height(g.Centre(col, row)))
			}
		}
		b, err := cog.Encode(g, cog.Options{Packing: cog.Zstd, EPSG: 31287})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		name := filepath.Join(dir, "rasters", "DTM_20240915.tif")
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		c := country()
		l := made(t, dir, c).Find(rasters.DTM, "20240915")
		cells, worst := 0, 0.0
		for _, tile := range l.Tiles {
			got := stored(t, c, tile)
			for row := range got.Rows {
				for col := range got.Cols {
					z := float64(got.Z[row*got.Cols+col])
					if z != z {
						continue
					}
					x, y := crs.LambertMGI.Forward(crs.LAEA.Inverse(got.Centre(col, row)))
					if x > west+step && x < west+400-step && y < north-step && y > north-400+step {
						cells++
						worst = max(worst, math.Abs(z-height(x, y)))
					}
				}
			}
		}
		if cells < 140_000 || worst > 0.006 {
			t.Errorf("cells of %g m: %d are known, heights differ by up to %g m", step, cells, worst)
		}
	}
}
