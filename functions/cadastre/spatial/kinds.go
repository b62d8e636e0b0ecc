package spatial

import (
	"slices"

	"mappe/artefacts/kgdocs"
	"mappe/shared/web/format"
)

// Columns that this family adds to the fields of the resources.
var (
	distanceColumn = format.Column{Name: "distance_m", Type: format.TypeFloat, Decimals: 2, Unit: "m", Doc: "Distance from the point to the feature, 0 inside it."}
	verifiedColumn = format.Column{Name: "coords_verified", Type: format.TypeBool, Doc: "Whether the address point is joined to its containing parcel: always true for data of the present ingest generation."}
)

func layerColumn(value string) format.Column {
	return format.Column{Name: "_layer", Doc: "Layer of the row.", Enum: []string{value}}
}

// The row kinds of box, point and polygon answers. Rows without polygons (attrs_only) have their
// centroid as geometry.
var (
	parcelKind      = withColumns("parcel", "A parcel.", kgdocs.Parcel, format.ShapeMultiPolygon, layerColumn("parcel"))
	parcelPointKind = withColumns("parcel", "A parcel, drawn as its centroid.", kgdocs.Parcel, format.ShapePoint, layerColumn("parcel"))
	parcelNear      = withColumns("parcel", "A parcel near the point.", kgdocs.Parcel, format.ShapeMultiPolygon, layerColumn("parcel"), distanceColumn)
	parcelPointNear = withColumns("parcel", "A parcel near the point, drawn as its centroid.", kgdocs.Parcel, format.ShapePoint, layerColumn("parcel"), distanceColumn)
	buildingKind    = withColumns("building", "An address point.", kgdocs.Building, format.ShapePoint, layerColumn("building"))
	buildingNear    = withColumns("building", "An address point near the point.", kgdocs.Building, format.ShapePoint, layerColumn("building"), distanceColumn, verifiedColumn)
	// In plain JSON address points carry no geometry beside their lon and lat.
	buildingPlain     = withColumns("building", "An address point.", kgdocs.Building, format.ShapeNone, layerColumn("building"))
	buildingPlainNear = withColumns("building", "An address point near the point.", kgdocs.Building, format.ShapeNone, layerColumn("building"), distanceColumn, verifiedColumn)
	parcelResultKind  = withColumns("parcel", "The parcel that holds the point.", kgdocs.Parcel, format.ShapeNone)
)

// The rows of the viewport and of the geometry batch, and those of geometry=0: no form has a geometry
// of them.
var (
	parcelGeometryKind    = format.NewKind("parcel_geometry", "A parcel with its polygon.", format.ShapeMultiPolygon, geometryFields...)
	parcelBareKind        = format.NewKind("parcel_geometry", "A parcel without its polygon.", format.ShapeNone, geometryFields...)
	footprintGeometryKind = format.NewKind("footprint_geometry", "A building footprint with its polygon.", format.ShapeMultiPolygon, kgdocs.Footprint.Columns...)
	footprintBareKind     = format.NewKind("footprint_geometry", "A building footprint without its polygon.", format.ShapeNone, kgdocs.Footprint.Columns...)
)

var geometryFields = chosen(kgdocs.Parcel, "parcel_id", "kg_code", "gnr", "ez", "status", "area_sqm", "lon", "lat")

func withColumns(name, doc string, k *format.Kind, shape format.Shape, extra ...format.Column) *format.Kind {
	return format.NewKind(name, doc, shape, slices.Concat(k.Columns, extra)...)
}

func chosen(k *format.Kind, names ...string) []format.Column {
	var c []format.Column
	for _, n := range names {
		c = append(c, k.Columns[k.Index(n)])
	}
	return c
}
