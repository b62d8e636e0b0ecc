package crs

import "math"

// ellipsoid holds the axes and what the projections need of them.
type ellipsoid struct{ a, f float64 }

var (
	grs80  = ellipsoid{6378137, 1 / 298.257222101}
	wgs84  = ellipsoid{6378137, 1 / 298.257223563}
	bessel = ellipsoid{6377397.155, 1 / 299.1528128}
)

func (e ellipsoid) e2() float64 { return e.f * (2 - e.f) }

// radii are the radii of curvature at a latitude in the meridian and in the prime vertical, and the
// latitude's sine and cosine.
func (e ellipsoid) radii(lat float64) (m, n, sin, cos float64) {
	sin, cos = math.Sincos(lat)
	w := 1 - e.e2()*sin*sin
	n = e.a / math.Sqrt(w)
	return n * (1 - e.e2()) / w, n, sin, cos
}

// geocentric is the position in space of a point on the ellipsoid.
func (e ellipsoid) geocentric(lon, lat float64) (x, y, z float64) {
	sl, cl := math.Sincos(lat)
	so, co := math.Sincos(lon)
	n := e.a / math.Sqrt(1-e.e2()*sl*sl)
	return n * cl * co, n * cl * so, n * (1 - e.e2()) * sl
}

// geodetic is Bowring's formula, repeated until the reduced latitude stands still; heights within some
// kilometres of the ellipsoid need two rounds.
func (e ellipsoid) geodetic(x, y, z float64) (lon, lat float64) {
	e2 := e.e2()
	b := e.a * (1 - e.f)
	ep2 := e2 / (1 - e2)
	p := math.Hypot(x, y)
	u := math.Atan2(z*e.a, p*b)
	for range 4 {
		su, cu := math.Sincos(u)
		lat = math.Atan2(z+ep2*b*su*su*su, p-e2*e.a*cu*cu*cu)
		next := math.Atan((1 - e.f) * math.Tan(lat))
		if math.Abs(next-u) < 1e-15 {
			break
		}
		u = next
	}
	return math.Atan2(y, x), lat
}

// isometric is the isometric latitude: atanh(sin lat) - e atanh(e sin lat).
func (e ellipsoid) isometric(lat float64) float64 {
	s := math.Sin(lat)
	k := math.Sqrt(e.e2())
	return math.Atanh(s) - k*math.Atanh(k*s)
}

// latitude inverts isometric; each round gains a factor of about 1/e² = 150. In the end the rounds stand still, or go to and fro
// between two numbers, of which the twelfth round's counts.
func (e ellipsoid) latitude(q float64) float64 {
	k := math.Sqrt(e.e2())
	s, before := math.Tanh(q), math.Inf(1)
	for left := 11; left >= 0; left-- {
		next := math.Tanh(q + k*math.Atanh(k*s))
		if math.Abs(next-s) < 1e-16 {
			s = next
			break
		}
		if next == before {
			if left%2 == 0 {
				s = next
			}
			break
		}
		s, before = next, s
	}
	return math.Asin(s)
}
