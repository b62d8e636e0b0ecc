package landprocess

import (
	"slices"
	"time"
)

// Set is a set of files under one licence: each is a record of the research repository of its own.
type Set string

// The sets.
const (
	Analysis       Set = "landscape"
	Infrastructure Set = "infrastructure" // follows from the community map
)

// License is the licence of a set.
func (s Set) License() string {
	if s == Infrastructure {
		return "ODbL 1.0"
	}
	return "CC BY 4.0"
}

// SPDX is the licence by its short name.
func (s Set) SPDX() string {
	if s == Infrastructure {
		return "ODbL-1.0"
	}
	return "CC-BY-4.0"
}

// Product is a file that the analysis of a KG is handed out as.
type Product struct {
	Name   string `json:"name"` // full.gpkg, summary.json, dtm.tif ...
	File   string `json:"file"` // <kg>-<name>: what it is called beside the others
	Set    Set    `json:"set"`
	Key    string `json:"key"` // in the store
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	URL    string `json:"url,omitempty"` // in the research repository; "": not uploaded
}

// Products are the files of a KG: of each set the STAC item stands behind all others.
type Products struct {
	Input string    `json:"input"` // names what they were made of
	Files []Product `json:"files"`
	At    time.Time `json:"made_at"`
}

// Sets are those that have files.
func (p *Products) Sets() (out []Set) {
	for _, f := range p.Files {
		if !slices.Contains(out, f.Set) {
			out = append(out, f.Set)
		}
	}
	return out
}

// Published says whether all files are in the research repository.
func (p *Products) Published() bool {
	return !slices.ContainsFunc(p.Files, func(f Product) bool { return f.URL == "" })
}

// Keep takes over where earlier files of the same bytes are in the research repository.
func (p *Products) Keep(earlier *Products) {
	for i := range p.Files {
		f := &p.Files[i]
		if was := earlier.Of(f.Name); was != nil && was.SHA256 == f.SHA256 && was.Set == f.Set {
			f.URL = was.URL
		}
	}
}

// Bytes are those of all files.
func (p *Products) Bytes() (n int64) {
	for _, f := range p.Files {
		n += f.Bytes
	}
	return n
}

// Of is a file by its name; nil if the KG has no such file.
func (p *Products) Of(name string) *Product {
	if p == nil {
		return nil
	}
	for i := range p.Files {
		if p.Files[i].Name == name {
			return &p.Files[i]
		}
	}
	return nil
}

// URL is where a file is in the research repository; "": it was not uploaded.
func (p *Products) URL(name string) string {
	if f := p.Of(name); f != nil {
		return f.URL
	}
	return ""
}
