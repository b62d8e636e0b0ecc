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
	// plainBytes is the size up to which a picture goes in as it is: decoding takes longer than sending.
	plainBytes = 512 << 10
	// mostBytes is what goes in as it is where the book's pictures have used up maxDecoded.
	mostBytes = 8 << 20
	// maxPixels bounds a picture that is decoded to be made smaller, maxDecoded all of a book: half a
	// second, some 100 MB.
	maxPixels, maxDecoded = 24_000_000, 48_000_000
	// maxSide of a picture made smaller, in pixels: sharp on a page 5 inches wide at 200 dots.
	maxSide = 1000
)

func (s *sheet) picture(m page.Picture) error {
	if m.Image < 0 || m.Image >= len(s.d.images) {
		return fmt.Errorf("picture %d of %d", m.Image, len(s.d.images))
	}
	if s.d.images[m.Image] == "" {
		s.d.images[m.Image] = s.d.address(&s.d.book.Images[m.Image])
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
func (d *Drawer) address(im *page.Image) string {
	if im.MediaType != "image/jpeg" && im.MediaType != "image/png" {
		return unseen
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(im.Bytes))
	if err != nil || c.Width <= 0 || c.Height <= 0 || c.Width > maxPixels/c.Height {
		return unseen
	}
	if d.decoded += c.Width * c.Height; len(im.Bytes) <= plainBytes || d.decoded > maxDecoded && len(im.Bytes) <= mostBytes {
		d.decoded -= c.Width * c.Height
		return "data:" + im.MediaType + ";base64," + base64.StdEncoding.EncodeToString(im.Bytes)
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

// smaller is a picture of at most maxSide, over white: each pixel the mean of 3 × 3 of those it stands for.
func smaller(src image.Image) image.Image {
	b := src.Bounds()
	w, h := b.Dx(), b.Dy()
	if side := max(w, h); side > maxSide {
		w, h = max(1, w*maxSide/side), max(1, h*maxSide/side)
	}
	const taps = 3
	at := reader(src)
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var r, g, bl int
			for j := range taps {
				for i := range taps {
					c := at(b.Min.X+(x*taps+i)*b.Dx()/(w*taps), b.Min.Y+(y*taps+j)*b.Dy()/(h*taps))
					r, g, bl = r+int(c.R), g+int(c.G), bl+int(c.B)
				}
			}
			const all = taps * taps
			dst.SetRGBA(x, y, color.RGBA{uint8(r / all), uint8(g / all), uint8(bl / all), 0xff})
		}
	}
	return dst
}

// reader gives the pixels of a picture over white, without a value on the heap for each where the kind of
// picture is a usual one.
func reader(src image.Image) func(x, y int) color.RGBA {
	switch src := src.(type) {
	case *image.YCbCr:
		return func(x, y int) color.RGBA {
			c := src.YCbCrAt(x, y)
			r, g, b := color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
			return color.RGBA{r, g, b, 0xff}
		}
	case *image.Gray:
		return func(x, y int) color.RGBA {
			v := src.GrayAt(x, y).Y
			return color.RGBA{v, v, v, 0xff}
		}
	case *image.RGBA: // its colours are multiplied by their alpha
		return func(x, y int) color.RGBA {
			c := src.RGBAAt(x, y)
			return color.RGBA{c.R + 0xff - c.A, c.G + 0xff - c.A, c.B + 0xff - c.A, 0xff}
		}
	}
	return func(x, y int) color.RGBA {
		r, g, b, a := src.At(x, y).RGBA()
		white := 0xffff - a
		return color.RGBA{uint8((r + white) >> 8), uint8((g + white) >> 8), uint8((b + white) >> 8), 0xff}
	}
}
