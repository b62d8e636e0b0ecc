package rasters

import (
	"math"

	"mappe/shared/geo/raster"
)

// Year is the course of twelve monthly grids with the same cells over the year, as the layer of the vegetation index has it:
// mean and the parts of the first harmonic; NaN where the months do not tell.
func Year(months *[12]*raster.Grid) (mean, cos, sin *raster.Grid) {
	g := months[0]
	of := [3]*raster.Grid{}
	for i := range of {
		of[i] = raster.New(g.West, g.North, g.Step, g.Cols, g.Rows)
	}
	for i := range g.Z {
		var values [12]float64
		n := 0
		for m, z := range months {
			if values[m] = float64(z.Z[i]); !math.IsNaN(values[m]) {
				n++
			}
		}
		if n == 0 {
			continue
		}
		f := fit(&values, n)
		of[0].Z[i], of[1].Z[i], of[2].Z[i] = float32(f.mean), float32(f.cos), float32(f.sin)
	}
	return of[0], of[1], of[2]
}
