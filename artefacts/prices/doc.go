// Package prices is the artefact of land prices: the published price series, and of each KG what a price of any
// year needs to know of its parcels. It owns the bytes; the model is shared/landprice, builders/prices fills it,
// functions/core/landprices loads it whole (about 2 MB for the country).
//
// The file is an artefact in parts (artefacts/sectionfile) of the family "pric" with the sections
//
//	kgs     the tallies of the KGs
//	series  the series
//
// The family's head and the sections are each the number of rows (u32), the decoded length (u32) and columns
// as artefacts/internal/column draws them:
//
//	head    one row: count version (1) · text attribution · text model of the tallies
//	kgs     rows: KGs, rising. ints steps of the codes · texts of the municipalities · plain 8 bytes a KG, the
//	        first of the SHA-256 of its .kgs file · of each class bauland_built, bauland_zoned, ackerland,
//	        gruenland, wald, other: ints parcels, ints area, ints weighted area (1/100 m²), signed ints sum of
//	        log factors (1e-6) · ints footprint area · ints living area (1/100 m²)
//	series  rows: series, rising by level, code, kind. ints level · texts code · ints kind · ints number of
//	        values · list count of all values · ints years from 1950 · ints EUR in 1/1000
//
// Integers are little-endian. Series of a level and kind that a reader does not know are passed over.
package prices

import (
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/landprice"
)

// Artefact is the name of the artefact among those of a generation (manifest.Artefacts).
const Artefact = "prices-land"

// SeriesKind is that of the file.
var Family = sectionfile.Family{'p', 'r', 'i', 'c'}

// Limits of a file.
const (
	MaxFile   = 64 << 20
	maxKGs    = 1 << 16
	maxSeries = 1 << 18
	maxValues = 1 << 22
)

// Contents is what the artefact holds.
type Contents struct {
	Attribution string // of the series; "" without any series
	Model       string // landprice.Model that the tallies were made with
	KGs         []KG   // rising
	Rows        []Row  // rising by level, code, kind, year
}

// Row is one published value.
type Row struct {
	Level landprice.Level
	Code  string
	Kind  landprice.SeriesKind
	Year  int
	EUR   float64 // in steps of 0.001
}

// KG is what prices need to know of the parcels of a KG.
type KG struct {
	Code         austria.KGCode
	GemeindeCode austria.GemeindeCode
	File         [8]byte // the first of the SHA-256 of the .kgs file it was made from
	Tally        landprice.Tally
}
