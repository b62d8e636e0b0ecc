// Package terrain derives slope, aspect, ruggedness, position and curvature from a grid of heights, cell by cell and
// summed over an area. All of them look at the eight neighbours of a cell; a cell at the border of the grid or beside an
// unknown height has none of them.
//
// With the heights a b c / d e f / g h i, north up, and cells of L metres:
//
//	slope      degrees: atan √(p² + q²), p = ((c+2f+i) - (a+2d+g)) / 8L, q = ((g+2h+i) - (a+2b+c)) / 8L (Horn 1981)
//	aspect     degrees clockwise from north of the steepest descent (-p, q), 0 to 360
//	TRI        metres: √ Σ (neighbour - e)² (Riley, DeGloria and Elliot 1999)
//	TPI        metres: e - mean of the neighbours, positive on ridges (Weiss 2001)
//	curvature  1/m: -2 (D+E), D = ((d+f)/2 - e)/L², E = ((b+h)/2 - e)/L², positive where convex (Zevenbergen and Thorne 1987)
package terrain

import "math"

const degrees = 180 / math.Pi

// Rises is what the figures of a cell are made of: sums of the differences of its neighbours from it, whatever its side is. A cell
// beside an unknown height has none: all are NaN, but Straight where it is a corner that is not known.
type Rises struct {
	East, South float64 // 8L p and 8L q of the package comment
	Squares     float64 // of all eight
	All         float64 // of all eight
	Straight    float64 // of b, d, f and h
}

// RisesOf are those of the cell i of a row, by the rows to its north and south. Products are rounded before they are added, so that
// the sums are the same on every processor.
func RisesOf(north, row, south []float32, i int) Rises {
	e := float64(row[i])
	a, b, c := float64(north[i-1])-e, float64(north[i])-e, float64(north[i+1])-e
	d, f := float64(row[i-1])-e, float64(row[i+1])-e
	k, h, l := float64(south[i-1])-e, float64(south[i])-e, float64(south[i+1])-e
	straight := b + d + f + h
	return Rises{East: c - a + l - k + 2*(f-d), South: k - a + l - c + 2*(h-b), All: a + c + k + l + straight, Straight: straight,
		Squares: float64(a*a) + float64(b*b) + float64(c*c) + float64(d*d) + float64(f*f) + float64(h*h) + float64(k*k) + float64(l*l)}
}

var nan = float32(math.NaN())

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
