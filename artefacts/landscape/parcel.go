package landscape

import (
	"mappe/shared/geo/geom"
	"mappe/shared/landscape/segment"
)

// HeightClasses are the classes of a parcel's height distribution, in metres above the ground: from, up to.
var HeightClasses = [7][2]float64{{0, 0.5}, {0.5, 2}, {2, 5}, {5, 10}, {10, 20}, {20, 30}, {30, 1000}}

// ParcelTops is how many objects and trees a parcel's lists name at most.
const ParcelTops = 5

// TopObject is an object on a parcel.
type TopObject struct {
	Type                           segment.Type
	HeightMax, HeightMean, AreaSqm float32
	At                             geom.Point
	Confidence, RFConfidence       float32
}

// TopObjectColumns are the columns of an entry of top_objs, in the order of its compact array; whether people made it is
// the last member.
var TopObjectColumns = Columns[TopObject]{
	object("type", "Type.", func(o *TopObject) *segment.Type { return &o.Type }),
	number("hmax", "m", 2, "Greatest height above the ground.", func(o *TopObject) *float32 { return &o.HeightMax }),
	number("hmean", "m", 2, "Mean height above the ground.", func(o *TopObject) *float32 { return &o.HeightMean }),
	number("area", "m²", 0, "Area.", func(o *TopObject) *float32 { return &o.AreaSqm }),
	place("at", "Place in it.", func(o *TopObject) *geom.Point { return &o.At }),
	number("conf", "", 2, "How sure the type is.", func(o *TopObject) *float32 { return &o.Confidence }),
	number("rf_conf", "", 2, "How sure the trained model is.", func(o *TopObject) *float32 { return &o.RFConfidence }),
}

// TopTree is a tree on a parcel.
type TopTree struct {
	HeightMax, HeightMean, P90, AreaSqm float32
	At                                  geom.Point
	NDVIMean, NDVIFused, HeightChange   float32
	Phenology                           string
	Confidence, RFConfidence            float32
}

// TopTreeColumns are the columns of an entry of top_trees, in the order of its compact array.
var TopTreeColumns = Columns[TopTree]{
	number("hmax", "m", 2, "Height of the apex.", func(t *TopTree) *float32 { return &t.HeightMax }),
	number("hmean", "m", 2, "Mean height of the crown.", func(t *TopTree) *float32 { return &t.HeightMean }),
	number("hp90", "m", 2, "90th percentile.", func(t *TopTree) *float32 { return &t.P90 }),
	number("area", "m²", 0, "Area of the crown.", func(t *TopTree) *float32 { return &t.AreaSqm }),
	place("at", "Apex.", func(t *TopTree) *geom.Point { return &t.At }),
	number("ndvi_mean", "", 3, "Mean vegetation index.", func(t *TopTree) *float32 { return &t.NDVIMean }),
	number("ndvi_fused", "", 3, "Fused vegetation index.", func(t *TopTree) *float32 { return &t.NDVIFused }),
	number("height_change_m", "m", 2, "Change of the height.", func(t *TopTree) *float32 { return &t.HeightChange }),
	enum("phenology_class", "Course of the vegetation index over the year.", segment.Phenologies, func(t *TopTree) *string {
		return &t.Phenology
	}),
	number("conf", "", 2, "How sure it is a tree.", func(t *TopTree) *float32 { return &t.Confidence }),
	number("rf_conf", "", 2, "How sure the trained model is.", func(t *TopTree) *float32 { return &t.RFConfidence }),
}

// Parcel is a parcel of the cadastre with what analysis says of it.
type Parcel struct {
	ID                                         string // <kg_code>-<gnr>
	AreaSqm                                    float64
	Centroid                                   geom.Point
	Elevation                                  float32 // terrain at the centroid
	VegetatedFraction, ForestedFraction        float32
	DominantType                               string
	Vegetated                                  bool
	NDSMMax, NDSMMean, NDVIMean                float32
	TreeCount                                  float32
	TreeCanopySqm                              float64
	LossPixels, RecentLossPixels               float32
	ElevationMin, ElevationMax, ElevationRange float32
	SlopeMean, AspectMean                      float32
	AspectDominant                             string
	TRIMean, TPIMean                           float32
	TerrainClass                               string
	Heights                                    [7]float32       // shares of its cells by HeightClasses; NaN: not known
	Types                                      []Share          // area_summary, the largest first
	Classification                             []Classification // of the segments on it
	LossByYear                                 []HansenLoss
	Vertices                                   []Vertex
	TopObjects                                 []TopObject // by height, the highest first
	TopTrees                                   []TopTree   // by height, the highest first
}

// ParcelColumns are the columns of parcels but for lists; the national index has them too.
var ParcelColumns = Columns[Parcel]{
	text("parcel_id", "Number of the parcel: <kg_code>-<gnr>.", func(p *Parcel) *string { return &p.ID }),
	number("area_sqm", "m²", 1, "Area.", func(p *Parcel) *float64 { return &p.AreaSqm }),
	place("centroid", "Longitude and latitude of the centroid.", func(p *Parcel) *geom.Point { return &p.Centroid }),
	number("elevation_m", "m", 2, "Terrain at the centroid.", func(p *Parcel) *float32 { return &p.Elevation }),
	number("vegetated_fraction", "", 4, "Share of the parcel under vegetation.", func(p *Parcel) *float32 { return &p.VegetatedFraction }),
	number("forested_fraction", "", 4, "Share of the parcel under trees.", func(p *Parcel) *float32 { return &p.ForestedFraction }),
	enum("dominant_type", "Type with the largest area.", TypeNames(), func(p *Parcel) *string { return &p.DominantType }),
	flag("is_vegetated", "Whether more than half of it is under vegetation.", func(p *Parcel) *bool {
		return &p.Vegetated
	}).unless(func(p *Parcel) bool {
		return p.VegetatedFraction != p.VegetatedFraction
	}),
	number("ndsm_max_m", "m", 2, "Greatest height above the ground.", func(p *Parcel) *float32 { return &p.NDSMMax }),
	number("ndsm_mean_m", "m", 2, "Mean height above the ground.", func(p *Parcel) *float32 { return &p.NDSMMean }),
	number("ndvi_mean", "", 3, "Mean vegetation index.", func(p *Parcel) *float32 { return &p.NDVIMean }),
	count("tree_count", "", "Trees whose apex stands on it.", func(p *Parcel) *float32 { return &p.TreeCount }),
	number("tree_canopy_sqm", "m²", 0, "Area of the crowns of those trees.", func(p *Parcel) *float64 { return &p.TreeCanopySqm }),
	count("hansen_total_pixels", "", "Cells of 30 m of the global forest map with a loss.", func(p *Parcel) *float32 {
		return &p.LossPixels
	}),
	count("hansen_recent_5yr_pixels", "", "Of them, those of the last five years of the map.", func(p *Parcel) *float32 {
		return &p.RecentLossPixels
	}),
	number("elevation_min_m", "m", 2, "Lowest terrain.", func(p *Parcel) *float32 { return &p.ElevationMin }),
	number("elevation_max_m", "m", 2, "Highest terrain.", func(p *Parcel) *float32 { return &p.ElevationMax }),
	number("elevation_range_m", "m", 2, "Highest minus lowest terrain.", func(p *Parcel) *float32 { return &p.ElevationRange }),
	number("slope_mean_deg", "°", 2, "Mean slope.", func(p *Parcel) *float32 { return &p.SlopeMean }),
	number("aspect_mean_deg", "°", 0, "Mean direction of descent from north clockwise; -1: flat.", func(p *Parcel) *float32 {
		return &p.AspectMean
	}),
	enum("aspect_dominant", "Direction that most cells descend to.", sectors, func(p *Parcel) *string { return &p.AspectDominant }),
	number("tri_mean", "m", 3, "Mean terrain ruggedness index.", func(p *Parcel) *float32 { return &p.TRIMean }),
	number("tpi_mean", "m", 4, "Mean topographic position index; positive on ridges.", func(p *Parcel) *float32 { return &p.TPIMean }),
	enum("terrain_class", "Ruggedness by the mean TRI of cells of 1 m.", classes, func(p *Parcel) *string { return &p.TerrainClass }),
}

// heightColumns are the classes of the height distribution.
var heightColumns = func() (out Columns[Parcel]) {
	for i := range HeightClasses {
		out = append(out, number("heights", "", 4, "Share of its cells.", func(p *Parcel) *float32 { return &p.Heights[i] }))
	}
	return out
}()
