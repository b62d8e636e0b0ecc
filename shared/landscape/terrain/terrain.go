// Package terrain derives slope, aspect, ruggedness, position and curvature from a grid of heights, cell by cell and
// summed over an area. All of them look at the eight neighbours of a cell; a cell at the border of the grid or beside an
// unknown height has none of them.
//
// With the heights a b c / d e f / g h i, north up, and cells of L metres:
//
//	slope      degrees: atan √(p² + q²), p = ((c+2f+i) - (a+2d+g)) / 8L, q = ((g+2h+i) - (a+2b+c)) / 8L (Horn 1981)
//	aspect     degrees clockwise from north of the steepest descent, 0 to 360; -1 where p and q are 0
//	TRI        metres: √ Σ (neighbour - e)² (Riley, DeGloria and Elliot 1999)
//	TPI        metres: e - mean of the neighbours, positive on ridges (Weiss 2001)
//	curvature  1/m: -2 (D+E), D = ((d+f)/2 - e)/L², E = ((b+h)/2 - e)/L², positive where convex (Zevenbergen and Thorne 1987)
package terrain

import (
	"math"

	"mappe/shared/geo/raster"
)

// Row are the metrics of the cells of a row; NaN where there are none.
type Row struct {
	Slope, Aspect, TRI, TPI, Curvature []float32
}

// NewRow has room for rows of so many cells.
func NewRow(cols int) *Row {
	all := make([]float32, 5*cols)
	cut := func(i int) []float32 { return all[i*cols : (i+1)*cols : (i+1)*cols] }
	return &Row{cut(0), cut(1), cut(2), cut(3), cut(4)}
}

const degrees = 180 / math.Pi

var nan = float32(math.NaN())

// Compute fills the metrics of a row of the grid.
func (r *Row) Compute(g *raster.Grid, row int) {
	n := g.Cols
	for _, v := range [][]float32{r.Slope, r.Aspect, r.TRI, r.TPI, r.Curvature} {
		v[0], v[n-1] = nan, nan
		if row == 0 || row == g.Rows-1 {
			for i := range v {
				v[i] = nan
			}
		}
	}
	if row == 0 || row == g.Rows-1 {
		return
	}
	north, mid, south := g.Row(row-1), g.Row(row)[:n], g.Row(row + 1)[:n]
	north = north[:n]
	eight, square := 8*g.Step, g.Step*g.Step
	for i := 1; i < n-1; i++ {
		// Differences from the cell, so that heights of some thousand metres lose no digits.
		e := float64(mid[i])
		a, b, c := float64(north[i-1])-e, float64(north[i])-e, float64(north[i+1])-e
		d, f := float64(mid[i-1])-e, float64(mid[i+1])-e
		g, h, k := float64(south[i-1])-e, float64(south[i])-e, float64(south[i+1])-e
		sum := a + b + c + d + f + g + h + k
		if sum != sum {
			r.Slope[i], r.Aspect[i], r.TRI[i], r.TPI[i], r.Curvature[i] = nan, nan, nan, nan, nan
			continue
		}
		p := ((c + 2*f + k) - (a + 2*d + g)) / eight
		q := ((g + 2*h + k) - (a + 2*b + c)) / eight
		r.Slope[i] = float32(math.Atan(math.Sqrt(p*p+q*q)) * degrees)
		r.Aspect[i] = aspect(p, q)
		r.TRI[i] = float32(math.Sqrt(a*a + b*b + c*c + d*d + f*f + g*g + h*h + k*k))
		r.TPI[i] = float32(-sum / 8)
		r.Curvature[i] = float32(-2 * ((d+f)/2 + (b+h)/2) / square)
	}
}

// aspect is the direction of the steepest descent for a rise of p to the east and of q to the south.
func aspect(p, q float64) float32 {
	if p == 0 && q == 0 {
		return -1
	}
	deg := math.Atan2(-p, q) * degrees // descent to the east is -p, to the north is q
	if deg < 0 {
		deg += 360
	}
	if v := float32(deg); v < 360 {
		return v
	}
	return 0
}

// Classes are the terrain classes by rising ruggedness.
var Classes = [7]string{"level", "nearly_level", "slightly_rugged", "intermediately_rugged", "moderately_rugged", "highly_rugged", "extremely_rugged"}

// ClassLimits are the mean TRI in metres that the classes but the last stay below, for cells of 1 m. Riley's own limits
// (81 to 959 m) are for cells of about 1 km: with them every hectare would be level.
var ClassLimits = [6]float64{0.1, 0.3, 0.8, 1.5, 3, 6}

// ClassOf is the class of a mean TRI of cells of 1 m.
func ClassOf(tri float64) string {
	for i, limit := range ClassLimits {
		if tri < limit {
			return Classes[i]
		}
	}
	return Classes[len(Classes)-1]
}
