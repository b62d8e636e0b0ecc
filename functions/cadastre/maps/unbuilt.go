package maps

import (
	"context"
	"image"
	"image/color"
	"slices"

	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/paint"
	"mappe/shared/web/endpoint"
)

// pUnbuilt says in a picture which KGs have no data.
var pUnbuilt = endpoint.Bool("unbuilt",
	"Hatches KGs without a snapshot, by the outlines of the register, in pictures that are not transparent.", endpoint.Default("true"))

// The hatching: its colour, the pixels between two of its lines along a row, and their width.
var inkUnbuilt = color.NRGBA{R: 0x8a, G: 0x8a, B: 0x8a, A: 150}

const (
	hatchStep  = 12
	hatchWidth = 1
	// mostHatched bounds the KGs of a picture that are hatched: of more it shows a part of the country, where borders are all
	// there is to see.
	mostHatched = 300
)

// hatch hatches the KGs without a snapshot that reach into a picture.
func (v picture) hatch(ctx context.Context, w *view.View, out *image.RGBA) error {
	if !(v.zoom() >= kgs.describedAs().zoom-1e-6) {
		return nil
	}
	var lines [][2]paint.XY
	n := 0
	for _, code := range w.KGsNear(v.bounds(0)) {
		outline := w.Register().Outline(code)
		if w.Warm(code) || len(outline) == 0 {
			continue
		}
		if n++; n > mostHatched {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		lines = append(lines, v.hatching(outline)...)
	}
	if len(lines) == 0 {
		return nil
	}
	rows := v.stripRows()
	c := paint.Strip(out, 0, rows)
	for top := 0; top < v.h; top += rows {
		c.Move(top, min(top+rows, v.h))
		from, to := c.Rows()
		for _, l := range lines {
			if min(l[0].Y, l[1].Y)-hatchWidth < to && max(l[0].Y, l[1].Y)+hatchWidth > from {
				c.Line(l[0], l[1], hatchWidth)
			}
		}
		c.Paint(inkUnbuilt)
	}
	return nil
}

// hatching are the pieces of the diagonals x + y + phase = k · hatchStep that lie in an outline and in the picture.
func (v picture) hatching(m geom.MultiPolygon) (lines [][2]paint.XY) {
	crossings := map[int][]float32{} // by k: x of where borders cross the diagonal
	for _, p := range m {
		for _, r := range p {
			last := r[len(r)-1]
			a := v.place(last.Lon(), last.Lat())
			for _, q := range r {
				b := v.place(q.Lon(), q.Lat())
				v.cross(crossings, a, b)
				a = b
			}
		}
	}
	for k, xs := range crossings {
		slices.Sort(xs)
		sum := float32(k*hatchStep - v.phase)
		low, high := max(0, sum-float32(v.h)), min(float32(v.w), sum)
		for i := 0; i+1 < len(xs); i += 2 {
			if x0, x1 := max(xs[i], low), min(xs[i+1], high); x0 < x1 {
				lines = append(lines, [2]paint.XY{{X: x0, Y: sum - x0}, {X: x1, Y: sum - x1}})
			}
		}
	}
	return lines
}

// cross notes where an edge crosses the diagonals of the picture.
func (v picture) cross(crossings map[int][]float32, a, b paint.XY) {
	shift := float32(v.phase)
	s, t := a.X+a.Y+shift, b.X+b.Y+shift
	if s == t {
		return
	}
	low, high := max(shift, min(s, t)), min(float32(v.w+v.h)+shift, max(s, t))
	for k := int(low / hatchStep); float32(k*hatchStep) < high; k++ {
		at := float32(k * hatchStep)
		if at < low || at < min(s, t) { // half-open: of two edges that meet on a diagonal one crosses it
			continue
		}
		crossings[k] = append(crossings[k], a.X+(b.X-a.X)*(at-s)/(t-s))
	}
}
