// Package epochs reads snapshots of earlier epochs as the research repository has them: one GeoJSON FeatureCollection
// of parcels for a KG and a date, epochs/<kg>-<YYYY-MM-DD>.geojson of a raw source directory. It owns the raw form; the
// snapshot is made by builders/kgbuild and listed by builders/national.
//
// Properties of a feature: gnr (or parcel_id), ez, status (E or G), landuse_summary {code: count}. Of the first
// feature also ingest_generation (an epoch; bulk_v7_zenodo where it says none), processing_version and attribution.
// Coordinates are longitude, latitude in WGS84.
package epochs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/builders/kg"
	"mappe/builders/source/features"
	"mappe/builders/source/table"
	"mappe/shared/austria"
)

// Dir is the folder of a raw source directory.
const Dir = "epochs"

// maxFiles bounds the snapshots of a source, maxParcels the parcels of one.
const (
	maxFiles   = 100_000
	maxParcels = 100_000
)

// File names a snapshot.
type File struct {
	Code austria.KGCode
	Date string // YYYY-MM-DD
	Path string
}

var named = regexp.MustCompile(`^([0-9]{5})-([0-9]{4}-[0-9]{2}-[0-9]{2})\.geojson$`)

// Named reads the path of a snapshot's file in its source; ok is false for other files.
func Named(file string) (f File, ok bool, err error) {
	m := named.FindStringSubmatch(path.Base(file))
	if m == nil || path.Dir(file) != Dir {
		return f, false, nil
	}
	if _, err := time.Parse(time.DateOnly, m[2]); err != nil {
		return f, false, fmt.Errorf("%s: %q is not a date", file, m[2])
	}
	return File{austria.KGCode(m[1]), m[2], file}, true, nil
}

// Sort puts the snapshots of a KG into the order of their dates.
func Sort(list []File) {
	slices.SortFunc(list, func(a, b File) int { return cmp.Compare(a.Date, b.Date) })
}

// Reader gives the snapshots of a source. Both methods end with a context that was cancelled. epochstest is the contract.
type Reader interface {
	// Of lists the snapshots of a KG by date. Files of other names are passed over; a date that does not exist is an error, here
	// or when the source is opened. The list belongs to the caller.
	Of(ctx context.Context, code austria.KGCode) ([]File, error)
	// Open opens a snapshot that was listed, as often as it is asked to. The caller closes it.
	Open(ctx context.Context, f File) (io.ReadCloser, error)
}

// Folder is the folder of a source directory.
type Folder struct {
	source fs.FS
	files  map[austria.KGCode][]File
}

// OpenFolder lists the folder; a source without it has no snapshots.
func OpenFolder(source fs.FS) (*Folder, error) {
	entries, err := fs.ReadDir(source, Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if len(entries) > maxFiles {
		return nil, fmt.Errorf("%s: %d files are above the limit of %d", Dir, len(entries), maxFiles)
	}
	d := &Folder{source, map[austria.KGCode][]File{}}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		f, ok, err := Named(path.Join(Dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if ok {
			d.files[f.Code] = append(d.files[f.Code], f)
		}
	}
	for _, list := range d.files {
		Sort(list)
	}
	return d, nil
}

// Of lists the snapshots of a KG.
func (d *Folder) Of(ctx context.Context, code austria.KGCode) ([]File, error) {
	return slices.Clone(d.files[code]), ctx.Err()
}

// Open opens a file.
func (d *Folder) Open(ctx context.Context, f File) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return d.source.Open(f.Path)
}

// Snapshot is a file that was read.
type Snapshot struct {
	Parcels    []kg.Drawn
	Generation rowschema.EpochID
	Processing string // processing_version; "" where the file says none
	Credit     string // attribution
}

// Read reads a snapshot. Bad features are reported and left out; the error is about a file of another form, or with too much in it.
func Read(in io.Reader, f File) (Snapshot, table.Problems, error) {
	var p table.Problems
	s := Snapshot{Generation: rowschema.BulkV7Zenodo, Credit: "© BEV, " + f.Date[:4]}
	first, dropped := true, 0
	err := features.Walk(in, f.Path, &p, func(x *features.Feature) {
		if first {
			first = false
			s.about(x)
		}
		d, ok := drawn(x, f.Code)
		switch {
		case ok && len(s.Parcels) < maxParcels:
			s.Parcels = append(s.Parcels, d)
		case ok:
			dropped++
		}
	})
	if err == nil && dropped > 0 {
		err = fmt.Errorf("%s: %d parcels are above the limit of %d", f.Path, maxParcels+dropped, maxParcels)
	}
	return s, p, err
}

// about reads what the first feature says of the whole.
func (s *Snapshot) about(x *features.Feature) {
	if text := x.Text("ingest_generation"); text != "" {
		id, err := rowschema.ParseEpoch(text)
		if err != nil {
			x.Bad("ingest_generation", text, "an ingest epoch")
		} else {
			s.Generation = id
		}
	}
	s.Processing = x.Text("processing_version")
	s.Credit = cmp.Or(x.Text("attribution"), s.Credit)
}

// drawn reads a parcel.
func drawn(x *features.Feature, code austria.KGCode) (d kg.Drawn, ok bool) {
	text := x.Text("gnr")
	if text == "" {
		_, text, _ = strings.Cut(x.Text("parcel_id"), "-")
	}
	var err error
	if d.GNR, err = austria.ParseGNR(text); err != nil {
		x.Bad("gnr", text, "a parcel number")
		return d, false
	}
	if of := x.Text("kg_code"); of != "" {
		if c, err := austria.ParseKGCode(of); err != nil || c != code {
			x.Bad("kg_code", of, string(code)+", as the file's name says")
			return d, false
		}
	}
	if ez := x.Text("ez"); ez != "" {
		n, err := strconv.ParseUint(ez, 10, 32)
		if err != nil {
			x.Bad("ez", ez, "a folio number")
		}
		d.EZ = austria.EZ(n)
	}
	if status := x.Text("status"); status != "" {
		if d.Status, err = austria.ParseStatus(status); err != nil {
			x.Bad("status", status, "E or G")
		}
	}
	if summary := x.Raw("landuse_summary"); summary != nil {
		d.Symbols = symbols(x, summary)
	}
	d.Geometry, _, ok = x.Geometry()
	return d, ok
}

// symbols reads counts by land-use code, rising.
func symbols(x *features.Feature, raw json.RawMessage) (list []kgfile.CodeCount) {
	var counts map[string]int
	if err := json.Unmarshal(raw, &counts); err != nil {
		x.Bad("landuse_summary", string(raw), "an object of counts by land-use code")
		return nil
	}
	for text, n := range counts {
		code, err := strconv.ParseUint(text, 10, 8)
		if err != nil || n < 1 || n > 1_000_000 {
			x.Bad("landuse_summary", text, "a land-use code with a count")
			continue
		}
		list = append(list, kgfile.CodeCount{Code: austria.LandUse(code), N: n})
	}
	slices.SortFunc(list, func(a, b kgfile.CodeCount) int { return cmp.Compare(a.Code, b.Code) })
	return list
}
