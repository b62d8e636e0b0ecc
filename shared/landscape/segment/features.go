package segment

// Measure describes one of the figures that each object is measured by.
type Measure struct {
	Name    string // of the column in files of models
	Unit    string // "" of ratios
	Formula string
	Source  string // layer or publication
}

// The figures by their place in Features and in the rows of a model.
const (
	Area = iota
	Perimeter
	Compactness
	Elongation
	Solidity
	Extent
	RectangleFill
	MajorAxis
	Convexity
	HeightMean
	HeightMax
	HeightP10
	HeightP50
	HeightP90
	HeightSD
	HeightSkew
	HighShare
	HeightRange
	SurfaceSlope
	Roughness
	Planarity
	EdgeStrength
	InnerGradient
	Elevation
	SlopeMean
	SlopeSD
	Northness
	Eastness
	TRI
	TPI
	Curvature
	RedMean
	GreenMean
	BlueMean
	NIRMean
	NIRSD
	BrightnessMean
	BrightnessSD
	NDVIMean
	NDVISD
	NDWIMean
	ExcessGreen
	NDVIFused
	HarmonicMean
	HarmonicAmplitude
	PhaseCos
	PhaseSin
	SARVV
	SARVH
	SARRatio
	Entropy
	Homogeneity
	Contrast
	Correlation
	HeightChange
	TerrainChange
	Stability
	FeatureCount
)

// The sources of figures.
const (
	ofOutline   = "outline"
	ofHeights   = "surface and terrain model"
	ofSurface   = "surface model"
	ofTerrain   = "terrain model"
	ofPhoto     = "orthophoto"
	ofSatellite = "vegetation index over the year"
	ofRadar     = "radar backscatter"
	ofTwo       = "models of two dates"
	ofHaralick  = "orthophoto; Haralick 1973"
)

// Features are the 57 figures in the order of the rows that models take. A figure whose layer is not at hand is NaN. Means
// are over the cells of the object that have a value; h is the height of the surface above the terrain.
var Features = [FeatureCount]Measure{
	Area:              {"area", "m²", "cells of 1 m²", ofOutline},
	Perimeter:         {"perimeter", "m", "π/4 · sides of cells along the border", ofOutline},
	Compactness:       {"compactness", "", "4π · area / perimeter², at most 1", ofOutline},
	Elongation:        {"elongation", "", "1 - minor / major axis of second moments", ofOutline},
	Solidity:          {"solidity", "", "area / area of the convex hull", ofOutline},
	Extent:            {"extent", "", "area / area of the box along the axes of the plane", ofOutline},
	RectangleFill:     {"rectangle_fill", "", "area / area of the least rectangle of any direction", ofOutline},
	MajorAxis:         {"major_axis", "m", "4 · √ greatest eigenvalue of the second moments", ofOutline},
	Convexity:         {"convexity", "", "perimeter of the convex hull / perimeter", ofOutline},
	HeightMean:        {"height_mean", "m", "mean of h", ofHeights},
	HeightMax:         {"height_max", "m", "greatest h", ofHeights},
	HeightP10:         {"height_p10", "m", "10th percentile of h", ofHeights},
	HeightP50:         {"height_p50", "m", "median of h", ofHeights},
	HeightP90:         {"height_p90", "m", "90th percentile of h", ofHeights},
	HeightSD:          {"height_sd", "m", "standard deviation of h", ofHeights},
	HeightSkew:        {"height_skew", "", "third moment of h / sd³; 0 where sd < 0.01 m", ofHeights},
	HighShare:         {"high_share", "", "share of cells with h > 2 m", ofHeights},
	HeightRange:       {"height_range", "m", "90th - 10th percentile of h", ofHeights},
	SurfaceSlope:      {"surface_slope", "°", "mean slope of the surface (Horn 1981)", ofSurface},
	Roughness:         {"roughness", "m", "√ mean of squared Laplacians/4 of the surface: sum of 4 neighbours/4 - z", ofSurface},
	Planarity:         {"planarity", "m", "root mean square distance of the surface from its plane of least squares", ofSurface},
	EdgeStrength:      {"edge_strength", "", "mean gradient of the surface (Sobel/8) along the border", ofSurface},
	InnerGradient:     {"inner_gradient", "", "mean fused gradient of the cells, 0 to 1", "fused gradient"},
	Elevation:         {"elevation", "m", "mean of the terrain", ofTerrain},
	SlopeMean:         {"slope_mean", "°", "mean slope of the terrain (Horn 1981)", ofTerrain},
	SlopeSD:           {"slope_sd", "°", "standard deviation of that", ofTerrain},
	Northness:         {"northness", "", "mean of cos(aspect) · sin(slope)", ofTerrain},
	Eastness:          {"eastness", "", "mean of sin(aspect) · sin(slope)", ofTerrain},
	TRI:               {"tri", "m", "mean ruggedness (Riley 1999)", ofTerrain},
	TPI:               {"tpi", "m", "mean position (Weiss 2001)", ofTerrain},
	Curvature:         {"curvature", "1/m", "mean curvature (Zevenbergen & Thorne 1987)", ofTerrain},
	RedMean:           {"red_mean", "", "mean of red, 0 to 255", ofPhoto},
	GreenMean:         {"green_mean", "", "mean of green, 0 to 255", ofPhoto},
	BlueMean:          {"blue_mean", "", "mean of blue, 0 to 255", ofPhoto},
	NIRMean:           {"nir_mean", "", "mean of near infrared, 0 to 255", ofPhoto},
	NIRSD:             {"nir_sd", "", "standard deviation of near infrared", ofPhoto},
	BrightnessMean:    {"brightness_mean", "", "mean of b = (red + green + blue) / 3", ofPhoto},
	BrightnessSD:      {"brightness_sd", "", "standard deviation of b", ofPhoto},
	NDVIMean:          {"ndvi_mean", "", "mean of v = (nir - red) / (nir + red)", ofPhoto},
	NDVISD:            {"ndvi_sd", "", "standard deviation of v", ofPhoto},
	NDWIMean:          {"ndwi_mean", "", "mean of (green - nir) / (green + nir) (McFeeters 1996)", ofPhoto},
	ExcessGreen:       {"excess_green", "", "mean of (2 green - red - blue) / (red + green + blue) (Woebbecke 1995)", ofPhoto},
	NDVIFused:         {"ndvi_fused", "", "mean of ndvi_mean and harmonic_mean; the one that is there", "orthophoto and " + ofSatellite},
	HarmonicMean:      {"harmonic_mean", "", "mean of the vegetation index over the year", ofSatellite},
	HarmonicAmplitude: {"harmonic_amplitude", "", "√ (cos² + sin²) of the means of the first harmonic", ofSatellite},
	PhaseCos:          {"phase_cos", "", "cos / amplitude; 0 where the amplitude is below 0.001", ofSatellite},
	PhaseSin:          {"phase_sin", "", "sin / amplitude; 0 where the amplitude is below 0.001", ofSatellite},
	SARVV:             {"sar_vv", "dB", "10 log10 of the mean power, VV", ofRadar},
	SARVH:             {"sar_vh", "dB", "10 log10 of the mean power, VH", ofRadar},
	SARRatio:          {"sar_ratio", "dB", "sar_vv - sar_vh", ofRadar},
	Entropy: {"glcm_entropy", "bit", "-Σ p log2 p; p: pairs of neighbours inside by 32 levels of b, four directions, " +
		"symmetric", ofHaralick},
	Homogeneity:   {"glcm_homogeneity", "", "Σ p / (1 + (i - j)²)", ofHaralick},
	Contrast:      {"glcm_contrast", "", "Σ p (i - j)²", ofHaralick},
	Correlation:   {"glcm_correlation", "", "Σ p (i - μ)(j - μ) / σ²; 1 where σ² < 1e-9", ofHaralick},
	HeightChange:  {"height_change", "m", "mean of h - h of the earlier date", ofTwo},
	TerrainChange: {"terrain_change", "m", "mean of the terrain - that of the earlier date", ofTwo},
	Stability:     {"stability", "", "share of cells whose surface differs by less than 0.5 m", ofTwo},
}

// Row are the figures of an object in the order of Features.
type Row [FeatureCount]float32

// Rows are the rows of objects as models take them.
func Rows(list []Object) [][]float32 {
	out := make([][]float32, len(list))
	for i := range list {
		out[i] = list[i].Row[:]
	}
	return out
}
