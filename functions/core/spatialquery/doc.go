// Package spatialquery finds the rows of KGs that lie in an area: which KGs have to be read for it, and which of
// their parcels, address points, footprints and land-use areas match. The spatial endpoints and the OGC
// collections are lists over it (functions/core/rows).
package spatialquery

import (
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/parcelfilter"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
)

// Layer is a kind of feature an answer can hold.
type Layer string

// The layers.
const (
	Parcels    Layer = "parcels"
	Buildings  Layer = "buildings" // address points
	KGs        Layer = "kg"
	Footprints Layer = "footprints"
	LandUse    Layer = "landuse" // areas
)

// KGRows are KGs as a layer.
var KGRows = rowschema.Layered(rowschema.KG, "kg", "A Katastralgemeinde, drawn as its outline.")

// Search is what a feature must be to match: its place and, for parcels, its attributes.
type Search struct {
	Area *region.Area
	// Within takes features of which no part lies outside the area; else those whose interior shares area with
	// it.
	Within bool
	Filter parcelfilter.Filter
	// In says which KGs are looked at; nil: all that the area reaches into.
	In    func(*register.KG) bool
	Field string // what the client gave the area as, for faults
}

// Box is the area of a box, grown by metres on every side.
func Box(b geom.Box, metres float64) *region.Area { return region.OfBox(crs.Grow(b, metres)) }

// BoxPolygon is a box as a polygon.
func BoxPolygon(b geom.Box) geom.MultiPolygon {
	return geom.MultiPolygon{{geom.Ring{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MaxX, Y: b.MaxY}, {X: b.MinX, Y: b.MaxY}}}}
}
