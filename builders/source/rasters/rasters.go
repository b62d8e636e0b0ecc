// Package rasters finds height models in a raw source: GeoTIFFs in the folder rasters and the folders below it, as the
// survey office hands its laser scans out. It owns the raw form; builders/rasters makes the tiles of the project of them.
//
// The layer stands in a file's name: DTM or DGM is the ground, DSM or DOM what is seen from above. Its date stands in the
// name or in a folder above it as YYYYMMDD or YYYY-MM-DD:
//
//	rasters/20240915/ALS_DTM_CRS3035RES50000mN2650000E4450000.tif
//	rasters/dsm_2022-09-15_lorfachtal.tif
//
// The reference system is that of the file's GeoKeys, or the one that its name holds (epsg31254). Heights are metres
// above the Adriatic.
package rasters

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/cog"
	"mappe/artefacts/rasters"
	"mappe/shared/geo/crs"
)

// Folder is its place in a raw source.
const Folder = "rasters"

// maxFiles bounds the files of a source: three dates of two layers are 330 of the survey office.
const maxFiles = 10_000

// File is a raster of a source.
type File struct {
	Name   string // below the source
	Layer  string // of artefacts/rasters
	Date   string // YYYY-MM-DD
	System crs.System
	Head   *cog.File
	Sum    string // SHA-256 of its bytes, in hex
	files  fs.FS
}

// Find reads the heads and sums of the files of the folder; nil where there is none.
func Find(files fs.FS) ([]*File, error) {
	var out []*File
	err := fs.WalkDir(files, Folder, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == Folder {
			return fs.SkipAll
		}
		if err != nil || d.IsDir() {
			return err
		}
		if ext := strings.ToLower(path.Ext(name)); ext != ".tif" && ext != ".tiff" {
			return nil
		}
		if len(out) == maxFiles {
			return fmt.Errorf("%s: more than %d files", Folder, maxFiles)
		}
		f, err := open(files, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, f)
		return nil
	})
	slices.SortFunc(out, func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

var (
	layerIn = regexp.MustCompile(`(?i)(?:^|[^a-z])(dtm|dgm|dsm|dom)(?:[^a-z]|$)`)
	dateIn  = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2})-?(0[1-9]|1[0-2])-?(0[1-9]|[12][0-9]|3[01])(?:[^0-9]|$)`)
	codeIn  = regexp.MustCompile(`(?i)epsg[-_ ]?([0-9]{4,5})`)
)

func open(files fs.FS, name string) (*File, error) {
	f := &File{Name: name, files: files}
	m := layerIn.FindStringSubmatch(path.Base(name))
	if m == nil {
		return nil, errors.New("its name does not say what it holds: DTM (DGM) is the ground, DSM (DOM) what is seen from above")
	}
	f.Layer = map[string]string{"dtm": rasters.DTM, "dgm": rasters.DTM, "dsm": rasters.DSM, "dom": rasters.DSM}[strings.ToLower(m[1])]
	for part := name; part != "." && f.Date == ""; part = path.Dir(part) {
		if d := dateIn.FindStringSubmatch(path.Base(part)); d != nil {
			f.Date = d[1] + "-" + d[2] + "-" + d[3]
		}
	}
	if _, err := time.Parse(time.DateOnly, f.Date); err != nil {
		return nil, errors.New("neither its name nor its folder has a date of the form YYYYMMDD")
	}
	return f, f.head()
}

// head reads the directories and the sum.
func (f *File) head() error {
	in, size, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close() // read only
	if f.Head, err = cog.Open(in, size); err != nil {
		return err
	}
	code := fmt.Sprint(f.Head.EPSG)
	if m := codeIn.FindStringSubmatch(path.Base(f.Name)); m != nil {
		code = m[1]
	}
	if code == "0" {
		return errors.New("it names no reference system: write the code into its name, for example epsg31255")
	}
	if f.System, err = crs.Parse("EPSG:" + code); err != nil {
		return err
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(in, 0, size)); err != nil {
		return err
	}
	f.Sum = hex.EncodeToString(h.Sum(nil))
	return nil
}

// ReaderAtCloser is an open file.
type ReaderAtCloser interface {
	io.ReaderAt
	io.Closer
}

// Open opens the file and gives its length.
func (f *File) Open() (ReaderAtCloser, int64, error) {
	in, err := f.files.Open(f.Name)
	if err != nil {
		return nil, 0, err
	}
	info, err := in.Stat()
	r, ok := in.(ReaderAtCloser)
	if err == nil && !ok {
		err = errors.New("it cannot be read by ranges")
	}
	if err != nil {
		return nil, 0, errors.Join(err, in.Close())
	}
	return r, info.Size(), nil
}
