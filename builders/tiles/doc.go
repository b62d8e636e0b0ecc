// Package tiles draws a KG as vector tiles in a PMTiles archive, and joins the archives of many KGs into
// one. It owns layers, zooms, attributes and the way from grid coordinates to tile pixels; the bytes of
// a tile are shared/geo/mvt's, the bytes of an archive artefacts/pmt's.
//
//	layer      zooms  geometry  attributes
//	kg         8-16   polygon   kg_code, kg_name
//	landuse    13-16  polygon   ns, abbr
//	parcels    13-16  polygon   parcel_id, gnr, ez, status, area_sqm
//	footprints 14-16  polygon   footprint_id
//	labels     16     point     parcel_id, gnr, rotation
//
// Every vertex is projected once, onto the pixel grid of the highest zoom; the grids of lower zooms are
// that grid shifted right. A vertex two parcels share therefore stays one pixel at every zoom, and no
// gap opens between neighbours. Nothing else is simplified: only repeated pixels are dropped, and rings
// without area left. A position is its tile times 4096 plus its pixel; tiles carry 64 pixels around.
package tiles
