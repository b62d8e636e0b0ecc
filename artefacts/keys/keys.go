// Package keys is the grammar of object names: every object the builders publish has a typed key,
// String writes it and Parse reads it back. The cache class and the headers of an object follow from
// its key alone, so the builder, the CDN rules and the local server agree without asking each other.
//
//	current.json                                    the pointer
//	manifests/{generation}.json                     the objects of one generation, its KGs in parts
//	manifests/kgs-{sum}.json                        the objects of the KGs whose codes begin alike
//	register/{sum}.reg                              what functions know of the whole country
//	national/{kind}-{sum}.{ending}                  one artefact of the whole country: KG list, metrics, names of
//	                                                places, national tiles, overlays, search directories
//	prices/{kind}-{sum}.{ending}                    one price table or index of the whole country
//	cells/dict-{sum}.zdict                          the dictionary that a generation's cells are compressed with
//	cells/{code}/{code}-{date}-{sum}.ne             the cells of a KG, of its snapshot and its neighbours'
//	landscape/{code}/{code}-{date}-{sum}.parts      what was computed of a KG's terrain and canopy
//	products/{code}/{input}/{code}-{product}        a file that the analysis of a KG is handed out as
//	tables/{table}/state={s}/kg={code}/{code}.parquet
//	                                                a layer of the findings on a KG, as engines read it; replaced when
//	                                                the KG is analysed anew
//	rasters/{layer}/{date}/{tile}-{sum}.tif         a tile of a raster of the country, a GeoTIFF
//	kg/{code}/{code}-{date}-{sum}.{form}            one form of one dated KG snapshot, each build there was
//	refused/{code}/{code}-{date}-{sum}.{form}       the same of a build that was refused
//	latest/{folder}/{code}.{form}                   one form of the served snapshot: a folder of one form holds
//	                                                each served KG once; replaced when a publication serves another
//	latest/parquet/state={s}/district={d}/{code}.parquet
//	                                                the GeoParquet of the same, partitioned as engines read it
//	latest/cells/state={s}/district={d}/{code}.cells.parquet
//	                                                the GeoParquet of its cells, likewise
//	latest/index.json                               which snapshots these files are
//	kg/{code}/{code}-versions-{sum}.json            the dated snapshots of a KG
//	exports/{run}/{name}.{ending}                   what one run of an export job wrote; deleted a week later
//	digests/{code}/{input}.json                     what a KG build made of one exact input
//	availability.json                               which served snapshots are not in the store
//	archive/manifest.json                           what is in the research repository, a line for each KG
//	archive/{set}/{code}.json                       the records of a KG in the research repository: set is kg of snapshots,
//	                                                landscape and infrastructure of products
//
// Objects never change under their name, but for the pointer, availability.json and what is below latest/, tables/ and archive/. folder is
// parquet, geojson, gpkg or pmtiles.
//
// run and name are lower-case letters, digits and dashes; the ending of an export is gpkg, fgb, zip (shapefiles, tables), xlsx,
// dxf, kml, csv, geojson (one layer) or json (several), of which the last five are stored with the content coding gzip.
//
// product is lower-case letters, digits and dashes with the ending gpkg, json, pmtiles, tif or png (full.gpkg, dtm.tif); the files below
// one input belong together.
//
// table is one of Tables().
//
// layer is lower-case letters and digits (dtm, ortho), tile E{km}N{km} of its south-western corner in EPSG:3035.
//
// kind is lower-case words with dashes between them, 40 bytes at most, such as overlay-natura; ending is json,
// json.gz, pmtiles or parts (artefacts/sectionfile). code is a padded KG code, date the Stichtag YYYY-MM-DD, sum and generation the
// first 16 hex digits of the SHA-256 of the content, input those of the fingerprint of everything the build read.
package keys

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

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
	Passing // never changes, and is deleted after some days
)

// CacheControl is the header value of the class.
func (c Class) CacheControl() string {
	switch c {
	case Pointer:
		return "public, max-age=5, must-revalidate"
	case Passing:
		return "public, max-age=86400"
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

// CellsGeoParquet is the form of the cells of a KG below latest/, which are no form of its snapshot: neighbours decide them too.
const CellsGeoParquet Form = "cells.parquet"

// LatestForms lists the forms below latest/.
func LatestForms() []Form { return append(PublicForms(), CellsGeoParquet) }

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
	// National is an artefact of the whole country; Name is its kind.
	National struct{ Name, Sum, Ext string }
	// Prices is a table of prices of the whole country; Name is its kind.
	Prices struct{ Name, Sum, Ext string }
	// CellDict is the dictionary that the cells of a generation are compressed with.
	CellDict struct{ Sum string }
	// Cells are the cells of a KG. They depend on the neighbours' snapshots too, so that a KG may have
	// several of one date.
	Cells struct {
		Code austria.KGCode
		Date string
		Sum  string
	}
	// CellTable is the cells of a KG as GeoParquet.
	CellTable struct {
		Code austria.KGCode
		Date string
		Sum  string
	}
	// CellCoarse are a KG's parts of cells of a lower resolution.
	CellCoarse struct {
		Code austria.KGCode
		Date string
		Sum  string
	}
	// CellChanges are what changed in the cells of a KG.
	CellChanges struct {
		Code austria.KGCode
		Date string
		Sum  string
	}
	// Landscape is what was computed of a KG's terrain and canopy.
	Landscape struct {
		Code austria.KGCode
		Date string
		Sum  string
	}
	// Product is a file that the analysis of a KG is handed out as: Input names what it was made of, Name the product with
	// its ending, of ProductExts.
	Product struct {
		Code  austria.KGCode
		Input string
		Name  string
	}
	// Table is a layer of the findings on a KG as GeoParquet; Layer is one of Tables(), State "" where it is not known.
	Table struct {
		Layer string
		Code  austria.KGCode
		State austria.StateCode
	}
	// Raster is a tile of a raster of one date; E and N are the kilometres of its south-western corner in EPSG:3035.
	Raster struct {
		Layer string
		Date  string
		E, N  int
		Sum   string
	}
	// Snapshot is one form of a dated KG snapshot.
	Snapshot struct {
		Code austria.KGCode
		Date string
		Sum  string
		Form Form
	}
	// Refused is one form of a build that was refused; nothing points to it.
	Refused struct{ Snapshot }
	// Latest is one form of what is served of a KG, of those in LatestForms. District stands in the names
	// of GeoParquet only; "" is a KG whose district is not known.
	Latest struct {
		Code     austria.KGCode
		Form     Form
		District austria.DistrictCode
	}
	// LatestIndex says which snapshots the objects below latest/ are.
	LatestIndex struct{}
	// Versions lists the dated snapshots of a KG.
	Versions struct {
		Code austria.KGCode
		Sum  string
	}
	// Export is the file that one run of an export job wrote. Ext is one of ExportExts.
	Export struct{ Run, Name, Ext string }
	// Availability says which served snapshots are not in the store.
	Availability struct{}
	// ArchiveManifest lists what is in the research repository.
	ArchiveManifest struct{}
	// ArchiveJournal lists the records of a KG in the research repository. Of is one of ProductSets; "" are its snapshots.
	ArchiveJournal struct {
		Code austria.KGCode
		Of   string
	}
	// Digest is the result of building a KG from exactly one input.
	Digest struct {
		Code  austria.KGCode
		Input string
	}
	// Epoch is the note of a snapshot that was made of exactly one file of an earlier epoch.
	Epoch struct {
		Code  austria.KGCode
		Date  string // YYYY-MM-DD
		Input string
	}
)

func (Current) String() string        { return "current.json" }
func (k Manifest) String() string     { return "manifests/" + k.Generation + ".json" }
func (k ManifestPart) String() string { return "manifests/kgs-" + k.Sum + ".json" }
func (k Register) String() string     { return "register/" + k.Sum + ".reg" }
func (k National) String() string     { return "national/" + k.Name + "-" + k.Sum + "." + k.Ext }
func (k Prices) String() string       { return "prices/" + k.Name + "-" + k.Sum + "." + k.Ext }
func (k CellDict) String() string     { return "cells/dict-" + k.Sum + ".zdict" }
func (k Cells) String() string {
	return fmt.Sprintf("cells/%s/%s-%s-%s.ne", k.Code, k.Code, k.Date, k.Sum)
}
func (k CellChanges) String() string {
	return fmt.Sprintf("cells/%s/%s-%s-%s.changes.json", k.Code, k.Code, k.Date, k.Sum)
}
func (k CellTable) String() string {
	return fmt.Sprintf("cells/%s/%s-%s-%s.parquet", k.Code, k.Code, k.Date, k.Sum)
}
func (k CellCoarse) String() string {
	return fmt.Sprintf("cells/%s/%s-%s-%s.coarse", k.Code, k.Code, k.Date, k.Sum)
}
func (k Raster) String() string {
	return fmt.Sprintf("rasters/%s/%s/E%dN%d-%s.tif", k.Layer, k.Date, k.E, k.N, k.Sum)
}
func (k Landscape) String() string {
	return fmt.Sprintf("landscape/%s/%s-%s-%s.parts", k.Code, k.Code, k.Date, k.Sum)
}
func (k Product) String() string {
	return fmt.Sprintf("products/%s/%s/%s", k.Code, k.Input, k.File())
}

func (k Table) String() string {
	return fmt.Sprintf("tables/%s/state=%s/kg=%s/%s.parquet", k.Layer, cmp.Or(string(k.State), noPartition), k.Code, k.Code)
}

// Tables are the layers that are kept as tables of the country.
func Tables() []string { return []string{"segments", "trees", "buildings"} }

// File is the name of the file, by which those of a KG name each other.
func (k Product) File() string { return string(k.Code) + "-" + k.Name }

func (k Snapshot) String() string {
	return fmt.Sprintf("kg/%s/%s-%s-%s.%s", k.Code, k.Code, k.Date, k.Sum, k.Form)
}
func (k Refused) String() string { return "refused/" + strings.TrimPrefix(k.Snapshot.String(), "kg/") }
func (k Latest) String() string {
	return LatestFolder(k.Form) + k.partition() + string(k.Code) + "." + string(k.Form)
}

// noPartition is the value of a partition column that is not known, as Hive and its heirs write it.
const noPartition = "__HIVE_DEFAULT_PARTITION__"

// partition is where the file of a KG lies below the folder of its form.
func (k Latest) partition() string {
	switch {
	case k.Form != GeoParquet && k.Form != CellsGeoParquet:
		return ""
	case k.District == "":
		return "state=" + noPartition + "/district=" + noPartition + "/"
	}
	return "state=" + string(k.District[:1]) + "/district=" + string(k.District) + "/"
}

func (LatestIndex) String() string { return "latest/index.json" }
func (k Versions) String() string {
	return fmt.Sprintf("kg/%s/%s-versions-%s.json", k.Code, k.Code, k.Sum)
}
func (k Export) String() string { return "exports/" + k.Run + "/" + k.Name + "." + k.Ext }
func (k Digest) String() string { return "digests/" + string(k.Code) + "/" + k.Input + ".json" }
func (k Epoch) String() string {
	return "digests/" + string(k.Code) + "/epoch-" + k.Date + "-" + k.Input + ".json"
}
func (Availability) String() string    { return "availability.json" }
func (ArchiveManifest) String() string { return "archive/manifest.json" }
func (k ArchiveJournal) String() string {
	if k.Of == "" {
		return "archive/kg/" + string(k.Code) + ".json"
	}
	return "archive/" + k.Of + "/" + string(k.Code) + ".json"
}

// Name is the snapshot's public name, <kg>-<date>.
func (k Snapshot) Name() string { return string(k.Code) + "-" + k.Date }

// Class of the keys that are replaced.
func (Current) Class() Class { return Pointer }

// Class is Pointer.
func (Latest) Class() Class { return Pointer }

// Class is Pointer.
func (Table) Class() Class { return Pointer }

// Class is Pointer.
func (LatestIndex) Class() Class { return Pointer }

// Class is Pointer.
func (Availability) Class() Class { return Pointer }

// Class is Pointer.
func (ArchiveManifest) Class() Class { return Pointer }

// Class is Pointer.
func (ArchiveJournal) Class() Class { return Pointer }

// Class is Immutable.
func (Manifest) Class() Class { return Immutable }

// Class is Immutable.
func (ManifestPart) Class() Class { return Immutable }

// Class is Immutable.
func (Register) Class() Class { return Immutable }

// Class is Immutable.
func (National) Class() Class { return Immutable }

// Class is Immutable.
func (Prices) Class() Class { return Immutable }

// Class is Immutable.
func (CellDict) Class() Class { return Immutable }

// Class is Immutable.
func (Cells) Class() Class { return Immutable }

// Class is Immutable.
func (CellChanges) Class() Class { return Immutable }

// Class is Immutable.
func (CellTable) Class() Class { return Immutable }

// Class is Immutable.
func (CellCoarse) Class() Class { return Immutable }

// Class is Immutable.
func (Landscape) Class() Class { return Immutable }

// Class is Immutable.
func (Product) Class() Class { return Immutable }

// Class is Immutable.
func (Raster) Class() Class { return Immutable }

// Class is Immutable.
func (Snapshot) Class() Class { return Immutable }

// Class is Immutable.
func (Versions) Class() Class { return Immutable }

// Class is Immutable.
func (Digest) Class() Class { return Immutable }

// Class is Immutable.
func (Epoch) Class() Class { return Immutable }

// Class is Passing.
func (Export) Class() Class { return Passing }

// ExportExts are the endings of exports.
func ExportExts() []string {
	return []string{"gpkg", "fgb", "zip", "dxf", "kml", "csv", "xlsx", "geojson", "json"}
}

// ProductSets are the sets of products that are records of the research repository.
func ProductSets() []string { return []string{"landscape", "infrastructure"} }

// ProductExts are the endings of products.
func ProductExts() []string { return []string{"gpkg", "json", "pmtiles", "tif", "png"} }

// Sum is the content name used in keys: the first 16 hex digits of the SHA-256.
func Sum(body []byte) string {
	h := sha256.Sum256(body)
	return hex.EncodeToString(h[:8])
}
