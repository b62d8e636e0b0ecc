package rowschema

import (
	"strconv"

	"mappe/artefacts/kgfile"
)

// What every public form says of itself. The survey office asks for its name with the year of the
// data (kgfile.Build.Source), the licence, and that changes are named.
const (
	Title      = "Austrian cadastre: parcels, buildings, land use"
	License    = "CC BY 4.0"
	LicenseURL = "https://creativecommons.org/licenses/by/4.0/"
	Changes    = "re-projected to WGS84, re-assembled from tiles, quantised, enriched with metrics"
)

// Meta is what a form says of its snapshot: licence, attribution, date, processing.
type Meta struct {
	KGCode           string            `json:"kg_code"`
	KGName           string            `json:"kg_name"`
	Stichtag         string            `json:"stichtag"`
	License          string            `json:"license"`
	LicenseURL       string            `json:"license_url"`
	Attribution      string            `json:"attribution"`
	Changes          string            `json:"changes"`
	AssemblyVersions map[string]string `json:"assembly_versions"` // KG code to assembly version
	IngestGeneration string            `json:"ingest_generation"`
	ParcelCount      int               `json:"parcel_count"`
}

// MetaOf describes a snapshot.
func MetaOf(s *kgfile.Snapshot) Meta {
	return Meta{
		KGCode: string(s.KG.Code), KGName: s.KG.Name, Stichtag: s.Build.Stichtag,
		License: License, LicenseURL: LicenseURL, Attribution: s.Build.Source, Changes: Changes,
		AssemblyVersions: map[string]string{string(s.KG.Code): s.Build.AssemblyVersion},
		IngestGeneration: string(EpochID(s.Build.IngestGeneration).Generation()), ParcelCount: len(s.Parcels),
	}
}

// Pairs is the description as names and texts, for formats that hold no more.
func (m Meta) Pairs() [][2]string {
	return [][2]string{
		{"kg_code", m.KGCode}, {"kg_name", m.KGName}, {"stichtag", m.Stichtag},
		{"license", m.License}, {"license_url", m.LicenseURL}, {"attribution", m.Attribution}, {"changes", m.Changes},
		{"assembly_version", m.AssemblyVersions[m.KGCode]}, {"ingest_generation", m.IngestGeneration},
		{"parcel_count", strconv.Itoa(m.ParcelCount)},
	}
}
