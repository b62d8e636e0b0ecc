package export

import (
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

// layer is one layer of an export, by its public name.
type layer string

// landUse stands for areas and symbols together; the others are layers of rowschema.
const (
	parcels         layer = "parcels"
	buildings       layer = "buildings"
	footprints      layer = "building_footprints"
	labels          layer = "labels"
	landUse         layer = "landuse"
	landUsePolygons layer = "landuse_polygons"
	landUsePoints   layer = "landuse_points"
)

func allLayers() []layer {
	return []layer{parcels, buildings, footprints, labels, landUse, landUsePolygons, landUsePoints}
}

var layers = endpoint.EnumList("layers",
	"Layers of the answer; landuse stands for areas and symbols in one collection, told apart by source.", allLayers(),
	endpoint.Alias("layer"), endpoint.Default(string(parcels)), endpoint.Synonym("parcel", "parcels"),
	endpoint.Synonym("building", "buildings"),
	endpoint.Synonym("footprints", "building_footprints"))

// Of land use in one collection, source says where a row comes from.
var sourceColumn = format.Column{Name: "source", Doc: "nfl: an area of the map; nsy: a symbol.", Enum: []string{"nfl", "nsy"}}

// The rows of GeoJSON, and the same as points.
var (
	parcelRows    = rowschema.ParcelExport.Named("export_parcel", "A parcel with what stands on it.")
	buildingRows  = rowschema.Building.Named("export_building", "An address point.")
	footprintRows = rowschema.Footprint.Named("export_footprint", "A building footprint.")
	labelRows     = rowschema.Label.Named("export_label", "A parcel number as the map prints it.")
	polygonRows   = rowschema.LandUsePolygon.Named("export_landuse_polygon", "A land-use area.")
	symbolRows    = rowschema.LandUsePoint.Named("export_landuse_point", "A land-use symbol.")
	useAreaRows   = rowschema.LandUsePolygon.Named("export_landuse_area",
		"A land-use area.").With(format.Constant[rowschema.LandUsePolygonRow](sourceColumn, format.String("nfl")))
	useSymbolRows = rowschema.LandUsePoint.Named("export_landuse_symbol",
		"A land-use symbol.").With(format.Constant[rowschema.LandUsePointRow](sourceColumn, format.String("nsy")))

	parcelPoints    = parcelRows.Shaped(format.ShapePoint)
	footprintPoints = footprintRows.Shaped(format.ShapePoint)
	polygonPoints   = polygonRows.Shaped(format.ShapePoint)
	useAreaPoints   = useAreaRows.Shaped(format.ShapePoint)
)

// rowTypes are the row types of GeoJSON, for the description of the service.
var rowTypes = []*format.RowType{parcelRows.RowType, buildingRows.RowType, footprintRows.RowType, labelRows.RowType, polygonRows.RowType,
	symbolRows.RowType, useAreaRows.RowType, useSymbolRows.RowType}

// table draws rows of one type. same is the column that tells two rows of one shape apart when a feature of two
// KGs is looked for; "" where no feature can be in two.
type table struct {
	rows.Source
	same string
}

// tables are the tables of a layer in GeoJSON; points has them drawn as points.
func (l layer) tables(points bool) []table {
	switch l {
	case buildings:
		return []table{{rows.Buildings(buildingRows.Record()), "building_id"}}
	case footprints:
		return []table{{rows.Footprints(pick(points, footprintPoints, footprintRows).Record()), "ns_code"}}
	case labels:
		return []table{{rows.Labels(labelRows.Record()), "gnr"}}
	case landUsePolygons:
		return []table{{rows.LandUse(pick(points, polygonPoints, polygonRows).Record()), "code"}}
	case landUsePoints:
		return []table{{rows.Symbols(symbolRows.Record()), "code"}}
	case landUse:
		return []table{{rows.LandUse(pick(points, useAreaPoints, useAreaRows).Record()), "code"},
			{rows.Symbols(useSymbolRows.Record()), "code"}}
	}
	return []table{{rows.ParcelExports(pick(points, parcelPoints, parcelRows).Record()), ""}}
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// fileTable is a layer of the GeoPackage: the columns of the stored one.
func fileTable(l rowschema.Layer) table {
	switch l {
	case rowschema.Buildings:
		return table{rows.Buildings(rowschema.Building.Record()), "building_id"}
	case rowschema.Footprints:
		return table{rows.Footprints(rowschema.Footprint.Record()), "ns_code"}
	case rowschema.Labels:
		return table{rows.Labels(rowschema.Label.Record()), "gnr"}
	case rowschema.LandUsePolygons:
		return table{rows.LandUse(rowschema.LandUsePolygon.Record()), "code"}
	case rowschema.LandUsePoints:
		return table{rows.Symbols(rowschema.LandUsePoint.Record()), "code"}
	}
	return table{rows.Parcels(rowschema.Parcel.Record()), ""}
}
