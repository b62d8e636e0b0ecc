package pdf

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // the formats of page.Image
	"image/jpeg"
	_ "image/png"

	"mappe/shared/book/layout/page"
)

// MaxPixels bounds a picture; larger ones are refused before they are decoded.
const MaxPixels = 60_000_000

// image writes picture i: as it is where the file may hold it so, in greys for the printer otherwise.
func (f *file) image(i int) error {
	img := &f.book.Images[i]
	cfg, form, err := image.DecodeConfig(bytes.NewReader(img.Bytes))
	if err != nil {
		return fmt.Errorf("pdf: picture %d: %w", i, err)
	}
	if cfg.Width < 1 || cfg.Height < 1 || cfg.Width*cfg.Height > MaxPixels {
		return fmt.Errorf("pdf: picture %d: %d × %d pixels, allowed are %d in all", i, cfg.Width, cfg.Height, MaxPixels)
	}
	f.images[i] = f.reserve()
	dict := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8", cfg.Width, cfg.Height)
	gray := cfg.ColorModel == color.GrayModel
	if form == "jpeg" && (gray || !f.printer() && cfg.ColorModel == color.YCbCrModel) {
		space := "/DeviceRGB"
		if gray {
			space = "/DeviceGray"
		}
		f.raw(f.images[i], dict+"/ColorSpace"+space+"/Filter/DCTDecode", img.Bytes)
		return f.out.err
	}
	pic, err := decode(img)
	if err != nil {
		return fmt.Errorf("pdf: picture %d: %w", i, err)
	}
	if f.printer() || gray {
		f.stream(f.images[i], dict+"/ColorSpace/DeviceGray", grays(pic))
	} else {
		f.stream(f.images[i], dict+"/ColorSpace/DeviceRGB", colours(pic))
	}
	return f.out.err
}

func decode(img *page.Image) (image.Image, error) {
	if img.MediaType == "image/jpeg" {
		return jpeg.Decode(bytes.NewReader(img.Bytes))
	}
	pic, _, err := image.Decode(bytes.NewReader(img.Bytes))
	return pic, err
}

// grays gives the luminance of each pixel on white paper.
func grays(m image.Image) []byte {
	b := m.Bounds()
	out := make([]byte, 0, b.Dx()*b.Dy())
	if y, ok := m.(*image.YCbCr); ok { // its first plane is what is wanted
		for r := b.Min.Y; r < b.Max.Y; r++ {
			o := y.YOffset(b.Min.X, r)
			out = append(out, y.Y[o:o+b.Dx()]...)
		}
		return out
	}
	for r := b.Min.Y; r < b.Max.Y; r++ {
		for c := b.Min.X; c < b.Max.X; c++ {
			red, green, blue, alpha := m.At(c, r).RGBA()
			l := (19595*red + 38470*green + 7471*blue + 1<<15) >> 16
			out = append(out, byte((l+0xffff-alpha)>>8))
		}
	}
	return out
}

// colours gives red, green and blue of each pixel on white paper.
func colours(m image.Image) []byte {
	b := m.Bounds()
	out := make([]byte, 0, 3*b.Dx()*b.Dy())
	for r := b.Min.Y; r < b.Max.Y; r++ {
		for c := b.Min.X; c < b.Max.X; c++ {
			red, green, blue, alpha := m.At(c, r).RGBA()
			w := 0xffff - alpha
			out = append(out, byte((red+w)>>8), byte((green+w)>>8), byte((blue+w)>>8))
		}
	}
	return out
}
