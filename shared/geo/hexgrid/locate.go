package hexgrid

import (
	"math"

	"mappe/shared/geo/geom"
)

// LatLng is a position in WGS84 degrees.
type LatLng struct{ Lat, Lng float64 }

// vec is a position in space on or near the unit sphere, whose x axis meets the equator at longitude 0.
type vec struct{ x, y, z float64 }

// Products are rounded before they are added, here and below, so that no processor fuses the two: cells and
// positions are the same on amd64 and arm64 but for the trigonometry of the math package.

func (a vec) dot(b vec) float64 { return float64(a.x*b.x) + float64(a.y*b.y) + float64(a.z*b.z) }

const radian = math.Pi / 180

func (p LatLng) vec() vec {
	sinLat, cosLat := math.Sincos(p.Lat * radian)
	sinLng, cosLng := math.Sincos(p.Lng * radian)
	return vec{cosLat * cosLng, cosLat * sinLng, sinLat}
}

// latLng is the position that the vector, of any length, points to.
func (a vec) latLng() LatLng {
	return LatLng{math.Atan2(a.z, math.Sqrt(a.x*a.x+a.y*a.y)) / radian, math.Atan2(a.y, a.x) / radian}
}

// face is a face of the icosahedron as a plane that the sphere is projected on from its middle.
type face struct {
	centre vec // where the plane touches the sphere
	toI    vec // product with a position, divided by that with centre: i in units of resolution 0
	toJ    vec
	alongI vec // a step of resolution 0 along the axes
	alongJ vec
}

// power7 are the lengths of a step of resolution 0 in the steps of the even resolutions: of 2n it is 7^n.
var power7 = [9]int32{1, 7, 49, 343, 2401, 16807, 117649, 823543, 5764801}

// evenUnit is power7 of a resolution or, where that is odd, of the next finer one.
func evenUnit(res int) int32 { return power7[(res+1)/2] }

// LatLngToCell is the cell of a resolution that holds a position. Positions beyond a pole or the date
// line are taken round the sphere.
func LatLngToCell(p LatLng, res int) (Cell, error) {
	if err := checkResolution(res, 0); err != nil {
		return 0, err
	}
	if d := p.Lat - p.Lng; d-d != 0 { // infinite or NaN
		return 0, ErrPosition
	}
	return locate(p.vec(), res), nil
}

// PointToCell is the cell of a resolution that holds a point of the grid of 1e-7 degrees.
func PointToCell(p geom.Point, res int) (Cell, error) {
	return LatLngToCell(LatLng{p.Lat(), p.Lon()}, res)
}

func locate(v vec, res int) Cell {
	n := nearestFace(v)
	f := &faces[n]
	scale := float64(evenUnit(res)) / v.dot(f.centre)
	i, j := v.dot(f.toI)*scale, v.dot(f.toJ)*scale
	if classIII(res) {
		i, j = (float64(2*i)+j)/7, (float64(3*j)-i)/7
	}
	return index(n, nearestIJ(i, j), res)
}

// nearestFace is the face whose centre is nearest. Each face lies opposite another: the largest of ten
// products, whatever its sign, tells it.
func nearestFace(v vec) int {
	best, top := 0, 0.0
	for k := range facePairs {
		d := v.dot(faces[facePairs[k][0]].centre)
		if a := math.Abs(d); a > top {
			top, best = a, 2*k
			if d < 0 {
				best++
			}
		}
	}
	return int(facePairs[best/2][best&1])
}

// nearestIJ is the hexagon that a position lies in. Of the three differences i, j-i and -j, which sum to
// 0, the one that rounding moved farthest follows from the others.
func nearestIJ(i, j float64) coordIJ {
	a, b, c := math.Floor(i+0.5), math.Floor(j-i+0.5), math.Floor(0.5-j)
	da, db, dc := math.Abs(a-i), math.Abs(b-(j-i)), math.Abs(c+j)
	switch {
	case da > db && da > dc:
		a = -b - c
	case db <= dc:
		c = -a - b
	}
	return coordIJ{int32(a), int32(-c)}
}

// index is the cell at a position of a face's grid of a resolution. The position lies on the face or not
// farther than a step from it.
func index(face int, at coordIJ, res int) Cell {
	top, path := at.ascend(res)
	s := &faceBaseCells[face][(top.i+2)*5+top.j+2]
	return cellOf(res, int(s.base), turn(path, s.turn[leading(path)]))
}

// faceBaseCell is the base cell at a position of resolution 0 on a face: how the face's digits turn to become
// those of the base cell, by the leading digit of the path. For hexagons all are equal.
type faceBaseCell struct {
	base uint8
	turn [7]uint8
}

// start is where the positions of a base cell's digits start: a face, a position there and the turn of the
// digits. Positions beyond the face are then moved to their own.
type start struct {
	face uint8
	turn uint8
	at   coordIJ
}

// faceIJ is the position of the cell's centre on its face, in the grid of its resolution or, where that is
// odd, of the next finer one.
func (c Cell) faceIJ() faceIJ {
	res, base, path := c.Resolution(), c.BaseCell(), c.path()
	s := &starts[base]
	pentagon, lead := isPentagonBase[base], 0
	if pentagon {
		lead = leading(path)
		s = &pentagonStarts[pentagonNumber[base]][lead]
	}
	p := faceIJ{int(s.face), s.at.descend(turn(path, s.turn), res), evenUnit(res)}
	if classIII(res) {
		p.at = p.at.downII()
	}
	if pentagon && lead == digitI { // both edges of this sector belong to the sectors beside it
		if e := p.at.farthest(); p.at.beyond(e) == 2*p.unit {
			p.cross(e)
		}
	}
	p.toOwnFace()
	return p
}

// vec is the position on the plane of the face, in space.
func (p *faceIJ) vec() vec {
	f, s := &faces[p.face], 1/float64(p.unit)
	return f.on(float64(p.at.i)*s, float64(p.at.j)*s)
}

// on is the position on the plane at (i, j) in units of resolution 0.
func (f *face) on(i, j float64) vec {
	return vec{
		f.centre.x + float64(i*f.alongI.x) + float64(j*f.alongJ.x),
		f.centre.y + float64(i*f.alongI.y) + float64(j*f.alongJ.y),
		f.centre.z + float64(i*f.alongI.z) + float64(j*f.alongJ.z),
	}
}

// LatLng is the cell's centre.
func (c Cell) LatLng() (LatLng, error) {
	if err := c.check(); err != nil {
		return LatLng{}, err
	}
	p := c.faceIJ()
	return p.vec().latLng(), nil
}
