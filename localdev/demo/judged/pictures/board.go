package main

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"

	"mappe/localdev/demo/scene"
	"mappe/shared/geo/raster"
)

// The sides of a panel and what is between two of them, pixels.
const (
	side = 480
	gap  = 8
)

// board draws panels of a square of a scene.
type board struct {
	out         string
	scene       *scene.Scene
	west, north int // where the square begins, metres from the scene's north-western corner
	zoom        int // pixels a metre
}

// at is a position in EPSG:3035 in the pixels of a panel.
func (b *board) at(x, y float64) (float64, float64) {
	all, zoom := b.scene.Bounds(), float64(b.zoom)
	return (x - all.West - float64(b.west)) * zoom, (all.North - float64(b.north) - y) * zoom
}

// panel is a picture of the square: the colour of each metre, by its place in the grid of the whole scene.
func (b *board) panel(colour func(col, row int) color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			img.SetRGBA(x, y, colour(b.west+x/b.zoom, b.north+y/b.zoom))
		}
	}
	return img
}

// save puts panels beside each other into a file, a PNG or a JPEG by its name.
func (b *board) save(name string, panels ...*image.RGBA) error {
	all := image.NewRGBA(image.Rect(0, 0, len(panels)*(side+gap)-gap, side))
	draw.Draw(all, all.Bounds(), image.White, image.Point{}, draw.Src)
	for i, p := range panels {
		draw.Draw(all, image.Rect(i*(side+gap), 0, i*(side+gap)+side, side), p, image.Point{}, draw.Src)
	}
	f, err := os.Create(filepath.Join(b.out, name))
	if err != nil {
		return err
	}
	if filepath.Ext(name) == ".jpg" {
		return errors.Join(jpeg.Encode(f, all, &jpeg.Options{Quality: 88}), f.Close())
	}
	coder := png.Encoder{CompressionLevel: png.BestCompression}
	return errors.Join(coder.Encode(f, all), f.Close())
}

// shade is a grid lit from the north-west at 45 degrees, 0 to 1; unknown: 0.
func shade(g *raster.Grid, col, row int) float64 {
	if col < 1 || row < 1 || col > g.Cols-2 || row > g.Rows-2 {
		return 0.7
	}
	at := func(dx, dy int) float64 { return float64(g.Z[(row+dy)*g.Cols+col+dx]) }
	p := ((at(1, -1) + 2*at(1, 0) + at(1, 1)) - (at(-1, -1) + 2*at(-1, 0) + at(-1, 1))) / 8
	q := ((at(-1, -1) + 2*at(0, -1) + at(1, -1)) - (at(-1, 1) + 2*at(0, 1) + at(1, 1))) / 8
	light := (p*math.Sqrt(0.25) - q*math.Sqrt(0.25) + math.Sqrt(0.5)) / math.Sqrt(1+p*p+q*q)
	if !(light >= 0) {
		return 0
	}
	return math.Min(light, 1)
}

// mixed is a colour between two.
func mixed(a, b color.RGBA, t float64) color.RGBA {
	t = math.Max(0, math.Min(t, 1))
	of := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-t) + float64(b)*t)) }
	return color.RGBA{of(a.R, b.R), of(a.G, b.G), of(a.B, b.B), 255}
}

func rgb(v uint32) color.RGBA { return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255} }

// outline draws the border of an area into a panel, two pixels wide.
func (b *board) outline(img *image.RGBA, polygons []raster.Polygon, c color.RGBA) {
	for _, p := range polygons {
		for _, ring := range p {
			for i, v := range ring {
				next := ring[(i+1)%len(ring)]
				line(img, b.pixel(v), b.pixel(next), c)
			}
		}
	}
}

// pixel is a position in the pixels of a panel.
func (b *board) pixel(p raster.XY) (at raster.XY) {
	at.X, at.Y = b.at(p.X, p.Y)
	return at
}

// line draws a line between two places in pixels.
func line(img *image.RGBA, from, to raster.XY, c color.RGBA) {
	n := int(2*math.Max(math.Abs(to.X-from.X), math.Abs(to.Y-from.Y))) + 1
	for k := range n + 1 {
		t := float64(k) / float64(n)
		x, y := int(math.Floor(from.X+t*(to.X-from.X))), int(math.Floor(from.Y+t*(to.Y-from.Y)))
		for d := range 4 {
			if p := image.Pt(x+d%2, y+d/2); p.In(img.Rect) {
				img.SetRGBA(p.X, p.Y, c)
			}
		}
	}
}

// circle draws a circle around a place in EPSG:3035, a pixel wide.
func (b *board) circle(img *image.RGBA, x, y, radius float64, c color.RGBA) {
	px, py := b.at(x, y)
	radius *= float64(b.zoom)
	n := int(8*radius) + 8
	for k := range n {
		s, co := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		if p := image.Pt(int(math.Floor(px+radius*co)), int(math.Floor(py-radius*s))); p.In(img.Rect) {
			img.SetRGBA(p.X, p.Y, c)
		}
	}
}
