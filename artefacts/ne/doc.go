// Package ne is the land statistics of hexagonal cells (H3) of one KG: what a row says, how rows are packed into the
// container that lies on the CDN, and the dictionary they are packed with. It owns the bytes, the encoders and the
// decoders on bytes; builders/ne computes the rows, functions/core/cells serves them. The JavaScript package
// in the folder javascript reads the same bytes and was written from this comment; both read testdata/vectors.
//
// # Rows
//
// All integers are little-endian. A share is 1/255 of the cell's area in EPSG:3035, rounded half up.
//
// LU row, 30 bytes, a cell of resolution 12 (about 307 m²):
//
//	offset  type    field
//	0       u64     cell_id
//	8       u8      kg_share    share covered by the parcels of this KG
//	9       u8      land        share with a declared land use
//	10      u8      cov         share covered by parcels of any KG
//	11      u8      flags       bit 0 declared_unknown: covered, no declared use; bit 1 normalised: uses overlapped
//	12      u8 x 9  lu          geb, bau, acker, gruen, wald, wasser, verkehr, alpen, sonst; they sum to land
//	21      u8      str_cover   share under building footprints
//	22      u16     str_n       footprints whose point on the surface lies in the cell
//	24      u8      gk          share of the parcel area with surveyed boundaries (status G)
//	25      u8      n_units     parcels that share area with the cell, 255 means 255 or more
//	26      u16     edge_m_ha   parcel boundaries in m per ha, each shared one once, 65535 means that or more
//	28      u8      orient_coh  0 to 254: length of the mean of the doubled boundary directions; 0xFF no boundary
//	29      u8      orient_axis their axis, clockwise from grid north, in steps of 2°, 0 to 89; 0xFF no boundary
//
// K row, 29 bytes, a cell of resolution 10 (about 1.5 ha), only where n_units is 5 or more:
//
//	offset  type    field
//	0       u64     cell_id
//	8       u16     n_units     parcels that share area with the cell
//	10      u32     unit_p10    m² of the whole parcel, middle of its class; 0 where n_units is below 10
//	14      u32     unit_p50    likewise
//	18      u32     unit_p90    likewise; 0 where n_units is below 10
//	22      u16     reg_n       folios (KG, EZ) of these parcels, those without a folio left out
//	24      u8      units_per_reg  n_units / reg_n x 10, at most 254; 0xFF without a folio
//	25      u16     str_n       footprints whose point on the surface lies in the cell
//	27      u16     str_p50     their median area in m²; 0xFFFF without one
//
// Classes are eighths of an octave: the class of v is k = floor(8 log2 v), its middle round(2^((k+0.5)/8)). A value
// below 1 m² counts as 1. Percentile p of n values is the one of rank ceil(p n), counted from 1.
//
// # Container
//
//	offset  bytes  what
//	0       8      text "NECELLS1"
//	8       4      u32 h, length of the header, at most 2^22
//	12      h      JSON object Header, padded with spaces so that 12+h is a multiple of 8
//	12+h           the sections, in the header's order and without a gap
//
// A section is zstd frames, one for each cell of resolution 9 that has rows, in the order of Chunks; a frame holds the
// rows of the cells below it, by rising cell_id, row by row. Where the header names a dictionary, the frames of the
// section need it. SHA-256 sums are those of the unpacked rows: of the section as a whole, and the first 16 hex digits of
// each chunk's.
//
// The header's format is 2. Its generation is the first 16 hex digits of the SHA-256 of the h bytes of the header, spaces
// included, while the generation's own 16 digits, behind the header's first "generation", are zeros. It covers all that the
// header says, the sums of the rows among it. In format 1, which readers go on reading, it is that of lines
// "layer sum", one for each section, each ended by a line feed, and covers the rows alone.
package ne

import (
	"fmt"
	"strings"
)

// MediaType is that of a container.
const MediaType = "application/vnd.ne-cells"

// Resolutions of the rows and of the chunks that hold them.
const (
	LURes    = 12
	KRes     = 10
	ChunkRes = 9
)

// ChunkCells is how many cells of resolution 12 a chunk has.
const ChunkCells = 343

// Layer is a kind of rows.
type Layer string

// The layers. Observations are defined by those who make them.
const (
	LU  Layer = "lu"
	Bev Layer = "bev" // K rows
	Obs Layer = "obs"
)

// AllLayers lists the layers in the order of a container.
func AllLayers() []Layer { return []Layer{LU, Bev, Obs} }

// ParseLayer reads the name of a layer.
func ParseLayer(s string) (Layer, error) {
	for _, l := range AllLayers() {
		if strings.EqualFold(s, string(l)) {
			return l, nil
		}
	}
	return "", fmt.Errorf("layer %.40q: expected lu, bev or obs", s)
}

// Field is a field of a row, as headers declare it.
type Field struct {
	Name  string `json:"name"`
	Type  string `json:"type"` // u8, u16, u32 or u64
	Count int    `json:"count,omitempty"`
}

// Fields are the fields of the rows of a layer that this package defines.
func (l Layer) Fields() []Field {
	switch l {
	case LU:
		return []Field{{"cell_id", "u64", 0}, {"kg_share", "u8", 0}, {"land", "u8", 0}, {"cov", "u8", 0}, {"flags", "u8", 0},
			{"lu", "u8", 9},
			{"str_cover", "u8", 0}, {"str_n", "u16", 0}, {"gk", "u8", 0}, {"n_units", "u8", 0}, {"edge_m_ha", "u16", 0},
			{"orient_coh", "u8", 0}, {"orient_axis", "u8", 0}}
	case Bev:
		return []Field{{"cell_id", "u64", 0}, {"n_units", "u16", 0}, {"unit_p10", "u32", 0}, {"unit_p50", "u32", 0}, {"unit_p90", "u32", 0},
			{"reg_n", "u16", 0}, {"units_per_reg", "u8", 0}, {"str_n", "u16", 0}, {"str_p50", "u16", 0}}
	}
	return nil
}

// RecordBytes is the length of a row of a layer that this package defines.
func (l Layer) RecordBytes() int {
	switch l {
	case LU:
		return LUBytes
	case Bev:
		return KBytes
	}
	return 0
}
