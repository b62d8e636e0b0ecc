// Package change finds what has changed between two dates of a terrain and a surface model: it lays the dates over each other,
// finds cells that differ by more than noise, joins them to regions and tells by a tree of rules what has happened. It reads
// through a Source, row by row, and is called by the landscape's function. Polygons are in EPSG:3035; cells are 1 m.
//
// # Registration
//
// Offset, tilt and horizontal shift are fitted by least squares to the differences of the terrain on open ground,
// dz = s·∇z + offset + tilt·place, which is the linear form of Nuth and Kääb (2011, The Cryosphere 5), with residuals beyond 2.5
// robust standard deviations left out; errors by the jackknife over squares of 250 m. The sample is fixed by the area. What
// flight strips differ by beyond that is taken off by medians of open ground in squares of 125 m.
//
// # Limit of detection
//
// The standard deviation of differences is measured on gentle ground, on steep ground and below trees; a cell of terrain has
// changed where the mean of nine cells is beyond 3.3 of it, s = s0 + k·tan(slope) (Wheaton et al. 2010, Earth Surface Processes and
// Landforms 35; Brasington et al. 2003), and 0.3 m. Volumes err by the noise of their cells, twenty of which below trees share
// one error, and by the level of the ground around; their intervals hold 95 % of planted earthworks.
//
// # Classes of cells, the first that fits
//
//	strong   terrain differs clearly
//	lost     nothing within a cell's eight neighbours reaches half of what stood there (treetops jitter, Yu et al. 2004)
//	gained   the other way round
//	grown    tops of a canopy that is there on both dates, over 15 x 15 cells, are higher by min_change
//	slight   terrain differs by 0.04 m over 25 cells, or a sealed surface by 0.035 m from the soft ground beside it; on slopes by
//	         more, as far as the shift that was taken off may be wrong
//	bared    the surface lay above the terrain by growth and hugs it now: sealed, levelled or dug
//
// Regions of cells are joined where they are parts of one change: crowns of a felling, both sides of a road.
//
// # Rules, the first that fits
//
//	strong, below min_change               as slight
//	  lower, and something stands in it    construction
//	  five times longer than wide          earthwork_dam, earthwork_trench
//	  lower, and deeper where it was higher  earthwork_pond: a level floor
//	  else                                 earthwork_fill, earthwork_cut
//	lost
//	  trees, a strip                       road_widened along a road, else road_new
//	  trees, 0.3 ha and more               forest_clearcut, else tree_felling
//	  even and 1.8 m high                  demolition
//	  as small as cars, thin as wires      nothing
//	  else                                 vegetation_loss
//	gained
//	  even, or full and steep              new_building
//	  flat but rough                       unclassified_change: stacks, heaps of goods
//	  one crown of 2.5 to 6.5 m            new_tree
//	  else as lost                         vegetation_growth
//	grown                                  tree_growth
//	slight or bared
//	  sealed on both dates, a strip        road_resurfaced
//	  a strip along a road, or not         road_widened, road_new
//	  bare, terrain moved evenly or not    surface_change, earthwork_grading
//
// Roofs are told from crowns by their second differences (planarity: Rottensteiner et al. 2005), the order of earthworks is that of
// common geomorphic change detection. min_change is a floor but for slight and bared.
//
// # Hints
//
// Footprints tell what was built or taken down where more than half of it lies in them. Their share of an event and the vegetation
// index of orthophotos before and after (Tucker 1979) stand beside it and in its evidence; the index changes neither type nor
// confidence, since an orthophoto is of another day and season than the scan, and a felled wood is green again within a summer.
//
// Heights are whole millimetres from the registration on: sums are the same in every order, so that neither squares nor
// processors change a byte; what is fitted is rounded by an explicit conversion after each product.
package change

import (
	"fmt"
	"strings"
)

// Type is a type of change.
type Type uint8

// The types, as the landscape service names them.
const (
	TreeGrowth Type = iota + 1
	TreeFelling
	NewTree
	ForestClearcut
	VegetationGrowth
	VegetationLoss
	NewBuilding
	Demolition
	Construction
	EarthworkFill
	EarthworkCut
	EarthworkGrading
	EarthworkDam
	EarthworkTrench
	EarthworkPond
	RoadNew
	RoadResurfaced
	RoadWidened
	SurfaceChange
	Unclassified
)

var kinds = [...]string{"", "tree_growth", "tree_felling", "new_tree", "forest_clearcut", "vegetation_growth", "vegetation_loss",
	"new_building", "demolition", "construction", "earthwork_fill", "earthwork_cut", "earthwork_grading", "earthwork_dam",
	"earthwork_trench", "earthwork_pond", "road_new", "road_resurfaced", "road_widened", "surface_change", "unclassified_change"}

func (k Type) String() string { return kinds[k] }

// ParseType reads the name of a type.
func ParseType(name string) (Type, error) {
	for _, k := range AllTypes() {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("one of %s", strings.Join(kinds[1:], ", "))
}

// AllTypes are the twenty types in their order.
func AllTypes() []Type {
	out := make([]Type, Unclassified)
	for i := range out {
		out[i] = Type(i + 1)
	}
	return out
}
