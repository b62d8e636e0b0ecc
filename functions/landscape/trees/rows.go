package trees

import (
	"math"

	"mappe/artefacts/landscape"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
	"mappe/shared/web/format"
	"mappe/shared/web/qgis"
)

// The names of the layers in files.
const (
	treeLayer   = "trees"
	changeLayer = "tree_changes"
)

func text[T any](name, doc string, get func(*T) string) format.Field[T] {
	return format.Field[T]{Column: format.Column{Name: name, Doc: doc}, Get: func(r *T) format.Value { return format.String(get(r)) }}
}

func enum[T any](name, doc string, values []string, get func(*T) string) format.Field[T] {
	return format.Field[T]{Column: format.Column{Name: name, Doc: doc, Enum: values}, Get: func(r *T) format.Value {
		return format.String(get(r))
	}}
}

func number[T any](name, unit string, decimals int, doc string, get func(*T) float64) format.Field[T] {
	return format.Field[T]{Column: format.Column{Name: name, Type: format.TypeFloat, Decimals: decimals, Unit: unit, Doc: doc},
		Get: func(r *T) format.Value { return format.Float(get(r), decimals) }}
}

// treeRow is a tree in an answer.
type treeRow struct {
	*found
	seq int
}

func (r *treeRow) at() geom.Point { return onplane.Degrees(raster.XY{X: r.X, Y: r.Y}) }

// The closed sets of columns.
var (
	shapes    = []string{string(canopy.Conical), string(canopy.Rounded), string(canopy.Columnar), string(canopy.Irregular)}
	leafTypes = []string{string(canopy.Coniferous), string(canopy.Broadleaf), string(canopy.DeadLeaf), string(canopy.UnknownLeaf)}
	classes   = []string{string(canopy.TreeSurface), string(canopy.DeadCandidate), string(canopy.Uncertain), string(canopy.Building),
		string(canopy.HardSurface), string(canopy.Crop), string(canopy.FlatStructure)}
	species = []string{string(canopy.Spruce), string(canopy.Larch), string(canopy.Pine), string(canopy.SomeConifer),
		string(canopy.SomeBroadleaf), string(canopy.UnknownSpecies)}
	vitalities = []string{string(canopy.Vital), string(canopy.Stressed), string(canopy.Dead), string(canopy.UnknownVitality)}
	sources    = []string{string(canopy.FromHeights), string(canopy.FromBoth)}
)

var drawing = format.Drawing[treeRow]{Polygons: func(r *treeRow) geom.MultiPolygon { return geom.MultiPolygon(r.Outline) },
	Point: (*treeRow).at, Multi: true}

var (
	treeID = text("tree_id", "Name of the tree by its place, snapped to half a metre: the same in every answer that finds its apex there.",
		func(r *treeRow) string { return r.Name })
	ndvi = number("ndvi_mean", "", 3, "Mean vegetation index of the crown; null without an orthophoto.", func(r *treeRow) float64 {
		return colour(r, func(c *canopy.Colours) float64 { return c.NDVI })
	})
	surfaceClass = enum("surface_class", "What the surface of the crown is.", classes, func(r *treeRow) string { return string(r.Class) })
	likely       = number("tree_likelihood", "", 2, "Probability that it is a tree, by its surface.", func(r *treeRow) float64 {
		return r.Likelihood
	})
)

func colour(r *treeRow, of func(*canopy.Colours) float64) float64 {
	if r.Colours == nil {
		return math.NaN()
	}
	return of(r.Colours)
}

// firstRows are the trees of /api/v1/trees.
var firstRows = format.NewSchema("tree", "A tree told by its crown.", drawing, format.Fields[treeRow]{
	treeID,
	number("height_max_m", "m", 2, "Height of the apex above the ground.", func(r *treeRow) float64 { return r.Height }),
	number("height_mean_m", "m", 2, "Mean height of the crown's cells.", func(r *treeRow) float64 { return r.MeanHeight }),
	number("height_p90_m", "m", 2, "90th percentile of them.", func(r *treeRow) float64 { return r.P90 }),
	number("crown_area_sqm", "m²", 0, "Area of the crown.", func(r *treeRow) float64 { return r.CrownArea }),
	enum("crown_shape", "Form of the crown by its profile.", shapes, func(r *treeRow) string { return string(r.Shape) }),
	enum("leaf_type", "Type of leaves; dead by the vegetation index.", leafTypes, func(r *treeRow) string { return string(r.Leaf) }),
	number("compactness", "", 2, "4 pi A / P² of the crown; 1 is a circle.", func(r *treeRow) float64 { return r.Compactness }),
	number("elongation", "", 2, "1 - minor / major axis of the crown.", func(r *treeRow) float64 { return r.Elongation }),
	ndvi, surfaceClass, likely,
})

// secondRows are the trees of /api/v2/trees.
var secondRows = format.NewSchema("tree_apex", "A tree told by its apex.", drawing, format.Fields[treeRow]{
	treeID,
	{Column: format.Column{Name: "seq", Type: format.TypeInt, Doc: "Number in the answer, from 1."}, Get: func(r *treeRow) format.Value {
		return format.Int(int64(r.seq))
	}},
	{Column: format.Column{Name: "apex_lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude of the apex, WGS84."},
		Get: func(r *treeRow) format.Value { return format.Degrees(r.at().X) }},
	{Column: format.Column{Name: "apex_lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude of the apex, WGS84."},
		Get: func(r *treeRow) format.Value { return format.Degrees(r.at().Y) }},
	number("height_m", "m", 2, "Height of the apex above the ground: the highest return, and what a laser misses of an apex by the steepness of the crown.", func(r *treeRow) float64 { return r.Height }),
	number("crown_area_sqm", "m²", 0, "Area of the crown.", func(r *treeRow) float64 { return r.CrownArea }),
	number("crown_radius_mean_m", "m", 2, "Radius of the circle of that area.", func(r *treeRow) float64 { return r.RadiusMean }),
	number("crown_radius_max_m", "m", 2, "Distance of the farthest part of the crown from the apex.", func(r *treeRow) float64 {
		return r.RadiusMax
	}),
	{Column: format.Column{Name: "is_edge", Type: format.TypeBool,
		Doc: "Whether the crown touches the border of the area or places without heights."}, Get: func(r *treeRow) format.Value {
		return format.Bool(r.Edge)
	}},
	number("dbh_est_cm", "cm", 1, "Estimated diameter of the stem at breast height.", func(r *treeRow) float64 { return r.DBH }),
	text("dbh_method", "How that was estimated.", func(*treeRow) string { return "jucker2017" }),
	number("volume_m3_est", "m³", 3, "Estimated volume of the stem (Pollanschütz 1974); 0 below 5 cm of diameter.",
		func(r *treeRow) float64 { return r.Volume }),
	enum("leaf_type", "Type of leaves.", leafTypes, func(r *treeRow) string { return string(r.Leaf) }),
	number("leaf_type_conf", "", 2, "How sure that is.", func(r *treeRow) float64 { return r.LeafConf }),
	number("leaf_type_prob_conifer", "", 2, "Probability of a conifer.", func(r *treeRow) float64 { return r.Conifer }),
	enum("species_hint", "A hint at the species, no more.", species, func(r *treeRow) string { return string(r.Species) }),
	number("species_conf", "", 2, "How sure the hint is, at most 0.6.", func(r *treeRow) float64 { return r.SpeciesConf }),
	enum("vitality", "By the vegetation index: vital from 0.30, dead below 0.15; unknown without an orthophoto.", vitalities,
		func(r *treeRow) string { return string(r.Vitality) }),
	number("vitality_conf", "", 2, "How sure that is.", func(r *treeRow) float64 { return r.VitalityConf }),
	enum("detection_source", "What the apex was found in: heights, or heights and the orthophoto.", sources, func(r *treeRow) string {
		return string(r.Source)
	}),
	number("detection_conf", "", 2, "How sure the apex is that of one tree.", func(r *treeRow) float64 { return r.DetectionConf }),
	surfaceClass, likely,
	number("surface_building_frac", "", 2, "Share of the crown in footprints grown by 1 m; null where none are known.",
		func(r *treeRow) float64 { return r.Surface.BuildingShare }),
	number("surface_roughness_m", "m", 2, "Root mean square of second differences of the crown's surface.", func(r *treeRow) float64 {
		return r.Surface.Roughness
	}),
	number("surface_planarity_m", "m", 2, "Root mean square distance of the crown's surface from its plane.", func(r *treeRow) float64 {
		return r.Surface.Planarity
	}),
	number("surface_relief_m", "m", 2, "Highest minus lowest of the crown's surface.", func(r *treeRow) float64 {
		return r.Surface.Relief
	}),
	ndvi,
	number("brightness_mean", "", 1, "Mean of red, green and blue over the crown, 0 to 255.", func(r *treeRow) float64 {
		return colour(r, func(c *canopy.Colours) float64 { return c.Brightness })
	}),
	number("nir_mean", "", 1, "Mean of the near infrared over the crown, 0 to 255.", func(r *treeRow) float64 {
		return colour(r, func(c *canopy.Colours) float64 { return c.NIR })
	}),
})

// changeRow is what became of a tree.
type changeRow struct {
	canopy.Change
	Name    string
	Outline outline
}

func (r *changeRow) place() place { return place{x: r.X, y: r.Y, kind: string(r.Status)} }

var changeRows = format.NewSchema("tree_change", "What became of a tree between two laser scans.", format.Drawing[changeRow]{
	Polygons: func(r *changeRow) geom.MultiPolygon { return geom.MultiPolygon(r.Outline) }, Point: func(r *changeRow) geom.Point {
		return onplane.Degrees(raster.XY{X: r.X, Y: r.Y})
	}, Multi: true,
}, format.Fields[changeRow]{
	text("tree_id", "Name of the tree by its place at the later date, of a felled one at the earlier.", func(r *changeRow) string {
		return r.Name
	}),
	enum("status", "grown by at least 0.5 m, stable, felled, or new.", states(), func(r *changeRow) string { return string(r.Status) }),
	number("height_before_m", "m", 2, "Null of a new tree.", func(r *changeRow) float64 { return r.HeightBefore }),
	number("height_after_m", "m", 2, "Null of a felled tree.", func(r *changeRow) float64 { return r.HeightAfter }),
	number("height_change_m", "m", 2, "Null where the tree stands on one date alone.", func(r *changeRow) float64 {
		return r.HeightAfter - r.HeightBefore
	}),
	number("crown_area_before_sqm", "m²", 0, "Null of a new tree, and where the crown was part of another then.",
		func(r *changeRow) float64 { return positive(r.AreaBefore) }),
	number("crown_area_after_sqm", "m²", 0, "Null of a felled tree.", func(r *changeRow) float64 { return positive(r.AreaAfter) }),
})

func positive(v float64) float64 {
	if v <= 0 {
		return math.NaN()
	}
	return v
}

func states() (names []string) {
	for _, s := range canopy.AllStates() {
		names = append(names, string(s))
	}
	return names
}

var (
	treeStyle   = landscape.TreeStyle
	changeStyle = qgis.Style{Fill: "#b0b0b0", Line: "#404040", Width: 0.2, Size: 2, Column: "status", Classes: []qgis.Class{
		{Name: "grown", Values: []string{"grown"}, Fill: "#1a9641"}, {Name: "stable", Values: []string{"stable"}, Fill: "#a6d96a"},
		{Name: "felled", Values: []string{"felled"}, Fill: "#d7191c"}, {Name: "new", Values: []string{"new"}, Fill: "#2b83ba"}}}
)

// The same rows drawn as points.
var (
	firstPoints  = firstRows.Shaped(format.ShapePoint)
	secondPoints = secondRows.Shaped(format.ShapePoint)
	changePoints = changeRows.Shaped(format.ShapePoint)
)

// drawnAs is the schema of rows with outlines, or of the same as points.
func drawnAs[T any](outlines bool, polygons, points *format.Schema[T]) *format.Schema[T] {
	if outlines {
		return polygons
	}
	return points
}
