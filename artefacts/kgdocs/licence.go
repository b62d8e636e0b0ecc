package kgdocs

// What every public form says of itself. The survey office asks for its name with the year of the
// data (kgfile.Build.Source), the licence, and that changes are named.
const (
	Title      = "Austrian cadastre: parcels, buildings, land use"
	License    = "CC BY 4.0"
	LicenseURL = "https://creativecommons.org/licenses/by/4.0/"
	Changes    = "re-projected to WGS84, re-assembled from tiles, quantised, enriched with metrics"
)
