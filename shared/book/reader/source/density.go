package source

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
)

// Angle is what a finding says of a picture that is turned by no quarter.
func Angle(degrees int) string { return fmt.Sprintf("a picture at an angle of %d°", degrees) }

// Millimetres is the size of a picture where nothing scales it: by the density it states, else by 96 pixels an
// inch; 0 where it cannot be read.
func Millimetres(b []byte) (width, height float64) {
	c, format, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return 0, 0
	}
	const inch = 25.4
	x, y := 96/inch, 96/inch // pixels by millimetre
	switch {
	case format == "png":
		if at := bytes.Index(b[:min(len(b), 4096)], []byte("pHYs")); at > 0 && len(b) > at+13 && b[at+12] == 1 {
			density(&x, &y, int(binary.BigEndian.Uint32(b[at+4:])), int(binary.BigEndian.Uint32(b[at+8:])), 1000)
		}
	case format == "jpeg" && len(b) > 18 && string(b[6:11]) == "JFIF\x00":
		across, down := int(binary.BigEndian.Uint16(b[14:])), int(binary.BigEndian.Uint16(b[16:]))
		switch b[13] {
		case 1:
			density(&x, &y, across, down, inch)
		case 2:
			density(&x, &y, across, down, 10)
		}
	}
	return float64(c.Width) / x, float64(c.Height) / y
}

// density takes pixels by so many millimetres for x and y, where they are stated.
func density(x, y *float64, across, down int, by float64) {
	if across > 0 && down > 0 {
		*x, *y = float64(across)/by, float64(down)/by
	}
}
