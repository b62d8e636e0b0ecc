// Package proximity is what the community map says of the surroundings of a place: roads, railways, water, stops,
// stations and settlements, in grid order, so that the nearest of each is found with one or two reads. It owns the closed
// set of feature classes, the bytes of two artefacts in parts (artefacts/sectionfile) and the search in one cell.
// builders/proximity makes them, functions/core/proximity reads them through artefacts/library.
//
// The artefacts are a database under the ODbL of its own. No other artefact derives from them, and they hold nothing of
// another.
//
// # osm-proximity (family "prox")
//
// The family's head is a section of rows as below: text date of the extract, text attribution, then a row for each class
// with the number of its features in the extract (one number).
//
//	fRRRRCCCC   a cell of the far grid, 0.5 degrees wide and high: major roads, railways, stops, settlements
//	nRRRRCCCC   a cell of the near grid, 0.1 degrees: roads, water
//
// RRRR is the row, northwards from latitude -90, CCCC the column, eastwards from longitude -180. A cell without features
// has no section. A feature is in every cell that its box meets: the search of a cell misses nothing that lies in it.
//
//	0   u32 number of lines · 4  u32 bytes the columns decode to · then columns (artefacts/internal/column):
//	    ints class, text name, text ref of each line · ints vertices of each line, 2 to 24
//	    list number of vertices, signed dx, signed dy: the first of a line from the cell's south-west corner, others from
//	    the vertex before, in 1e-7 degrees
//	    list number of points, ints class, text name, signed x, signed y, ints population + 1 (0 not known)
//	    list number of areas, ints class, text name, ints bytes of their outlines (artefacts/internal/outline, against
//	    the cell), list bytes of all outlines, frame of them
//
// Lines are chunks of at most 24 vertices that share their ends. Water areas stand twice: their borders as lines, and
// clipped to the cell as areas, which say whether a place lies within.
//
// # osm-nearest (family "near")
//
// The nearest of each search (AllSearches) from any place with one section: the same head, and
//
//	nRRRRCCCC   a cell of the near grid: every feature that is the nearest of its search to some point of the cell, as far
//	            as the search reaches, wherever it lies, and few others; areas clipped to the cell. A cell without any
//	            has no section.
//
// A section is one of a cell as above; features are in the order of the extract.
package proximity

import "mappe/artefacts/sectionfile"

// The kinds of the artefacts, as parts files name them.
var (
	Family        = sectionfile.Family{'p', 'r', 'o', 'x'}
	NearestFamily = sectionfile.Family{'n', 'e', 'a', 'r'}
)

// The kinds of the artefacts as generations name them; BaseArtefact is that of the vector tiles that show the same features.
const (
	Artefact        = "osm-proximity"
	NearestArtefact = "osm-nearest"
	BaseArtefact    = "base-osm"
)

// MaxVertices bounds the vertices of a line.
const MaxVertices = 24
