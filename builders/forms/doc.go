// Package forms writes the public forms of one KG from one snapshot: GeoParquet, precompressed GeoJSON,
// GeoPackage and PMTiles, beside the .kgs that functions read. Fields come from artefacts/rowschema, so a
// field has the same name, unit and value in every form. The same snapshot gives the same bytes.
//
//	form        holds                                                for
//	.kgs        everything (artefacts/kgfile)                        functions
//	.parquet    parcels; bbox covering, native GEOMETRY, zstd        DuckDB, Athena, Arrow, QGIS
//	.geojson.gz parcels with what stands on them                     the CDN's export answer, browsers
//	.gpkg       six layers                                           GIS desktops
//	.pmtiles    vector tiles, zooms 8 to 16 (builders/tiles)        maps
//
// A snapshot must be on its grid (kgfile.Quantise) before its forms are written. Parity reads all five
// back with independent code and says whether they hold the same rows.
package forms
