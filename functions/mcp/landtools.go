package mcp

import (
	"encoding/json"
	"fmt"
	"math"
)

// What holds for all answers about areas.
const (
	scanned = "Heights are those of laser scans of answer.about's dates: what was built, felled or grown since is not in them."
	told    = "Types are told from heights, colours and maps, each with a confidence; they are no survey."
	guessed = "Leaf types and species are hints; diameters and volumes are estimates by published formulae. Small trees below others are " +
		"not found."
	between = "What has changed is surer than its type. Volumes have the errors of their rows (95 of 100 cases)."
	indexed = "Figures of the landscape index are those of the last analysis of each KG; KGs and parcels with processed false were not " +
		"analysed."
)

const placeDoc = " Where: area (GeoJSON), bbox, kg or parcel_ids, at most 25 km². It may take some seconds to minutes: where it is not " +
	"over the answer names a task, and task_id alone asks again."

// by ranks features by the greatest of some properties, whatever its sign.
func by(names ...string) func(feature) float64 {
	return func(f feature) float64 {
		most := math.Inf(-1)
		for _, name := range names {
			if v, ok := f.number(name); ok {
				most = max(most, math.Abs(v))
			}
		}
		return most
	}
}

// areaTools ask about areas that are drawn or named.
func (s *service) areaTools() []tool {
	const heights, tasks = "Laser scans and orthophotos", "Results of analyses"
	spatials, searches, ended := s.ask("cadastre-spatial", ""), s.ask("cadastre-search", ""), s.ask("landscape-results", tasks)
	study := func(of *asked, id string, only ...string) study {
		return study{patience: s.Patience, call: call{of: of, id: id, only: only}, tasks: call{of: ended, id: "segment_progress"},
			ended:    call{of: ended, id: "segment_result"},
			outlines: call{of: searches, id: "search_kg", only: []string{"code"}}, parcels: call{of: spatials,
				id: "parcels_geometry_batch", only: []string{"ids"}}}
	}
	segments, trees := s.ask("landscape-segment", heights), s.ask("landscape-trees", heights)
	changes, terrain := s.ask("landscape-changes", heights), s.ask("landscape-analysis", heights)
	objects, single := study(segments, "segment", "dataset", "types", "groups", "min_object_size"), study(trees, "trees_v2", "dataset",
		"min_tree_height")
	objects.rank, objects.rankBy = by("area_sqm"), "the largest first"
	objects.columns = []string{"segment_id", "type", "area_sqm", "height_max_m", "height_mean_m", "ndvi_mean", "confidence"}
	objects.about = []string{"dataset", "earlier_dataset", "ortho", "coverage", "segmented", "layers_missing", "model", "building_mask"}
	single.rank, single.rankBy, single.rows = by("height_m"), "the highest first", 3
	single.columns = []string{"tree_id", "apex_lon", "apex_lat", "height_m", "crown_area_sqm", "leaf_type", "species_hint", "vitality",
		"dbh_est_cm", "volume_m3_est", "detection_conf"}
	single.about = []string{"dataset", "ortho", "coverage", "rejected_by_surface", "building_mask"}
	single.words = heightClasses
	events := study(changes, "changes", "date_a", "date_b", "min_change")
	events.rank, events.rankBy = by("surface_volume_m3", "terrain_volume_m3"), "the greatest volume first"
	events.columns = []string{"change_id", "type", "centroid_lon", "centroid_lat", "area_sqm", "change_m", "terrain_volume_m3",
		"terrain_volume_error_m3", "surface_volume_m3",
		"surface_volume_error_m3", "height_before_m", "height_after_m", "confidence", "cut_off"}
	events.about = []string{"date_a", "date_b", "min_change_m", "coverage", "evidence_missing"}
	fates := study(trees, "changes_trees", "date_a", "date_b", "min_tree_height")
	fates.rank, fates.rankBy = by("height_before_m", "height_after_m"), "the highest first"
	fates.columns = []string{"tree_id", "status", "height_before_m", "height_after_m", "height_change_m"}
	fates.about = []string{"date_a", "date_b", "coverage", "building_mask"}
	relief := study(terrain, "terrain", "dataset")
	relief.about = []string{"dataset", "coverage"}
	return []tool{
		{name: "objects_in_area", title: "What lies in an area", study: &objects, caution: []string{scanned, told},
			doc: "The objects of an area by type: trees, roofs, meadows, roads, water and others, 25 types, with their number, area and " +
				"confidence in answer.summary. rows lists the largest." + placeDoc},
		{name: "trees_in_area", title: "The trees of an area", study: &single, caution: []string{scanned, guessed},
			doc: "Single trees of an area: in answer.summary their number, stems a hectare, height classes, top heights, crown cover and " +
				"volume; the highest ones in answer.data." + placeDoc},
		{name: "changes_in_area", title: "What has changed in an area between two laser scans", study: &events, caution: []string{scanned,
			between},
			doc: "Changes of the land between the laser scans of date_a and date_b: fellings, growth, new and demolished buildings, " +
				"earthworks, roads; by type with number, area and volumes in answer.summary. rows lists the greatest. compare_versions " +
				"has changes of parcels." + placeDoc},
		{name: "tree_changes_in_area", title: "What became of the trees of an area", study: &fates, caution: []string{scanned, guessed},
			doc: "Trees of an area by what became of them between two laser scans: grown, stable, felled, new, in answer.summary. rows " +
				"lists the highest." + placeDoc},
		{name: "terrain_of_area", title: "Elevation, slope and aspect of an area", study: &relief, caution: []string{scanned},
			doc: "Elevation, slope, aspect and ruggedness of the ground of an area, as figures in answer.data." + placeDoc},
	}
}

// indexTools ask the index of the analysed KGs.
func (s *service) indexTools() []tool {
	index := s.ask("landscape-index", "Analysed landscape by KG")
	parcel := []string{"parcel_id", "kg_code", "area_sqm", "lon", "lat", "processed", "dominant_type", "vegetated_fraction",
		"forested_fraction", "tree_count",
		"tree_canopy_sqm", "ndsm_max_m", "ndvi_mean", "elevation_m", "slope_mean_deg", "aspect_dominant", "terrain_class"}
	kg := []string{"kg_code", "kg_name", "gemeinde_name", "total_area_sqm", "processed", "dominant_type", "vegetated_fraction",
		"tree_count", "tree_canopy_sqm", "tree_mean_height_m",
		"elevation_mean_m", "slope_mean_deg", "building_count", "new_building_count", "net_volume_change_m3", "mean_confidence",
		"quality_grade"}
	return []tool{
		{name: "landscape_of_kg", title: "What was found on a KG", caution: []string{told, indexed},
			doc: "What analysis found on a whole KG: area and objects by type (landcover), trees, buildings that the cadastre does not " +
				"have, lost forest, terrain, how sure it is. " +
				"What is not known is left out.",
			calls: []call{{of: index, id: "landscape_kg", only: []string{"kg_code"}}}, words: known},
		{name: "landscape_of_parcels", title: "What was found on parcels", caution: []string{told, indexed}, doubts: unread, parcels: true,
			doc: "Terrain and vegetation of parcels by their ids: what covers them, trees, heights, slope. parcels_by_landscape finds " +
				"parcels by that.",
			calls: []call{{of: index, id: "landscape_parcels_batch", only: []string{"parcel_ids"}, offsets: true, columns: parcel}}},
		{name: "parcels_by_landscape", title: "Parcels by what covers them", caution: []string{told, indexed}, doubts: unread,
			parcels: true,
			doc: "Parcels of a KG, a municipality, a district, a state or a box by what analysis and the cadastre know of them: type of " +
				"cover, forest, trees, slope, aspect, area, buildings. pf_sort orders them.",
			calls: []call{{of: index, id: "landscape_parcels", offsets: true, columns: parcel, only: []string{"kg", "gemeinde",
				"district", "state", "bbox", "pf_types", "pf_aspect", "pf_terrain_class",
				"pf_min_vegetated_fraction", "pf_min_forested_fraction", "pf_min_tree_count", "pf_max_slope", "pf_sort", "pf_sort_dir",
				"min_area", "max_area", "has_buildings", "has_natura2000"}}}},
		{name: "kgs_by_landscape", title: "KGs by what covers them", caution: []string{told, indexed},
			doc: "KGs by what analysis found on them, all conditions together: areas of types of cover, confidence, region. Sorted by a " +
				"column.",
			calls: []call{{of: index, id: "query_compound", offsets: true, columns: kg, only: []string{"state", "district", "gemeinde",
				"bbox", "processed_only", "type_filters",
				"landcover_filters", "sort", "sort_dir", "min_tree_count", "min_vegetated_fraction", "min_slope_mean_deg",
				"max_slope_mean_deg"}}}},
		{name: "nature_parcels", title: "Parcels worth most for nature", caution: []string{told, indexed}, doubts: unread, parcels: true,
			doc: "Parcels by a conservation score of 0 to 100 from laws, protected areas, vegetation and trees, the greatest first.",
			calls: []call{{of: index, id: "query_nature", offsets: true, columns: append([]string{"conservation_score",
				"in_protected_area", "near_protected_area"}, parcel...),
				only: []string{"kg", "gemeinde", "district", "state", "bbox", "protected_area", "min_vegetated_fraction", "min_ndvi",
					"min_tree_canopy_sqm", "min_area_sqm", "max_area_sqm", "sort"}}}},
	}
}

// known leaves out what is null or an empty list, and the addresses of products.
func known(members map[string]json.RawMessage) map[string]json.RawMessage {
	for name, v := range members {
		if s := string(v); s == "null" || s == "[]" || name == "_links" || name == "bbox" {
			delete(members, name)
		}
	}
	return members
}

// heightClasses says of a histogram which heights its numbers stand for: trees by classes of 2 m, those without trees left out.
func heightClasses(answer map[string]json.RawMessage) {
	var summary map[string]json.RawMessage
	var histogram []int
	if json.Unmarshal(answer["summary"], &summary) != nil || json.Unmarshal(summary["height_histogram_2m"], &histogram) != nil {
		return
	}
	classes := map[string]int{}
	for i, n := range histogram {
		if n > 0 {
			classes[fmt.Sprintf("%02d-%02d m", 2*i, 2*i+2)] = n
		}
	}
	delete(summary, "height_histogram_2m")
	b, err := json.Marshal(classes)
	if err != nil { // texts and numbers
		return
	}
	summary["trees_by_height"] = b
	if whole, err := json.Marshal(summary); err == nil {
		answer["summary"] = whole
	}
}
