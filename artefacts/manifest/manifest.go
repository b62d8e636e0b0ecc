// Package manifest holds the documents that make a set of objects a served generation: the manifest lists
// every object with its size and hash, those of the KGs in parts by the first two digits of their codes, so
// that a publication of one KG writes one part anew; the pointer names the manifest that counts. Publishing
// writes all objects, then the parts, then the manifest, then swaps the pointer with If-Match. A reader
// that holds a pointer holds one consistent generation for as long as it likes, because everything
// the manifest names is immutable.
package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/shared/austria"
)

// Format is the version of the documents; readers refuse a newer one. A manifest of format 1 lists its KGs
// itself.
const Format = 2

// maxBytes bounds a document before it is decoded: in format 1, 7,850 KGs take about 20 MB.
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
	Tiles          string `json:"tiles"`            // key of the national vector tiles
	Places         string `json:"places,omitempty"` // key of the names of places; generations before it have none
	Stichtag       string `json:"stichtag"`         // newest snapshot date in the generation
	Attribution    string `json:"attribution"`
	KGCount        int    `json:"kg_count"`
	UniverseHash   string `json:"universe_hash"`
	Previous       string `json:"previous,omitempty"` // generation before this one, for rollback
	// PublishedAt is when the generation became current, in TimeFormat, and Publications the key of the log of those
	// before it; pointers of before the log have neither. It is the only clock in what is published, and enters no sum.
	PublishedAt  string `json:"published_at,omitempty"`
	Publications string `json:"publications,omitempty"`
	// Artefacts are the further artefacts of the country. Readers that know none of them pass over the member.
	Artefacts Artefacts `json:"artefacts,omitempty"`
}

// Manifest lists every object of a generation. KGs are in rising code order; in the document they stand in
// Parts, which Split makes and Join reads.
type Manifest struct {
	Format       int       `json:"format"`
	Stichtag     string    `json:"stichtag"`
	KGCount      int       `json:"kg_count"`
	UniverseHash string    `json:"universe_hash"`
	Attribution  string    `json:"attribution"`
	License      string    `json:"license"`
	Register     Object    `json:"register"`
	KGList       Object    `json:"kg_list"`
	Metrics      Object    `json:"metrics"`
	Tiles        Object    `json:"tiles"`
	Places       Object    `json:"places,omitzero"`     // generations before it have none
	Artefacts    Artefacts `json:"artefacts,omitempty"` // further ones of the country
	// Inputs and TilesInputs are fingerprints of what the national artefacts and the tiles were made of: a
	// publisher with the same has nothing to do.
	Inputs      string  `json:"inputs,omitempty"`
	TilesInputs string  `json:"tiles_inputs,omitempty"`
	Parts       []Part  `json:"parts,omitempty"`
	KGs         []Entry `json:"kgs,omitempty"`
}

// Part names the object that lists the KGs whose codes begin with Prefix.
type Part struct {
	Prefix string `json:"prefix"` // two digits
	KGs    int    `json:"kg_count"`
	Object
}

// partDoc is the object of a Part.
type partDoc struct {
	Format int     `json:"format"`
	KGs    []Entry `json:"kgs"`
}

// Blob is an object to be written.
type Blob struct {
	Key  keys.Key
	Body []byte
}

// Split gives the documents of a manifest: the parts, and the manifest itself as the last.
func (m Manifest) Split() ([]Blob, error) {
	var blobs []Blob
	m.Parts = nil
	for rest := m.KGs; len(rest) > 0; {
		prefix := prefixOf(rest[0].Code)
		n := 1
		for n < len(rest) && prefixOf(rest[n].Code) == prefix {
			n++
		}
		body, err := Encode(partDoc{Format, rest[:n]})
		if err != nil {
			return nil, err
		}
		key := keys.ManifestPart{Sum: keys.Sum(body)}
		sum := sha256.Sum256(body)
		blobs = append(blobs, Blob{key, body})
		m.Parts = append(m.Parts, Part{prefix, n, Object{key.String(), int64(len(body)), hex.EncodeToString(sum[:])}})
		rest = rest[n:]
	}
	m.Format, m.KGs = Format, nil
	body, err := Encode(m)
	return append(blobs, Blob{keys.Manifest{Generation: keys.Sum(body)}, body}), err
}

func prefixOf(code austria.KGCode) string { return string(code[:2]) }

// PartOf is the part that lists a KG; false where none does.
func (m *Manifest) PartOf(code austria.KGCode) (Part, bool) {
	for _, p := range m.Parts {
		if p.Prefix == prefixOf(code) {
			return p, true
		}
	}
	return Part{}, false
}

// Join fills in the KGs from the bodies of all parts, in their order.
func (m *Manifest) Join(bodies [][]byte) error {
	if len(bodies) != len(m.Parts) {
		return fmt.Errorf("manifest: %d parts, expected %d", len(bodies), len(m.Parts))
	}
	for i, p := range m.Parts {
		kgs, err := p.Parse(bodies[i])
		if err != nil {
			return err
		}
		m.KGs = append(m.KGs, kgs...)
	}
	return m.check()
}

// Parse reads the object of a part.
func (p Part) Parse(b []byte) ([]Entry, error) {
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != p.SHA256 {
		return nil, fmt.Errorf("manifest: %s has SHA-256 %x, expected %s", p.Key, sum, p.SHA256)
	}
	var d partDoc
	if err := decode(b, &d); err != nil {
		return nil, fmt.Errorf("manifest: %s: %w", p.Key, err)
	}
	if d.Format < 1 || d.Format > Format || len(d.KGs) != p.KGs {
		return nil, fmt.Errorf("manifest: %s: format %d with %d KGs, expected at most %d with %d", p.Key, d.Format, len(d.KGs), Format,
			p.KGs)
	}
	m := Manifest{KGs: d.KGs}
	return d.KGs, m.check()
}

// National lists the objects of the country: all that the manifest names beside those of its KGs.
func (m *Manifest) National() []Object {
	all := []Object{m.Register, m.KGList, m.Metrics, m.Tiles}
	if m.Places.Key != "" {
		all = append(all, m.Places)
	}
	return append(all, m.Artefacts.All()...)
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
	// District is that of the KG's municipality; entries of before it have none.
	District austria.DistrictCode `json:"district_code,omitempty"`
	Forms    Forms                `json:"forms"`
	Quality  Object               `json:"quality"`
	Versions Object               `json:"versions"`
	Digest   string               `json:"digest"` // key of the digest the entry came from
	// Artefacts are the further artefacts of the KG: its cells, its landscape.
	Artefacts Artefacts `json:"artefacts,omitempty"`
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

// Evictable lists the forms that leave the store when it is over its budget, and come back from the archive: those that
// functions read and that are downloaded. The tiles of a KG are what every publication merges, and stay.
func (f Forms) Evictable() []Object {
	return []Object{f.KGS, f.GeoParquet, f.GeoJSON, f.GeoPackage}
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
	if err := p.Artefacts.check(); err != nil {
		return p, fmt.Errorf("pointer: %w", err)
	}
	if err := p.checkLog(); err != nil {
		return p, fmt.Errorf("pointer: %w", err)
	}
	return p, nil
}

// ParseManifest reads a manifest and checks that its keys are keys and its KGs in order. Where it has parts,
// they have yet to be joined.
func ParseManifest(b []byte) (Manifest, error) {
	var m Manifest
	if err := decode(b, &m); err != nil {
		return m, fmt.Errorf("manifest: %w", err)
	}
	if m.Format < 1 || m.Format > Format {
		return m, fmt.Errorf("manifest: format %d, this program reads 1 to %d", m.Format, Format)
	}
	for _, p := range m.Parts {
		if k, err := keys.Parse(p.Key); err != nil || keys.ContentSum(k) != p.SHA256[:min(16, len(p.SHA256))] {
			return m, fmt.Errorf("manifest: part %q: key %q of SHA-256 %q", p.Prefix, p.Key, p.SHA256)
		}
	}
	if err := m.Artefacts.check(); err != nil {
		return m, fmt.Errorf("manifest: %w", err)
	}
	return m, m.check()
}

// check proves that the KGs are in order and their keys are keys.
func (m *Manifest) check() error {
	for i, e := range m.KGs {
		if c, err := austria.ParseKGCode(string(e.Code)); err != nil || c != e.Code {
			return fmt.Errorf("manifest: entry %d: KG code %q", i, e.Code)
		}
		if i > 0 && m.KGs[i-1].Code >= e.Code {
			return fmt.Errorf("manifest: KG %s is out of order", e.Code)
		}
		for _, o := range e.Forms.All() {
			if _, err := keys.Parse(o.Key); err != nil {
				return fmt.Errorf("manifest: KG %s: %w", e.Code, err)
			}
		}
		if err := e.Artefacts.check(); err != nil {
			return fmt.Errorf("manifest: KG %s: %w", e.Code, err)
		}
	}
	return nil
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
