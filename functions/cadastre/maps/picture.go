package maps

import (
	"math"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/paint"
)

// picture is a rectangle of a system, drawn in pixels.
type picture struct {
	w, h   int
	system crs.System
	box    [4]float64 // west, south, east, north: x and y of the system
	// phase is where the hatching begins: the pixels of the diagonal through the north-western corner, so that it goes on from tile to
	// tile.
	phase int
}

// zoom is that of the map page with as many metres in a pixel, in the middle of the picture; NaN where the system has no place there.
func (v picture) zoom() float64 {
	mx := func(px, py float64) (x, y float64) {
		lon, lat := v.degrees(px, py)
		return crs.WebMercator.Forward(lon, lat)
	}
	cx, cy := float64(v.w)/2, float64(v.h)/2
	x0, y0 := mx(cx-0.5, cy-0.5)
	x1, y1 := mx(cx+0.5, cy+0.5)
	metres := math.Hypot(x1-x0, y1-y0) / math.Sqrt2
	const world = 2 * math.Pi * 6378137
	return math.Log2(world / (512 * metres))
}

// degrees is the place of a position in the picture.
func (v picture) degrees(px, py float64) (lon, lat float64) {
	return v.system.Inverse(v.box[0]+(v.box[2]-v.box[0])*px/float64(v.w), v.box[3]-(v.box[3]-v.box[1])*py/float64(v.h))
}

// place is where a place is in the picture.
func (v picture) place(lon, lat float64) paint.XY {
	x, y := v.system.Forward(lon, lat)
	return paint.XY{X: float32((x - v.box[0]) / (v.box[2] - v.box[0]) * float64(v.w)),
		Y: float32((v.box[3] - y) / (v.box[3] - v.box[1]) * float64(v.h))}
}

// sides is how many places of each side are asked for the box of a picture: a straight line in one system is a curve in another.
const sides = 16

// bounds is the box of the picture with so many pixels around it, empty where the system has no places there.
func (v picture) bounds(around float64) geom.Box {
	box := geom.EmptyBox
	w, h := float64(v.w)+2*around, float64(v.h)+2*around
	for i := range sides + 1 {
		f := float64(i) / sides
		for _, p := range [][2]float64{{f * w, 0}, {f * w, h}, {0, f * h}, {w, f * h}} {
			lon, lat := v.degrees(p[0]-around, p[1]-around)
			at, ok := geom.PointAt(max(-180, min(180, lon)), max(-90, min(90, lat)))
			if ok && !math.IsNaN(lon) && !math.IsNaN(lat) {
				box = box.Union(geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y})
			}
		}
	}
	return box
}

// warp is how the pixels of a tile come into the picture: exact at the corners of a grid of steps × steps fields, and straight within them.
type warp struct {
	steps int
	field float32 // its width in pixels of the tile
	nodes []paint.XY
}

// warpSteps are the fields of a side where the picture is not in the tiles' own system: at the lowest zoom a field is 20 km wide, in
// which a straight line of one system leaves that of another by some 10 m, a thirtieth of a pixel.
const warpSteps = 8

// at is where a position in the tile is in the picture.
func (w *warp) at(x, y float32) paint.XY {
	if w.steps == 1 {
		a, b, c := w.nodes[0], w.nodes[1], w.nodes[2]
		fx, fy := x/w.field, y/w.field
		return paint.XY{X: a.X + (b.X-a.X)*fx, Y: a.Y + (c.Y-a.Y)*fy}
	}
	n := w.steps
	i, j := min(max(int(x/w.field), 0), n-1), min(max(int(y/w.field), 0), n-1)
	fx, fy := x/w.field-float32(i), y/w.field-float32(j)
	a, b := w.nodes[j*(n+1)+i], w.nodes[j*(n+1)+i+1]
	c, d := w.nodes[(j+1)*(n+1)+i], w.nodes[(j+1)*(n+1)+i+1]
	mix := func(a, b, c, d float32) float32 {
		top, bottom := a+(b-a)*fx, c+(d-c)*fx
		return top + (bottom-top)*fy
	}
	return paint.XY{X: mix(a.X, b.X, c.X, d.X), Y: mix(a.Y, b.Y, c.Y, d.Y)}
}
