// Package columns is the parcels of the country as columns (.parts, family "pcol"): what a query over many KGs
// filters, sorts and sums by, without opening their files. It owns the groups of columns, their bytes and the
// summary of each KG. builders/columns writes the artefact, functions/cadastre/query reads it; whole rows are
// in the KG files (artefacts/kgfile).
//
// # Layout
//
// The artefact has a head and sections as artefacts/sectionfile draws them. Section "kgs" is one row a KG; every other
// is one group of columns of one district, named {group}-{district}: "area-504". Sections of a group stand side
// by side, so that a national scan reads few ranges. Rows of a district are by rising KG code, in a KG by parcel
// number as text (zeros in front left out), which is the order of parcel ids. A head or section is
//
//	u32 decoded length of the columns · u32 rows · columns as artefacts/internal/column draws them
//
// integers little-endian. "steps" is 0.01 m² plus 1, 0 none.
//
//	head    1 row a district: text code · text fingerprint of what the sections were made from · ints rows
//	kgs     1 row a KG, by district and code: text code · text district · ints parcels · sum, least and greatest
//	        area (0.01 m²) · ints address points on parcels · signed box of the centroids (4) · ints set of
//	        land-use codes (4) · ints uses a row, then a list of: ints code, polygons, symbols, polygon area
//	        (steps), parcels, area in parcels (steps)
//	kgs-built  1 row a KG, as in kgs: of its parcels with an address point or a footprint ints how many · sum, least and
//	        greatest area; of the others ints least and greatest area. Artefacts before columns-3 lack the section.
//	area    steps area
//	at      signed centroid, longitude and latitude in 1e-7 degree against the row before
//	built   ints address points · ints footprints · steps footprint area
//	folio   ints EZ, 0 none
//	number  ints kind (1 building plot, 2 sub-number) · signed main number to the row before · ints sub-number
//	row     ints index of the row in the KG's file
//	share   ints entries a row, then a list of: ints land-use code, steps area inside the parcel
//	status  ints 0 unknown, 1 E, 2 G
//	use     count of sets, ints of four words each, then ints set of the row
//
// An area that is not known is stored as such, never as 0. A district has at most column.MaxRows parcels.
package columns

import (
	"encoding/binary"
	"fmt"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
)

// Family is the family of the file, Artefact that of the artefact in a manifest.
var Family = sectionfile.Family{'p', 'c', 'o', 'l'}

// Artefact is the kind under which a generation names the file.
const Artefact = "parcels"

// Recipe names the bytes that this program writes; it changes with them.
const Recipe = "columns-3"

// Group is a group of columns that is read together.
type Group string

// The groups, in rising order, which is that of the file.
const (
	Area   Group = "area"
	At     Group = "at"
	Built  Group = "built"
	Folio  Group = "folio"
	Number Group = "number"
	Row    Group = "row"
	Share  Group = "share"
	Status Group = "status"
	Use    Group = "use"
)

// AllGroups lists the groups.
func AllGroups() []Group { return []Group{Area, At, Built, Folio, Number, Row, Share, Status, Use} }

// Section is the name of a group's section of a district.
func (g Group) Section(d austria.DistrictCode) string { return string(g) + "-" + string(d) }

// Summary is the name of the section of the KGs.
const Summary = "kgs"

const headBytes = 8

// encode closes columns as a section.
func encode(name string, rows int, put func(*column.Writer)) ([]byte, error) {
	s, err := column.Format{Swift: true}.Section(name, rows, put)
	if err != nil {
		return nil, fmt.Errorf("columns: %w", err)
	}
	out := make([]byte, headBytes, headBytes+len(s.Body))
	binary.LittleEndian.PutUint32(out, uint32(s.Raw))
	binary.LittleEndian.PutUint32(out[4:], uint32(s.Rows))
	return append(out, s.Body...), nil
}

// decode opens a section. Foreign bytes give an error and no allocation beyond the section's limits.
func decode(name string, b []byte, get func(r *column.Reader, rows int)) error {
	if len(b) < headBytes {
		return fmt.Errorf("columns: section %q of %d bytes: expected at least %d", name, len(b), headBytes)
	}
	raw, rows := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
	body := b[headBytes:]
	if raw > column.RawLimit(len(body)) || rows > column.RowLimit(len(body)) {
		return fmt.Errorf("columns: section %q declares %d rows and %d bytes from %d stored ones: too many", name, rows, raw, len(body))
	}
	if err := (column.Section{Name: name, Body: body, Raw: raw, Rows: rows}).Read(get); err != nil {
		return fmt.Errorf("columns: %w", err)
	}
	return nil
}
