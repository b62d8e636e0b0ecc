package segment

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/classifier"
	"mappe/artefacts/landscape"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	land "mappe/shared/landscape/segment"
	"mappe/shared/landscape/terrain"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/gpkg"
)

// The names of the layers in files.
const (
	layer  = "segments"
	points = "segment_points"
)

func typeNames() (out []string) {
	for i := range land.Types {
		out = append(out, land.Types[i].Name)
	}
	return out
}

func groupNames() (out []string) {
	for i := range land.Groups {
		out = append(out, land.Groups[i].Name)
	}
	return out
}

func list(names []string) string { return strings.Join(names, ", ") }

// named refuses unknown names.
func named(parameter string, given, all []string) ([]string, error) {
	for _, name := range given {
		if !slices.Contains(all, name) {
			return nil, fault.BadValue(parameter, name, "a comma list of "+list(all)+fault.DidYouMean(name, all))
		}
	}
	out := slices.Clone(given)
	slices.Sort(out)
	return slices.Compact(out), nil
}

// row is a segment in an answer.
type row struct {
	*land.Object
	*land.Answer
	teller  *classifier.OfSegments // nil: the rules told all
	outline func() geom.MultiPolygon
}

func (r *row) figure(i int) float64 { return float64(r.Row[i]) }

// at is the place of its first cell: inside of it, whatever its form is.
func (r *row) at() geom.Point { return onplane.Degrees(raster.XY{X: r.X, Y: r.Y}) }

func text(name, doc string, get func(*row) string) format.Field[row] {
	return format.Field[row]{Column: format.Column{Name: name, Doc: doc}, Get: func(r *row) format.Value { return format.Text(get(r)) }}
}

func enum(name, doc string, values []string, get func(*row) string) format.Field[row] {
	return format.Field[row]{Column: format.Column{Name: name, Doc: doc, Enum: values},
		Get: func(r *row) format.Value { return format.Text(get(r)) }}
}

func number(name, unit string, decimals int, doc string, get func(*row) float64) format.Field[row] {
	return format.Field[row]{Column: format.Column{Name: name, Type: format.TypeFloat, Decimals: decimals, Unit: unit, Doc: doc},
		Get: func(r *row) format.Value { return format.Float(get(r), decimals) }}
}

func whole(name, doc string, get func(*row) int) format.Field[row] {
	return format.Field[row]{Column: format.Column{Name: name, Type: format.TypeInt, Doc: doc}, Get: func(r *row) format.Value {
		if n := get(r); n >= 0 {
			return format.Int(int64(n))
		}
		return format.Null
	}}
}

// of is a figure of shared/landscape/segment as a column.
func of(name string, decimals, figure int) format.Field[row] {
	m := &land.Features[figure]
	return number(name, m.Unit, decimals, sentence(m.Formula)+" ("+m.Source+").",
		func(r *row) float64 { return r.figure(figure) })
}

// sentence is a formula as the beginning of a sentence. One that begins with a sign or with the name of a column stays as it is.
func sentence(formula string) string {
	word, _, _ := strings.Cut(formula, " ")
	if c := formula[0]; c < 'a' || c > 'z' || strings.Contains(word, "_") {
		return formula
	}
	return strings.ToUpper(formula[:1]) + formula[1:]
}

var told = func() (out []string) {
	for _, t := range land.AllTold() {
		out = append(out, string(t))
	}
	return out
}()

// identity is the name of a segment by the place of its first cell.
var identity = text("segment_id", "Name of the segment by its first cell from the north, then from the west, in EPSG:3035: the same "+
	"in every answer that does not cut it. Not in GeoPackages.",
	func(r *row) string { return fmt.Sprintf("s%.0f-%.0f", math.Floor(r.X), math.Floor(r.Y)) })

// fields are the 55 properties.
var fields = format.Fields[row]{
	enum("type", "What it is.", typeNames(), func(r *row) string { return r.Type.String() }),
	whole("type_code", "Code of the type.", func(r *row) int { return int(r.Type) }),
	whole("group_id", "Code of the group that it is put in; null: in none.", func(r *row) int { return group(r.Type) }),
	enum("group_type", "Name of the group.", groupNames(), func(r *row) string { return r.Type.Info().Group.String() }),
	{Column: format.Column{Name: "is_manmade", Type: format.TypeBool, Doc: "Whether people made it."},
		Get: func(r *row) format.Value { return format.Bool(r.Type.Info().ManMade) }},
	number("confidence", "", 2, "How sure the type is.", func(r *row) float64 { return r.Confidence }),
	enum("classifier_source", "What told the type: the trained model, rules, or the infrastructure of the community map.", told,
		func(r *row) string { return string(r.By) }),
	enum("rf_type", "What the trained model takes it for; null without one.", typeNames(), func(r *row) string { return modelType(r) }),
	number("rf_confidence", "", 2, "How sure the model is.", func(r *row) float64 { return modelConfidence(r) }),
	of("height_max_m", 2, land.HeightMax), of("height_mean_m", 2, land.HeightMean), of("height_p90_m", 2, land.HeightP90),
	of("area_sqm", 0, land.Area), of("compactness", 3, land.Compactness), of("elongation", 3, land.Elongation), of("solidity", 3,
		land.Solidity), of("extent", 3, land.Extent),
	of("dsm_edge_strength", 3, land.EdgeStrength), of("slope_mean", 2, land.SlopeMean), of("roughness", 3, land.Roughness),
	of("ndvi_mean", 3, land.NDVIMean), of("ndvi_fused", 3, land.NDVIFused), of("nir_mean", 1, land.NIRMean), of("brightness_mean", 1,
		land.BrightnessMean),
	of("height_change", 2, land.HeightChange), of("dtm_change", 2, land.TerrainChange), of("temporal_stability", 3, land.Stability),
	of("glcm_entropy", 3, land.Entropy), of("glcm_homogeneity", 3, land.Homogeneity),
	number("texture_complexity", "", 3, "glcm_entropy / 10 · (1 - glcm_homogeneity).", func(r *row) float64 {
		return r.figure(land.Entropy) / 10 * (1 - r.figure(land.Homogeneity))
	}),
	of("sar_vv", 2, land.SARVV), of("sar_vh", 2, land.SARVH), of("harm_amplitude", 3, land.HarmonicAmplitude),
	number("harm_phase", "d", 0, "Day of the year on which the vegetation index is highest, by the first harmonic; null where its "+
		"amplitude is below 0.02.", func(r *row) float64 { return r.PeakDay() }),
	enum("phenology_class", "Course of the vegetation index over the year.", land.Phenologies,
		func(r *row) string { return r.Phenology() }),
	number("aspect_mean_deg", "°", 0, "Mean direction of descent from north clockwise; -1: flat.",
		func(r *row) float64 { return r.Aspect }),
	enum("aspect_dominant", "Direction that most cells descend to; below 2° they are flat.", terrain.Sectors[:],
		func(r *row) string { return r.Sector }),
	of("elevation_mean_m", 2, land.Elevation),
	number("elevation_min_m", "m", 2, "Lowest terrain.", func(r *row) float64 { return r.ElevationMin }),
	number("elevation_max_m", "m", 2, "Highest terrain.", func(r *row) float64 { return r.ElevationMax }),
	of("tri_mean", 3, land.TRI), of("tpi_mean", 4, land.TPI), of("curvature_mean", 4, land.Curvature),
	enum("terrain_class", "Ruggedness by the mean TRI of cells of 1 m.", terrain.Classes[:], func(r *row) string {
		if v := r.figure(land.TRI); v == v {
			return terrain.ClassOf(v)
		}
		return ""
	}),
	number("gndvi_mean", "", 3, "Mean of (nir - green) / (nir + green).", func(r *row) float64 { return r.GNDVI }),
	of("nir_std", 1, land.NIRSD), of("ndvi_std", 3, land.NDVISD), of("height_std_m", 2, land.HeightSD), of("height_p10_m", 2,
		land.HeightP10),
	number("dtm_range_m", "m", 2, "Highest minus lowest terrain.", func(r *row) float64 { return r.ElevationMax - r.ElevationMin }),
	number("shadow_fraction", "", 3, fmt.Sprintf("Share of cells with a brightness below %d.", land.ShadowBelow),
		func(r *row) float64 { return r.Shadow }),
	number("edge_contrast", "", 1, "Mean difference of the brightness across its border, 0 to 255.",
		func(r *row) float64 { return r.EdgeContrast }),
	of("sar_ratio", 2, land.SARRatio),
	text("landcover_prior", "Land cover by satellites that most of it has.", func(r *row) string { return covers[r.Cover] }),
	whole("parcel_landuse", "Code of the land register that most of it has; null: unknown.", func(r *row) int {
		if r.Use == 0 {
			return -1
		}
		return r.Use
	}),
}

// covers are the classes of land cover.
var covers = map[int]string{10: "trees", 20: "shrubs", 30: "grass", 40: "crops", 50: "built", 60: "bare", 70: "snow", 80: "water",
	90: "wetland", 95: "mangroves", 100: "moss"}

func group(t land.Type) int {
	if g := t.Info().Group; g > 0 {
		return int(g)
	}
	return -1
}

func modelType(r *row) string {
	if r.ModelConfidence == 0 {
		return ""
	}
	return r.Model.String()
}

func modelConfidence(r *row) float64 {
	if r.ModelConfidence == 0 {
		return math.NaN()
	}
	return r.ModelConfidence
}

var drawing = format.Drawing[row]{Polygons: func(r *row) geom.MultiPolygon { return r.outline() }, Point: (*row).at, Multi: true}

// rows are the segments as they are written; explained ones say why, pointed ones are the layer of points, without the share
// of a box that an outline alone has.
var (
	rows = format.NewSchema("segment", "A part of the land that is one thing.", drawing,
		slices.Concat(format.Fields[row]{identity}, fields))
	explained = rows.With(asked(
		text("rule", "Rule that fired; null where the model decided.", func(r *row) string { return r.Rule }),
		text("rule_when", "Its conditions.", func(r *row) string { return when[r.Rules.Rule] }),
		enum("rules_type", "What the rules say.", typeNames(), func(r *row) string { return r.Rules.Type.String() }),
		number("rules_confidence", "", 2, "How sure they are.", func(r *row) float64 { return r.Rules.Confidence }),
		format.Field[row]{Column: format.Column{Name: "top_features", Type: format.TypeJSON, Shape: []classifier.Reason{}, Nullable: true,
			Doc: "Features that spoke most for rf_type, the strongest first: by how much each raised the share of the model's votes; null without a model."},
			Get: func(r *row) format.Value {
				if list := reasons(r); list != "" {
					return format.RawJSON(list)
				}
				return format.Null
			}},
	)...)
	pointed = format.NewSchema("segment_point", "A place in a segment.", format.Drawing[row]{Point: (*row).at},
		slices.DeleteFunc(slices.Clone(fields), func(f format.Field[row]) bool { return f.Name == "extent" }))
)

// asked are columns of rows that are asked for: others do not have them.
func asked(list ...format.Field[row]) []format.Field[row] {
	for i := range list {
		list[i].Sparse = true
	}
	return list
}

// when are the conditions of rules by their name.
var when = func() map[string]string {
	out := map[string]string{}
	for i := range land.Rules {
		out[land.Rules[i].Name] = land.Rules[i].When
	}
	return out
}()

// style draws segments by their type.
var style = landscape.SegmentStyle

// pair writes segments as a GeoPackage of two layers: outlines in EPSG:3035, or the system that was asked for, and points in
// degrees.
type pair struct{ time time.Time }

// WriteRows makes pair a reply.FileWriter. The rows are those of the outlines, given once for each layer.
func (p pair) WriteRows(ctx context.Context, w io.Writer, name string, l *format.Layout, all format.Seq) error {
	if l.Projection.EPSG == 0 {
		l.Projection = format.Projection{EPSG: int(crs.LAEA), Forward: crs.LAEA.Forward}
	}
	outlined := slices.DeleteFunc(slices.Clone(l.Names()), func(n string) bool { return n == "segment_id" })
	placed := slices.DeleteFunc(slices.Clone(outlined), func(n string) bool { return pointed.Index(n) < 0 })
	areas := format.NewLayout(append(outlined, "geometry"), l.RowTypes...)
	areas.Projection = l.Projection
	places := func(yield func(format.Row, error) bool) {
		rec := pointed.Record()
		for r, err := range all {
			if err != nil {
				yield(nil, err)
				return
			}
			item, ok := r.(*format.Record[row])
			if !ok {
				yield(nil, fmt.Errorf("a row of segments is %T", r))
				return
			}
			rec.Item = item.Item
			if !yield(rec, nil) {
				return
			}
		}
	}
	return gpkg.Write(ctx, w, gpkg.File{Time: p.time, Layers: []gpkg.Layer{
		{Name: gpkg.Word(name), Layout: areas, Rows: all, Style: style},
		{Name: points, Layout: format.NewLayout(append(placed, "geometry"), pointed.RowType), Rows: places, Style: style},
	}})
}
