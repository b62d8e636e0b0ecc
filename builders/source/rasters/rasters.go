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
// above the Adriatic. A mask in the file, or beside it as name.tif.msk, a band of opacity, and GDAL's scale and offset are
// honoured. A file that cannot be used is named and passed over: one of another kind or system, in feet, half a download.
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
	Sum    string // SHA-256 of its bytes and those of its mask, in hex; "" of one that was only looked at
	files  fs.FS
	mask   *beside
}

// Unusable is a file that is passed over, and why.
type Unusable struct {
	Name string // below the source
	Why  error
}

func (u Unusable) String() string { return fmt.Sprintf("%s is passed over: %v", u.Name, u.Why) }

// Find reads the heads and sums of the files of the folder; nil where there is none.
func Find(files fs.FS) (out []*File, passed []Unusable, err error) {
	return find(files, (*File).sum)
}

// Look is Find without the sums, for which every byte is read.
func Look(files fs.FS) (out []*File, passed []Unusable, err error) {
	return find(files, func(*File) error { return nil })
}

func find(files fs.FS, then func(*File) error) (out []*File, passed []Unusable, err error) {
	err = fs.WalkDir(files, Folder, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == Folder {
			return fs.SkipAll
		}
		if err != nil || d.IsDir() {
			return err
		}
		if ext := strings.ToLower(path.Ext(name)); ext != ".tif" && ext != ".tiff" {
			return nil
		}
		if len(out)+len(passed) == maxFiles {
			return fmt.Errorf("%s: more than %d files", Folder, maxFiles)
		}
		f, err := open(files, name)
		if err != nil {
			passed = append(passed, Unusable{name, err})
			return nil
		}
		out = append(out, f)
		return then(f)
	})
	slices.SortFunc(out, func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
	return out, passed, err
}

var (
	layerIn = regexp.MustCompile(`(?i)(?:^|[^a-z])(dtm|dgm|dsm|dom)(?:[^a-z]|$)`)
	dateIn  = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2})-?(0[1-9]|1[0-2])-?(0[1-9]|[12][0-9]|3[01])(?:[^0-9]|$)`)
	otherIn = regexp.MustCompile(`(?i)(hillshade|schummerung|shaded|slope|neigung|aspect|exposition|ndsm|bdom)`)
	codeIn  = regexp.MustCompile(`(?i)epsg[-_ ]?([0-9]{4,5})`)
)

func open(files fs.FS, name string) (*File, error) {
	f := &File{Name: name, files: files}
	if other := otherIn.FindString(path.Base(name)); other != "" {
		return nil, fmt.Errorf("its name says that it holds no heights above the Adriatic (%s)", other)
	}
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

// head reads the directories.
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
	if f.System, err = crs.ParseSource("EPSG:" + code); err != nil {
		return err
	}
	if err := f.heights(); err != nil {
		return err
	}
	return f.masked()
}

// heights refuses what holds no heights in metres.
func (f *File) heights() error {
	h := f.Head
	switch strings.ToLower(h.Unit) {
	case "", "m", "metre", "meter", "metres", "meters":
	default:
		return fmt.Errorf("its values are in %.20q: heights in metres are expected", h.Unit)
	}
	if n := h.Values(); n > 1 {
		return fmt.Errorf("it has %d bands: one of heights is expected", n)
	}
	if bits, unsigned := h.Images[0].Bits(); unsigned && bits == 8 && !h.Scale(0) {
		return errors.New("its samples are whole numbers from 0 to 255: a picture, no heights")
	}
	return nil
}

// masked takes up the mask that lies beside the file.
func (f *File) masked() error {
	name := f.Name + ".msk"
	info, err := fs.Stat(f.files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		f.mask = &beside{f.files, name}
		f.Head, err = f.Head.MaskedBy(f.mask, info.Size())
	}
	if err != nil {
		return fmt.Errorf("its mask %s: %w", path.Base(name), err)
	}
	return nil
}

// sum reads every byte of the file and of its mask.
func (f *File) sum() error {
	in, size, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close() // read only
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(in, 0, size)); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if f.mask != nil {
		m, err := fs.ReadFile(f.files, f.mask.name)
		if err != nil {
			return err
		}
		h.Write(m)
	}
	f.Sum = hex.EncodeToString(h.Sum(nil))
	return nil
}

// beside reads a small file by ranges without holding it open.
type beside struct {
	files fs.FS
	name  string
}

// ReadAt reads a range.
func (b *beside) ReadAt(p []byte, at int64) (int, error) {
	in, err := b.files.Open(b.name)
	if err != nil {
		return 0, err
	}
	defer in.Close() // read only
	r, ok := in.(io.ReaderAt)
	if !ok {
		return 0, errors.New("it cannot be read by ranges")
	}
	return r.ReadAt(p, at)
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
