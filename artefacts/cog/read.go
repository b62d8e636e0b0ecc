package cog

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// File is what the directories of a file say. It is never changed, and safe for concurrent use.
type File struct {
	Images       []Image // the full resolution, then the overviews by falling size
	EPSG         int     // of the plane; 0: the file does not say
	West, North  float64 // of the north-western corner
	StepX, StepY float64 // sides of a cell, positive
	SouthUp      bool    // the first row is the southernmost
	NoData       float64 // NaN: none is named
	Unit         string  // of the values, as the file has it; "" where it does not say
	mask         *mask
	alpha        int // band of opacity; -1: none
	scales       []scale
	order        binary.ByteOrder
	size         int64
}

// Image is one resolution.
type Image struct {
	Width, Height         int
	TileWidth, TileHeight int // a strip is as wide as the image
	Across, Down          int // tiles
	Bands                 int
	bits, format          int
	compression           int
	predictor             int
	photometric           int
	tables                []byte // that the tiles of a JPEG share
	apart                 bool   // bands are stored one after the other
	isMask                bool
	offsets, lengths      []uint64
}

// Scale says whether the file names a scale or an offset for a band: its samples are not the values.
func (f *File) Scale(band int) bool { return band < len(f.scales) && f.scales[band] != scale{1, 0} }

// Values is how many bands hold values: those but that of opacity.
func (f *File) Values() int {
	n := f.Images[0].Bands
	if f.alpha >= 0 {
		n--
	}
	return n
}

// Bits are those of a sample, and whether it is an unsigned whole number.
func (im *Image) Bits() (bits int, unsigned bool) { return im.bits, im.format == formatUint }

// Size is the length of the file.
func (f *File) Size() int64 { return f.size }

// reader reads values of a file. The first error stays.
type reader struct {
	r     io.ReaderAt
	size  int64
	order binary.ByteOrder
	big   bool
	err   error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
	}
}

// bytes reads n bytes; zeros after an error.
func (r *reader) bytes(at int64, n int) []byte {
	b := make([]byte, n)
	if r.err != nil {
		return b
	}
	if at < 0 || at+int64(n) > r.size {
		r.fail("bytes %d to %d of a file of %d", at, at+int64(n), r.size)
		return b
	}
	switch got, err := r.r.ReadAt(b, at); {
	case err != nil && err != io.EOF:
		r.err = err
	case got < n:
		r.fail("bytes %d to %d cannot be read", at, at+int64(n))
	}
	return b
}

// Open reads the directories of a file of size bytes.
func Open(in io.ReaderAt, size int64) (*File, error) {
	r := &reader{r: in, size: size}
	next := r.head()
	f := &File{order: r.order, size: size, NoData: math.NaN(), alpha: -1}
	seen := map[int64]bool{}
	for next != 0 && r.err == nil {
		if seen[next] || len(seen) == maxImages {
			r.fail("more than %d directories, or one after itself", maxImages)
			break
		}
		seen[next] = true
		var tags map[int]tag
		tags, next = r.directory(next)
		f.add(r, tags)
	}
	if r.err == nil && len(f.Images) == 0 {
		r.fail("no image")
	}
	if r.err != nil {
		return nil, r.err
	}
	slices.SortStableFunc(f.Images[1:], func(a, b Image) int { return b.Width*b.Height - a.Width*a.Height })
	return f, nil
}

// head reads the first bytes and gives where the first directory is.
func (r *reader) head() int64 {
	b := r.bytes(0, 8)
	switch string(b[:2]) {
	case "II":
		r.order = binary.LittleEndian
	case "MM":
		r.order = binary.BigEndian
	default:
		r.fail("it does not begin with II or MM")
		return 0
	}
	switch r.order.Uint16(b[2:]) {
	case 42:
		return int64(r.order.Uint32(b[4:]))
	case 43:
		r.big = true
		if r.order.Uint16(b[4:]) != 8 {
			r.fail("offsets of %d bytes", r.order.Uint16(b[4:]))
		}
		return int64(r.order.Uint64(r.bytes(8, 8)))
	}
	r.fail("version %d", r.order.Uint16(b[2:]))
	return 0
}

// tag is an entry of a directory.
type tag struct {
	kind  int
	count int64
	at    int64 // where the values are
}

// sizes of the types of TIFF, by code.
var typeBytes = [...]int{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8}

// directory reads the entries of a directory and where the next one is.
func (r *reader) directory(at int64) (map[int]tag, int64) {
	count, entry, inline := int64(0), int64(12), int64(4)
	if r.big {
		count, entry, inline = int64(r.order.Uint64(r.bytes(at, 8))), 20, 8
		at += 8
	} else {
		count = int64(r.order.Uint16(r.bytes(at, 2)))
		at += 2
	}
	if count < 0 || count > 4096 {
		r.fail("a directory of %d entries", count)
		return nil, 0
	}
	b := r.bytes(at, int(count*entry))
	tags := map[int]tag{}
	for i := range count {
		e := b[i*entry:]
		t := tag{kind: int(r.order.Uint16(e[2:])), at: at + i*entry + entry - inline}
		if r.big {
			t.count = int64(r.order.Uint64(e[4:]))
		} else {
			t.count = int64(r.order.Uint32(e[4:]))
		}
		if t.kind >= len(typeBytes) || typeBytes[t.kind] == 0 || t.count < 0 || t.count > maxTiles*4 {
			continue // nothing that is read here
		}
		if t.count*int64(typeBytes[t.kind]) > inline {
			if r.big {
				t.at = int64(r.order.Uint64(e[12:]))
			} else {
				t.at = int64(r.order.Uint32(e[8:]))
			}
		}
		tags[int(r.order.Uint16(e))] = t
	}
	end := r.bytes(at+count*entry, int(inline))
	if r.big {
		return tags, int64(r.order.Uint64(end))
	}
	return tags, int64(r.order.Uint32(end))
}

// ints are the values of a tag of whole numbers; nil where it is not there.
func (r *reader) ints(t tag) []uint64 {
	if t.count == 0 {
		return nil
	}
	size := typeBytes[t.kind]
	b := r.bytes(t.at, int(t.count)*size)
	out := make([]uint64, t.count)
	for i := range out {
		v := b[i*size:]
		switch size {
		case 1:
			out[i] = uint64(v[0])
		case 2:
			out[i] = uint64(r.order.Uint16(v))
		case 4:
			out[i] = uint64(r.order.Uint32(v))
		default:
			out[i] = r.order.Uint64(v)
		}
	}
	return out
}

// one is the first value of a tag, or another where it is not there.
func (r *reader) one(tags map[int]tag, code, otherwise int) int {
	t, ok := tags[code]
	if !ok {
		return otherwise
	}
	t.count = min(t.count, 1)
	v := r.ints(t)
	if len(v) == 0 || v[0] > math.MaxInt32 {
		r.fail("tag %d has the value %v", code, v)
		return otherwise
	}
	return int(v[0])
}

func (r *reader) doubles(t tag) []float64 {
	if t.kind != 12 {
		return nil
	}
	var out []float64
	for _, v := range r.ints(t) {
		out = append(out, math.Float64frombits(v))
	}
	return out
}

func (r *reader) text(t tag) string {
	if t.kind != 2 || t.count > maxText {
		return ""
	}
	return strings.TrimRight(string(r.bytes(t.at, int(t.count))), "\x00")
}

// add takes up a directory: an image, unless it is a mask or a page of something else.
func (f *File) add(r *reader, tags map[int]tag) {
	kind := r.one(tags, tagSubfile, 0)
	if r.err != nil || kind&4 != 0 && (kind&1 != 0 || len(f.Images) == 0 || f.mask != nil) {
		return // the mask of an overview, or of nothing
	}
	im := r.image(tags, kind&4 != 0)
	if r.err != nil {
		return
	}
	if kind&4 != 0 {
		f.maskBy(r, im)
		return
	}
	if len(f.Images) > 0 {
		if kind&1 != 0 { // reduced
			f.Images = append(f.Images, im)
		}
		return
	}
	f.Images = append(f.Images, im)
	f.georeference(r, tags)
	if t, ok := tags[tagNoData]; ok {
		if v, err := strconv.ParseFloat(strings.TrimSpace(r.text(t)), 64); err == nil {
			f.NoData = v
		}
	}
	f.describe(r, tags)
}

// image reads what the tags say of an image, or of a mask.
func (r *reader) image(tags map[int]tag, mask bool) (im Image) {
	im.isMask = mask
	im.Width, im.Height = r.one(tags, tagWidth, 0), r.one(tags, tagHeight, 0)
	im.Bands, im.bits, im.format = r.one(tags, tagSamples, 1), r.one(tags, tagBits, 1), r.one(tags, tagSampleFormat, formatUint)
	im.compression, im.predictor = r.one(tags, tagCompression, packNone), r.one(tags, tagPredictor, 1)
	im.apart = r.one(tags, tagPlanar, 1) == 2
	if im.photometric = r.one(tags, tagPhotometric, 1); im.photometric == photometricPalette {
		r.fail("a colour map")
	}
	offsets, lengths := tagTileOffsets, tagTileBytes
	im.TileWidth, im.TileHeight = r.one(tags, tagTileWidth, 0), r.one(tags, tagTileHeight, 0)
	if _, tiled := tags[tagTileOffsets]; !tiled {
		offsets, lengths = tagStripOffsets, tagStripBytes
		im.TileWidth, im.TileHeight = im.Width, min(r.one(tags, tagRowsPerStrip, im.Height), max(im.Height, 1))
	}
	if t, ok := tags[tagTables]; ok && im.compression == packJPEG && t.count <= maxTables {
		im.tables = r.bytes(t.at, int(t.count))
	}
	if r.err == nil {
		if err := im.check(); err != nil {
			r.fail("%v", err)
		}
	}
	if r.err != nil {
		return im
	}
	im.Across, im.Down = (im.Width+im.TileWidth-1)/im.TileWidth, (im.Height+im.TileHeight-1)/im.TileHeight
	n := im.Across * im.Down
	if im.apart {
		n *= im.Bands
	}
	if n > maxTiles {
		r.fail("%d tiles, at most %d", n, maxTiles)
		return im
	}
	im.offsets, im.lengths = r.ints(tags[offsets]), r.ints(tags[lengths])
	if len(im.offsets) != n || len(im.lengths) != n {
		r.fail("%d tiles with %d offsets and %d lengths", n, len(im.offsets), len(im.lengths))
		return im
	}
	for i, offset := range im.offsets {
		if length := im.lengths[i]; length > 0 && (offset > uint64(r.size) || length > uint64(r.size)-offset) {
			r.fail("it ends early: a tile of %d bytes lies at byte %d of a file of %d", length, offset, r.size)
			break
		}
	}
	return im
}

// check says what of an image is not read.
func (im *Image) check() error {
	switch {
	case im.Width < 1 || im.Height < 1 || im.Width > maxSide || im.Height > maxSide:
		return fmt.Errorf("%d x %d cells, at most %d each", im.Width, im.Height, maxSide)
	case im.TileWidth < 1 || im.TileHeight < 1 || im.TileWidth > maxSide || im.TileHeight > maxSide:
		return fmt.Errorf("tiles of %d x %d cells", im.TileWidth, im.TileHeight)
	case im.Bands < 1 || im.Bands > 64:
		return fmt.Errorf("%d bands", im.Bands)
	case im.tileBytes() > maxTile:
		return fmt.Errorf("tiles of %d bytes, at most %d", im.tileBytes(), maxTile)
	}
	ok := im.isMask && im.bits == 1 || im.bits == 8 || im.bits == 16 || im.bits == 32 || im.bits == 64
	if ok = ok && im.format >= formatUint && im.format <= formatFloat; !ok || im.format == formatFloat && im.bits < 32 {
		return fmt.Errorf("samples of %d bits of the format %d", im.bits, im.format)
	}
	switch im.compression {
	case packNone, packLZW, packDeflate, packOldDeflate, packZstd, packBits:
	case packJPEG:
		if n := im.samples(); im.bits != 8 || im.format != formatUint || im.predictor != 1 || n != 1 && n != 3 {
			return fmt.Errorf("a JPEG of %d bands of %d bits", n, im.bits)
		}
	default:
		return fmt.Errorf("compression %s: none, PackBits, LZW, deflate, zstd and JPEG are read", packingName(im.compression))
	}
	if im.predictor < 1 || im.predictor > 3 || im.predictor == 3 && im.format != formatFloat {
		return fmt.Errorf("predictor %d of the format %d", im.predictor, im.format)
	}
	return nil
}

// packingName is what a compression is called.
func packingName(code int) string {
	switch code {
	case 6:
		return "JPEG of before 1995"
	case 34887:
		return "LERC"
	case 34925:
		return "LZMA"
	case 50001:
		return "WebP"
	case 50002:
		return "JPEG XL"
	}
	return strconv.Itoa(code)
}

// samples is how many samples of a pixel lie together.
func (im *Image) samples() int {
	if im.apart {
		return 1
	}
	return im.Bands
}

func (im *Image) rowBytes() int64 {
	return (int64(im.TileWidth)*int64(im.samples())*int64(im.bits) + 7) / 8
}

func (im *Image) tileBytes() int64 { return im.rowBytes() * int64(im.TileHeight) }

// georeference reads the place of the file.
func (f *File) georeference(r *reader, tags map[int]tag) {
	scale, tie, matrix := r.doubles(tags[tagScale]), r.doubles(tags[tagTiepoint]), r.doubles(tags[tagMatrix])
	var x0, y0, dx, dy float64 // of the corner of the first pixel, and a step of column and row
	switch {
	case len(matrix) == 16:
		if matrix[1] != 0 || matrix[4] != 0 {
			r.fail("it is rotated")
			return
		}
		x0, y0, dx, dy = matrix[3], matrix[7], matrix[0], matrix[5]
	case len(scale) >= 2 && len(tie) >= 6:
		dx, dy = scale[0], -scale[1]
		x0, y0 = tie[3]-tie[0]*dx, tie[4]-tie[1]*dy
	default:
		r.fail("it has no place on the earth")
		return
	}
	if !(dx > 0) || dy == 0 || !finite(x0, y0, dx, dy) {
		r.fail("cells of %g x %g", dx, dy)
		return
	}
	keys := r.ints(tags[tagGeoKeys])
	for i := 4; i+3 < len(keys); i += 4 {
		switch code, value := keys[i], keys[i+3]; {
		case code == keyRaster && value == 2: // a pixel is a point: the corner is half a cell before it
			x0, y0 = x0-dx/2, y0-dy/2
		case (code == keyProject || code == keyGeographic && f.EPSG == 0) && value < 32767:
			f.EPSG = int(value)
		case code == keyVerticalUnit && value != metreCode && value != 0:
			f.Unit = fmt.Sprintf("EPSG unit %d", value)
		}
	}
	f.West, f.StepX, f.StepY, f.SouthUp = x0, dx, math.Abs(dy), dy > 0
	if f.North = y0; f.SouthUp {
		f.North = y0 + dy*float64(f.Images[0].Height)
	}
}

func finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Tile is where a tile of a band is stored; a length of 0: nowhere, nothing of it is known.
func (im *Image) Tile(col, row, band int) (offset, length int64) {
	i := row*im.Across + col
	if im.apart {
		i += band * im.Across * im.Down
	}
	return int64(im.offsets[i]), int64(im.lengths[i])
}
