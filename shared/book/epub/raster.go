package epub

import (
	"math"
	"slices"
)

// raster fills outlines. All positions are integers of 1/64 pixel and areas are sums of integers, so that
// the picture has the same bytes on every processor. It has the methods of font.Path.
type raster struct {
	width, height int
	rows          [][]crossing // of each quarter of a pixel row

	x, y         int64 // 1/64 pixel, where font units 0,0 come to lie
	size, em     int64 // pixels of an em, font units of an em
	at, from     point
	outlineBegun bool
}

type point struct{ x, y int64 }

// crossing is where an outline crosses a quarter row, and whether downwards or upwards.
type crossing struct{ x, winding int32 }

const (
	sub      = 64 // units of a pixel
	quarters = 4  // lines a pixel row is sampled in
)

func newRaster(width, height int) *raster {
	return &raster{width: width, height: height, rows: make([][]crossing, height*quarters)}
}

// point turns font units into 1/64 pixel. Fonts give halves and quarters of units at most.
func (r *raster) point(x, y float32) point {
	fx, fy := int64(math.Round(float64(x)*16)), int64(math.Round(float64(y)*16))
	return point{r.x + fx*r.size*sub/(16*r.em), r.y - fy*r.size*sub/(16*r.em)}
}

// MoveTo begins an outline.
func (r *raster) MoveTo(x, y float32) {
	r.closed()
	r.at = r.point(x, y)
	r.from, r.outlineBegun = r.at, true
}

// LineTo draws a straight line.
func (r *raster) LineTo(x, y float32) { r.line(r.point(x, y)) }

// QuadTo draws a quadratic curve.
func (r *raster) QuadTo(x1, y1, x, y float32) {
	a, b, c := r.at, r.point(x1, y1), r.point(x, y)
	const n = 12
	for i := int64(1); i <= n; i++ {
		j := n - i
		r.line(point{(a.x*j*j + 2*b.x*i*j + c.x*i*i) / (n * n), (a.y*j*j + 2*b.y*i*j + c.y*i*i) / (n * n)})
	}
}

// CubeTo draws a cubic curve.
func (r *raster) CubeTo(x1, y1, x2, y2, x, y float32) {
	a, b, c, d := r.at, r.point(x1, y1), r.point(x2, y2), r.point(x, y)
	const n = 16
	for i := int64(1); i <= n; i++ {
		j := n - i
		r.line(point{
			(a.x*j*j*j + 3*b.x*i*j*j + 3*c.x*i*i*j + d.x*i*i*i) / (n * n * n),
			(a.y*j*j*j + 3*b.y*i*j*j + 3*c.y*i*i*j + d.y*i*i*i) / (n * n * n),
		})
	}
}

func (r *raster) closed() {
	if r.outlineBegun {
		r.line(r.from)
	}
	r.outlineBegun = false
}

// line notes where a line crosses the quarter rows.
func (r *raster) line(to point) {
	a, b, winding := r.at, to, int32(1)
	r.at = to
	if a.y > b.y {
		a, b, winding = b, a, -1
	}
	const step = sub / quarters
	first := max((a.y+step-1-step/2)/step, 0) // the first row whose middle is at a.y or below
	for q := first; q < int64(len(r.rows)) && q*step+step/2 < b.y; q++ {
		y := q*step + step/2
		if y < a.y {
			continue
		}
		x := a.x + (b.x-a.x)*(y-a.y)/(b.y-a.y)
		r.rows[q] = append(r.rows[q], crossing{int32(min(max(x, 0), int64(r.width*sub))), winding})
	}
}

// rectangle fills a rectangle given in pixels.
func (r *raster) rectangle(x, y, w, h int) {
	r.closed()
	r.at = point{int64(x) * sub, int64(y) * sub}
	r.from, r.outlineBegun = r.at, true
	r.line(point{int64(x+w) * sub, int64(y) * sub})
	r.line(point{int64(x+w) * sub, int64(y+h) * sub})
	r.line(point{int64(x) * sub, int64(y+h) * sub})
	r.closed()
}

// shades gives how much of each pixel is covered, in steps from 0 to most; each row in turn.
func (r *raster) shades(most int, row func(y int, shades []uint8)) {
	r.closed()
	sum, out := make([]int32, r.width+1), make([]uint8, r.width)
	for y := range r.height {
		clear(sum)
		for _, c := range r.rows[y*quarters : (y+1)*quarters] {
			slices.SortFunc(c, func(a, b crossing) int { return int(a.x - b.x) })
			winding := int32(0)
			for i := range c {
				if winding != 0 {
					addSpan(sum, c[i-1].x, c[i].x)
				}
				winding += c[i].winding
			}
		}
		for x := range out {
			out[x] = uint8((int(sum[x])*most + sub*quarters/2) / (sub * quarters))
		}
		row(y, out)
	}
}

// addSpan adds what lies between two positions to the pixels there.
func addSpan(sum []int32, from, to int32) {
	for from < to {
		pixel := from / sub
		end := min((pixel+1)*sub, to)
		sum[pixel] += end - from
		from = end
	}
}
