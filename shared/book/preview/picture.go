package preview

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png" // pictures of books are JPEG or PNG

	"mappe/shared/book/layout/page"
)

const (
	// plainBytes is the size up to which a picture goes in as it is.
	plainBytes = 150 << 10
	// maxPixels bounds what is decoded to be made smaller: 24 million, some 100 MB.
	maxPixels = 24_000_000
	// maxSide of a picture made smaller, in pixels: sharp on a page 5 inches wide at 200 dots.
	maxSide = 1000
)

func (s *sheet) picture(m page.Picture) error {
	if m.Image < 0 || m.Image >= len(s.d.images) {
		return fmt.Errorf("picture %d of %d", m.Image, len(s.d.images))
	}
	if s.d.images[m.Image] == "" {
		s.d.images[m.Image] = address(&s.d.book.Images[m.Image])
	}
	at := s.d.images[m.Image]
	if at == unseen {
		s.rule(page.Rule{X: m.X, Y: m.Y, Width: m.Width, Height: m.Height, Gray: 0xdd})
		return nil
	}
	s.body = append(s.body, `<image x="`...)
	s.body = append(points(s.body, int64(m.X)), `" y="`...)
	s.body = append(points(s.body, int64(m.Y)), `" width="`...)
	s.body = append(points(s.body, int64(m.Width)), `" height="`...)
	s.body = append(points(s.body, int64(m.Height)), `" preserveAspectRatio="none" href="`...)
	s.body = append(s.body, at...)
	s.body = append(s.body, `"><title>`...)
	s.body = append(escape(s.body, m.Alt), `</title></image>`...)
	return nil
}

// unseen stands for a picture that cannot be shown: a grey field takes its place.
const unseen = "-"

// address is the picture in a data: address, smaller where it is large.
func address(im *page.Image) string {
	if im.MediaType != "image/jpeg" && im.MediaType != "image/png" {
		return unseen
	}
	if len(im.Bytes) <= plainBytes {
		return "data:" + im.MediaType + ";base64," + base64.StdEncoding.EncodeToString(im.Bytes)
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(im.Bytes))
	if err != nil || c.Width <= 0 || c.Height <= 0 || c.Width > maxPixels/c.Height {
		return unseen
	}
	full, _, err := image.Decode(bytes.NewReader(im.Bytes))
	if err != nil {
		return unseen
	}
	var w bytes.Buffer
	if err := jpeg.Encode(&w, smaller(full), &jpeg.Options{Quality: 75}); err != nil {
		return unseen
	}
	return "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(w.Bytes())
}

// smaller is a picture of at most maxSide, over white: each pixel the mean of up to 4 × 4 of those it
// stands for.
func smaller(src image.Image) image.Image {
	b := src.Bounds()
	w, h := b.Dx(), b.Dy()
	if side := max(w, h); side > maxSide {
		w, h = max(1, w*maxSide/side), max(1, h*maxSide/side)
	}
	const taps = 4
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var r, g, bl uint32
			for j := range taps {
				for i := range taps {
					c := src.At(b.Min.X+(x*taps+i)*b.Dx()/(w*taps), b.Min.Y+(y*taps+j)*b.Dy()/(h*taps))
					cr, cg, cb, ca := c.RGBA()
					r, g, bl = r+cr+0xffff-ca, g+cg+0xffff-ca, bl+cb+0xffff-ca
				}
			}
			const all = taps * taps << 8
			dst.SetRGBA(x, y, color.RGBA{uint8(r / all), uint8(g / all), uint8(bl / all), 0xff})
		}
	}
	return dst
}
