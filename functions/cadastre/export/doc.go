// Package export hands out whole KGs: /export/geojson, /export/gpkg, /export/flatgeobuf, /export/shapefile, /export/dxf,
// /export/kml, /export/csv and /export/xlsx, and the jobs that write what is too large for one answer. It owns which layers there
// are, the limits of one answer and of a job, and the choice between a form that the builders stored, one that is written now and
// one that a job writes. How an area is named is functions/core/area; the bytes are written by shared/web, the jobs are kept by
// shared/cloud/jobs, an attempt at one is that of functions/core/tasks.
//
//	one KG, nothing changed     the object of the store as it is: ETag, ranges, Content-Encoding
//	else, GeoJSON               streamed layer by layer, KG by KG; the next KGs are read meanwhile
//	else, GeoPackage            written to a temporary file, KG by KG, then sent; ranges work too
//	FlatGeobuf, shapefiles,     likewise, always written; all but the first are forms of several layers (fileform.go)
//	DXF, KML, CSV, XLSX
//	too large, or job=1         202; a worker writes the same bytes into the store, then 303 to the file
//
// Features stand in the order layer as asked, KG code, order in the snapshot. Where several KGs are asked, a
// feature that two of them have is written once, with the KG of the smaller code: an address point by its id,
// others by their shape and code.
//
// # Limits
//
//	KGs      50 in one answer, 4,000 in a job, else 413 with a split
//	size     200 MB in one answer, 4 GB in a job (shapefiles 2 GB), by estimate, else 413 with a split
//	time     13 minutes of a job, 5 of them for KGs that have to be loaded
//	files    kept for 7 days after the job's end
//
// The size is estimated from the size of the snapshots (estimate.go); what /export/size tells of it from rows and vertices
// (counted.go). Where there is no queue (Deps.Queue), what is too large for one answer is refused.
//
// # Jobs
//
// A job is found by what it writes: form, shape and the state of its KGs (order.key), so that equal requests are one
// job, whatever names the KGs have in them, and what is published of other KGs leaves it. Payload (order), notes of
// progress (stage) and result are JSON in the job's record. The file is exports/{job}-{fence}/cadastre-{date}.{ending}:
// each lease writes under a name of its own, and the record alone says which file counts.
package export
