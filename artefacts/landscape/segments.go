package landscape

import (
	"mappe/shared/geo/geom"
	land "mappe/shared/landscape/segment"
)

// Segment is an object that the area was divided into. What follows from other columns is not stored: the code and group of
// a type, the complexity of the texture, the range of the terrain, the class of the terrain, the ratio of the radar bands.
type Segment struct {
	ID                                             string // by its place
	At                                             geom.Point
	Type                                           land.Type
	Confidence                                     float32
	Source                                         string // rf, rules, infra
	RFType                                         string // "" without a model
	RFConfidence                                   float32
	HeightMax, HeightMean, HeightP90               float32
	AreaSqm                                        float64
	Compactness, Elongation, Solidity, Extent      float32
	EdgeStrength, SlopeMean, Roughness             float32
	NDVIMean, NDVIFused, NIRMean, Brightness       float32
	HeightChange, DTMChange, Stability             float32
	Entropy, Homogeneity                           float32
	SARVV, SARVH, HarmonicAmplitude, HarmonicPhase float32
	Phenology                                      string
	AspectMean                                     float32
	AspectDominant                                 string
	Elevation, ElevationMin, ElevationMax          float32
	TRI, TPI, Curvature                            float32
	GNDVI, NIRStd, NDVIStd, HeightStd, HeightP10   float32
	Shadow, EdgeContrast                           float32
	Landcover                                      string // prior, by satellites
	LandUse                                        float32
	Geometry                                       geom.MultiPolygon
}

func told() (out []string) {
	for _, t := range land.AllTold() {
		out = append(out, string(t))
	}
	return out
}

// SegmentColumns are the stored columns of segments but for the outline.
var SegmentColumns = Columns[Segment]{
	text("id", "Name of the object by its place.", func(s *Segment) *string { return &s.ID }),
	place("at", "Longitude and latitude of a place in it.", func(s *Segment) *geom.Point { return &s.At }),
	object("type", "What it is.", func(s *Segment) *land.Type { return &s.Type }),
	number("confidence", "", 2, "How sure the type is.", func(s *Segment) *float32 { return &s.Confidence }),
	enum("classifier_source", "What told the type: the trained model, rules, or the infrastructure of the community map.", told(),
		func(s *Segment) *string { return &s.Source }),
	enum("rf_type", "What the trained model takes it for; null without one.", TypeNames(), func(s *Segment) *string { return &s.RFType }),
	number("rf_confidence", "", 2, "How sure the model is.", func(s *Segment) *float32 { return &s.RFConfidence }),
	number("height_max_m", "m", 2, "Greatest height above the ground.", func(s *Segment) *float32 { return &s.HeightMax }),
	number("height_mean_m", "m", 2, "Mean height above the ground.", func(s *Segment) *float32 { return &s.HeightMean }),
	number("height_p90_m", "m", 2, "90th percentile of the heights.", func(s *Segment) *float32 { return &s.HeightP90 }),
	number("area_sqm", "m²", 0, "Area.", func(s *Segment) *float64 { return &s.AreaSqm }),
	number("compactness", "", 3, "4 pi A / P²; 1 is a circle.", func(s *Segment) *float32 { return &s.Compactness }),
	number("elongation", "", 3, "1 - minor / major axis.", func(s *Segment) *float32 { return &s.Elongation }),
	number("solidity", "", 3, "Area by that of the convex hull.", func(s *Segment) *float32 { return &s.Solidity }),
	number("extent", "", 3, "Area by that of the box.", func(s *Segment) *float32 { return &s.Extent }),
	number("dsm_edge_strength", "", 3, "Strength of its border in the surface.", func(s *Segment) *float32 { return &s.EdgeStrength }),
	number("slope_mean", "°", 2, "Mean slope of the terrain.", func(s *Segment) *float32 { return &s.SlopeMean }),
	number("roughness", "m", 3, "Roughness of the surface.", func(s *Segment) *float32 { return &s.Roughness }),
	number("ndvi_mean", "", 3, "Mean vegetation index of the orthophoto.", func(s *Segment) *float32 { return &s.NDVIMean }),
	number("ndvi_fused", "", 3, "Mean of the indices of orthophoto and satellite.", func(s *Segment) *float32 { return &s.NDVIFused }),
	number("nir_mean", "", 1, "Mean near infrared, 0 to 255.", func(s *Segment) *float32 { return &s.NIRMean }),
	number("brightness_mean", "", 1, "Mean of red, green and blue, 0 to 255.", func(s *Segment) *float32 { return &s.Brightness }),
	number("height_change", "m", 2, "Change of the height above the ground between scans.", func(s *Segment) *float32 {
		return &s.HeightChange
	}),
	number("dtm_change", "m", 2, "Change of the terrain between scans.", func(s *Segment) *float32 { return &s.DTMChange }),
	number("temporal_stability", "", 3, "Share of cells whose height did not change.", func(s *Segment) *float32 { return &s.Stability }),
	number("glcm_entropy", "", 3, "Entropy of the texture.", func(s *Segment) *float32 { return &s.Entropy }),
	number("glcm_homogeneity", "", 3, "Homogeneity of the texture.", func(s *Segment) *float32 { return &s.Homogeneity }),
	number("sar_vv", "dB", 2, "Radar backscatter, VV.", func(s *Segment) *float32 { return &s.SARVV }),
	number("sar_vh", "dB", 2, "Radar backscatter, VH.", func(s *Segment) *float32 { return &s.SARVH }),
	number("harm_amplitude", "", 3, "Amplitude of the first harmonic of the vegetation index.", func(s *Segment) *float32 {
		return &s.HarmonicAmplitude
	}),
	number("harm_phase", "d", 0, "Day of the year on which it is highest.", func(s *Segment) *float32 { return &s.HarmonicPhase }),
	enum("phenology_class", "Course of the vegetation index over the year.", land.Phenologies, func(s *Segment) *string {
		return &s.Phenology
	}),
	number("aspect_mean_deg", "°", 0, "Mean direction of descent from north clockwise; -1: flat.", func(s *Segment) *float32 {
		return &s.AspectMean
	}),
	enum("aspect_dominant", "Direction that most cells descend to.", sectors, func(s *Segment) *string { return &s.AspectDominant }),
	number("elevation_mean_m", "m", 2, "Mean terrain.", func(s *Segment) *float32 { return &s.Elevation }),
	number("elevation_min_m", "m", 2, "Lowest terrain.", func(s *Segment) *float32 { return &s.ElevationMin }),
	number("elevation_max_m", "m", 2, "Highest terrain.", func(s *Segment) *float32 { return &s.ElevationMax }),
	number("tri_mean", "m", 3, "Mean terrain ruggedness index.", func(s *Segment) *float32 { return &s.TRI }),
	number("tpi_mean", "m", 4, "Mean topographic position index; positive on ridges.", func(s *Segment) *float32 { return &s.TPI }),
	number("curvature_mean", "1/m", 4, "Mean curvature; positive where convex.", func(s *Segment) *float32 { return &s.Curvature }),
	number("gndvi_mean", "", 3, "Mean of (nir - green) / (nir + green).", func(s *Segment) *float32 { return &s.GNDVI }),
	number("nir_std", "", 1, "Standard deviation of the near infrared.", func(s *Segment) *float32 { return &s.NIRStd }),
	number("ndvi_std", "", 3, "Standard deviation of the vegetation index.", func(s *Segment) *float32 { return &s.NDVIStd }),
	number("height_std_m", "m", 2, "Standard deviation of the heights.", func(s *Segment) *float32 { return &s.HeightStd }),
	number("height_p10_m", "m", 2, "10th percentile of the heights.", func(s *Segment) *float32 { return &s.HeightP10 }),
	number("shadow_fraction", "", 3, "Share of cells in shadow.", func(s *Segment) *float32 { return &s.Shadow }),
	number("edge_contrast", "", 1, "Mean difference of the brightness across its border.", func(s *Segment) *float32 {
		return &s.EdgeContrast
	}),
	text("landcover_prior", "Land cover by satellites that most of it has.", func(s *Segment) *string { return &s.Landcover }),
	count("parcel_landuse", "", "Code of the land register that most of it has; null: unknown.", func(s *Segment) *float32 {
		return &s.LandUse
	}),
}
