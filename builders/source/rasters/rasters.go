// Package rasters finds rasters in a raw source: GeoTIFFs in the folder rasters and the folders below it, as the survey
// office and the satellite programmes hand them out, and height models as ASCII grids (.asc), as some states do. It owns the raw form;
// builders/rasters makes the tiles of the project of them, builders/source/asciigrid reads the text.
//
// The layer stands in a file's name. Its date stands in the name or in a folder above it: of laser scans and orthophotos as
// YYYYMMDD or YYYY-MM-DD, of what satellites saw as a year.
//
//	DTM or DGM                          heights of the ground in metres above the Adriatic
//	DSM or DOM                          heights of what is seen from above
//	RGB, NIR, CIR, RGBI or DOP          orthophotos of bytes: colours; near infrared; near infrared first; all four; colours
//	NDVI_MM or NDVI_YYYYMM              mean vegetation index of a month, -1 to 1
//	VV, VH                              radar backscatter of a year in dB; the file's unit or its name says dB
//	LANDCOVER or WorldCover             classes of land cover
//	LOSS_YEAR or lossyear, treecover, gain   forest change: year of the loss less 2000, percent of cover, 1 where forest was gained
//
// For example
//
//	rasters/20240915/ALS_DTM_CRS3035RES50000mN2650000E4450000.tif
//	rasters/dsm_2022-09-15_lorfachtal.tif
//	rasters/ortho/20240625/2023260_Mosaik_NIR.tif
//	rasters/satellite/2024/NDVI_04.tif
//	rasters/Hansen_GFC-2023-v1.11_lossyear_50N_010E.tif
//
// The reference system is that of the file's GeoKeys, or the one that its name holds (epsg31254); of an ASCII grid without one in its
// name it is found as builders/source/asciigrid says. A mask in the file, or
// beside it as name.tif.msk, a band of opacity, and GDAL's scale and offset are honoured. A file that cannot be used is named
// and passed over: one of another kind or system, in feet, half a download.
//
// rasters/credits.json may say whom to name for a layer, by the layer's name: {"ndvi": {attribution, license, license_url,
// share_alike?}}.
package rasters

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	"mappe/builders/source/asciigrid"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// Folder is its place in a raw source.
const Folder = "rasters"

// maxFiles bounds the files of a source: three dates of two height models are 330 of the survey office, four series of
// orthophotos some 2,000.
const maxFiles = 20_000

// File is a raster of a source.
type File struct {
	Name   string // below the source
	Layer  string // of artefacts/rasters
	Part   string // what of the layer the file holds: one of the Parts, the month of a vegetation index; "" of heights and classes
	Date   string // YYYY-MM-DD; of a year its first day
	System crs.System
	Head   *cog.File // of an ASCII grid its size and place alone
	Sum    string    // SHA-256 of its bytes, or of their name, and those of its mask, in hex; "" of one that was only looked at
	files  fs.FS
	mask   *beside
	text   *asciigrid.File // nil: it is a GeoTIFF
}

// Unusable is a file that is passed over, and why.
type Unusable struct {
	Name string // below the source
	Why  error
}

func (u Unusable) String() string { return fmt.Sprintf("%s is passed over: %v", u.Name, u.Why) }

// Find reads the heads and sums of the files of the folder; nil without any.
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
		if ext := strings.ToLower(path.Ext(name)); ext != ".tif" && ext != ".tiff" && ext != textExt {
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

// textExt is how the names of ASCII grids end.
const textExt = ".asc"

// Parts of layers that come in several files.
const (
	RGB  = "rgb"
	NIR  = "nir"
	CIR  = "cir" // near infrared, red, green: the first band is taken
	RGBI = "rgbi"
	VV   = "vv"
	VH   = "vh"
	Loss = "loss_year"
	Tree = "cover"
	Gain = "gain"
)

// named are the words by which layers are known, in the order in which they are looked for. The first group is the part,
// or one of the words below.
var named = []struct {
	layer string
	in    *regexp.Regexp
	parts map[string]string // of the words; nil: the word is the part
}{
	{rasters.LandCover, regexp.MustCompile(`(?i)(land[_-]?cover|worldcover)`), map[string]string{}},
	{rasters.NDVI, regexp.MustCompile(`(?i)(?:^|[^a-z])ndvi[_-]?(?:(?:19|20)[0-9]{2}[_-]?)?(0[1-9]|1[0-2])(?:[^0-9]|$)`), nil},
	{rasters.Forest, regexp.MustCompile(`(?i)(loss[_-]?year|tree[_-]?cover(?:2000)?|gain)(?:[^a-z]|$)`),
		map[string]string{"l": Loss, "t": Tree, "g": Gain}},
	{rasters.SAR, regexp.MustCompile(`(?i)(?:^|[^a-z])(vv|vh)(?:[^a-z]|$)`), nil},
	{rasters.DTM, regexp.MustCompile(`(?i)(?:^|[^a-z])(dtm|dgm)(?:[^a-z]|$)`), map[string]string{}},
	{rasters.DSM, regexp.MustCompile(`(?i)(?:^|[^a-z])(dsm|dom)(?:[^a-z]|$)`), map[string]string{}},
	{rasters.Ortho, regexp.MustCompile(`(?i)(?:^|[^a-z])(rgbi|rgb|nir|cir)(?:[^a-z]|$)`), nil},
	{rasters.Ortho, regexp.MustCompile(`(?i)(?:^|[^a-z])(dop)(?:[^a-z]|$)`), map[string]string{"d": RGB}},
}

// layerOf is the layer that a name tells, and the part of it; "" where it tells none.
func layerOf(base string) (layer, part string) {
	for _, n := range named {
		m := n.in.FindStringSubmatch(base)
		if m == nil {
			continue
		}
		if part = strings.ToLower(m[1]); n.parts != nil {
			part = n.parts[part[:1]]
		}
		return n.layer, part
	}
	return "", ""
}

var (
	dateIn      = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2})-?(0[1-9]|1[0-2])-?(0[1-9]|[12][0-9]|3[01])(?:[^0-9]|$)`)
	yearIn      = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2})(?:(?:0[1-9]|1[0-2])(?:[0-3][0-9])?)?(?:[^0-9]|$)`)
	coverYearIn = regexp.MustCompile(`(?i)cover[_-]?2000`)
	otherIn     = regexp.MustCompile(`(?i)(hillshade|schummerung|shaded|slope|neigung|aspect|exposition|ndsm|bdom)`)
	codeIn      = regexp.MustCompile(`(?i)epsg[-_ ]?([0-9]{4,5})`)
)

func open(files fs.FS, name string) (*File, error) {
	f := &File{Name: name, files: files}
	if other := otherIn.FindString(path.Base(name)); other != "" {
		return nil, fmt.Errorf("its name says that it holds no heights above the Adriatic (%s)", other)
	}
	if f.Layer, f.Part = layerOf(path.Base(name)); f.Layer == "" {
		return nil, errors.New("its name does not say what it holds: DTM (DGM) is the ground, DSM (DOM) what is seen from above, RGB and NIR are orthophotos, " +
			"NDVI_MM, VV, VH, LANDCOVER, LOSS_YEAR what satellites saw")
	}
	in, wanted := dateIn, "a date of the form YYYYMMDD"
	if rasters.LayerTypeOf(f.Layer).Precision == rasters.Year {
		in, wanted = yearIn, "a year"
	}
	for part := name; part != "." && f.Date == ""; part = path.Dir(part) {
		// The year of the cover is no date of the file.
		if d := in.FindStringSubmatch(coverYearIn.ReplaceAllString(path.Base(part), "cover")); len(d) == 4 {
			f.Date = d[1] + "-" + d[2] + "-" + d[3]
		} else if len(d) == 2 {
			f.Date = d[1] + "-01-01"
		}
	}
	if _, err := time.Parse(time.DateOnly, f.Date); err != nil {
		return nil, errors.New("neither its name nor its folder has " + wanted)
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
	if strings.EqualFold(path.Ext(f.Name), textExt) {
		return f.grid(in, size)
	}
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
	if err := f.samples(); err != nil {
		return err
	}
	return f.masked()
}

// grid reads the head of an ASCII grid.
func (f *File) grid(in io.ReaderAt, size int64) (err error) {
	if f.Layer != rasters.DTM && f.Layer != rasters.DSM {
		return errors.New("it is an ASCII grid: heights (DTM, DSM) are expected in one")
	}
	if f.text, err = asciigrid.NewFile(in, size, f.Name); err != nil {
		return err
	}
	g := f.text
	f.System = g.System
	f.Head = &cog.File{Images: []cog.Image{{Width: g.Cols, Height: g.Rows, Bands: 1}}, West: g.X - g.Step/2,
		North: g.Y + (float64(g.Rows)-0.5)*g.Step, StepX: g.Step, StepY: g.Step, NoData: g.NoData}
	return nil
}

// Read reads a window of the first band of the open file.
func (f *File) Read(in io.ReaderAt, w cog.Window) (*raster.Grid, error) {
	if f.text != nil {
		return f.text.Read(in, asciigrid.Window(w))
	}
	return f.Head.Read(in, &f.Head.Images[0], 0, w)
}

// IsDamaged says whether an error is one of what a file holds: of a disk or a store that fails nothing is known.
func IsDamaged(err error) bool {
	return errors.Is(err, cog.ErrFormat) || errors.Is(err, asciigrid.ErrFormat)
}

// samples refuses what does not hold values of the layer.
func (f *File) samples() error {
	h := f.Head
	form, bands := h.Images[0].Form(), h.Values()
	switch f.Layer {
	case rasters.Ortho:
		if form != "uint8" {
			return fmt.Errorf("its samples are %s: a picture of uint8 is expected", form)
		}
		if least := map[string]int{RGB: 3, NIR: 1, CIR: 3, RGBI: 4}[f.Part]; bands < least {
			return fmt.Errorf("it has %d bands, %d are expected in %s", bands, least, strings.ToUpper(f.Part))
		}
		return nil
	case rasters.LandCover, rasters.Forest:
		if form != "uint8" || h.Scale(0) {
			return fmt.Errorf("its samples are %s: numbers of uint8 are expected", form)
		}
	case rasters.NDVI:
		if !strings.HasPrefix(form, "float") && !h.Scale(0) {
			return fmt.Errorf("its samples are %s and it names no scale: an index from -1 to 1 is expected", form)
		}
	case rasters.SAR:
		if !strings.EqualFold(h.Unit, "db") && !decibelsIn.MatchString(path.Base(f.Name)) {
			return errors.New("neither its unit nor its name says that its values are dB")
		}
	default:
		return f.heights()
	}
	if bands > 1 {
		return fmt.Errorf("it has %d bands: one is expected", bands)
	}
	return nil
}

var decibelsIn = regexp.MustCompile(`(?i)(?:^|[^a-z])db(?:[^a-z]|$)`)

// Credits are whom rasters/credits.json names, by layer; nil where the source has none.
func Credits(files fs.FS) (map[string]rasters.Credit, error) {
	name := Folder + "/credits.json"
	b, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var all map[string]rasters.Credit
	if err := d.Decode(&all); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for layer, c := range all {
		if rasters.LayerTypeOf(layer) == nil {
			return nil, fmt.Errorf("%s: %.40q is no layer", name, layer)
		}
		if c.Attribution == "" || c.License == "" || !strings.HasPrefix(c.LicenseURL, "https://") {
			return nil, fmt.Errorf("%s: %s: attribution, license and license_url (https) are expected", name, layer)
		}
	}
	return all, nil
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

// sum reads every byte of the file and of its mask, unless the place that holds the file names its bytes.
func (f *File) sum() error {
	in, size, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close() // read only
	h := sha256.New()
	if m, ok := in.(interface{ Mark() string }); ok && m.Mark() != "" { // of a store, which names the bytes of a file
		fmt.Fprintln(h, m.Mark(), size)
	} else if _, err := io.Copy(h, io.NewSectionReader(in, 0, size)); err != nil {
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
