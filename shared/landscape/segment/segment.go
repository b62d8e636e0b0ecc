// Package segment divides land into objects by what height models, orthophotos and satellites show of it, measures each of
// them (Features) and says by rules what it is (Rules): one of 25 types in 11 groups. It reads nothing; callers bring the
// layers of a window. Where a model of the classes is at hand it is a Classifier; without one the rules decide.
//
// Land is worked on in squares of 1 km that begin at multiples of 1,000 m of EPSG:3035, each with a margin (Halo) around it:
//
//	gradient    of the surface's height above ground, the surface, the vegetation index and the brightness: Sobel, each over
//	            its 98th percentile in the window, at most 1; their mean by weights 0.4, 0.2, 0.25, 0.15, of those that are there
//	basins      marker watershed (Meyer 1994) in the order of 4,096 levels, from the minima of the smoothed gradient, apart for
//	            ground (below 0.3 m) and what stands on it, and for each footprint of a building
//	regions     neighbours are merged while the mean gradient along their common border is below the threshold, the weakest
//	            border first (Haris et al. 1998); then what is smaller than the least size joins the neighbour with the
//	            weakest border. Ground and what stands on it are merged only then, across the edge of a footprint nothing is.
//	            A region is in one piece, but where squares meet.
//	seams       parts of two squares are one where both squares, each in its margin, take them for one
//
// Where less than half of a window has heights, regions are those of Felzenszwalb and Huttenlocher (2004) in the colours.
//
// The result is the same on every processor and for any number of them: sums of the gradient are whole numbers, products are
// rounded by an explicit conversion before they are added (no fused multiply-add), and beyond the four operations only the
// square root and the logarithm of this package are used.
package segment

import (
	"mappe/shared/geo/raster"
)

// Side is that of the squares in metres, Halo the margin around them.
const (
	Side = 1000
	Halo = 64
	span = Side + 2*Halo
)

// Layers are what is known of a window in EPSG:3035. Grids that are nil are not at hand; NaN is a cell without a value. Those
// of 1 m have the cells of the window, those of 10 m cover it.
type Layers struct {
	DTM, DSM               *raster.Grid // 1 m, metres above the Adriatic
	EarlierDTM, EarlierDSM *raster.Grid // 1 m, of an earlier date
	Red, Green, Blue, NIR  *raster.Grid // 1 m, 0 to 255
	Mean, Cos, Sin         *raster.Grid // 10 m: course of the vegetation index over the year, -1 to 1
	VV, VH                 *raster.Grid // 10 m: radar backscatter in dB
	Cover                  *raster.Grid // 10 m: land cover, 10 trees, 20 shrubs, 30 grass, 40 crops, 50 built, 60 bare, 80 water
	Loss                   *raster.Grid // 10 m: year of the loss of forest less 2000; 0: none. Objects have nothing of it
	Buildings              []raster.Polygon
	BuildingsKnown         bool      // footprints of the cadastre were looked for
	Uses                   []Use     // parcels with their use
	Ways                   []Feature // of the community map
}

// Use is a parcel, or a part of one, with the code of its use in the land register.
type Use struct {
	Polygon raster.Polygon
	Code    int
}

// Feature is a way of the community map.
type Feature struct {
	Kind   string // that of its Lane: road, path, rail; others are not looked at
	Points []raster.XY
	Width  float64 // metres
}

// Window is the square whose south-western corner is given in kilometres, with its margin.
func Window(e, n int) raster.Box {
	return raster.Box{West: float64(float64(e)*Side) - Halo, South: float64(float64(n)*Side) - Halo,
		East: float64(float64(e+1)*Side) + Halo, North: float64(float64(n+1)*Side) + Halo}
}
