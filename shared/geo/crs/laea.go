package crs

import "math"

// EPSG:3035: Lambert azimuthal equal area on GRS80, centre 52°N 10°E, false origin 4321000, 3210000.
const (
	laeaX0, laeaY0 = 4321000.0, 3210000.0
	laeaLat0       = 52 * degree
	laeaLon0       = 10 * degree
)

// laea holds the constants of Snyder's formulas (U.S.G.S. Professional Paper 1395, equations 24-14 ff).
var laea = func() (c struct{ e2, qp, rq, sb1, cb1, d, rqd, rqOverD float64 }) {
	c.e2 = grs80.e2()
	c.qp = authalicQ(1, c.e2)
	c.rq = grs80.a * math.Sqrt(c.qp/2)
	s, co := math.Sincos(laeaLat0)
	c.sb1 = authalicQ(s, c.e2) / c.qp
	c.cb1 = math.Sqrt(1 - c.sb1*c.sb1)
	c.d = grs80.a * co / math.Sqrt(1-c.e2*s*s) / (c.rq * c.cb1)
	c.rqd, c.rqOverD = c.rq*c.d, c.rq/c.d
	return c
}()

// authalicQ is q of the sine of the latitude. atanh(e s)/e is summed as its series: with e² = 0.0067
// seven terms reach 1e-16, in a tenth of the time of the logarithm.
func authalicQ(s, e2 float64) float64 {
	w := e2 * s * s
	series := 1 + w*(1./3+w*(1./5+w*(1./7+w*(1./9+w*(1./11+w*(1./13))))))
	return (1 - e2) * s * (1/(1-w) + series)
}

func laeaForward(lon, lat float64) (x, y float64) {
	c := &laea
	sb := authalicQ(math.Sin(lat), c.e2) / c.qp
	cb := math.Sqrt(max(0, 1-sb*sb))
	sl, cl := math.Sincos(lon - laeaLon0)
	b := math.Sqrt(2 / (1 + c.sb1*sb + c.cb1*cb*cl))
	return laeaX0 + c.rqd*b*cb*sl, laeaY0 + c.rqOverD*b*(c.cb1*sb-c.sb1*cb*cl)
}

func laeaInverse(x, y float64) (lon, lat float64) {
	c := &laea
	x, y = (x-laeaX0)/c.d, (y-laeaY0)*c.d
	rho := math.Hypot(x, y)
	if rho == 0 {
		return laeaLon0, laeaLat0
	}
	sc, cc := math.Sincos(2 * math.Asin(rho/(2*c.rq)))
	sb := cc*c.sb1 + y*sc*c.cb1/rho
	lon = laeaLon0 + math.Atan2(x*sc, rho*c.cb1*cc-y*c.sb1*sc)
	q := c.qp * sb
	lat = math.Asin(sb)
	// Newton on q(lat): dq/dlat = 2 (1-e²) cos lat / (1 - e² sin²)².
	for range 6 {
		s, co := math.Sincos(lat)
		w := 1 - c.e2*s*s
		step := (q - authalicQ(s, c.e2)) * w * w / (2 * (1 - c.e2) * co)
		lat += step
		if math.Abs(step) < 1e-15 {
			break
		}
	}
	return lon, lat
}
