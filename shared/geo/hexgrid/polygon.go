package hexgrid

import (
	"fmt"
	"math"

	"mappe/shared/geo/geom"
)

// PolygonToCells are the cells of a resolution whose centre lies in a valid multipolygon, in ascending order.
// The centre is rounded to the grid of 1e-7 degrees, about a centimetre, and the test is the exact half-open
// one of geom: multipolygons that share borders share no cell and leave none out. H3 compares the centre
// unrounded and differs for centres within a centimetre of the border. A line between two vertices is
// straight in longitude and latitude. The multipolygon must not cross the date line. limit bounds the number
// of cells.
func PolygonToCells(m geom.MultiPolygon, res, limit int) ([]Cell, error) {
	if err := checkResolution(res, 0); err != nil {
		return nil, err
	}
	f := filler{index: geom.NewIndex(m), bounds: m.Bounds(), reach: reaches(), res: res, limit: limit}
	if f.bounds.Empty() {
		return nil, nil
	}
	for base := range BaseCells() {
		f.fill(base)
	}
	if len(f.cells) > limit {
		return nil, fmt.Errorf("%w: more than %d cells", ErrDomain, limit)
	}
	return f.cells, nil
}

// filler goes down from the base cells. Where no border of the multipolygon comes near the cells below a
// cell they are all inside or all outside.
type filler struct {
	index  *geom.Index
	bounds geom.Box
	reach  [MaxResolution + 1]float64
	res    int
	limit  int
	cells  []Cell
	found  []int32
}

func (f *filler) fill(c Cell) {
	if len(f.cells) > f.limit {
		return
	}
	at := c.faceIJ()
	centre := at.vec().latLng()
	if c.Resolution() == f.res {
		if f.index.Contains(centre.point()) {
			f.cells = append(f.cells, c)
		}
		return
	}
	box := centre.around(f.reach[c.Resolution()])
	if !box.Intersects(f.bounds) {
		return
	}
	if f.found, _ = f.index.Search(f.found[:0], box); len(f.found) > 0 {
		for child := range c.Children(c.Resolution() + 1) {
			f.fill(child)
		}
		return
	}
	if f.index.Contains(centre.point()) {
		for below := range c.Children(f.res) {
			if f.cells = append(f.cells, below); len(f.cells) > f.limit {
				return
			}
		}
	}
}

// point is the nearest point of the grid of 1e-7 degrees.
func (p LatLng) point() geom.Point {
	return geom.Point{X: int32(math.Round(p.Lng * geom.Scale)), Y: int32(math.Round(p.Lat * geom.Scale))}
}

// reaches tells by resolution how far in radians the centres of all cells below a cell may lie from its
// centre: the sum of the distances to the children, each a step of the finer grid, which are at most those
// at the middle of a face.
func reaches() (out [MaxResolution + 1]float64) {
	step := (3 - math.Sqrt(5)) / 2
	for res := range out {
		step /= math.Sqrt(7)
		out[res] = step / (1 - 1/math.Sqrt(7))
	}
	return out
}

// around is a box of the grid that holds everything within an angle of the position, and more: all
// longitudes where the angle reaches a pole or the date line.
func (p LatLng) around(angle float64) geom.Box {
	const slack = 2 // units, for rounding
	lat := angle / radian
	box := geom.Box{MinX: -180 * geom.Scale, MaxX: 180 * geom.Scale, MinY: -90 * geom.Scale, MaxY: 90 * geom.Scale}
	south, north := p.Lat-lat, p.Lat+lat
	box.MinY = max(box.MinY, int32(math.Floor(max(south, -90)*geom.Scale))-slack)
	box.MaxY = min(box.MaxY, int32(math.Ceil(min(north, 90)*geom.Scale))+slack)
	if south <= -90 || north >= 90 {
		return box
	}
	lng := math.Asin(min(1, math.Sin(angle)/math.Cos(p.Lat*radian))) / radian
	if p.Lng-lng <= -180 || p.Lng+lng >= 180 {
		return box
	}
	box.MinX = int32(math.Floor((p.Lng-lng)*geom.Scale)) - slack
	box.MaxX = int32(math.Ceil((p.Lng+lng)*geom.Scale)) + slack
	return box
}
