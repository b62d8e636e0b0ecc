package cog

import (
	"encoding/binary"
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"

	"mappe/shared/geo/raster"
)

// metreCode is the unit metre in the EPSG's list.
const metreCode = 9001

// mask says which cells of the full resolution have a value.
type mask struct {
	im    Image
	in    io.ReaderAt // nil: the file itself
	size  int64
	order binary.ByteOrder
}

// maskBy takes up the mask of the file, unless it has another size.
func (f *File) maskBy(r *reader, im Image) {
	if full := &f.Images[0]; im.Width != full.Width || im.Height != full.Height {
		r.fail("a mask of %d x %d cells for %d x %d", im.Width, im.Height, full.Width, full.Height)
		return
	}
	f.mask = &mask{im: im, size: r.size, order: r.order}
}

// MaskedBy is the file with the mask that lies beside it as a file of its own (name.tif.msk).
func (f *File) MaskedBy(in io.ReaderAt, size int64) (*File, error) {
	r := &reader{r: in, size: size}
	tags, _ := r.directory(r.head())
	out := *f
	if im := r.image(tags, true); r.err == nil {
		out.maskBy(r, im)
	}
	if r.err != nil {
		return nil, r.err
	}
	out.mask.in = in
	return &out, nil
}

// scale makes a value of a sample.
type scale struct{ by, plus float64 }

// describe reads what the tags say of the bands: opacity, scale, offset, unit.
func (f *File) describe(r *reader, tags map[int]tag) {
	bands := f.Images[0].Bands
	if extra := r.ints(tags[tagExtraSamples]); len(extra) > 0 && len(extra) < bands {
		if last := extra[len(extra)-1]; last == 1 || last == 2 {
			f.alpha = bands - 1
		}
	}
	var list struct {
		Items []struct {
			Sample string `xml:"sample,attr"`
			Role   string `xml:"role,attr"`
			Value  string `xml:",chardata"`
		} `xml:"Item"`
	}
	text := r.text(tags[tagMetadata])
	if text == "" || xml.Unmarshal([]byte(text), &list) != nil {
		return
	}
	for _, item := range list.Items {
		band, err := strconv.Atoi(item.Sample)
		if err != nil || band < 0 || band >= bands {
			continue
		}
		value := strings.TrimSpace(item.Value)
		if item.Role == "unittype" && band == 0 {
			f.Unit = value
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if item.Role != "scale" && item.Role != "offset" {
			continue
		}
		if err != nil || !finite(v) {
			r.fail("the %s %.40q of band %d", item.Role, value, band+1)
			return
		}
		for len(f.scales) < bands {
			f.scales = append(f.scales, scale{1, 0})
		}
		if item.Role == "scale" {
			f.scales[band].by = v
		} else {
			f.scales[band].plus = v
		}
	}
}

// scaled makes values of the samples of a band.
func (f *File) scaled(band int, out []float32) {
	if !f.Scale(band) {
		return
	}
	s := f.scales[band]
	for i, v := range out {
		out[i] = float32(float64(float64(v)*s.by) + s.plus)
	}
}

// hide makes the cells of a window unknown that the file's mask or its band of opacity leaves out.
func (f *File) hide(in io.ReaderAt, out *raster.Grid, im *Image, w Window) error {
	if m := f.mask; m != nil && im == &f.Images[0] {
		of := &File{Images: []Image{m.im}, West: f.West, North: f.North, StepX: f.StepX, StepY: f.StepY, SouthUp: f.SouthUp,
			NoData: math.NaN(), alpha: -1, order: m.order, size: m.size}
		if m.in != nil {
			in = m.in
		}
		if err := of.hideBy(in, out, 0, w); err != nil {
			return err
		}
	}
	if f.alpha < 0 {
		return nil
	}
	of := *f
	of.NoData, of.scales = math.NaN(), nil
	return of.hideBy(in, out, f.alpha, w)
}

// Blanks says whether the file has a way to say that nothing is known of a pixel of bytes: a mask, a band of opacity or a number.
func (f *File) Blanks() bool {
	return f.mask != nil || f.alpha >= 0 || f.NoData >= 0 && f.NoData <= 255
}

// Blank sets all bands of the pixels of a window of the full resolution to 0 of which the file says that nothing is known: by
// its mask, by a band of opacity, or because all bands of values have its number for that.
func (f *File) Blank(in io.ReaderAt, pix *raster.Samples[uint8], w Window) error {
	var hidden *raster.Grid
	if f.mask != nil {
		hidden = raster.New(pix.West, pix.North, pix.Step, pix.Cols, pix.Rows)
		clear(hidden.Z)
		of := *f
		of.alpha = -1
		if err := of.hide(in, hidden, &f.Images[0], w); err != nil {
			return err
		}
	}
	none := f.NoData >= 1 && f.NoData <= 255
	if hidden == nil && f.alpha < 0 && !none {
		return nil
	}
	values := f.Values()
	for i := range pix.Cols * pix.Rows {
		p := pix.Pix[i*pix.Bands:][:pix.Bands]
		gone := hidden != nil && hidden.Z[i] != hidden.Z[i] || f.alpha >= 0 && p[f.alpha] == 0
		if !gone && none {
			gone = true
			for _, v := range p[:values] {
				gone = gone && float64(v) == f.NoData
			}
		}
		if gone {
			clear(p)
		}
	}
	return nil
}

// hideBy makes the cells unknown where a band is 0 or nothing is stored.
func (f *File) hideBy(in io.ReaderAt, out *raster.Grid, band int, w Window) error {
	im := &f.Images[0]
	shown, err := f.read(in, im, band, w)
	if err != nil {
		return err
	}
	for i, v := range shown.Z {
		if !(v > 0) {
			out.Z[i] = float32(math.NaN())
		}
	}
	return nil
}

// bitsOf reads samples of one bit, row by row from the highest bit.
func (im *Image) bitsOf(raw []byte, out []float32, band int) {
	row, samples := int(im.rowBytes()), im.samples()
	if im.apart {
		band = 0
	}
	for r := range im.TileHeight {
		for c := range im.TileWidth {
			at := c*samples + band
			out[r*im.TileWidth+c] = float32(raw[r*row+at/8] >> (7 - at%8) & 1)
		}
	}
}

// unpackBits undoes the runs of PackBits: n from 0 to 127 is followed by n+1 bytes, -n from 1 to 127 by one that stands n+1
// times; -128 is nothing.
func unpackBits(to, from []byte) int {
	n := 0
	for len(from) > 1 && n < len(to) {
		count := int(int8(from[0]))
		switch {
		case count >= 0:
			part := from[1:min(count+2, len(from))]
			n += copy(to[n:], part)
			from = from[1+len(part):]
		case count == -128:
			from = from[1:]
		default:
			for range min(1-count, len(to)-n) {
				to[n] = from[1]
				n++
			}
			from = from[2:]
		}
	}
	return n
}
