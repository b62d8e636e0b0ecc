package spatial

import (
	"slices"
	"strconv"

	"mappe/artefacts/kgdocs"
	"mappe/artefacts/register"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// kgField is one column of a KG row and where its value is.
type kgField struct {
	column format.Column
	value  func(*register.KG) format.Value
}

func kgText(name, doc string, get func(*register.KG) string) kgField {
	return kgField{format.Column{Name: name, Doc: doc}, func(k *register.KG) format.Value { return format.Text(get(k)) }}
}

func kgInt(name, doc string, get func(*register.KG) int) kgField {
	return kgField{format.Column{Name: name, Type: format.TypeInt, Doc: doc}, func(k *register.KG) format.Value {
		if cold(k) {
			return format.Null
		}
		return format.Int(int64(get(k)))
	}}
}

func kgFloat(name, unit, doc string, decimals int, get func(*register.KG) float64) kgField {
	return kgField{format.Column{Name: name, Type: format.TypeFloat, Decimals: decimals, Unit: unit, Doc: doc},
		func(k *register.KG) format.Value {
			if cold(k) {
				return format.Null
			}
			return format.Float(get(k), decimals)
		}}
}

// cold says that no snapshot of the KG is in the object store: its counts and measures are unknown, not 0.
func cold(k *register.KG) bool { return k.Snapshot.Key == "" }

func kgDegrees(name, doc string, get func(*register.KG) int32) kgField {
	return kgField{format.Column{Name: name, Type: format.TypeDegrees, Unit: "°", Doc: doc}, func(k *register.KG) format.Value { return format.Degrees(get(k)) }}
}

// The fields that both KG kinds begin with.
var kgHead = []kgField{
	kgText("kg_code", "Code of the Katastralgemeinde, 5 digits.", func(k *register.KG) string { return string(k.Code) }),
	kgText("kg_name", "Name.", func(k *register.KG) string { return k.Name }),
	kgText("gemeinde_code", "Code of the municipality, 5 digits.", func(k *register.KG) string { return string(k.GemeindeCode) }),
	kgText("gemeinde_name", "Name of the municipality.", func(k *register.KG) string { return k.GemeindeName }),
	kgText("district_code", "Code of the district, 3 digits.", func(k *register.KG) string { return string(k.DistrictCode) }),
	kgText("district_name", "Name of the district.", func(k *register.KG) string { return k.DistrictName }),
}

var (
	kgStateName = kgText("state_name", "Name of the state.", func(k *register.KG) string { return k.State().Name() })
	kgParcels   = kgInt("parcel_count", "Parcels.", func(k *register.KG) int { return k.ParcelCount })
	kgBuildings = kgInt("building_count", "Address points.", func(k *register.KG) int { return k.BuildingCount })
	kgArea      = kgFloat("total_area_sqm", "m²", "Area of all parcels (EPSG:3035).", 2, func(k *register.KG) float64 { return k.TotalAreaSqm })
)

// kgFields are the rows of the layer kg: everything the register knows of a KG.
var kgFields = slices.Concat(kgHead, []kgField{
	kgText("state_code", "Code of the state, 1 digit.", func(k *register.KG) string { return string(k.State()) }),
	kgStateName,
	kgDegrees("min_lon", "Western edge.", func(k *register.KG) int32 { return k.Box.MinX }),
	kgDegrees("min_lat", "Southern edge.", func(k *register.KG) int32 { return k.Box.MinY }),
	kgDegrees("max_lon", "Eastern edge.", func(k *register.KG) int32 { return k.Box.MaxX }),
	kgDegrees("max_lat", "Northern edge.", func(k *register.KG) int32 { return k.Box.MaxY }),
	kgParcels, kgBuildings,
	kgInt("footprint_count", "Building footprints.", func(k *register.KG) int { return k.FootprintCount }),
	kgInt("landuse_count", "Land-use polygons and symbols.", func(k *register.KG) int { return k.LandUseCount }),
	kgArea,
	kgText("typology", "urban, suburban, rural_settled or rural_agrarian.", func(k *register.KG) string { return kgdocs.TypologyName(k.Typology) }),
	kgFloat("building_density", "1/km²", "Footprints per km².", 4, func(k *register.KG) float64 { return k.BuildingDensity }),
	kgFloat("built_up_ratio", "", "Footprint area by parcel area.", 4, func(k *register.KG) float64 { return k.BuiltUpRatio }),
	kgFloat("avg_nn_distance_m", "m", "Mean distance from a footprint to its nearest other one.", 2, func(k *register.KG) float64 { return k.AvgNNDistanceM }),
	{format.Column{Name: "dominant_landuse", Type: format.TypeInt, Doc: "Land-use code with the largest area."}, func(k *register.KG) format.Value {
		if k.DominantLandUse == 0 {
			return format.Null
		}
		return format.Int(int64(k.DominantLandUse))
	}},
	kgFloat("landuse_diversity", "", "Shannon entropy (natural logarithm) of the land-use areas.", 4, func(k *register.KG) float64 { return k.LandUseDiversity }),
	kgFloat("avg_far", "", "Mean floor area ratio of parcels with footprints.", 4, func(k *register.KG) float64 { return k.AvgFAR }),
	kgFloat("avg_compactness", "", "Mean compactness of the parcels.", 4, func(k *register.KG) float64 { return k.AvgCompactness }),
	kgInt("ez_count", "Land-register folios.", func(k *register.KG) int { return k.EZCount }),
	kgFloat("avg_parcels_per_ez", "", "Parcels per folio.", 4, func(k *register.KG) float64 { return k.AvgParcelsPerEZ }),
	kgFloat("total_footprint_area_sqm", "m²", "Area of all footprints.", 2, func(k *register.KG) float64 { return k.TotalFootprintAreaSqm }),
	kgFloat("footprint_median_area_sqm", "m²", "Median footprint.", 2, func(k *register.KG) float64 { return k.FootprintMedianAreaSqm }),
	kgFloat("median_parcel_area_sqm", "m²", "Median parcel.", 2, func(k *register.KG) float64 { return k.MedianParcelAreaSqm }),
	{layerColumn("kg"), func(*register.KG) format.Value { return format.String("kg") }},
})

// kgListFields are the rows of /spatial/kgs.
var kgListFields = slices.Concat(kgHead, []kgField{
	kgStateName, kgParcels, kgBuildings, kgArea,
	{format.Column{Name: "bbox", Type: format.TypeJSON, Shape: []float64{}, Doc: "[min_lon, min_lat, max_lon, max_lat]."}, func(k *register.KG) format.Value {
		return format.RawJSON(string(appendBox(nil, k.Box)))
	}},
})

var (
	kgKind     = format.NewKind("kg", "A Katastralgemeinde, drawn as its outline.", format.ShapeMultiPolygon, kgColumns(kgFields)...)
	kgNearKind = format.NewKind("kg", "A Katastralgemeinde near the point, drawn as its outline.", format.ShapeMultiPolygon, append(kgColumns(kgFields), distanceColumn)...)
	kgListKind = format.NewKind("kg_item", "A Katastralgemeinde, drawn as its outline.", format.ShapeMultiPolygon, kgColumns(kgListFields)...)
)

func kgColumns(fields []kgField) []format.Column {
	c := make([]format.Column, len(fields))
	for i := range fields {
		c[i] = fields[i].column
	}
	return c
}

// kgRow is a KG in any of the KG kinds.
type kgRow struct {
	kind     *format.Kind
	fields   []kgField
	reg      *register.Register
	kg       *register.KG
	distance float64
}

func (r *kgRow) Kind() *format.Kind { return r.kind }

func (r *kgRow) Geometry() format.Geometry {
	return format.PolygonGeometry(r.reg.Outline(r.kg.Code))
}

func (r *kgRow) Value(c int) format.Value {
	if c == len(r.fields) {
		return format.Float(r.distance, distanceColumn.Decimals)
	}
	return r.fields[c].value(r.kg)
}

// appendBox writes [west, south, east, north] in degrees with 7 decimals.
func appendBox(b []byte, x geom.Box) []byte {
	sep := byte('[')
	for _, v := range [4]int32{x.MinX, x.MinY, x.MaxX, x.MaxY} {
		b = append(b, sep)
		b = strconv.AppendFloat(b, float64(v)/geom.Scale, 'f', 7, 64)
		sep = ','
	}
	return append(b, ']')
}
