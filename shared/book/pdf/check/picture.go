package check

import (
	"bytes"
	"image/color"
	"image/jpeg"
	"io"
)

// picture is an image of the file.
type picture struct {
	width, height int
	number        int // of its object
}

// picture checks an image: its colours, its size, whole data (ISO 15930-1, 6.3 and 6.12).
func (c *check) picture(o any) *picture {
	r, _ := o.(ref)
	if p, ok := c.images[r]; ok {
		return p
	}
	p := &picture{number: int(r)}
	c.images[r] = p
	s, ok := c.get(o).(*stream)
	if !ok || c.name(s.dict["Subtype"]) != "Image" {
		c.fault("object %d is drawn and is no picture", int(r))
		return p
	}
	c.keys("a picture", s.dict, "Type", "Subtype", "Width", "Height", "BitsPerComponent", "ColorSpace", "Filter", "Length")
	w, h := c.number(s.dict["Width"]), c.number(s.dict["Height"])
	if w < 1 || h < 1 || w > 1<<20 || h > 1<<20 || w*h > 1<<30 || c.number(s.dict["BitsPerComponent"]) != 8 {
		c.fault("picture %d has %v × %v pixels of %v bits", int(r), w, h, s.dict["BitsPerComponent"])
		return p
	}
	p.width, p.height = int(w), int(h)
	n := map[name]int{"DeviceGray": 1, "DeviceCMYK": 4, "DeviceRGB": 3}[c.name(s.dict["ColorSpace"])]
	if n == 0 || n == 3 && c.forPrint() {
		c.fault("picture %d has the colours %v", int(r), s.dict["ColorSpace"])
		return p
	}
	if c.name(s.dict["Filter"]) == "DCTDecode" {
		j, err := jpeg.DecodeConfig(bytes.NewReader(s.raw))
		if want := map[int]color.Model{1: color.GrayModel, 3: color.YCbCrModel, 4: color.CMYKModel}[n]; err != nil || j.Width != p.width ||
			j.Height != p.height || j.ColorModel != want {
			c.fault("picture %d is another JPEG than it says: %d × %d (%v)", int(r), j.Width, j.Height, err)
		}
		return p
	}
	want := int64(p.width) * int64(p.height) * int64(n)
	if got, err := c.inflate(s, io.Discard, want); err != nil || got != want {
		c.fault("picture %d has %d bytes, want %d (%v)", int(r), got, want, err)
	}
	return p
}
