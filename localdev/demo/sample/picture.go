package sample

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"mappe/shared/book/manuscript"
)

// drawn is a picture of hills under a sun, as PNG. Flat areas keep it small.
func drawn(d *dice, width, height int, gray bool) manuscript.Image {
	var palette color.Palette
	for i := range 6 {
		v := uint8(245 - i*40)
		if gray {
			palette = append(palette, color.Gray{Y: v})
		} else {
			palette = append(palette, color.RGBA{R: v, G: uint8(120 + i*20), B: uint8(40 * i), A: 255})
		}
	}
	var ridge [4][9]int // heights of the ridges, at nine places
	for i := range ridge {
		for j := range ridge[i] {
			ridge[i][j] = height*(i+2)/7 + d.n(height/6+1)
		}
	}
	img := image.NewPaletted(image.Rect(0, 0, width, height), palette)
	grayImg := image.NewGray(img.Rect)
	sunX, sunY, sun := width/5+d.n(width/2), height/6, height/10
	for x := range width {
		at, step := x*8/width, width/8+1
		from, shade := 0, uint8(0)
		for i := 0; i <= len(ridge); i++ {
			to := height
			if i < len(ridge) {
				to = ridge[i][at] + (ridge[i][at+1]-ridge[i][at])*(x%step)/step
			}
			for y := from; y < min(to, height); y++ {
				img.Pix[y*img.Stride+x] = shade
			}
			from, shade = max(from, to), uint8(i+2)
		}
		for y := range min(height, sunY+sun) {
			if dx, dy := x-sunX, y-sunY; dx*dx+dy*dy < sun*sun && img.Pix[y*img.Stride+x] == 0 {
				img.Pix[y*img.Stride+x] = 1
			}
		}
	}
	if gray {
		for i, shade := range img.Pix {
			grayImg.Pix[i] = palette[shade].(color.Gray).Y
		}
	}
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	var err error
	if gray {
		err = enc.Encode(&b, grayImg)
	} else {
		err = enc.Encode(&b, img)
	}
	if err != nil {
		panic(err) // a buffer takes everything, and the size is no zero
	}
	return manuscript.Image{MediaType: "image/png", Bytes: b.Bytes(), Width: width, Height: height, Gray: gray}
}
