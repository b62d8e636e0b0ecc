// Package rowschema owns what the public documents of a KG contain: the fields of parcels, buildings,
// footprints, labels and land use with their names, units and meaning; the list of a KG's dated
// snapshots with the catalogue of ingest epochs; the quality report. The static forms (builders/forms)
// and the functions write their rows from the same row types, so one field has one name everywhere.
//
// It knows the model (artefacts/kgfile) and the row writer (shared/web/format), not where documents
// are stored (artefacts/keys) nor who computes them (builders/kg, builders/verify).
package rowschema
