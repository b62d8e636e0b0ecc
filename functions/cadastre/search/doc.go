// Package search finds parcels, folios, KGs, districts, municipalities and places by number, code and name. It
// owns the endpoints of the specification's Search table that are answered from the register and from the KGs
// that a request names, one file each, the register lookup and the table of land-use codes. Names are compared
// as shared/spelling folds them; rows of KGs are functions/rows, which opens no store itself.
//
// # Order
//
//	gnr                  KG code; parcel number: main number, sub-number, building plots behind others
//	ez                   KG code, folio number
//	parcel               KG code, order in the snapshot (along the map)
//	kg, municipalities   with q: exact code, name prefix, shortest name, name, code; else code
//	district             likewise; code= gives KGs in code order
//	lookup               exact code, name prefix, shortest name, name, type, code
//	landuse/codes        code
//
// # National searches
//
// gnr and parcel without kg, and feature with the id of an address point, have to look into every KG. They read
// at most rows.MaxKGs KG objects; in a larger country they are refused with 413 and ask for kg.
package search
