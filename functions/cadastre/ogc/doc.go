// Package ogc shows the cadastre as an OGC API: Features part 1 (core, GeoJSON, HTML), part 2 (coordinate
// reference systems) and part 3 (filters in CQL2 text, queryables), so that QGIS, GDAL and whatever else reads
// that interface open it by its address.
//
//	/ogc                                    landing page
//	/ogc/conformance                        the conformance classes
//	/ogc/collections                        the collections
//	/ogc/collections/{id}                   one of them
//	/ogc/collections/{id}/queryables        its columns as a JSON Schema, for filters
//	/ogc/collections/{id}/schema            one of its features as a JSON Schema
//	/ogc/collections/{id}/items             its features: bbox, bbox-crs, crs, datetime, limit, filter, one
//	                                        parameter for each column, version
//	/ogc/collections/{id}/items/{feature}   one feature
//
// Beside it stand the vector tiles of the country for clients that read no PMTiles: /ogc/tiles.json (TileJSON),
// /ogc/tiles/{z}/{x}/{y}, /ogc/style.json (a MapLibre style).
//
// Each collection has paths of its own in the endpoint table, because its columns are parameters. What a
// collection is made of stands in collections.go; its rows are those of the other endpoints (artefacts/rowschema),
// found by functions/core/spatialquery and functions/core/rows.
//
// As the standard wants, a limit above the maximum is taken for the maximum, and coordinates stand in the order
// of the axes of their system: latitude first in EPSG:4326, northing first in the Austrian systems and in
// EPSG:3035. Without crs they are longitude, latitude (CRS84).
package ogc

import (
	"mappe/functions/core"
	"mappe/shared/web/endpoint"
)

const tag = "OGC API"

// Deps are what the endpoints stand on.
type Deps = core.Deps

type service struct{ Deps }

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	s := &service{d.WithDefaults()}
	list := []endpoint.Endpoint{s.landing(), s.conformance(), s.collections(), s.tileJSON(), s.tile(), s.style()}
	for _, c := range all {
		list = append(list, s.collection(c), s.queryables(c), s.schema(c), s.items(c), s.item(c))
	}
	return d.Service("OGC API", "The cadastre as an OGC API Features: collections of parcels, address points, footprints, land use, KGs and municipalities.", list)
}
