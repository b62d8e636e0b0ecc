// Package toponyms are the official geographical names: settlements, areas, terrain, glaciers, waters, other names and
// field names. It owns the layers, the bytes of the artefact in parts (artefacts/sectionfile) and the score of a name search.
// builders/toponyms makes it, functions/core/toponyms reads it through artefacts/library.
//
// # toponyms (family "topo")
//
// Names stand in the order of cells of 0.1 degrees, row by row northwards from latitude -90, in a row eastwards from
// longitude -180, in a cell by id; a name's number is its place in that order. The family's head is
//
//	text Stichtag, attribution · rows: a cell with names: ints row, ints column, ints names
//
// and the sections, each u32 rows, u32 bytes that its columns decode to, columns (artefacts/internal/column):
//
//	cRRRRCCCC   the names of a cell: text id · ints layer, f_code · text f_name, name, variant · text of the other
//	            languages, "sl Triglav" with a newline between two · ints elevation + 10,000 m, 0 not known · text KG code,
//	            "" in none · signed x, y from the cell's south-west corner in 1e-7 degrees · ints year
//	iHH         ids whose FNV-1a hash ends with the byte HH: text id, ints number; rising ids
//	kDDD        the names in KGs whose codes begin with DDD: text KG code, ints number; by KG, then number
//	search      every spelling that names are found by: text folded spelling, ints number, ints layer, text KG code,
//	            signed x, y in 1e-7 degrees (of which only the first row of a number counts)
//	stats       rows: ints layer, f_code, text f_name, ints names; by layer and code
package toponyms

import "mappe/artefacts/sectionfile"

// Family is the family of the artefact, as parts files name it.
var Family = sectionfile.Family{'t', 'o', 'p', 'o'}

// Artefact is its kind as generations name it, BaseArtefact that of the vector tiles that show the same names.
const (
	Artefact     = "toponyms"
	BaseArtefact = "base-names"
)
