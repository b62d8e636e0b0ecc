// Package paint draws polygons, lines and short texts into a picture, with edges smoothed by the share of each pixel that they cover. It
// knows pixels only: x to the right, y down, the corner of the first pixel is 0,0. It owns the letters of the pictures; what is drawn,
// where and in which colour is the caller's.
//
// A Canvas may show a strip of a larger picture: positions are those of the picture. Shapes are gathered by Area and Line and come onto the
// picture by Paint, all at once: where several cover a pixel together its share is their sum, at most the whole. So shapes of one colour
// that touch leave no seam, and shapes that lie over each other do not darken.
//
// The share is exact for straight edges: each edge adds, to every pixel of its rows, the area between it and the right side of the
// picture, signed by its direction. A ring that turns the other way, as a hole does, takes its share away.
package paint

import (
	"image"
	"image/color"
	"math"
)

// XY is a position in pixels.
type XY struct{ X, Y float32 }

// Canvas is a picture, or a strip of one from row Top on. It belongs to one goroutine.
type Canvas struct {
	Picture *image.RGBA
	Top     int

	w, h   int
	stride int
	share  []float32
	// rows and columns that hold shares: from lowX to the right, from lowY up to highY
	lowX, lowY, highY int
	quad              [4]XY
	mix               []mixed // of each pixel; nil until Mix is asked for
}

// mixed is the sum of the colours of a pixel, each times its share, and of the shares.
type mixed struct{ r, g, b, share float32 }

// Strip is a canvas over the rows from top up to bottom of a picture.
func Strip(picture *image.RGBA, top, bottom int) *Canvas {
	w, h := picture.Rect.Dx(), bottom-top
	c := &Canvas{Picture: picture, Top: top, w: w, h: h, stride: w + 2}
	c.share = make([]float32, c.stride*h)
	c.fresh()
	return c
}

// Move takes the canvas to other rows of its picture, at most as many as it was made for, and keeps its memory. What was added before has
// to be painted.
func (c *Canvas) Move(top, bottom int) {
	c.Top, c.h = top, bottom-top
	c.fresh()
}

// New is a canvas over a whole new picture that shows nothing.
func New(width, height int) *Canvas {
	return Strip(image.NewRGBA(image.Rect(0, 0, width, height)), 0, height)
}

func (c *Canvas) fresh() { c.lowX, c.lowY, c.highY = c.w, c.h, 0 }

// Rows are the rows of the canvas, from and up to, for callers that leave out what lies elsewhere.
func (c *Canvas) Rows() (from, to float32) { return float32(c.Top), float32(c.Top + c.h) }

// Area adds a ring, closed or not.
func (c *Canvas) Area(ring []XY) {
	if len(ring) < 3 {
		return
	}
	last := ring[len(ring)-1]
	for _, p := range ring {
		c.edge(last, p)
		last = p
	}
}

// Line adds a straight line of a width that ends at its ends; Join closes the corner between two.
func (c *Canvas) Line(a, b XY, width float32) {
	dx, dy := b.X-a.X, b.Y-a.Y
	length := float32(math.Hypot(float64(dx), float64(dy)))
	if length == 0 {
		return
	}
	half := width / 2
	nx, ny := -dy/length*half, dx/length*half
	c.quad = [4]XY{{a.X + nx, a.Y + ny}, {b.X + nx, b.Y + ny}, {b.X - nx, b.Y - ny}, {a.X - nx, a.Y - ny}}
	c.Area(c.quad[:])
}

// Join adds what two lines of a width leave open on the outer side of the corner where they meet.
func (c *Canvas) Join(a, corner, b XY, width float32) {
	ux, uy := corner.X-a.X, corner.Y-a.Y
	vx, vy := b.X-corner.X, b.Y-corner.Y
	lu, lv := float32(math.Hypot(float64(ux), float64(uy))), float32(math.Hypot(float64(vx), float64(vy)))
	cross := ux*vy - uy*vx
	if lu == 0 || lv == 0 || cross == 0 {
		return
	}
	half := width / 2
	if cross > 0 {
		half = -half
	}
	p, q := XY{corner.X - uy/lu*half, corner.Y + ux/lu*half}, XY{corner.X - vy/lv*half, corner.Y + vx/lv*half}
	if cross > 0 { // as the lines' own rings run
		p, q = q, p
	}
	c.quad = [4]XY{corner, p, q, corner}
	c.Area(c.quad[:3])
}

// farthest is how far positions may lie from the picture: edges beyond it are left out.
const farthest = 1e7

// edge adds the share of an edge.
func (c *Canvas) edge(a, b XY) {
	a.Y, b.Y = a.Y-float32(c.Top), b.Y-float32(c.Top)
	sign := float32(1)
	if a.Y > b.Y {
		a, b, sign = b, a, -1
	}
	h := float32(c.h)
	if !(b.Y > 0) || !(a.Y < h) || a.Y == b.Y || !(abs(a.X) < farthest) || !(abs(b.X) < farthest) || !(b.Y-a.Y < farthest) { // NaN too
		return
	}
	slope := (b.X - a.X) / (b.Y - a.Y)
	x, y := a.X, a.Y
	if y < 0 {
		x, y = x-y*slope, 0
	}
	bottom := min(b.Y, h)
	if min(x, x+(bottom-y)*slope) >= float32(c.w) {
		return
	}
	row := int(y)
	c.lowY, c.highY = min(c.lowY, row), max(c.highY, min(c.h, int(bottom)+1))
	for ; row < c.h && y < bottom; row++ {
		next := min(float32(row+1), bottom)
		dy := next - y
		nextX := x + dy*slope
		c.span(row, x, nextX, dy*sign)
		x, y = nextX, next
	}
}

// span adds the share of the part of an edge in one row: d is its signed height, x0 and x1 where it enters and leaves.
func (c *Canvas) span(row int, x0, x1, d float32) {
	if x0 > x1 {
		x0, x1 = x1, x0
	}
	w := float32(c.w)
	if x0 >= w {
		return
	}
	x0, x1 = max(x0, 0), min(max(x1, 0), w)
	line := c.share[row*c.stride : (row+1)*c.stride]
	first := int(x0)
	c.lowX = min(c.lowX, first)
	f0 := float32(first)
	if x1 <= f0+1 { // within one pixel
		part := d * ((x0+x1)/2 - f0)
		line[first] += d - part
		line[first+1] += part
		return
	}
	inv := 1 / (x1 - x0)
	left := f0 + 1 - x0
	a := 0.5 * inv * left * left // share of the first pixel
	line[first] += d * a
	lastX := int(x1)
	if float32(lastX) == x1 {
		lastX--
	}
	right := x1 - float32(lastX)
	am := 0.5 * inv * right * right // what the last pixel lacks of the whole
	if lastX == first+1 {
		line[first+1] += d * (1 - a - am)
	} else {
		a1 := inv * (1.5 - (x0 - f0))
		line[first+1] += d * (a1 - a)
		for x := first + 2; x < lastX; x++ {
			line[x] += d * inv
		}
		a2 := a1 + float32(lastX-first-2)*inv
		line[lastX] += d * (1 - a2 - am)
	}
	line[lastX+1] += d * am
}

// Paint brings what was added onto the picture in a colour, and begins anew.
func (c *Canvas) Paint(of color.NRGBA) {
	c.PaintAs(func(int, int) color.NRGBA { return of })
}

// PaintAs is Paint with a colour for each pixel of the picture, as a pattern has it.
func (c *Canvas) PaintAs(of func(x, y int) color.NRGBA) {
	for row := c.lowY; row < c.highY; row++ {
		line := c.share[row*c.stride : (row+1)*c.stride]
		pix := c.Picture.Pix[c.Picture.PixOffset(0, c.Top+row):]
		sum := float32(0)
		for x := c.lowX; x < c.w; x++ {
			sum += line[x]
			line[x] = 0
			if share := abs(sum); share > 1.0/512 {
				over(pix[4*x:4*x+4:4*x+4], of(x, c.Top+row), min(share, 1))
			}
		}
		line[c.w], line[c.w+1] = 0, 0
	}
	c.fresh()
}

func abs(v float32) float32 { return max(v, -v) }

// over lays a colour over a pixel, which is premultiplied.
func over(pix []byte, of color.NRGBA, share float32) {
	alpha := uint32(share*float32(of.A) + 0.5) // 0 to 255
	if alpha == 255 {
		pix[0], pix[1], pix[2], pix[3] = of.R, of.G, of.B, 255
		return
	}
	rest := 255 - alpha
	pix[0] = byte((uint32(of.R)*alpha + uint32(pix[0])*rest + 127) / 255)
	pix[1] = byte((uint32(of.G)*alpha + uint32(pix[1])*rest + 127) / 255)
	pix[2] = byte((uint32(of.B)*alpha + uint32(pix[2])*rest + 127) / 255)
	pix[3] = byte((255*alpha + uint32(pix[3])*rest + 127) / 255)
}

// Mix keeps what was added in a colour for PaintMix, and begins anew. Shapes of several colours that touch leave no seam there: a pixel
// takes the mean of their colours by their shares. The colour's own opacity is passed over.
func (c *Canvas) Mix(of color.NRGBA) {
	if c.mix == nil {
		c.mix = make([]mixed, c.w*c.h)
	}
	r, g, b := float32(of.R), float32(of.G), float32(of.B)
	for row := c.lowY; row < c.highY; row++ {
		line := c.share[row*c.stride : (row+1)*c.stride]
		to := c.mix[row*c.w : (row+1)*c.w]
		sum := float32(0)
		for x := c.lowX; x < c.w; x++ {
			sum += line[x]
			line[x] = 0
			if share := min(abs(sum), 1); share > 1.0/512 {
				m := &to[x]
				m.r, m.g, m.b, m.share = m.r+share*r, m.g+share*g, m.b+share*b, m.share+share
			}
		}
		line[c.w], line[c.w+1] = 0, 0
	}
	c.fresh()
}

// whole is the sum of shares that is taken for a covered pixel: neighbours that were put on a grid may miss each other by a little.
const whole = 0.98

// PaintMix brings what Mix kept onto the picture with an opacity of up to 1, and begins anew.
func (c *Canvas) PaintMix(opacity float32) {
	if c.mix == nil {
		return
	}
	for row := range c.h {
		pix := c.Picture.Pix[c.Picture.PixOffset(0, c.Top+row):]
		line := c.mix[row*c.w : (row+1)*c.w]
		for x, m := range line {
			if m.share <= 0 {
				continue
			}
			line[x] = mixed{}
			of := color.NRGBA{R: byte(m.r/m.share + 0.5), G: byte(m.g/m.share + 0.5), B: byte(m.b/m.share + 0.5), A: 255}
			share := m.share
			if share > whole {
				share = 1
			}
			over(pix[4*x:4*x+4:4*x+4], of, share*opacity)
		}
	}
}
