package rowschema

import (
	"cmp"
	"encoding/json"
	"strconv"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// KGRow is a KG as the register knows it, as a row. The slices are room for the texts that are put together.
type KGRow struct {
	Register      *register.Register // draws the KG; not needed by rows without geometry
	KG            *register.KG
	Over          *overlays.Index // of KGOverlays; nil where the generation has no overlays
	box, centroid []byte
}

// cold says that no snapshot of the KG is in the object store: its counts and measures are unknown, not 0.
func (r *KGRow) cold() bool { return r.KG.Snapshot.Key == "" }

func kgText(name, doc string, get func(*register.KG) string) format.Field[KGRow] {
	return format.Field[KGRow]{Column: format.Column{Name: name, Doc: doc}, Get: func(r *KGRow) format.Value {
		return format.Text(get(r.KG))
	}}
}

func kgInt(name, doc string, get func(*kgfile.KG) int) format.Field[KGRow] {
	return format.Field[KGRow]{Column: format.Column{Name: name, Type: format.TypeInt, Doc: doc}, Get: func(r *KGRow) format.Value {
		if r.cold() {
			return format.Null
		}
		return format.Int(int64(get(&r.KG.KG)))
	}}
}

// kgFloat is a measure; the column says its name, unit, decimals and description.
func kgFloat(c format.Column, get func(*kgfile.KG) float64) format.Field[KGRow] {
	c.Type = format.TypeFloat
	return format.Field[KGRow]{Column: c, Get: func(r *KGRow) format.Value {
		if r.cold() {
			return format.Null
		}
		return format.Float(get(&r.KG.KG), c.Decimals)
	}}
}

func kgDegrees(name, doc string, get func(*register.KG) int32) format.Field[KGRow] {
	return format.Field[KGRow]{Column: format.Column{Name: name, Type: format.TypeDegrees, Unit: "°", Doc: doc},
		Get: func(r *KGRow) format.Value { return format.Degrees(get(r.KG)) }}
}

// KG is everything the register knows of a KG. It can be drawn as its outline or its centroid.
var KG = format.NewSchema("kg", "A Katastralgemeinde, drawn as its outline.", format.Drawing[KGRow]{
	Point:    func(r *KGRow) geom.Point { return r.KG.Centroid },
	Polygons: func(r *KGRow) geom.MultiPolygon { return r.Register.Outline(r.KG.Code) },
}, format.Fields[KGRow]{
	kgText("kg_code", "Code of the Katastralgemeinde, 5 digits.", func(k *register.KG) string { return string(k.Code) }),
	kgText("kg_name", "Name.", func(k *register.KG) string { return k.Name }),
	kgText("gemeinde_code", "Code of the municipality, 5 digits.", func(k *register.KG) string { return string(k.GemeindeCode) }),
	kgText("gemeinde_name", "Name of the municipality.", func(k *register.KG) string { return k.GemeindeName }),
	kgText("district_code", "Code of the district, 3 digits.", func(k *register.KG) string { return string(k.DistrictCode) }),
	kgText("district_name", "Name of the district.", func(k *register.KG) string { return k.DistrictName }),
	kgText("state_code", "Code of the state, 1 digit.", func(k *register.KG) string { return string(k.State()) }),
	kgText("state_name", "Name of the state.", func(k *register.KG) string { return k.State().Name() }),
	kgDegrees("min_lon", "Western edge.", func(k *register.KG) int32 { return k.Box.MinX }),
	kgDegrees("min_lat", "Southern edge.", func(k *register.KG) int32 { return k.Box.MinY }),
	kgDegrees("max_lon", "Eastern edge.", func(k *register.KG) int32 { return k.Box.MaxX }),
	kgDegrees("max_lat", "Northern edge.", func(k *register.KG) int32 { return k.Box.MaxY }),
	kgInt("parcel_count", "Parcels.", func(k *kgfile.KG) int { return k.ParcelCount }),
	kgInt("building_count", "Address points.", func(k *kgfile.KG) int { return k.BuildingCount }),
	kgInt("footprint_count", "Building footprints.", func(k *kgfile.KG) int { return k.FootprintCount }),
	kgInt("landuse_count", "Land-use polygons and symbols.", func(k *kgfile.KG) int { return k.LandUseCount }),
	kgFloat(format.Column{Name: "total_area_sqm", Unit: "m²", Decimals: sqm, Doc: "Area of all parcels (EPSG:3035)."},
		func(k *kgfile.KG) float64 { return k.TotalAreaSqm }),
	kgText("typology", "urban, suburban, rural_settled or rural_agrarian.", func(k *register.KG) string {
		return TypologyName(k.Typology)
	}),
	kgFloat(format.Column{Name: "building_density", Unit: "1/km²", Decimals: ratio, Doc: "Footprints per km²."},
		func(k *kgfile.KG) float64 { return k.BuildingDensity }),
	kgFloat(format.Column{Name: "built_up_ratio", Decimals: ratio, Doc: "Footprint area by parcel area."}, func(k *kgfile.KG) float64 {
		return k.BuiltUpRatio
	}),
	kgFloat(format.Column{Name: "avg_nn_distance_m", Unit: "m", Decimals: metres,
		Doc: "Mean distance from a footprint to its nearest other one."}, func(k *kgfile.KG) float64 { return k.AvgNNDistanceM }),
	{Column: format.Column{Name: "dominant_landuse", Type: format.TypeInt, Doc: "Land-use code with the largest area."},
		Get: func(r *KGRow) format.Value { return landUseCode(r.KG.DominantLandUse) }},
	kgFloat(format.Column{Name: "landuse_diversity", Decimals: ratio, Doc: "Shannon entropy (natural logarithm) of the land-use areas."},
		func(k *kgfile.KG) float64 { return k.LandUseDiversity }),
	kgFloat(format.Column{Name: "avg_far", Decimals: ratio, Doc: "Mean floor area ratio of parcels with footprints."},
		func(k *kgfile.KG) float64 { return k.AvgFAR }),
	kgFloat(format.Column{Name: "avg_compactness", Decimals: ratio, Doc: "Mean compactness of the parcels."}, func(k *kgfile.KG) float64 {
		return k.AvgCompactness
	}),
	kgInt("ez_count", "Land-register folios.", func(k *kgfile.KG) int { return k.EZCount }),
	kgFloat(format.Column{Name: "avg_parcels_per_ez", Decimals: ratio, Doc: "Parcels per folio."}, func(k *kgfile.KG) float64 {
		return k.AvgParcelsPerEZ
	}),
	kgFloat(format.Column{Name: "total_footprint_area_sqm", Unit: "m²", Decimals: sqm, Doc: "Area of all footprints."},
		func(k *kgfile.KG) float64 { return k.TotalFootprintAreaSqm }),
	kgFloat(format.Column{Name: "footprint_median_area_sqm", Unit: "m²", Decimals: sqm, Doc: "Median footprint."},
		func(k *kgfile.KG) float64 { return k.FootprintMedianAreaSqm }),
	kgFloat(format.Column{Name: "median_parcel_area_sqm", Unit: "m²", Decimals: sqm, Doc: "Median parcel."}, func(k *kgfile.KG) float64 {
		return k.MedianParcelAreaSqm
	}),
})

// KGPlace are further fields of a KG: its place as nested values, null for a KG that is known without an
// outline.
var KGPlace = format.Fields[KGRow]{
	{Column: format.Column{Name: "bbox", Type: format.TypeJSON, Shape: []float64{}, Doc: "[min_lon, min_lat, max_lon, max_lat]."},
		Get: func(r *KGRow) format.Value {
			if r.KG.Box.Empty() {
				return format.Null
			}
			r.box = AppendBox(r.box[:0], r.KG.Box)
			return format.BorrowedJSON(r.box)
		}},
	{Column: format.Column{Name: "centroid", Type: format.TypeJSON, Shape: []float64{}, Doc: "[lon, lat]."},
		Get: func(r *KGRow) format.Value {
			if r.KG.Box.Empty() {
				return format.Null
			}
			r.centroid = appendDegrees(r.centroid[:0], r.KG.Centroid.X, r.KG.Centroid.Y)
			return format.BorrowedJSON(r.centroid)
		}},
}

// AppendBox appends a box as the JSON array [west, south, east, north] in degrees with 7 decimals.
func AppendBox(b []byte, x geom.Box) []byte { return appendDegrees(b, x.MinX, x.MinY, x.MaxX, x.MaxY) }

func appendDegrees(b []byte, e7 ...int32) []byte {
	sep := byte('[')
	for _, v := range e7 {
		b = append(b, sep)
		b = strconv.AppendFloat(b, float64(v)/geom.Scale, 'f', 7, 64)
		sep = ','
	}
	return append(b, ']')
}

// KGProvenance are the fields of a KG that say which processing its data carries.
var KGProvenance = format.Fields[KGRow]{
	{Column: format.Column{Name: "assembly_version", Enum: []string{"tile_partition_v1", "legacy", "unknown"},
		Doc: "How the parcels were put together; unknown where no snapshot is at hand."},
		Get: func(r *KGRow) format.Value { return format.String(cmp.Or(r.KG.Assembly, "unknown")) }},
	kgText("ingest_generation", "Newest ingest epoch that the data carries.", func(k *register.KG) string {
		return string(EpochID(k.Ingest).Generation())
	}),
	{Column: format.Column{Name: "reprocessed_at", Doc: "When the snapshot was processed: its date, RFC 3339."},
		Get: func(r *KGRow) format.Value {
			if r.KG.Snapshot.Date == "" {
				return format.Null
			}
			return format.String(r.KG.Snapshot.Date + "T00:00:00Z")
		}},
	{Column: format.Column{Name: "ingest_fixes_missing", Sparse: true, Type: format.TypeJSON, Shape: []string{},
		Doc: "Ingest epochs whose fix the data lacks; left out when it lacks none."},
		Get: func(r *KGRow) format.Value {
			_, missing := EpochID(r.KG.Ingest).Fixes()
			if r.cold() || len(missing) == 0 {
				return format.Omit
			}
			b, err := json.Marshal(missing)
			if err != nil { // texts can always be written
				return format.Null
			}
			return format.RawJSON(string(b))
		}},
}
