package hexgrid

import "math"

// earthRadius is the radius in metres of the sphere with the surface of the WGS84 ellipsoid; H3 measures
// on it. In Austria true areas and lengths differ from it by up to 0.3 %.
const earthRadius = 6371007.180918475

func (a vec) minus(b vec) vec { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }

func (a vec) cross(b vec) vec {
	return vec{
		float64(a.y*b.z) - float64(a.z*b.y),
		float64(a.z*b.x) - float64(a.x*b.z),
		float64(a.x*b.y) - float64(a.y*b.x),
	}
}

func (a vec) unit() vec {
	n := 1 / math.Sqrt(a.dot(a))
	return vec{a.x * n, a.y * n, a.z * n}
}

// AreaM2 is the area of the cell on the sphere in m².
func (c Cell) AreaM2() (float64, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	var room [10]vec
	border, _ := c.border(room[:0])
	p := c.faceIJ()
	centre, sum := p.vec().unit(), 0.0
	last := border[len(border)-1].unit()
	for _, b := range border {
		b = b.unit()
		sum += solidAngle(centre, last, b)
		last = b
	}
	return sum * earthRadius * earthRadius, nil
}

// solidAngle is the area of a small triangle on the unit sphere (Van Oosterom and Strackee). The volume
// is taken of differences from the first corner: cells of a metre keep their digits.
func solidAngle(a, b, c vec) float64 {
	volume := a.dot(b.minus(a).cross(c.minus(a)))
	return 2 * math.Atan2(volume, 1+a.dot(b)+b.dot(c)+c.dot(a))
}

// SideLengthsM are the lengths in metres on the sphere of the sides of the cell, counter-clockwise from
// the first position of Boundary: six, five of a pentagon. A side that bends counts as a whole.
func (c Cell) SideLengthsM() ([]float64, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	var room [10]vec
	border, bends := c.border(room[:0])
	out := make([]float64, 0, 6)
	for k, b := range border {
		length := distance(b.unit(), border[(k+1)%len(border)].unit()) * earthRadius
		if bends>>k&1 != 0 {
			out[len(out)-1] += length
		} else {
			out = append(out, length)
		}
	}
	return out, nil
}

// distance is the angle between two unit vectors.
func distance(a, b vec) float64 {
	d := a.minus(b)
	return 2 * math.Asin(math.Sqrt(d.dot(d))/2)
}
