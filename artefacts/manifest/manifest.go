// Package manifest holds the two documents that make a set of objects a served generation: the
// manifest lists every object with its size and hash, the pointer names the manifest that counts.
// Publishing writes all objects, then the manifest, then swaps the pointer with If-Match. A reader
// that holds a pointer holds one consistent generation for as long as it likes, because everything
// the manifest names is immutable.
package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/shared/austria"
)

// Format is the version of both documents; readers refuse a newer one.
const Format = 1

// maxBytes bounds a document before it is decoded: 7,850 KGs take about 20 MB.
const maxBytes = 64 << 20

// Pointer is current.json: the served generation. It carries what a function needs to start with one
// more read.
type Pointer struct {
	Format         int    `json:"format"`
	Generation     string `json:"generation"` // first 16 hex digits of the manifest's SHA-256
	Manifest       string `json:"manifest"`   // key
	ManifestSHA256 string `json:"manifest_sha256"`
	Register       string `json:"register"` // key
	RegisterSHA256 string `json:"register_sha256"`
	Tiles          string `json:"tiles"`    // key of the national vector tiles
	Stichtag       string `json:"stichtag"` // newest snapshot date in the generation
	Attribution    string `json:"attribution"`
	KGCount        int    `json:"kg_count"`
	UniverseHash   string `json:"universe_hash"`
	Previous       string `json:"previous,omitempty"` // generation before this one, for rollback
}

// Manifest lists every object of a generation. KGs are in rising code order.
type Manifest struct {
	Format       int    `json:"format"`
	Stichtag     string `json:"stichtag"`
	KGCount      int    `json:"kg_count"`
	UniverseHash string `json:"universe_hash"`
	Attribution  string `json:"attribution"`
	License      string `json:"license"`
	Register     Object `json:"register"`
	KGList       Object `json:"kg_list"`
	Metrics      Object `json:"metrics"`
	Tiles        Object `json:"tiles"`
	// Inputs and TilesInputs are fingerprints of what the national artefacts and the tiles were made of: a
	// publisher with the same has nothing to do.
	Inputs      string  `json:"inputs,omitempty"`
	TilesInputs string  `json:"tiles_inputs,omitempty"`
	KGs         []Entry `json:"kgs"`
}

// Object names one immutable object and what its bytes must be.
type Object struct {
	Key    string `json:"key"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Entry is one KG of a generation.
type Entry struct {
	Code     austria.KGCode `json:"kg_code"`
	Name     string         `json:"kg_name"`
	Snapshot string         `json:"snapshot"` // <kg>-<date>
	Stichtag string         `json:"stichtag"`
	Parcels  int            `json:"parcel_count"`
	Forms    Forms          `json:"forms"`
	Quality  Object         `json:"quality"`
	Versions Object         `json:"versions"`
	Digest   string         `json:"digest"` // key of the digest the entry came from
}

// Forms are the five forms of a snapshot.
type Forms struct {
	KGS        Object `json:"kgs"`
	GeoParquet Object `json:"parquet"`
	GeoJSON    Object `json:"geojson"`
	GeoPackage Object `json:"gpkg"`
	PMTiles    Object `json:"pmtiles"`
}

// All lists the forms in the order of keys.AllForms without the quality report.
func (f Forms) All() []Object {
	return []Object{f.KGS, f.GeoParquet, f.GeoJSON, f.GeoPackage, f.PMTiles}
}

// Encode writes the document: indented JSON with a final newline, the same bytes for the same value.
func Encode(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", " ")
	return append(b, '\n'), err
}

// ParsePointer reads current.json.
func ParsePointer(b []byte) (Pointer, error) {
	var p Pointer
	if err := decode(b, &p); err != nil {
		return p, fmt.Errorf("pointer: %w", err)
	}
	if p.Format < 1 || p.Format > Format {
		return p, fmt.Errorf("pointer: format %d, this program reads 1 to %d", p.Format, Format)
	}
	for _, k := range []string{p.Manifest, p.Register} {
		if _, err := keys.Parse(k); err != nil {
			return p, fmt.Errorf("pointer: %w", err)
		}
	}
	return p, nil
}

// ParseManifest reads a manifest and checks that its keys are keys and its KGs in order.
func ParseManifest(b []byte) (Manifest, error) {
	var m Manifest
	if err := decode(b, &m); err != nil {
		return m, fmt.Errorf("manifest: %w", err)
	}
	if m.Format < 1 || m.Format > Format {
		return m, fmt.Errorf("manifest: format %d, this program reads 1 to %d", m.Format, Format)
	}
	for i, e := range m.KGs {
		if c, err := austria.ParseKGCode(string(e.Code)); err != nil || c != e.Code {
			return m, fmt.Errorf("manifest: entry %d: KG code %q", i, e.Code)
		}
		if i > 0 && m.KGs[i-1].Code >= e.Code {
			return m, fmt.Errorf("manifest: KG %s is out of order", e.Code)
		}
		for _, o := range e.Forms.All() {
			if _, err := keys.Parse(o.Key); err != nil {
				return m, fmt.Errorf("manifest: KG %s: %w", e.Code, err)
			}
		}
	}
	return m, nil
}

// Find gives the entry of a KG.
func (m *Manifest) Find(code austria.KGCode) (Entry, bool) {
	lo, hi := 0, len(m.KGs)
	for lo < hi {
		mid := (lo + hi) / 2
		if m.KGs[mid].Code < code {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(m.KGs) && m.KGs[lo].Code == code {
		return m.KGs[lo], true
	}
	return Entry{}, false
}

func decode(b []byte, v any) error {
	if len(b) > maxBytes {
		return fmt.Errorf("%d bytes, at most %d are read", len(b), maxBytes)
	}
	return json.NewDecoder(bytes.NewReader(b)).Decode(v)
}
