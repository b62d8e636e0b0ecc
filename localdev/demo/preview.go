package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"slices"

	"mappe/localdev/demo/planar"
	"mappe/localdev/demo/world"
)

// View is a stretch of the country to draw: its middle in degrees, its width in metres, and the size of
// the picture in pixels.
type View struct {
	Lon, Lat      float64
	Metres        float64
	Width, Height int
}

// WholeCountry is the view that shows everything.
func WholeCountry(width int) View {
	return View{Lon: 13.28, Lat: 47.3195, Metres: 12100, Width: width, Height: width * 4 / 5}
}

var coverColors = map[uint8]color.RGBA{
	41: {150, 60, 50, 255}, 42: {205, 205, 210, 255}, 48: {232, 238, 185, 255}, 52: {205, 228, 170, 255}, 54: {196, 212, 150, 255},
	55: {150, 180, 120, 255}, 56: {122, 168, 108, 255}, 58: {232, 222, 190, 255}, 59: {95, 145, 212, 255}, 60: {95, 145, 212, 255},
	61: {150, 195, 190, 255}, 63: {208, 186, 212, 255}, 72: {160, 185, 150, 255}, 83: {215, 206, 200, 255}, 84: {205, 185, 145, 255},
	87: {196, 191, 186, 255}, 88: {238, 246, 253, 255}, 92: {125, 125, 135, 255}, 95: {252, 252, 250, 255}, 96: {150, 220, 150, 255},
}

// Preview draws the country as a shaded map with parcels and buildings, as PNG.
func Preview(out io.Writer, w *world.World, v View) error {
	c := &canvas{img: image.NewRGBA(image.Rect(0, 0, v.Width, v.Height)), step: v.Metres / float64(v.Width)}
	mid := world.Place(v.Lon, v.Lat)
	c.left, c.top = mid.X-v.Metres/2, mid.Y+c.step*float64(v.Height)/2
	for i := range c.img.Pix {
		c.img.Pix[i] = 255
	}
	for _, u := range w.Uses {
		c.fill(u.Shape, 2, coverColors[u.NS])
	}
	c.shade(w)
	for _, f := range w.Footprints {
		c.fill(f.Shape, 2, coverColors[41])
	}
	for _, p := range w.Parcels {
		for _, part := range p.Parts {
			c.outline(part, 1, 0.62)
		}
	}
	for _, parts := range w.Outlines {
		for _, part := range parts {
			c.outline(part, 1, 0.25)
		}
	}
	return png.Encode(out, c.img)
}

// PreviewFile makes the country and draws a view of it into a PNG file.
func PreviewFile(name string, v View) error {
	w, err := world.Build(nil)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := Preview(&b, w, v); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// canvas is a picture over a piece of the plane.
type canvas struct {
	img             *image.RGBA
	left, top, step float64
}

// pixel is the position of a grid point in pixels.
func (c *canvas) pixel(q planar.Pt, scale float64) (x, y float64) {
	return (float64(q.X)/scale*world.Unit - c.left) / c.step, (c.top - float64(q.Y)/scale*world.Unit) / c.step
}

// fill paints the inside of a polygon line by line.
func (c *canvas) fill(p planar.Poly, scale float64, col color.RGBA) {
	b := c.img.Bounds()
	lo, hi := p.Bounds()
	_, y1 := c.pixel(lo, scale)
	_, y0 := c.pixel(hi, scale)
	for y := max(0, int(y0)); y <= min(b.Max.Y-1, int(y1)+1); y++ {
		fy := float64(y) + 0.5
		var xs []float64
		for _, r := range p {
			ax, ay := c.pixel(r[len(r)-1], scale)
			for _, q := range r {
				bx, by := c.pixel(q, scale)
				if (ay > fy) != (by > fy) {
					xs = append(xs, ax+(fy-ay)*(bx-ax)/(by-ay))
				}
				ax, ay = bx, by
			}
		}
		slices.Sort(xs)
		for i := 0; i+1 < len(xs); i += 2 {
			for x := max(0, int(math.Ceil(xs[i]-0.5))); x < min(b.Max.X, int(math.Ceil(xs[i+1]-0.5))); x++ {
				c.img.SetRGBA(x, y, col)
			}
		}
	}
}

// shade darkens the slopes turned from the light in the north-west.
func (c *canvas) shade(w *world.World) {
	const cell = 4
	b := c.img.Bounds()
	cols := b.Max.X/cell + 2
	h := make([]float64, cols*(b.Max.Y/cell+2))
	at := func(x, y int) float64 { return h[y*cols+x] }
	for i := range h {
		h[i] = w.Height(world.P{X: c.left + float64(i%cols*cell)*c.step, Y: c.top - float64(i/cols*cell)*c.step})
	}
	for y := range b.Max.Y {
		for x := range b.Max.X {
			i, j := x/cell, y/cell
			dx := (at(i+1, j) - at(i, j)) / (cell * c.step)
			dy := (at(i, j+1) - at(i, j)) / (cell * c.step)
			l := 0.97 + 0.4*(dx+dy)/math.Sqrt(1+dx*dx+dy*dy)
			c.darken(x, y, min(1.1, max(0.5, l)))
		}
	}
}

func (c *canvas) darken(x, y int, f float64) {
	p := c.img.RGBAAt(x, y)
	m := func(v uint8) uint8 { return uint8(min(255, float64(v)*f)) }
	c.img.SetRGBA(x, y, color.RGBA{m(p.R), m(p.G), m(p.B), 255})
}

// outline darkens the pixels along the rings once each.
func (c *canvas) outline(p planar.Poly, scale, f float64) {
	for _, r := range p {
		ax, ay := c.pixel(r[len(r)-1], scale)
		for _, q := range r {
			bx, by := c.pixel(q, scale)
			n := int(max(math.Abs(bx-ax), math.Abs(by-ay))) + 1
			for i := range n {
				t := float64(i) / float64(n)
				x, y := ax+t*(bx-ax), ay+t*(by-ay)
				if image.Pt(int(x), int(y)).In(c.img.Bounds()) && x >= 0 && y >= 0 {
					c.darken(int(x), int(y), f)
				}
			}
			ax, ay = bx, by
		}
	}
}
