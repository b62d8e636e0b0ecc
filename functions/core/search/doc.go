// Package search finds parcels, folios, KGs, districts, municipalities and places by number, code and name. It
// owns the endpoints of the specification's Search table that are answered from the register and from the KGs
// that a request names, one file each, the register lookup and the table of land-use codes. Names are compared
// as shared/spelling folds them; rows of KGs are functions/core/rows, which opens no store itself.
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
//	text                 KGs as lookup, parcels as gnr, address points as address
//	address              whole words first; street, place, house number, id
//	address_osm          as address; where no address has the number, by street
//
// # National searches
//
// gnr without kg, feature with the id of an address point, text, address and address_osm look into the search
// directory of the generation (artefacts/directory): a few reads by range, whatever the size of the country. A
// directory that cannot be read is answered with 503. Where a generation has none, and for a date, gnr and feature
// look into every KG, and in a country of more than view.MaxKGs are refused with 413. KGs that the directory does
// not cover have no snapshot: they are in meta as in every list. parcel without id and kg looks into every KG.
package search
