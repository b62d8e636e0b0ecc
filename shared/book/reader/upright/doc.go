// Package upright turns JPEG pictures as their EXIF orientation says, because what sets a book does not look
// at it, while Word and browsers do. The readers of manuscripts call it for every picture.
//
// A baseline JPEG whose sides allow it is turned without loss: its coefficients are moved, negated and
// written anew, no pixel is computed. Others are decoded, turned and written in high quality. Both give a
// picture with the orientation 1.
package upright

import (
	"bytes"
	"image"
	"image/draw"
	"image/jpeg"
)

// Quality is that of pictures that cannot be turned without loss.
const Quality = 95

// JPEG gives the picture upright; the same bytes where it is, or where they are no JPEG that can be read. The
// caller has bounded its pixels.
func JPEG(b []byte) []byte {
	tag := find(b)
	t, ok := turns[tag.value]
	if !ok {
		return b
	}
	if out, ok := lossless(b, tag, t); ok {
		return out
	}
	m, err := jpeg.Decode(bytes.NewReader(b))
	if err != nil {
		return b
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, t.picture(m), &jpeg.Options{Quality: Quality}); err != nil {
		return b
	}
	return out.Bytes()
}

// turn is what brings a picture upright: it is mirrored left to right, mirrored top to bottom, then its
// rows are made columns.
type turn struct{ mirror, flip, transpose bool }

// turns are those of EXIF's values; 1 is upright.
var turns = map[int]turn{
	2: {mirror: true}, 3: {mirror: true, flip: true}, 4: {flip: true}, 5: {transpose: true},
	6: {flip: true, transpose: true}, 7: {mirror: true, flip: true, transpose: true}, 8: {mirror: true, transpose: true},
}

// picture turns pixels.
func (t turn) picture(m image.Image) image.Image {
	r := m.Bounds()
	w, h := r.Dx(), r.Dy()
	size := image.Rect(0, 0, w, h)
	if t.transpose {
		size = image.Rect(0, 0, h, w)
	}
	at := func(x, y int) (int, int) {
		if t.mirror {
			x = w - 1 - x
		}
		if t.flip {
			y = h - 1 - y
		}
		if t.transpose {
			return y, x
		}
		return x, y
	}
	if g, ok := m.(*image.Gray); ok {
		out := image.NewGray(size)
		for y := range h {
			for x := range w {
				u, v := at(x, y)
				out.Pix[v*out.Stride+u] = g.Pix[y*g.Stride+x]
			}
		}
		return out
	}
	from := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(from, from.Rect, m, r.Min, draw.Src)
	out := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			u, v := at(x, y)
			copy(out.Pix[v*out.Stride+4*u:][:4], from.Pix[y*from.Stride+4*x:])
		}
	}
	return out
}
