package change

import (
	"fmt"
	"strings"
)

// Kind is a type of change.
type Kind uint8

// The types, as the landscape service names them.
const (
	TreeGrowth Kind = iota + 1
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

func (k Kind) String() string { return kinds[k] }

// ParseKind reads the name of a type.
func ParseKind(name string) (Kind, error) {
	for _, k := range AllKinds() {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("one of %s", strings.Join(kinds[1:], ", "))
}

// AllKinds are the twenty types in their order.
func AllKinds() []Kind {
	out := make([]Kind, Unclassified)
	for i := range out {
		out[i] = Kind(i + 1)
	}
	return out
}
