// Package overlays is what lies over the parcels: Natura 2000 sites, protected areas, the true outlines of the
// municipalities and the parcels that laws name. It owns the rows, the bytes of two artefacts in parts
// (artefacts/parts) and the codes of their closed sets. builders/overlays makes both, functions/overlay reads
// them through artefacts/library.
//
// # overlays (kind "over"): the sources, for the whole country
//
//	areas            rows of protected areas, in the order of the source
//	laws             rows of laws
//	municipalities   rows of municipalities by code
//	refs/KKKKK       the references of one KG, each to a row of laws, in the order of the sources
//	shape/a000012    the geometry of row 12 of areas · shape/m of municipalities · shape/s of sites
//	sites            rows of Natura 2000 sites by code
//
// A shape is its bounding box, four i32, then its rings (artefacts/internal/outline). Every other section is
//
//	0  u32 rows · 4  u32 bytes its columns decode to · 8  columns (artefacts/internal/column)
//
// Shapes are the source's, mended but not simplified: a shape of its own is read by range when a point lies in
// its box, so that no request holds the country.
//
// # kg-overlays (kind "kgov"): what they say of each KG
//
//	index   one row for each KG that anything lies over or names
//	k88801  the KG: which parcel rows lie in which site (centroid inside), which are named by which law
//
// A KG's section carries the fingerprint of what it was made from: the KG's file, the sites whose box meets the
// KG's, its references. A publication takes it over as it is while that is the same.
//
// The block of distances from the community map (issue 13) will stand in sections of its own, under its own
// licence: none of these bytes derive from it.
package overlays

import "mappe/artefacts/parts"

// The kinds of the two artefacts, as parts files name them.
var (
	SourceKind = parts.Kind{'o', 'v', 'e', 'r'}
	KGKind     = parts.Kind{'k', 'g', 'o', 'v'}
)

// The kinds of the two artefacts, as generations name them.
const (
	SourceArtefact = "overlays"
	KGArtefact     = "kg-overlays"
)

// Limits of what is read.
const (
	maxRows = 1 << 20 // of a section
)
