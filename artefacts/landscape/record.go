package landscape

import (
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/landscape/segment"
	"mappe/shared/landscape/terrain"
)

// Record is what the search index says of a KG. Numbers that are not known are NaN, texts are empty: a KG that was not
// processed has what the cadastre knows and nothing else. Empty gives such a record.
type Record struct {
	KGCode, KGName, GemeindeCode, GemeindeName, DistrictCode, DistrictName, StateCode, StateName string

	BBox     geom.Box
	Centroid geom.Point

	ParcelCount, BuildingCount, TotalAreaSqm float64

	Processed    bool
	PrimaryYear  float64
	DominantType string // name of a type

	VegetatedFraction, ShannonDiversity, Segments                                float64
	ElevationMin, ElevationMax, ElevationMean, SlopeMean                         float64
	AspectDominant                                                               string
	RoughnessMean, SteepnessMax, ElevationRange, TRIMean                         float64
	TerrainClass                                                                 string
	NDVIMean, TreeCount, TreeCanopySqm, TreeMeanHeight, TreeStemVolume           float64
	NetVolumeChange, TemporalStability                                           float64
	NewBuildingCount, InfrastructureCount                                        float64
	BuildingFootprintSqm, BuildingMeanHeight, BuildingMaxHeight                  float64
	BuildingStoriesMean, BuildingStoriesMax, BuildingPitchedPct                  float64
	NewBuildingFootprintSqm, NewBuildingMeanHeight, NewBuildingStoriesMean       float64
	SARVVMean, SARVHMean, HarmonicMean, HarmonicAmplitude, HarmonicPhase         float64
	DTMChangeMean, ChangedSegments, DisturbedVolume                              float64
	PhenologyDominant                                                            string
	Tiles, BuildingHeightCoveragePct                                             float64
	MeanConfidence, RFClassifiedPct, RFMeanConfidence, RFDiverged, RFDivergedPct float64
	QualityScore                                                                 float64
	QualityGrade                                                                 string
	JSONURL, LightURL, FullURL                                                   string
}

// Grades are the grades of the quality score, the best first.
var Grades = []string{"A", "B", "C", "D", "F"}

func num(name, unit string, decimals int, doc string, at func(*Record) *float64) Column[Record] {
	return number(name, unit, decimals, doc, at)
}

func whole(name, doc string, at func(*Record) *float64) Column[Record] {
	return count(name, "", doc, at)
}

func word(name, doc string, at func(*Record) *string) Column[Record] { return text(name, doc, at) }

// RecordColumns are the columns of the search index, as written.
var RecordColumns = Columns[Record]{
	word("kg_code", "Code of the Katastralgemeinde, 5 digits.", func(r *Record) *string { return &r.KGCode }),
	word("kg_name", "Name of the KG.", func(r *Record) *string { return &r.KGName }),
	word("gemeinde_code", "Code of the municipality, 5 digits.", func(r *Record) *string { return &r.GemeindeCode }),
	word("gemeinde_name", "Name of the municipality.", func(r *Record) *string { return &r.GemeindeName }),
	word("district_code", "Code of the district, 3 digits.", func(r *Record) *string { return &r.DistrictCode }),
	word("district_name", "Name of the district.", func(r *Record) *string { return &r.DistrictName }),
	word("state_code", "Code of the state, 1 digit.", func(r *Record) *string { return &r.StateCode }),
	word("state_name", "Name of the state.", func(r *Record) *string { return &r.StateName }),
	{Name: "bbox", Unit: "°", Type: Bounds, Doc: "Least longitude and latitude, then greatest, WGS84.", bounds: func(r *Record) *geom.Box {
		return &r.BBox
	}},
	place("centroid", "Longitude and latitude of the centroid, WGS84.", func(r *Record) *geom.Point { return &r.Centroid }),
	whole("parcel_count", "Parcels of the cadastre.", func(r *Record) *float64 { return &r.ParcelCount }),
	whole("building_count", "Building footprints of the cadastre.", func(r *Record) *float64 { return &r.BuildingCount }),
	num("total_area_sqm", "m²", 0, "Area of the KG.", func(r *Record) *float64 { return &r.TotalAreaSqm }),
	flag("processed", "Whether the KG was analysed; where not, what analysis finds is null.", func(r *Record) *bool {
		return &r.Processed
	}),
	whole("primary_year", "Year of the laser scan that most of it was analysed by.", func(r *Record) *float64 { return &r.PrimaryYear }),
	enum("dominant_type", "Type of objects with the largest area.", TypeNames(), func(r *Record) *string { return &r.DominantType }),
	num("vegetated_fraction", "", 4, "Share of the area under trees, shrubs, hedges, grass, gardens, crops, orchards and vineyards.",
		func(r *Record) *float64 { return &r.VegetatedFraction }),
	num("shannon_diversity", "", 4, "Shannon index of the shares of types, natural logarithm.", func(r *Record) *float64 {
		return &r.ShannonDiversity
	}),
	whole("n_segments", "Objects that the area was divided into.", func(r *Record) *float64 { return &r.Segments }),
	num("elevation_min_m", "m", 2, "Lowest terrain.", func(r *Record) *float64 { return &r.ElevationMin }),
	num("elevation_max_m", "m", 2, "Highest terrain.", func(r *Record) *float64 { return &r.ElevationMax }),
	num("elevation_mean_m", "m", 2, "Mean terrain.", func(r *Record) *float64 { return &r.ElevationMean }),
	num("slope_mean_deg", "°", 2, "Mean slope (Horn 1981).", func(r *Record) *float64 { return &r.SlopeMean }),
	enum("aspect_dominant", "Direction that most cells descend to; below 2° they are flat.", terrain.Sectors[:], func(r *Record) *string {
		return &r.AspectDominant
	}),
	num("roughness_mean", "m", 3, "Mean roughness of the objects' surfaces.", func(r *Record) *float64 { return &r.RoughnessMean }),
	num("steepness_max_deg", "°", 2, "Greatest slope.", func(r *Record) *float64 { return &r.SteepnessMax }),
	num("elevation_range_m", "m", 2, "Highest minus lowest terrain.", func(r *Record) *float64 { return &r.ElevationRange }),
	num("tri_mean", "m", 4, "Mean terrain ruggedness index (Riley 1999) of cells of 1 m.", func(r *Record) *float64 { return &r.TRIMean }),
	enum("terrain_class", "Ruggedness by tri_mean.", terrain.Classes[:], func(r *Record) *string { return &r.TerrainClass }),
	num("ndvi_mean", "", 4, "Mean vegetation index.", func(r *Record) *float64 { return &r.NDVIMean }),
	whole("tree_count", "Single trees.", func(r *Record) *float64 { return &r.TreeCount }),
	num("tree_canopy_sqm", "m²", 0, "Area of the crowns of trees.", func(r *Record) *float64 { return &r.TreeCanopySqm }),
	num("tree_mean_height_m", "m", 2, "Mean height of trees.", func(r *Record) *float64 { return &r.TreeMeanHeight }),
	num("tree_stem_volume_m3", "m³", 1, "Estimated volume of the stems.", func(r *Record) *float64 { return &r.TreeStemVolume }),
	num("net_volume_change_m3", "m³", 1,
		"Volume that was added to the surface minus what was removed, between the first and the last scan.", func(r *Record) *float64 {
			return &r.NetVolumeChange
		}),
	num("temporal_stability", "", 4, "Share of the area whose height did not change between scans.", func(r *Record) *float64 {
		return &r.TemporalStability
	}),
	whole("new_building_count", "Buildings that the cadastre does not have.", func(r *Record) *float64 { return &r.NewBuildingCount }),
	whole("infrastructure_count", "Objects of infrastructure.", func(r *Record) *float64 { return &r.InfrastructureCount }),
	num("building_footprint_sqm", "m²", 0, "Area of the footprints of buildings.", func(r *Record) *float64 {
		return &r.BuildingFootprintSqm
	}),
	num("building_mean_height_m", "m", 2, "Mean of the buildings' mean heights.", func(r *Record) *float64 {
		return &r.BuildingMeanHeight
	}),
	num("building_max_height_m", "m", 2, "Height of the highest building.", func(r *Record) *float64 { return &r.BuildingMaxHeight }),
	num("building_stories_mean", "", 2, "Mean of the estimated storeys.", func(r *Record) *float64 { return &r.BuildingStoriesMean }),
	whole("building_stories_max", "Most estimated storeys.", func(r *Record) *float64 { return &r.BuildingStoriesMax }),
	num("building_pitched_pct", "%", 2, "Buildings with a pitched roof, of those whose roof is known.", func(r *Record) *float64 {
		return &r.BuildingPitchedPct
	}),
	num("new_building_footprint_sqm", "m²", 0, "Area of the new buildings.", func(r *Record) *float64 {
		return &r.NewBuildingFootprintSqm
	}),
	num("new_building_mean_height_m", "m", 2, "Mean of the new buildings' greatest heights.", func(r *Record) *float64 {
		return &r.NewBuildingMeanHeight
	}),
	num("new_building_stories_mean", "", 2, "Mean of the new buildings' estimated storeys.", func(r *Record) *float64 {
		return &r.NewBuildingStoriesMean
	}),
	num("sar_vv_mean_db", "dB", 2, "Mean radar backscatter, VV.", func(r *Record) *float64 { return &r.SARVVMean }),
	num("sar_vh_mean_db", "dB", 2, "Mean radar backscatter, VH.", func(r *Record) *float64 { return &r.SARVHMean }),
	num("ndvi_harm_mean", "", 4, "Mean of the vegetation index over the year, by its harmonic.", func(r *Record) *float64 {
		return &r.HarmonicMean
	}),
	num("ndvi_harm_amplitude", "", 4, "Amplitude of the first harmonic of the vegetation index.", func(r *Record) *float64 {
		return &r.HarmonicAmplitude
	}),
	num("ndvi_harm_phase", "d", 1, "Day of the year on which the first harmonic is highest.", func(r *Record) *float64 {
		return &r.HarmonicPhase
	}),
	num("dtm_change_mean_m", "m", 4, "Mean change of the terrain between the first and the last scan.", func(r *Record) *float64 {
		return &r.DTMChangeMean
	}),
	whole("n_changed_segments", "Objects whose height or terrain changed.", func(r *Record) *float64 { return &r.ChangedSegments }),
	num("total_disturbed_volume_m3", "m³", 1, "Volume that was added or removed, without sign.", func(r *Record) *float64 {
		return &r.DisturbedVolume
	}),
	enum("phenology_dominant", "Course of the vegetation index over the year that most of the area has.", segment.Phenologies,
		func(r *Record) *string { return &r.PhenologyDominant }),
	whole("n_tiles", "Squares of 1 km that the KG was analysed in.", func(r *Record) *float64 { return &r.Tiles }),
	num("building_height_coverage_pct", "%", 2, "Buildings whose height is known.", func(r *Record) *float64 {
		return &r.BuildingHeightCoveragePct
	}),
	num("mean_confidence", "", 4, "Mean confidence of the objects' types, by area.", func(r *Record) *float64 { return &r.MeanConfidence }),
	num("rf_classified_pct", "%", 2, "Objects whose type the trained model decided.", func(r *Record) *float64 {
		return &r.RFClassifiedPct
	}),
	num("rf_mean_confidence", "", 4, "Mean confidence of the trained model.", func(r *Record) *float64 { return &r.RFMeanConfidence }),
	whole("rf_diverged_count", "Objects whose type is another than the model's.", func(r *Record) *float64 { return &r.RFDiverged }),
	num("rf_diverged_pct", "%", 2, "Share of them in the objects that the model judged.", func(r *Record) *float64 {
		return &r.RFDivergedPct
	}),
	num("quality_score", "", 1, "0 to 100 by the formula of the documentation.", func(r *Record) *float64 { return &r.QualityScore }),
	enum("quality_grade", "A from 85, B from 70, C from 55, D from 40, F below.", Grades, func(r *Record) *string {
		return &r.QualityGrade
	}),
	word("zenodo_json_url", "Summary in the research repository; null until uploaded.", func(r *Record) *string { return &r.JSONURL }),
	word("zenodo_light_gpkg_url", "Light GeoPackage in the research repository; null until uploaded.", func(r *Record) *string {
		return &r.LightURL
	}),
	word("zenodo_full_gpkg_url", "Full GeoPackage in the research repository; null until uploaded.", func(r *Record) *string {
		return &r.FullURL
	}),
}

// Empty is the record of a KG of which nothing is known but its code.
func Empty(code austria.KGCode) Record {
	var r Record
	RecordColumns.Clear(&r)
	r.KGCode = string(code)
	return r
}

// Code is the code of the KG.
func (r *Record) Code() austria.KGCode { return austria.KGCode(r.KGCode) }
