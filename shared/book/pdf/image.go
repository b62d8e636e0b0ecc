package pdf

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // the formats of page.Image
	"image/jpeg"
	_ "image/png"
	"io"

	"mappe/shared/book/layout/page"
)

// MaxPixels bounds a picture; larger ones are refused before they are decoded.
const MaxPixels = 60_000_000

// image writes picture i: as it is where the file may hold it so, in greys for the printer otherwise. One
// picture is decoded at a time, and its rows go straight into the packed stream.
func (f *file) image(i int) error {
	img := &f.book.Images[i]
	sum := sha256.Sum256(img.Bytes)
	if r, ok := f.drawn[sum]; ok { // an ornament that comes again
		f.images[i] = r
		return nil
	}
	cfg, form, err := image.DecodeConfig(bytes.NewReader(img.Bytes))
	if err != nil {
		return fmt.Errorf("pdf: picture %d: %w", i, err)
	}
	if cfg.Width < 1 || cfg.Height < 1 || cfg.Width > MaxPixels || cfg.Height > MaxPixels || cfg.Width*cfg.Height > MaxPixels {
		return fmt.Errorf("pdf: picture %d: %d × %d pixels, allowed are %d in all", i, cfg.Width, cfg.Height, MaxPixels)
	}
	f.images[i] = f.reserve()
	f.drawn[sum] = f.images[i]
	gray := cfg.ColorModel == color.GrayModel
	asItIs := form == "jpeg" && (gray || !f.printer() && cfg.ColorModel == color.YCbCrModel)
	var pic image.Image
	if !asItIs || f.printer() { // a broken one must not reach a printer
		if pic, err = decode(img, form); err != nil {
			return fmt.Errorf("pdf: picture %d: %w", i, err)
		}
	}
	space := "/DeviceRGB"
	if gray || f.printer() {
		space = "/DeviceGray"
	}
	if asItIs {
		f.raw(f.images[i], imageDict(cfg.Width, cfg.Height, space)+"/Filter/DCTDecode", img.Bytes)
		return f.out.err
	}
	z := f.pack()
	if space == "/DeviceGray" {
		grays(z, pic)
	} else {
		colours(z, pic)
	}
	z.Close()
	// The first frame of a GIF may be smaller than its canvas: what was decoded counts.
	f.raw(f.images[i], imageDict(pic.Bounds().Dx(), pic.Bounds().Dy(), space)+"/Filter/FlateDecode", f.packed.Bytes())
	return f.out.err
}

func imageDict(width, height int, space string) string {
	return fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace%s", width, height, space)
}

func decode(img *page.Image, form string) (image.Image, error) {
	if form == "jpeg" {
		return jpeg.Decode(bytes.NewReader(img.Bytes))
	}
	pic, _, err := image.Decode(bytes.NewReader(img.Bytes))
	if err == nil && pic.Bounds().Empty() {
		err = fmt.Errorf("no pixels")
	}
	return pic, err
}

// luminance of a colour of 16 bits a channel, times its opacity, on white paper (ITU-R BT.601 weights, as JPEG).
func luminance(red, green, blue, alpha uint32) byte {
	l := (19595*red + 38470*green + 7471*blue + 1<<15) >> 16
	return byte((l + 0xffff - alpha) >> 8)
}

// grays writes the luminance of each pixel. Writes to a zlib writer over a buffer do not fail.
func grays(w io.Writer, m image.Image) {
	b := m.Bounds()
	row := make([]byte, b.Dx())
	var ofPalette [256]byte
	p, paletted := m.(*image.Paletted)
	if paletted {
		for i, c := range p.Palette {
			ofPalette[i&255] = luminance(c.RGBA())
		}
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		switch m := m.(type) {
		case *image.Gray:
			o := m.PixOffset(b.Min.X, y)
			copy(row, m.Pix[o:])
		case *image.YCbCr: // its first plane is what is wanted
			o := m.YOffset(b.Min.X, y)
			copy(row, m.Y[o:])
		case *image.Paletted:
			o := m.PixOffset(b.Min.X, y)
			for x := range row {
				row[x] = ofPalette[m.Pix[o+x]]
			}
		case *image.NRGBA:
			o := m.PixOffset(b.Min.X, y)
			for x := range row {
				c := m.Pix[o+4*x : o+4*x+4 : o+4*x+4]
				row[x] = luminance(color.NRGBA{c[0], c[1], c[2], c[3]}.RGBA())
			}
		case *image.RGBA:
			o := m.PixOffset(b.Min.X, y)
			for x := range row {
				c := m.Pix[o+4*x : o+4*x+4 : o+4*x+4]
				row[x] = luminance(color.RGBA{c[0], c[1], c[2], c[3]}.RGBA())
			}
		default:
			for x := range row {
				row[x] = luminance(m.At(b.Min.X+x, y).RGBA())
			}
		}
		w.Write(row)
	}
}

// colours writes red, green and blue of each pixel on white paper.
func colours(w io.Writer, m image.Image) {
	b := m.Bounds()
	row := make([]byte, 3*b.Dx())
	put := func(x int, red, green, blue, alpha uint32) {
		white := 0xffff - alpha
		row[3*x], row[3*x+1], row[3*x+2] = byte((red+white)>>8), byte((green+white)>>8), byte((blue+white)>>8)
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := range b.Dx() {
			var red, green, blue, alpha uint32
			switch m := m.(type) { // without an allocation a pixel
			case *image.NRGBA:
				red, green, blue, alpha = m.NRGBAAt(b.Min.X+x, y).RGBA()
			case *image.RGBA:
				red, green, blue, alpha = m.RGBAAt(b.Min.X+x, y).RGBA()
			case *image.YCbCr:
				red, green, blue, alpha = m.YCbCrAt(b.Min.X+x, y).RGBA()
			default:
				red, green, blue, alpha = m.At(b.Min.X+x, y).RGBA()
			}
			put(x, red, green, blue, alpha)
		}
		w.Write(row)
	}
}
