package rasters

import "slices"

// The layers.
const (
	DTM       = "dtm"       // heights of the ground in metres above the Adriatic
	DSM       = "dsm"       // heights of what is seen from above: ground, canopy, roofs
	Ortho     = "ortho"     // orthophoto: red, green, blue, near infrared
	NDVI      = "ndvi"      // course of the vegetation index over a year
	LandCover = "landcover" // classes of land cover, a prior of the classifier
	SAR       = "sar"       // radar backscatter of a year in two polarisations
	Forest    = "forest"    // forest change: loss by year, cover, gain
)

// Precision is how exactly the date of a layer is known.
type Precision string

const (
	Day   Precision = "day"
	Month Precision = "month"
	Year  Precision = "year"
)

// Resampling is how the cells of a source become cells of the grid.
type Resampling string

const (
	// Bilinear takes the value between the centres of four cells of the source.
	Bilinear Resampling = "bilinear"
	// BilinearMean is the mean of four places of half the step, each bilinear: the source is twice as fine as the layer.
	BilinearMean Resampling = "mean of four bilinear samples"
	// Nearest takes the cell of the source that the centre lies in: classes and years have no mean.
	Nearest Resampling = "nearest"
)

// Band is a band of a layer.
type Band struct {
	Name    string  `json:"name"`
	Unit    string  `json:"unit,omitempty"`
	Scale   float64 `json:"scale,omitempty"` // a value is number · scale; 0: the number is the value
	Missing bool    `json:"missing,omitempty"`
	Doc     string  `json:"doc,omitempty"`
}

// Value is what a number of the band means.
func (b Band) Value(number float64) float64 {
	if b.Scale == 0 {
		return number
	}
	return float64(number * b.Scale)
}

// LayerType is what all dates of a layer have in common.
type LayerType struct {
	Name, Title string
	Origin      string // what it was made from, in a few words
	TileKm      int    // side of a tile, a divisor of SquareKm
	Step        float64
	SourceStep  float64 // of the published source in metres
	Form        string  // of its samples: uint8, uint16, int16, float32
	NoData      float64 // number of cells where nothing is known; NaN of float32
	Classes     bool    // numbers are no quantities
	Bands       []Band
	Resampling  Resampling
	Precision   Precision
	Published   []string // datasets that the survey office has published; nil: they are not known beforehand
	Credit      Credit   // where the source names none; an empty attribution is that of the source's cadastre
}

// Credit is whom to name for a layer, and under which licence.
type Credit struct {
	Attribution string `json:"attribution"`
	License     string `json:"license"`
	LicenseURL  string `json:"license_url"`
	ShareAlike  bool   `json:"share_alike,omitempty"`
}

const (
	ccBy    = "CC BY 4.0"
	ccByURL = "https://creativecommons.org/licenses/by/4.0/"
)

// HeightKm is the side of a tile of height models in kilometres.
const HeightKm = 5

// kinds are the layers, in the order in which they are listed.
//
// Orthophotos are kept in cells of 0.4 m, half as fine as they are published: nothing that is made of them looks at finer
// ones (single trees are found at 0.4 m, classes at 0.8 m), and a series of the country takes 1.2 TB instead of 4.6 TB.
//
// The layers of satellites are kept on one grid of 10 m, forest change of 30 m too, by the nearest cell: 30 m is no divisor
// of the 1,000 m that the grids are anchored at.
var kinds = []LayerType{
	{Name: DTM, Title: "Terrain, 1 m", Origin: "airborne laser scan", TileKm: HeightKm, Step: 1, SourceStep: 1, Form: "float32",
		Bands:      []Band{{Name: "height", Unit: "m"}},
		Resampling: Bilinear, Precision: Day, Published: laserDates, Credit: Credit{"", ccBy, ccByURL, false}},
	{Name: DSM, Title: "Surface, 1 m", Origin: "airborne laser scan", TileKm: HeightKm, Step: 1, SourceStep: 1, Form: "float32",
		Bands:      []Band{{Name: "height", Unit: "m"}},
		Resampling: Bilinear, Precision: Day, Published: laserDates, Credit: Credit{"", ccBy, ccByURL, false}},
	{Name: Ortho, Title: "Orthophoto with near infrared, 0.4 m", Origin: "aerial photographs", TileKm: 1, Step: 0.4,
		SourceStep: 0.2, Form: "uint8",
		Bands: []Band{{Name: "red"}, {Name: "green"}, {Name: "blue"}, {Name: "nir",
			Doc: "near infrared; 0 where the source has none"}},
		Resampling: BilinearMean, Precision: Day, Published: []string{"20220128", "20221027", "20240625",
			"20250415"}, Credit: Credit{"", ccBy, ccByURL, false}},
	{Name: NDVI, Title: "Vegetation index over the year, 10 m", Origin: "monthly means of optical satellite images", TileKm: 10,
		Step: 10, SourceStep: 10, Form: "int16", NoData: -32768,
		Bands: []Band{{Name: "mean", Scale: 1e-4}, {Name: "cos", Scale: 1e-4,
			Doc: "times cos(2π t), t the part of the year that has passed"}, {Name: "sin", Scale: 1e-4, Doc: "times sin(2π t)"},
			{Name: "residual", Scale: 1e-4, Doc: "standard deviation of the months about the curve"}, {Name: "months",
				Doc: "months without clouds; below 5 there is no curve, and mean is that of the months"}},
		Resampling: Bilinear, Precision: Year, Credit: Credit{"Contains modified Copernicus Sentinel data",
			"Copernicus Sentinel data terms", "https://sentinels.copernicus.eu/documents/247904/690755/Sentinel_Data_Legal_Notice", false}},
	{Name: LandCover, Title: "Land cover, 10 m", Origin: "classified satellite images", TileKm: 10, Step: 10, SourceStep: 10,
		Form: "uint8", Classes: true,
		Bands: []Band{{Name: "class",
			Doc: "10 trees, 20 shrubs, 30 grass, 40 crops, 50 built, 60 bare, 70 snow and ice, 80 water, 90 wetland, 95 mangroves, 100 moss and lichen"}},
		Resampling: Nearest, Precision: Year,
		Credit: Credit{"© ESA WorldCover project; contains modified Copernicus Sentinel data processed by the ESA WorldCover consortium",
			ccBy, ccByURL, false}},
	{Name: SAR, Title: "Radar backscatter, 10 m", Origin: "radar satellite images, mean of a year", TileKm: 10, Step: 10,
		SourceStep: 10, Form: "int16", NoData: -32768,
		Bands:      []Band{{Name: "vv", Unit: "dB", Scale: 0.01}, {Name: "vh", Unit: "dB", Scale: 0.01}},
		Resampling: Bilinear, Precision: Year, Credit: Credit{"Contains modified Copernicus Sentinel data",
			"Copernicus Sentinel data terms", "https://sentinels.copernicus.eu/documents/247904/690755/Sentinel_Data_Legal_Notice", false}},
	{Name: Forest, Title: "Forest change, 30 m", Origin: "classified satellite images", TileKm: 10, Step: 10, SourceStep: 30,
		Form: "uint8", NoData: 255, Classes: true,
		Bands: []Band{{Name: "loss_year", Doc: "year of the loss less 2000; 0: none"}, {Name: "cover", Unit: "%",
			Doc: "tree canopy cover in the year 2000"}, {Name: "gain", Doc: "1: forest was gained"}},
		Resampling: Nearest, Precision: Year,
		Credit: Credit{"Hansen, M. C. et al. (2013), High-Resolution Global Maps of 21st-Century Forest Cover Change, Science 342, 850-853",
			ccBy, ccByURL, false}},
}

// laserDates are the dates of the laser scans.
var laserDates = []string{"20220915", "20230915", "20240915"}

// AllLayerTypes are the layers in their order. They are not to be changed.
func AllLayerTypes() []LayerType { return slices.Clone(kinds) }

// LayerTypeOf is a layer by its name; nil if no layer has the name.
func LayerTypeOf(name string) *LayerType {
	for i := range kinds {
		if kinds[i].Name == name {
			k := kinds[i]
			return &k
		}
	}
	return nil
}
