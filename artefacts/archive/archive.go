package archive

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/shared/austria"
)

// Format is the version of the documents; readers refuse a newer one.
const Format = 1

// Bounds of the documents, checked before they are read.
const (
	MaxJournal  = 4 << 20  // a snapshot a day for years
	MaxManifest = 16 << 20 // 7,850 lines of about 200 bytes
	maxFiles    = 100      // of a record, as the repository has it
)

// File is a file of a record.
type File struct {
	Name   string `json:"name"` // <kg>-<date>.<form>, of products <kg>-<product>
	Key    string `json:"key"`  // of the same bytes in the object store
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	MD5    string `json:"md5,omitempty"` // as the repository has confirmed it; "" before
}

// Record is a snapshot, or a set of products, in the repository. ID is 0 while its draft is not known to be there.
type Record struct {
	ID      int64  `json:"id"`
	DOI     string `json:"doi,omitempty"`
	Date    string `json:"date"` // YYYY-MM-DD of the data
	Name    string `json:"name"` // <kg>-<date>
	Parcels int    `json:"parcels"`
	Files   []File `json:"files"` // the one that names the record first: the .kgs, of products the STAC item
}

// Sum says which snapshot, or which set of products, it is.
func (r Record) Sum() string {
	if len(r.Files) == 0 {
		return ""
	}
	return r.Files[0].SHA256
}

// Bytes are those of all files.
func (r Record) Bytes() (n int64) {
	for _, f := range r.Files {
		n += f.Bytes
	}
	return n
}

// Journal is what is noted of a KG.
type Journal struct {
	Format  int            `json:"format"`
	Code    austria.KGCode `json:"kg_code"`
	Of      string         `json:"of,omitempty"` // of keys.ProductSets; "": snapshots
	Concept string         `json:"concept,omitempty"`
	Records []Record       `json:"records"`         // published, in their order
	Draft   *Record        `json:"draft,omitempty"` // being made; nil: nothing is under way
}

// RecordOf is the record that a snapshot of the KG is to have.
func RecordOf(e manifest.Entry) Record {
	r := Record{Date: e.Stichtag, Name: e.Snapshot, Parcels: e.Parcels}
	for _, f := range []struct {
		form keys.Form
		o    manifest.Object
	}{
		{keys.KGS, e.Forms.KGS}, {keys.GeoParquet, e.Forms.GeoParquet}, {keys.GeoJSON, e.Forms.GeoJSON},
		{keys.GeoPackage, e.Forms.GeoPackage}, {keys.PMTiles, e.Forms.PMTiles}, {keys.Quality, e.Quality},
	} {
		if f.o.Key != "" {
			r.Files = append(r.Files, File{Name: e.Snapshot + "." + string(f.form), Key: f.o.Key, Bytes: f.o.Bytes, SHA256: f.o.SHA256})
		}
	}
	return r
}

// Find is the record of a snapshot.
func (j *Journal) Find(sum string) (Record, bool) {
	i := slices.IndexFunc(j.Records, func(r Record) bool { return r.Sum() == sum })
	if i < 0 {
		return Record{}, false
	}
	return j.Records[i], true
}

// ParseJournal reads the journal of a KG.
func ParseJournal(b []byte) (Journal, error) {
	var j Journal
	if len(b) > MaxJournal {
		return j, fmt.Errorf("archive journal: %d bytes are above the limit of %d", len(b), MaxJournal)
	}
	if err := json.Unmarshal(b, &j); err != nil {
		return j, fmt.Errorf("archive journal: %w", err)
	}
	if j.Format < 1 || j.Format > Format {
		return j, fmt.Errorf("archive journal: format %d, this program reads %d", j.Format, Format)
	}
	if c, err := austria.ParseKGCode(string(j.Code)); err != nil || c != j.Code {
		return j, fmt.Errorf("archive journal: kg_code %.20q is not a padded KG code", j.Code)
	}
	if j.Of != "" && !slices.Contains(keys.ProductSets(), j.Of) {
		return j, fmt.Errorf("archive journal of KG %s: of %.20q", j.Code, j.Of)
	}
	seen := map[string]bool{}
	for i := range j.Records {
		r := &j.Records[i]
		if err := r.check(j.Code, j.Of); err != nil {
			return j, err
		}
		if r.ID <= 0 || seen[r.Sum()] {
			return j, fmt.Errorf("archive journal of KG %s: %s stands twice, or has no number", j.Code, r.Name)
		}
		seen[r.Sum()] = true
	}
	if j.Draft != nil {
		return j, j.Draft.check(j.Code, j.Of)
	}
	return j, nil
}

func (r *Record) check(code austria.KGCode, of string) error {
	bad := func(what string) error { return fmt.Errorf("archive record %.40q of KG %s: %s", r.Name, code, what) }
	if _, err := time.Parse(time.DateOnly, r.Date); err != nil || r.Name != string(code)+"-"+r.Date {
		return bad("it is not named <kg>-<date>")
	}
	first, names := "."+string(keys.KGS), r.Name+"."
	if of != "" {
		first, names = "item.json", string(code)+"-"
	}
	if r.ID < 0 || len(r.Files) == 0 || len(r.Files) > maxFiles || !strings.HasSuffix(r.Files[0].Key, first) {
		return bad("a number below 0, or no file with the ending " + first + " in front of its files")
	}
	for _, f := range r.Files {
		if err := f.check(of); err != nil {
			return bad(err.Error())
		}
		if k, err := keys.Parse(f.Key); err != nil || codeOf(k, of) != code || !strings.HasPrefix(f.Name, names) ||
			strings.ContainsAny(f.Name, "/\\") {
			return bad("the file " + f.Name + " is not of this record")
		}
		if sum, err := hex.DecodeString(f.MD5); err != nil || len(sum) != 0 && len(sum) != 16 {
			return bad("the MD5 of " + f.Name)
		}
	}
	return nil
}

// check proves that a file is an object. The keys of products name what they were made of, and not their bytes.
func (f File) check(of string) error {
	if of == "" {
		return manifest.Object{Key: f.Key, Bytes: f.Bytes, SHA256: f.SHA256}.Check()
	}
	if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != 32 || f.Bytes <= 0 {
		return fmt.Errorf("%s: %d bytes with the SHA-256 %.80q", f.Key, f.Bytes, f.SHA256)
	}
	return nil
}

// codeOf is the KG of an object that a record may hold; "" of others.
func codeOf(k keys.Key, of string) austria.KGCode {
	switch k := k.(type) {
	case keys.Snapshot:
		if of == "" {
			return k.Code
		}
	case keys.Product:
		if of != "" {
			return k.Code
		}
	}
	return ""
}

// Manifest is the list of what is archived.
type Manifest struct {
	Format    int    `json:"format"`
	KGs       int    `json:"kgs"`
	Snapshots int    `json:"snapshots"`
	Bytes     int64  `json:"bytes"`
	List      []Line `json:"list"` // by rising code
}

// Line is a KG of the manifest.
type Line struct {
	Code      austria.KGCode `json:"kg_code"`
	Concept   string         `json:"concept"` // leads to the latest record
	Latest    string         `json:"latest"`  // date of the latest record's data
	Record    int64          `json:"record"`
	DOI       string         `json:"doi,omitempty"`
	Snapshots int            `json:"snapshots"`
	Bytes     int64          `json:"bytes"` // of all
}

// LineOf sums up a journal; false where nothing of the KG is archived.
func LineOf(j Journal) (Line, bool) {
	if len(j.Records) == 0 {
		return Line{}, false
	}
	last := j.Records[len(j.Records)-1]
	l := Line{Code: j.Code, Concept: j.Concept, Latest: last.Date, Record: last.ID, DOI: last.DOI, Snapshots: len(j.Records)}
	for _, r := range j.Records {
		l.Bytes += r.Bytes()
	}
	return l, true
}

// Find is the line of a KG.
func (m Manifest) Find(code austria.KGCode) (Line, bool) {
	i, found := m.place(code)
	if !found {
		return Line{}, false
	}
	return m.List[i], true
}

func (m Manifest) place(code austria.KGCode) (int, bool) {
	return slices.BinarySearchFunc(m.List, code, func(a Line, c austria.KGCode) int { return strings.Compare(string(a.Code), string(c)) })
}

// With is the manifest with the line of a KG in place of its earlier one, and false where it was like that already.
func (m Manifest) With(l Line) (Manifest, bool) {
	i, found := m.place(l.Code)
	if found && m.List[i] == l {
		return m, false
	}
	out := Manifest{Format: Format, List: slices.Clone(m.List)}
	if found {
		out.List[i] = l
	} else {
		out.List = slices.Insert(out.List, i, l)
	}
	out.sum()
	return out, true
}

func (m *Manifest) sum() {
	m.KGs, m.Snapshots, m.Bytes = len(m.List), 0, 0
	for _, l := range m.List {
		m.Snapshots += l.Snapshots
		m.Bytes += l.Bytes
	}
}

// ParseManifest reads the list.
func ParseManifest(b []byte) (Manifest, error) {
	var m Manifest
	if len(b) > MaxManifest {
		return m, fmt.Errorf("archive manifest: %d bytes are above the limit of %d", len(b), MaxManifest)
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("archive manifest: %w", err)
	}
	if m.Format < 1 || m.Format > Format {
		return m, fmt.Errorf("archive manifest: format %d, this program reads %d", m.Format, Format)
	}
	for i, l := range m.List {
		if c, err := austria.ParseKGCode(string(l.Code)); err != nil || c != l.Code {
			return m, fmt.Errorf("archive manifest: kg_code %.20q is not a padded KG code", l.Code)
		}
		if i > 0 && l.Code <= m.List[i-1].Code {
			return m, fmt.Errorf("archive manifest: KG %s stands behind %s", l.Code, m.List[i-1].Code)
		}
		if l.Snapshots < 1 || l.Bytes < 0 || l.Record < 1 {
			return m, fmt.Errorf("archive manifest: KG %s has no record", l.Code)
		}
	}
	sums := m
	sums.sum()
	if sums.KGs != m.KGs || sums.Snapshots != m.Snapshots || sums.Bytes != m.Bytes {
		return m, errors.New("archive manifest: the totals are not those of its list")
	}
	return m, nil
}
