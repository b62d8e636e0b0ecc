package cog

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
)

// maxTables bounds the tables that tiles of a file share, in bytes.
const maxTables = 1 << 16

// The meanings of samples that JPEG has to know.
const photometricYCbCr = 6

// unJPEG decodes a tile of bytes: the tables of the image stand before it without their end, it without its beginning.
// Colours that are kept as brightness and two differences become red, green and blue.
func (im *Image) unJPEG(out, stored []byte) (int, error) {
	if t := im.tables; len(t) > 4 && len(stored) > 2 {
		joined := make([]byte, 0, len(t)+len(stored)-4)
		stored = append(append(joined, t[:len(t)-2]...), stored[2:]...)
	}
	c, err := jpeg.DecodeConfig(bytes.NewReader(stored))
	if err != nil {
		return 0, err
	}
	if c.Width != im.TileWidth || c.Height < 1 || c.Height > im.TileHeight {
		return 0, fmt.Errorf("a JPEG of %d x %d cells in a tile of %d x %d", c.Width, c.Height, im.TileWidth, im.TileHeight)
	}
	p, err := jpeg.Decode(bytes.NewReader(stored))
	if err != nil {
		return 0, err
	}
	n := im.samples()
	switch p := p.(type) {
	case *image.Gray:
		if n != 1 {
			return 0, fmt.Errorf("a JPEG of one band for %d", n)
		}
		for row := range c.Height {
			copy(out[row*c.Width:(row+1)*c.Width], p.Pix[row*p.Stride:])
		}
	case *image.YCbCr:
		if n != 3 {
			return 0, fmt.Errorf("a JPEG of three bands for %d", n)
		}
		im.colours(out, p, c.Width, c.Height)
	case *image.RGBA: // it says itself that its planes are colours
		if n != 3 {
			return 0, fmt.Errorf("a JPEG of three bands for %d", n)
		}
		for i := range c.Width * c.Height {
			copy(out[3*i:3*i+3], p.Pix[i/c.Width*p.Stride+i%c.Width*4:])
		}
	default:
		return 0, fmt.Errorf("a JPEG of %T", p)
	}
	return c.Width * c.Height * n, nil
}

// colours are those of a picture of three planes.
func (im *Image) colours(out []byte, p *image.YCbCr, width, height int) {
	for row := range height {
		for col := range width {
			y, c := p.Y[p.YOffset(col, row)], p.COffset(col, row)
			to := out[(row*width+col)*3:][:3]
			if im.photometric == photometricYCbCr {
				to[0], to[1], to[2] = color.YCbCrToRGB(y, p.Cb[c], p.Cr[c])
			} else {
				to[0], to[1], to[2] = y, p.Cb[c], p.Cr[c] // the planes are red, green and blue themselves
			}
		}
	}
}
