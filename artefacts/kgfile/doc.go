// Package kgfile is the one-KG file (.kgs): everything known of one Katastralgemeinde in one small
// object that a function reads whole. It owns the model, the byte layout, the encoder and the reader
// with its containment index. It knows no object names (artefacts/keys) and opens no stores
// (artefacts/library).
//
// # Layout, version 2
//
// All integers are little-endian, offsets count from the start of the file.
//
//	offset  bytes  type  what
//	0       8      text  magic "MAPPEKGS"
//	8       2      u16   version of the file, 2
//	10      2      u16   oldest reader version that understands it, 2
//	12      2      u16   n, number of sections, at most 64
//	14      2      u16   zero
//	16      4      u32   length of the file
//	20      4      u32   CRC-32C of bytes 0-19 and 24 to 24+24n
//	24      24n          section table; each entry:
//	  +0    4      text    name
//	  +4    4      u32     offset; sections follow each other without a gap
//	  +8    4      u32     length
//	  +12   4      u32     bytes its columns decode to
//	  +16   4      u32     rows
//	  +20   4      u32     CRC-32C of the section
//
// A section is a row of columns, then zero padding. Columns (ints, signed, text) and their frames are
// drawn in artefacts/internal/column: a byte for the width, then one frame a byte plane: raw, constant,
// zstd or Huffman. A reader passes over sections with unknown names; known ones stand in the order below.
// "steps(u)" is an ints column of value/u rounded half away from zero, plus 1; 0 for NaN.
// "parcel" is a signed column of differences to the row before of an index into the parcels, -1 none.
// "points(a)" is two signed columns, longitude then latitude in 1e-7 degree, against the anchor a.
//
//	head  1 row: text of code, name, municipality code, municipality, district, Stichtag, assembly
//	      version, ingest generation, source · signed box (4) · ints of parcel, building, footprint,
//	      land-use and EZ counts, typology, dominant land use, source tiles, parcels, labels ·
//	      the eleven metrics of AllMetrics, each steps · count of repairs, ints kind, ints number
//	pgeo  shapes of the parcels
//	patt  ints kind of number (1 dot, 2 sub-number, 4 text) · signed main number to the last one ·
//	      ints sub-number · count and text of the numbers of kind 4 · ints EZ (0 none) · ints status
//	      (0 unknown, 1 E, 2 G) · steps(0.01 m²) area · points(middle of the box) centroid ·
//	      points(centroid) inside · ints repairs · ints buildings · ints footprints · steps(0.01 m²)
//	      building area · steps(0.0001) compactness · steps(0.0001) elongation · ints zigzag vertex
//	      count less the vertices drawn · ints zigzag FAR steps(0.0001) less the quotient of the two
//	      areas in steps · ints shape class
//	puse  ints dominant land use (0 none) · symbol counts: count, ints entries a row, ints code, ints
//	      number · use areas: count, ints entries a row, ints code, signed area in 0.01 m², the last
//	      of a row as difference from what the others leave of the parcel
//	bldg  ints ADRCD to the row before (wraps at 64 bits) · ints SUBCD · parcel · text house number,
//	      street, PLZ, place, object type · points(middle of the parcel's box, else of the KG's)
//	foot  shapes · ints zigzag N to the row before · parcel · steps area, perimeter (0.01),
//	      compactness, elongation (0.0001) · ints zigzag vertex count less drawn · ints size class,
//	      shape class, code · points(middle of the box) centroid · points(centroid) inside
//	luse  shapes · ints code · steps(0.01 m²) area · points(middle of the box) inside
//	symb  parcel · ints code · points(as bldg)
//	labl  parcel whose number it bears, -1 another · count and text of the other numbers · ints status
//	      (as patt, 3 the parcel's) · ints zigzag rotation in 0.01° · points(as bldg)
//	foli  1 byte: 1 folios are exactly what Folios derives from the parcels; 0 then all columns: ints EZ ·
//	      ints parcels a row · count, parcel · steps area · ints buildings · ints zigzag of each side
//	      of the box (4 columns) · symbol counts and use areas as puse
//	outl  1 row: shapes; its rings may refer to those of pgeo
//
// The number of entries that the rows of a list have together is at most 64 and one for each byte the
// section is stored in; shapes hold at most 65,536 polygons, rings and vertices and eight more for each
// byte. A writer pads a section whose columns are more uniform than that with zero bytes.
//
// Shapes: counts of polygons, rings, vertices, operations, references and literal vertices · ints
// polygons a row · ints rings a polygon · ints vertices a ring · ints operations · ints reference
// ring · ints reference vertex · ints of two zigzag 32-bit differences a literal vertex. A ring is the
// vertices its operations give; an operation is length<<2 | kind, length 0 the rest of the ring:
//
//	kind 0  literal vertices, each as the difference from the vertex before it; the first of a ring
//	        from the first of the ring before (0,0 for the first ring)
//	kind 1  vertices of an earlier ring from the reference vertex on, walked backwards and around
//	kind 2  the same, walked forwards
//
// The reference ring counts back from the ring being written, 0 the one before it. Shared borders of
// a tessellation are thus stored once: about 44 % of the vertices are literal.
//
// Version 1 is the same but for the ints columns, which had no odd numbers (bit 7 of their width), and for
// the padding. This package reads both.
//
// Rows are quantised in the steps above and come back exactly as Quantise leaves them.
package kgfile
