// Package directory is the national search directory (.parts, family "srch"): from the words of an address, a
// parcel number or the id of an address point to the KGs and rows that have it, without a database. It owns the
// bytes, the encoder, the decoder and how words choose streets; what users type and how rows are drawn is
// functions/core/search, where the KGs are read is builders/directory.
//
// # Design
//
// Streets are the distinct (name, place), by folded name; a place is the distinct (locality, PLZ, municipality).
// Addresses stand in the order of their streets, so that a street is a run of them, and one street name of the
// whole country is too. A word of a name or of a place is a key of a transducer; its value leads to the names and
// places it stands in. What a function keeps is small and does not grow with the addresses but with their names:
// the words and the names. Addresses, house numbers, parcel numbers and ids are blocks read by range.
//
// # Sections
//
// The head and every section but "m" are columns (artefacts/internal/column) behind u32 rows and u32 decoded
// bytes, little-endian. Numbers of KGs count the KGs of the head.
//
//	head            version 1 · SHA-256 of the inputs · SHA-256 of "m" · number of addresses · KG codes, ints of differences
//	a000000, ...    2,048 addresses each: ADRCD, SUBCD, KG, parcel number, folio, object type, lon, lat
//	b{first id}     4,096 ids of address points each, rising (ADRCD in 16 hexadecimal digits): ADRCD, SUBCD, KG
//	h000000, ...    the house numbers of the blocks of addresses
//	m               vellum transducer: folded word to its number, rising with the words
//	n               street names, places, streets, and for each word the names and places that it stands in
//	p{first number} 1,024 parcel numbers each, in the order of their bytes: number, KGs that have it
package directory

import "mappe/artefacts/sectionfile"

// Artefact is the kind by which a generation names its directory, as manifest.Artefacts has it.
const Artefact = "search-directory"

// Family is the family of the file.
var Family = sectionfile.Family{'s', 'r', 'c', 'h'}

// Recipe names what in this package decides the bytes.
const Recipe = "directory 2"

const version = 1

// AddressRows are the addresses of a block. A block is what one look-up reads and decodes at least.
const AddressRows = 2048

const (
	idRows     = 4096
	numberRows = 1024
)

// The names of the sections that a function keeps.
const (
	wordsSection = "m"
	namesSection = "n"
)
