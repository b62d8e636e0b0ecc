// Package export hands out whole KGs: /export/geojson and /export/gpkg. It owns how an area is named (a list of
// KGs, a municipality, a district, a state, a postal code), which layers there are, the limits of one answer and
// the choice between a form that the builders stored and one that is written now. It opens no store
// (artefacts/library does) and writes no bytes of its own (shared/web does).
//
//	one KG, nothing changed     the object of the store as it is: ETag, ranges, Content-Encoding
//	else, GeoJSON               streamed layer by layer, KG by KG; the next KGs are read meanwhile
//	else, GeoPackage            written to a temporary file, KG by KG, then sent; ranges work too
//
// Features stand in the order layer as asked, KG code, order in the snapshot. Where several KGs are asked, a
// feature that two of them have is written once, with the KG of the smaller code: an address point by its id,
// others by their shape and code.
//
// # Limits
//
//	KGs      50 in one answer, else 413 with a split
//	answer   200 MB by estimate, else 413 with a split
//
// The size is estimated from the size of the snapshots (estimate.go).
package export
