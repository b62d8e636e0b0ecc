// Package addresses reads the Austrian address register (Adressregister): a zip or a folder of CSV files
// joined to address points. It owns the register's raw form, the join, the shift to WGS84 and a grid
// that finds the points of a KG; it does not know parcels (builders/kg joins those).
//
//	ADRESSE      ADRCD GKZ OKZ PLZ SKZ HAUSNRZAHL1 ... RW HW EPSG      one row an address
//	GEBAEUDE     ADRCD SUBCD [RW HW EPSG EIGENSCHAFT ...]              one row a building at an address
//	STRASSE      SKZ STRASSENNAME                                      optional, as are the next three
//	ORTSCHAFT    OKZ ORTSNAME
//	GEMEINDE     GKZ GEMEINDENAME
//	ADRESSE_GST  ADRCD KGNR                                            the KG an address is booked in
//
// Files are found by name whatever their folder, letter case and extension .csv or .CSV; columns by
// header name. Every table is read once, row by row. What stays in memory is about 40 bytes an address
// and 24 a building and each name once: about 170 MB for the 2.5 million addresses of the country.
package addresses

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"os"

	"mappe/artefacts/kgfile"
	"mappe/builders/source/table"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// maxTable bounds the unpacked bytes of one table; maxRows the rows of one.
const (
	maxTable = 8 << 30
	maxRows  = 50_000_000
)

// Austria holds every address; a point outside is a bad row.
var Austria = geom.Box{MinX: 93000000, MinY: 462000000, MaxX: 173000000, MaxY: 492000000}

// Address is an address point and the KG its register names for it, "" when it names none. Parcel is -1.
type Address struct {
	kgfile.Building
	KG austria.KGCode
}

// Register is the joined register: it gives points by box. Safe for concurrent use.
type Register struct {
	addresses []address
	buildings []building // by cell, then address
	cells     []cellStart
	names     interner
	gemeinden map[uint32]uint32
	Counts    Counts
}

// Counts say what was read and what was lost on the way.
type Counts struct {
	Addresses         int // rows of ADRESSE with a usable key
	Buildings         int // rows of GEBAEUDE joined
	Points            int // address points: the buildings, and the addresses without one
	WithoutBuilding   int // addresses that no row of GEBAEUDE names: SUBCD 0
	WithoutPosition   int // points left out because neither building nor address has a position
	UnknownStreet     int // addresses whose SKZ is in no row of STRASSE
	UnknownLocality   int // addresses whose OKZ is in no row of ORTSCHAFT
	OrphanedBuildings int // rows of GEBAEUDE whose ADRCD is in no row of ADRESSE
}

type address struct {
	adrcd               uint64
	street, ort, number uint32 // names
	gkz                 uint32
	kg                  uint32 // KG code + 1, 0 none
	at                  geom.Point
	plz                 uint16
	hasAt, built        bool
}

type building struct {
	address uint32
	sub     uint32
	kind    uint32 // name
	suffix  uint32 // name, what follows the address's house number
	at      geom.Point
}

// Open reads a register from a folder or a zip file.
func Open(name string) (*Register, table.Problems, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, table.Problems{}, fmt.Errorf("address register: %w", err)
	}
	if info.IsDir() {
		return Read(os.DirFS(name))
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, table.Problems{}, fmt.Errorf("address register %s: neither a folder nor a zip file: %w", name, err)
	}
	defer z.Close()
	return Read(z)
}

// Read reads a register from a file system. Bad rows are in the problems; the error is about a missing
// table or column, or a failing disk.
func Read(files fs.FS) (*Register, table.Problems, error) {
	r := &Register{names: newInterner()}
	l := &loader{r: r, files: map[string]string{}, in: files}
	if err := l.find(); err != nil {
		return nil, l.problems, err
	}
	for _, step := range []func() error{l.streets, l.localities, l.municipalities, l.readAddresses, l.parcels, l.readBuildings} {
		if err := step(); err != nil {
			return nil, l.problems, fmt.Errorf("address register: %w", err)
		}
	}
	r.index()
	return r, l.problems, nil
}
