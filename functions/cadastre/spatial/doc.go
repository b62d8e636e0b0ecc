// Package spatial answers questions of place about the cadastre: what lies in a box, around a point, in
// a polygon, on the screen; which parcel holds a point; the geometry of parcels and footprints by id.
// It owns the endpoints of the specification's Spatial table, one file each, and their query core. It
// opens no store (artefacts/library does) and writes no bytes of its own (shared/web does).
//
// # Order
//
// Every answer has one order, and paging by offset or cursor walks it without gap or repetition.
//
//	bbox, polygon, viewport  layer as asked (parcels, buildings, kg); KG code; order in the snapshot:
//	                         parcels and footprints along the map (Hilbert order), buildings by id
//	point                    distance_m, then layer, KG code, order in the snapshot
//	points, batches          as asked; results of one item as above
//	geometry batches         KG code, then as asked; an id asked twice is answered once
//	kgs                      KG code
//
// # Relations
//
// relation=intersects (default) takes features whose interior shares area with the search area: a
// parcel that only touches it along a border or at a corner is no match, so that the polygon of a
// parcel finds that parcel and not its neighbours. relation=within takes features of which no part lies
// outside. Both are exact on the grid of 1e-7 degrees, for holes and several parts too. Address points
// match by the half-open rule of containment: of the areas that share a border, one holds a point on it.
// A parcel that has no area left on the grid stands for its position. Footprints and address points are
// found up to 100 m outside the outline of their KG.
//
// buffer grows the search area by metres: a box stays a box, a polygon takes what lies within that
// distance of it (not together with relation=within).
//
// distance_m is measured in metres from the point to the nearest place of the feature (0 inside), on
// the WGS84 ellipsoid within 1e-5.
//
// landuse, min_area, max_area and has_buildings choose parcels; other layers of the same answer are not
// affected. A parcel has buildings when an address point or a footprint is on it.
//
// # Limits
//
//	points                 1 to 1,000 in one request; radius 0 to 50,000 m
//	features               200,000 in one answer of POST /spatial/point and of a polygon batch, 2,000,000
//	                       matches of GET /spatial/point, else 413
//	polygons               500 in one batch; 100,000 vertices in one request; crossing rings are rebuilt
//	                       by the even-odd rule, and meta.warnings says where
//	KG objects             2,048 read by one search, else 413 with a split where the area is a box
//	ids                    5,000 in one geometry batch
//	viewport               20,000 rows
//	body                   6 MB (polygons), 2 MB (points, ids)
package spatial
