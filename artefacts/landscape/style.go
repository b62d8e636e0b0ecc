package landscape

import (
	"fmt"

	land "mappe/shared/landscape/segment"
	"mappe/shared/web/qgis"
)

// How QGIS draws the layers.
var (
	// SegmentStyle draws segments by their type.
	SegmentStyle = func() qgis.Style {
		s := qgis.Style{Fill: "#b0b0b0", Line: "#424242", Width: 0.1, Size: 1.6, Column: "type"}
		for i := range land.Types {
			k := &land.Types[i]
			s.Classes = append(s.Classes, qgis.Class{Name: k.Name, Values: []string{k.Name}, Fill: fmt.Sprintf("#%06x", k.Colour)})
		}
		return s
	}()
	// TreeStyle draws trees by their leaves.
	TreeStyle = qgis.Style{Fill: "#4d9221", Line: "#1b4d0b", Width: 0.2, Size: 2, Column: "leaf_type", Classes: []qgis.Class{
		{Name: "coniferous", Values: []string{"coniferous"}, Fill: "#2d6a2d"}, {Name: "broadleaf", Values: []string{"broadleaf"},
			Fill: "#8fbf3f"},
		{Name: "dead", Values: []string{"dead"}, Fill: "#9c7a5b"}, {Name: "unknown", Values: []string{"unknown"}, Fill: "#9e9e9e"}}}
	// ChangeStyle draws changes by their type: what grew green, what was lost brown, what was built red, what was dug ochre,
	// roads grey.
	ChangeStyle = qgis.Style{Fill: "#b0b0b0", Line: "#404040", Width: 0.2, Column: "type", Classes: []qgis.Class{
		{Name: "trees and growth", Values: []string{"tree_growth", "new_tree", "vegetation_growth"}, Fill: "#7fbf5f"},
		{Name: "trees and growth lost", Values: []string{"tree_felling", "forest_clearcut", "vegetation_loss"}, Fill: "#8c5a2b"},
		{Name: "built", Values: []string{"new_building", "construction"}, Fill: "#d7301f"},
		{Name: "demolished", Values: []string{"demolition"}, Fill: "#fc8d59"},
		{Name: "filled", Values: []string{"earthwork_fill", "earthwork_dam"}, Fill: "#e6b800"},
		{Name: "dug", Values: []string{"earthwork_cut", "earthwork_trench", "earthwork_pond"}, Fill: "#b8860b"},
		{Name: "levelled or sealed", Values: []string{"earthwork_grading", "surface_change"}, Fill: "#d9c89e"},
		{Name: "roads", Values: []string{"road_new", "road_resurfaced", "road_widened"}, Fill: "#636363"},
		{Name: "other", Values: []string{"unclassified_change"}, Fill: "#9e9ac8"},
	}}
	// BuildingStyle draws buildings by the form of their roof, NewBuildingStyle those that the cadastre lacks, ParcelStyle
	// the borders of parcels, InfrastructureStyle what carries traffic or energy.
	BuildingStyle = qgis.Style{Fill: "#b58f77", Line: "#4a2f20", Width: 0.15, Column: "roof_type_hint", Classes: []qgis.Class{
		{Name: "flat", Values: []string{"flat"}, Fill: "#9a9a9a"}, {Name: "pitched", Values: []string{"pitched"}, Fill: "#c0573f"}}}
	NewBuildingStyle    = qgis.Style{Fill: "#e7298a", Line: "#7a0f4a", Width: 0.2}
	ParcelStyle         = qgis.Style{Line: "#000000", Width: 0.15}
	InfrastructureStyle = qgis.Style{Fill: "#8c8c8c", Line: "#3d3d3d", Width: 0.1}
)
