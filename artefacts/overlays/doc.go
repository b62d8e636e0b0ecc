// Package overlays is what lies over the parcels: Natura 2000 sites, protected areas, the true outlines of the
// municipalities and the parcels that are named in legislation. It owns the rows, the bytes of three artefacts in parts
// (artefacts/sectionfile) and the codes of their closed sets. builders/overlays makes them, functions/core/overlayindex reads
// them through artefacts/library.
//
// # overlays (family "over"): the sources, for the whole country
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
// # overlays-grid (family "ovgr"): the same shapes, by place
//
// What holds a point is told by one section, without the rows and shapes of the country. The family's head is
// a section of no rows: uvarint areas, municipalities, sites of the country.
//
//	cRRRRCCCC   what may hold a point of a cell of 0.1 degrees: row RRRR northwards from latitude -90, column CCCC
//	            eastwards from longitude -180. A cell that nothing reaches has no section.
//
// A cell has no rows of its own; its columns are
//
//	list areas, their columns as above · list municipalities · list sites
//	for areas, municipalities, sites: ints row in the section of all, rising · ints bytes of the outline, 0: the row
//	holds every point of the cell
//	list bytes of all outlines, frame of them (artefacts/internal/outline, against the cell)
//
// An outline is the row's true one but for the vertices in stretches beyond one side of the cell, whose ends alone
// are kept: containment of the cell's points is exact, and the lines outside the cell mean nothing.
//
// # kg-overlays (family "kgov"): what they say of each KG
//
//	index   one row for each KG that anything lies over or names
//	k88801  the KG: which parcel rows lie in which site (centroid inside), which are named by which law
//
// A KG's section carries the fingerprint of what it was made from: the KG's file, the sites whose box meets the
// KG's, its references. A publication takes it over as it is while that is the same.
//
// Distances from the community map are an artefact of their own (artefacts/proximity), under its own licence: none of
// these bytes derive from it.
package overlays

import "mappe/artefacts/sectionfile"

// The kinds of the artefacts, as parts files name them.
var (
	SourceFamily = sectionfile.Family{'o', 'v', 'e', 'r'}
	GridFamily   = sectionfile.Family{'o', 'v', 'g', 'r'}
	KGFamily     = sectionfile.Family{'k', 'g', 'o', 'v'}
)

// The kinds of the artefacts, as generations name them.
const (
	SourceArtefact = "overlays"
	GridArtefact   = "overlays-grid"
	KGArtefact     = "kg-overlays"
)

// Limits of what is read.
const (
	maxRows = 1 << 20 // of a section
)
