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

// Rises are what the figures of the cells of a row are made of: sums of the differences of the neighbours of each from it, whatever
// its side is. A cell beside an unknown height has none: all are NaN, but Straight where a corner is not known.
type Rises struct {
	East, South []float64 // 8L p and 8L q of the package comment
	Squares     []float64 // of all eight
	All         []float64 // of all eight
	Straight    []float64 // of b, d, f and h
}

// NewRises has room for so many columns.
func NewRises(cols int) *Rises {
	r := &Rises{}
	for _, v := range []*[]float64{&r.East, &r.South, &r.Squares, &r.All, &r.Straight} {
		*v = make([]float64, cols)
	}
	return r
}

// Fill computes those of a row from a column up to another one, by the rows to its north and south; neither is at the border.
// Products are rounded before they are added, so that the sums are the same on every processor.
func (r *Rises) Fill(north, row, south []float32, from, to int) {
	east, southward, squares, all, straight := r.East[:to], r.South[:to], r.Squares[:to], r.All[:to], r.Straight[:to]
	north, row, south = north[:to+1], row[:to+1], south[:to+1]
	for i := from; i < to; i++ {
		e := float64(row[i])
		a, b, c := float64(north[i-1])-e, float64(north[i])-e, float64(north[i+1])-e
		d, f := float64(row[i-1])-e, float64(row[i+1])-e
		k, h, l := float64(south[i-1])-e, float64(south[i])-e, float64(south[i+1])-e
		four := b + d + f + h
		east[i], southward[i] = c-a+l-k+2*(f-d), k-a+l-c+2*(h-b)
		squares[i] = float64(a*a) + float64(b*b) + float64(c*c) + float64(d*d) + float64(f*f) + float64(h*h) + float64(k*k) + float64(l*l)
		all[i], straight[i] = a+c+k+l+four, four
	}
}

var nan = float32(math.NaN())

// Classes are the terrain classes by rising ruggedness.
var Classes = [7]string{"level", "nearly_level", "slightly_rugged", "intermediately_rugged", "moderately_rugged", "highly_rugged",
	"extremely_rugged"}

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
