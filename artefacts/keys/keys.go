// Package keys is the grammar of object names: every object the builders publish has a typed key,
// String writes it and Parse reads it back. The cache class and the headers of an object follow from
// its key alone, so the builder, the CDN rules and the local server agree without asking each other.
//
//	current.json                                    the pointer
//	manifests/{generation}.json                     the objects of one generation, its KGs in parts
//	manifests/kgs-{sum}.json                        the objects of the KGs whose codes begin alike
//	register/{sum}.reg                              what functions know of the whole country
//	national/{name}-{sum}.{json|json.gz|pmtiles}    KG list, metrics, names of places, national tiles
//	kg/{code}/{code}-{date}-{sum}.{form}            one form of one dated KG snapshot, each build there was
//	refused/{code}/{code}-{date}-{sum}.{form}       the same of a build that was refused
//	latest/{folder}/{code}.{form}                   one form of the served snapshot: a folder of one form holds
//	                                                each served KG once; replaced when a publication serves another
//	latest/index.json                               which snapshots these files are
//	kg/{code}/{code}-versions-{sum}.json            the dated snapshots of a KG
//	digests/{code}/{input}.json                     what a KG build made of one exact input
//
// Objects never change under their name, but for the pointer and what is below latest/. folder is parquet,
// geojson, gpkg or pmtiles.
//
// code is a padded KG code, date the Stichtag YYYY-MM-DD, sum and generation the first 16 hex digits
// of the SHA-256 of the content, input those of the fingerprint of everything the build read.
package keys

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"mappe/shared/austria"
)

// Key is the typed name of an object.
type Key interface {
	String() string
	Class() Class
}

// Class says how long a copy of the object may be kept.
type Class uint8

// Immutable objects never change under their name; the pointer and the latest files do.
const (
	Immutable Class = iota
	Pointer
)

// CacheControl is the header value of the class.
func (c Class) CacheControl() string {
	if c == Pointer {
		return "public, max-age=5, must-revalidate"
	}
	return "public, max-age=31536000, immutable"
}

// Form is one of the files written of a KG snapshot.
type Form string

// The five public forms of a snapshot, and the quality report beside them.
const (
	KGS        Form = "kgs"
	GeoParquet Form = "parquet"
	GeoJSON    Form = "geojson.gz"
	GeoPackage Form = "gpkg"
	PMTiles    Form = "pmtiles"
	Quality    Form = "quality.json"
)

// AllForms lists the forms in the order they are written.
func AllForms() []Form { return []Form{KGS, GeoParquet, GeoJSON, GeoPackage, PMTiles, Quality} }

// PublicForms lists the forms that are also below latest/: those for programs of others. Functions read KGS
// by the manifest.
func PublicForms() []Form { return []Form{GeoParquet, GeoJSON, GeoPackage, PMTiles} }

// LatestFolder is where the latest files of a form are: a glob of it reads each served KG once.
func LatestFolder(f Form) string {
	name, _, _ := strings.Cut(string(f), ".")
	return "latest/" + name + "/"
}

// The kinds of keys.
type (
	// Current is the pointer to the served generation.
	Current struct{}
	// Manifest lists every object of a generation.
	Manifest struct{ Generation string }
	// ManifestPart lists the objects of some KGs of a generation.
	ManifestPart struct{ Sum string }
	// Register is the national register that functions load.
	Register struct{ Sum string }
	// National is a merged artefact; Name is lower-case letters, Ext json, json.gz or pmtiles.
	National struct{ Name, Sum, Ext string }
	// Snapshot is one form of a dated KG snapshot.
	Snapshot struct {
		Code austria.KGCode
		Date string
		Sum  string
		Form Form
	}
	// Refused is one form of a build that was refused; nothing points to it.
	Refused struct{ Snapshot }
	// Latest is one form of the snapshot of a KG that is served, of those in PublicForms.
	Latest struct {
		Code austria.KGCode
		Form Form
	}
	// LatestIndex says which snapshots the objects below latest/ are.
	LatestIndex struct{}
	// Versions lists the dated snapshots of a KG.
	Versions struct {
		Code austria.KGCode
		Sum  string
	}
	// Digest is the result of building a KG from exactly one input.
	Digest struct {
		Code  austria.KGCode
		Input string
	}
)

func (Current) String() string        { return "current.json" }
func (k Manifest) String() string     { return "manifests/" + k.Generation + ".json" }
func (k ManifestPart) String() string { return "manifests/kgs-" + k.Sum + ".json" }
func (k Register) String() string     { return "register/" + k.Sum + ".reg" }
func (k National) String() string     { return "national/" + k.Name + "-" + k.Sum + "." + k.Ext }
func (k Snapshot) String() string {
	return fmt.Sprintf("kg/%s/%s-%s-%s.%s", k.Code, k.Code, k.Date, k.Sum, k.Form)
}
func (k Refused) String() string { return "refused/" + strings.TrimPrefix(k.Snapshot.String(), "kg/") }
func (k Latest) String() string {
	return LatestFolder(k.Form) + string(k.Code) + "." + string(k.Form)
}
func (LatestIndex) String() string { return "latest/index.json" }
func (k Versions) String() string {
	return fmt.Sprintf("kg/%s/%s-versions-%s.json", k.Code, k.Code, k.Sum)
}
func (k Digest) String() string { return "digests/" + string(k.Code) + "/" + k.Input + ".json" }

// Name is the snapshot's public name, <kg>-<date>.
func (k Snapshot) Name() string { return string(k.Code) + "-" + k.Date }

// Class of the keys that are replaced.
func (Current) Class() Class { return Pointer }

// Class is Pointer.
func (Latest) Class() Class { return Pointer }

// Class is Pointer.
func (LatestIndex) Class() Class { return Pointer }

// Class is Immutable.
func (Manifest) Class() Class { return Immutable }

// Class is Immutable.
func (ManifestPart) Class() Class { return Immutable }

// Class is Immutable.
func (Register) Class() Class { return Immutable }

// Class is Immutable.
func (National) Class() Class { return Immutable }

// Class is Immutable.
func (Snapshot) Class() Class { return Immutable }

// Class is Immutable.
func (Versions) Class() Class { return Immutable }

// Class is Immutable.
func (Digest) Class() Class { return Immutable }

// Sum is the content name used in keys: the first 16 hex digits of the SHA-256.
func Sum(body []byte) string {
	h := sha256.Sum256(body)
	return hex.EncodeToString(h[:8])
}

// Parse reads a key; anything that String never writes is an error.
func Parse(s string) (Key, error) {
	k := parse(s)
	if k == nil || k.String() != s {
		return nil, fmt.Errorf("object key %q is none of the published kinds", clip(s))
	}
	return k, nil
}

func parse(s string) Key {
	if s == "current.json" {
		return Current{}
	}
	dir, rest, ok := strings.Cut(s, "/")
	if !ok {
		return nil
	}
	switch dir {
	case "manifests":
		if g, ok := strings.CutSuffix(rest, ".json"); ok && isSum(g) {
			return Manifest{g}
		}
		if g, ok := strings.CutPrefix(strings.TrimSuffix(rest, ".json"), "kgs-"); ok && isSum(g) {
			return ManifestPart{g}
		}
	case "register":
		if g, ok := strings.CutSuffix(rest, ".reg"); ok && isSum(g) {
			return Register{g}
		}
	case "national":
		return parseNational(rest)
	case "kg":
		return parseKG(rest)
	case "refused":
		if k, ok := parseKG(rest).(Snapshot); ok {
			return Refused{k}
		}
	case "latest":
		return parseLatest(rest)
	case "digests":
		code, input, _ := strings.Cut(rest, "/")
		c, err := austria.ParseKGCode(code)
		if g, ok := strings.CutSuffix(input, ".json"); ok && err == nil && isSum(g) {
			return Digest{c, g}
		}
	}
	return nil
}

func parseLatest(s string) Key {
	if s == "index.json" {
		return LatestIndex{}
	}
	_, file, _ := strings.Cut(s, "/")
	code, ext, _ := strings.Cut(file, ".")
	c, err := austria.ParseKGCode(code)
	if f := Form(ext); err == nil && slices.Contains(PublicForms(), f) {
		return Latest{c, f}
	}
	return nil
}

func parseNational(s string) Key {
	stem, ext, _ := strings.Cut(s, ".")
	name, sum, ok := strings.Cut(stem, "-")
	if !ok || !isSum(sum) || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != "" {
		return nil
	}
	if ext != "json" && ext != "json.gz" && ext != "pmtiles" {
		return nil
	}
	return National{name, sum, ext}
}

func parseKG(s string) Key {
	dir, file, _ := strings.Cut(s, "/")
	code, err := austria.ParseKGCode(dir)
	if err != nil {
		return nil
	}
	rest, ok := strings.CutPrefix(file, string(code)+"-")
	if !ok {
		return nil
	}
	if v, ok := strings.CutPrefix(rest, "versions-"); ok {
		if sum, ok := strings.CutSuffix(v, ".json"); ok && isSum(sum) {
			return Versions{code, sum}
		}
		return nil
	}
	stem, ext, _ := strings.Cut(rest, ".")
	if len(stem) != len("2006-01-02-")+16 || stem[10] != '-' || !isSum(stem[11:]) {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, stem[:10]); err != nil {
		return nil
	}
	for _, f := range AllForms() {
		if string(f) == ext {
			return Snapshot{code, stem[:10], stem[11:], f}
		}
	}
	return nil
}

func isSum(s string) bool {
	return len(s) == 16 && strings.Trim(s, "0123456789abcdef") == ""
}

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
