// Package upright makes pictures what they are seen as: JPEG turned as their EXIF orientation says, because what
// sets a book does not look at it, and pictures cut, mirrored and turned as a word processor shows them. The
// readers of manuscripts call it. What is changed is written anew, JPEG in high quality, without EXIF data.
package upright

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
		t.plane(out.Pix, out.Stride, m.Pix, m.Stride, r.Dx(), r.Dy(), 1)
		return out
	case *image.Gray16:
		out := image.NewGray16(size)
		t.plane(out.Pix, out.Stride, m.Pix, m.Stride, r.Dx(), r.Dy(), 2)
		return out
	case *image.Paletted:
		out := image.NewPaletted(size, m.Palette)
		t.plane(out.Pix, out.Stride, m.Pix, m.Stride, r.Dx(), r.Dy(), 1)
		return out
	case *image.NRGBA:
		out := image.NewNRGBA(size)
		t.plane(out.Pix, out.Stride, m.Pix, m.Stride, r.Dx(), r.Dy(), 4)
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
		t.plane(out.Y, out.YStride, m.Y, m.YStride, r.Dx(), r.Dy(), 1)
		from := t.rect(out.CStride, len(out.Cb)/max(out.CStride, 1)) // the same turn takes sides back
		t.plane(out.Cb, out.CStride, m.Cb, m.CStride, from.Dx(), from.Dy(), 1)
		t.plane(out.Cr, out.CStride, m.Cr, m.CStride, from.Dx(), from.Dy(), 1)
		return out
	}
	from, out := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy())), image.NewRGBA(size)
	draw.Draw(from, from.Rect, m, r.Min, draw.Src)
	t.plane(out.Pix, out.Stride, from.Pix, from.Stride, r.Dx(), r.Dy(), 4)
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

// plane turns w by h samples of some bytes each.
func (t turn) plane(to []byte, toStride int, from []byte, stride, w, h, size int) {
	for y := range h {
		row, v := from[y*stride:], y
		if t.flip {
			v = h - 1 - y
		}
		for x := range w {
			u := x
			if t.mirror {
				u = w - 1 - x
			}
			at := v*toStride + u*size
			if t.transpose {
				at = u*toStride + v*size
			}
			if size == 1 {
				to[at] = row[x]
			} else {
				copy(to[at:at+size], row[x*size:])
			}
		}
	}
}
