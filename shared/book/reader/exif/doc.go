// Package exif makes pictures what they are seen as: JPEG turned as their EXIF orientation says, because what
// sets a book does not look at it, and pictures cut, mirrored and turned as a word processor shows them. The
// readers of manuscripts call it. What is changed is written anew, JPEG in high quality, without EXIF data.
package exif

import (
	"image"
	"image/draw"
)

// Quality is that of pictures that were turned.
const Quality = 95

// Lies says whether a JPEG states in its EXIF data that it is not upright.
func Lies(b []byte) bool {
	_, ok := turns[orientation(b)]
	return ok
}

// turn is what brings a picture upright: it is mirrored left to right, mirrored top to bottom, then its
// rows are made columns.
type turn struct{ mirror, flip, transpose bool }

// turns are those of EXIF's values; 1 is upright.
var turns = map[int]turn{
	2: {mirror: true}, 3: {mirror: true, flip: true}, 4: {flip: true}, 5: {transpose: true},
	6: {flip: true, transpose: true}, 7: {mirror: true, flip: true, transpose: true}, 8: {mirror: true, transpose: true},
}

// picture turns the planes of grey and colour as they are; what else a picture may hold is turned as RGB.
func (t turn) picture(m image.Image) image.Image {
	r := m.Bounds()
	size := t.rect(r.Dx(), r.Dy())
	switch m := m.(type) {
	case *image.Gray:
		out := image.NewGray(size)
		t.plane(plane{out.Pix, out.Stride, 1}, plane{m.Pix, m.Stride, 1}, r.Dx(), r.Dy())
		return out
	case *image.Gray16:
		out := image.NewGray16(size)
		t.plane(plane{out.Pix, out.Stride, 2}, plane{m.Pix, m.Stride, 2}, r.Dx(), r.Dy())
		return out
	case *image.Paletted:
		out := image.NewPaletted(size, m.Palette)
		t.plane(plane{out.Pix, out.Stride, 1}, plane{m.Pix, m.Stride, 1}, r.Dx(), r.Dy())
		return out
	case *image.NRGBA:
		out := image.NewNRGBA(size)
		t.plane(plane{out.Pix, out.Stride, 4}, plane{m.Pix, m.Stride, 4}, r.Dx(), r.Dy())
		return out
	case *image.YCbCr:
		ratio := m.SubsampleRatio
		if t.transpose {
			ratio = transposed[ratio]
		}
		if ratio < 0 {
			break
		}
		out := image.NewYCbCr(size, ratio)
		t.plane(plane{out.Y, out.YStride, 1}, plane{m.Y, m.YStride, 1}, r.Dx(), r.Dy())
		from := t.rect(out.CStride, len(out.Cb)/max(out.CStride, 1)) // the same turn takes sides back
		t.plane(plane{out.Cb, out.CStride, 1}, plane{m.Cb, m.CStride, 1}, from.Dx(), from.Dy())
		t.plane(plane{out.Cr, out.CStride, 1}, plane{m.Cr, m.CStride, 1}, from.Dx(), from.Dy())
		return out
	}
	from, out := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy())), image.NewRGBA(size)
	draw.Draw(from, from.Rect, m, r.Min, draw.Src)
	t.plane(plane{out.Pix, out.Stride, 4}, plane{from.Pix, from.Stride, 4}, r.Dx(), r.Dy())
	return out
}

// transposed are the subsamplings with rows and columns exchanged; -1 where image has no name for it.
var transposed = [...]image.YCbCrSubsampleRatio{
	image.YCbCrSubsampleRatio444: image.YCbCrSubsampleRatio444,
	image.YCbCrSubsampleRatio422: image.YCbCrSubsampleRatio440,
	image.YCbCrSubsampleRatio420: image.YCbCrSubsampleRatio420,
	image.YCbCrSubsampleRatio440: image.YCbCrSubsampleRatio422,
	image.YCbCrSubsampleRatio411: -1,
	image.YCbCrSubsampleRatio410: -1,
}

// rect is the rectangle of w by h turned.
func (t turn) rect(w, h int) image.Rectangle {
	if t.transpose {
		return image.Rect(0, 0, h, w)
	}
	return image.Rect(0, 0, w, h)
}

// plane is the samples of a picture, row by row.
type plane struct {
	pix    []byte
	stride int // bytes from one row to the next
	size   int // bytes of a sample
}

// plane turns w by h samples; both planes have samples of one size.
func (t turn) plane(to, from plane, w, h int) {
	size := from.size
	for y := range h {
		row, v := from.pix[y*from.stride:], y
		if t.flip {
			v = h - 1 - y
		}
		for x := range w {
			u := x
			if t.mirror {
				u = w - 1 - x
			}
			at := v*to.stride + u*size
			if t.transpose {
				at = u*to.stride + v*size
			}
			if size == 1 {
				to.pix[at] = row[x]
			} else {
				copy(to.pix[at:at+size], row[x*size:])
			}
		}
	}
}
