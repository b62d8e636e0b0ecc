package spatial

import (
	"mappe/artefacts/rowschema"
	"mappe/functions/core/spatialquery"
	"mappe/shared/web/format"
)

// The rows of box and polygon answers. Rows without polygons (attrs_only) have their centroid as geometry.
var (
	parcelRows      = rowschema.Layered(rowschema.ParcelShown, "parcel", "A parcel.")
	parcelPointRows = rowschema.Layered(rowschema.ParcelShown, "parcel", "A parcel, drawn as its centroid.").Shaped(format.ShapePoint)
	buildingRows    = rowschema.Layered(rowschema.BuildingShown, "building", "An address point.")
	// In plain JSON address points carry no geometry beside their lon and lat.
	buildingPlainRows = buildingRows.Shaped(format.ShapeNone)
	kgListRows        = rowschema.KG.Named("kg_item", "A Katastralgemeinde, drawn as its outline.").With(rowschema.KGPlace...).
				Only("kg_code", "kg_name", "gemeinde_code", "gemeinde_name", "district_code", "district_name", "state_name",
			"parcel_count", "building_count", "total_area_sqm", "bbox")
	parcelResultRows = rowschema.Parcel.Named("parcel", "The parcel that holds the point.").Shaped(format.ShapeNone)
)

// The rows of the viewport and of the geometry batch, and those of geometry=0: no form has a geometry
// of them.
var (
	parcelGeometryRows = rowschema.Parcel.Named("parcel_geometry", "A parcel with its polygon.").
				Only("parcel_id", "kg_code", "gnr", "ez", "status", "area_sqm", "lon", "lat")
	parcelBareRows        = parcelGeometryRows.Named("parcel_geometry", "A parcel without its polygon.").Shaped(format.ShapeNone)
	footprintGeometryRows = rowschema.Footprint.Named("footprint_geometry", "A building footprint with its polygon.")
	footprintBareRows     = footprintGeometryRows.Named("footprint_geometry",
		"A building footprint without its polygon.").Shaped(format.ShapeNone)
)

// Columns of point answers, which their rows are given.
var (
	distanceColumn = format.Column{Name: "distance_m", Type: format.TypeFloat, Decimals: 2, Unit: "m",
		Doc: "Distance from the point to the feature, 0 inside it."}
	verified = format.Field[rowschema.BuildingRow]{
		Column: format.Column{Name: "coords_verified", Type: format.TypeBool,
			Doc: "Whether the address points of the KG are joined to the parcels that contain them. false: the KG's data is of an earlier ingest generation and waits for a repair."},
		Get: func(r *rowschema.BuildingRow) format.Value { return format.Bool(r.Joined) },
	}
)

// The rows of point answers.
var (
	parcelNear        = parcelRows.WithSet(distanceColumn).Named("parcel", "A parcel near the point.")
	parcelPointNear   = parcelNear.Shaped(format.ShapePoint).Named("parcel", "A parcel near the point, drawn as its centroid.")
	buildingNear      = buildingRows.With(verified).WithSet(distanceColumn).Named("building", "An address point near the point.")
	buildingPlainNear = buildingNear.Shaped(format.ShapeNone)
	kgNear            = spatialquery.KGRows.WithSet(distanceColumn).Named("kg", "A Katastralgemeinde near the point, drawn as its outline.")
)

// The kinds of list answers, for the description of the service; attrs_only and the form only change their
// geometry.
var (
	listedKinds = []*format.RowType{parcelRows.RowType, buildingRows.RowType, spatialquery.KGRows.RowType}
	nearKinds   = []*format.RowType{parcelNear.RowType, buildingNear.RowType, kgNear.RowType}
)
