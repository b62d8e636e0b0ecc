package landscape

import "mappe/shared/landscape/segment"

// Landcover is what a KG has of a type of objects.
type Landcover struct {
	Type                                         segment.Type
	AreaSqm, Fraction, Objects                   float64
	HeightMin, HeightMax, HeightMean, HeightP90M float64
}

// LandcoverColumns are its columns.
var LandcoverColumns = Columns[Landcover]{
	object("object_type", "Type of objects.", func(l *Landcover) *segment.Type { return &l.Type }),
	number("area_sqm", "m²", 0, "Area of the objects.", func(l *Landcover) *float64 { return &l.AreaSqm }),
	number("fraction", "", 6, "Share of the area that was classified.", func(l *Landcover) *float64 { return &l.Fraction }),
	count("n_objects", "", "Objects.", func(l *Landcover) *float64 { return &l.Objects }),
	number("height_min", "m", 2, "Least mean height of an object above the ground.", func(l *Landcover) *float64 { return &l.HeightMin }),
	number("height_max", "m", 2, "Greatest height above the ground.", func(l *Landcover) *float64 { return &l.HeightMax }),
	number("height_mean", "m", 2, "Mean height above the ground, by area.", func(l *Landcover) *float64 { return &l.HeightMean }),
	number("height_p90", "m", 2, "Mean of the objects' 90th percentiles, by area.", func(l *Landcover) *float64 { return &l.HeightP90M }),
}

// HansenLoss is the forest that a KG lost in a year, in cells of the global map (30 m).
type HansenLoss struct{ Year, Pixels float64 }

// HansenLossColumns are its columns.
var HansenLossColumns = Columns[HansenLoss]{
	count("loss_year", "", "Year of the loss.", func(l *HansenLoss) *float64 { return &l.Year }),
	count("loss_pixels", "", "Cells of 30 m with a loss in it.", func(l *HansenLoss) *float64 { return &l.Pixels }),
}

// Classification is how sure the trained model is of a type of objects. A type that it did not judge has no row.
type Classification struct {
	Type                                  segment.Type
	RFMean, RFMin, RFCount, DivergedCount float64
}

// ClassificationColumns are its columns.
var ClassificationColumns = Columns[Classification]{
	object("object_type", "Type that the objects have in the end.", func(c *Classification) *segment.Type { return &c.Type }),
	number("rf_mean_confidence", "", 4, "Mean confidence of the trained model.", func(c *Classification) *float64 { return &c.RFMean }),
	number("rf_min_confidence", "", 4, "Least confidence of the trained model.", func(c *Classification) *float64 { return &c.RFMin }),
	count("rf_count", "", "Objects that the model judged.", func(c *Classification) *float64 { return &c.RFCount }),
	count("diverged_count", "", "Objects whose type is another than the model's.", func(c *Classification) *float64 {
		return &c.DivergedCount
	}),
}

// Divergence is a pair of types: the model's, and the one that objects have in the end.
type Divergence struct {
	RFType, FinalType segment.Type
	Count             float64
}

// DivergenceColumns are its columns.
var DivergenceColumns = Columns[Divergence]{
	object("rf_type", "Type by the trained model.", func(d *Divergence) *segment.Type { return &d.RFType }),
	object("final_type", "Type in the end.", func(d *Divergence) *segment.Type { return &d.FinalType }),
	count("count", "", "Objects.", func(d *Divergence) *float64 { return &d.Count }),
}

// Summary is what the index has of a KG.
type Summary struct {
	Record
	Landcover      []Landcover      // by area, the largest first
	HansenLoss     []HansenLoss     // by year
	Classification []Classification // by type
	Divergence     []Divergence     // by count, the most first
}
