package preview

import (
	"math"
	"strconv"
)

// outline collects a glyph as SVG path data in whole font units, each step from where the last ended.
type outline struct {
	b          []byte
	x, y       int // where the pen is
	x0, y0     int // where the contour began
	open       bool
	last       byte // the letter of the step before; it need not be said again
	wantsSpace bool
}

func whole(v float32) int { return int(math.Round(float64(v))) }

// letter begins a step.
func (o *outline) letter(c byte) {
	if c != o.last {
		o.b = append(o.b, c)
		o.last, o.wantsSpace = c, false
	}
}

// step appends numbers; a minus parts them as well as a space.
func (o *outline) step(vs ...int) {
	for _, v := range vs {
		if o.wantsSpace && v >= 0 {
			o.b = append(o.b, ' ')
		}
		o.b = strconv.AppendInt(o.b, int64(v), 10)
		o.wantsSpace = true
	}
}

func (o *outline) end() {
	if o.open {
		o.b = append(o.b, 'z')
		o.last, o.open = 'z', false
		o.x, o.y = o.x0, o.y0
	}
}

// MoveTo begins a contour.
func (o *outline) MoveTo(x, y float32) {
	o.end()
	nx, ny := whole(x), whole(y)
	o.last = 0
	o.letter('m')
	o.step(nx-o.x, ny-o.y)
	o.x, o.y, o.x0, o.y0 = nx, ny, nx, ny
	o.last, o.open = 0, true
}

// LineTo draws a line.
func (o *outline) LineTo(x, y float32) {
	nx, ny := whole(x), whole(y)
	switch {
	case nx == o.x && ny == o.y:
	case ny == o.y:
		o.letter('h')
		o.step(nx - o.x)
	case nx == o.x:
		o.letter('v')
		o.step(ny - o.y)
	default:
		o.letter('l')
		o.step(nx-o.x, ny-o.y)
	}
	o.x, o.y = nx, ny
}

// QuadTo draws a curve with one control point.
func (o *outline) QuadTo(x1, y1, x, y float32) {
	nx, ny := whole(x), whole(y)
	o.letter('q')
	o.step(whole(x1)-o.x, whole(y1)-o.y, nx-o.x, ny-o.y)
	o.x, o.y = nx, ny
}

// CubeTo draws a curve with two control points.
func (o *outline) CubeTo(x1, y1, x2, y2, x, y float32) {
	nx, ny := whole(x), whole(y)
	o.letter('c')
	o.step(whole(x1)-o.x, whole(y1)-o.y, whole(x2)-o.x, whole(y2)-o.y, nx-o.x, ny-o.y)
	o.x, o.y = nx, ny
}

// close ends the outline; "" where nothing was drawn.
func (o *outline) close() string {
	o.end()
	return string(o.b)
}
