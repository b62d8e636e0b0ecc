package crs

import "math"

// conic is a Lambert conformal conic with two standard parallels (Snyder, equations 15-1 ff).
type conic struct {
	e            ellipsoid
	lon0, x0, y0 float64
	n, af, rho0  float64
}

var (
	lambertMGI    = newConic(bessel, austriaLambert)
	lambertETRS89 = newConic(grs80, austriaLambert)
)

// lambert are the parameters of a projection: radians, and metres of the false origin.
type lambert struct {
	lon0, lat0 float64 // origin
	lat1, lat2 float64 // standard parallels
	x0, y0     float64
}

// austriaLambert are those of EPSG:31287 and EPSG:3416.
var austriaLambert = lambert{13.3333333333333 * degree, 47.5 * degree, 49 * degree, 46 * degree, 400000, 400000}

func newConic(e ellipsoid, l lambert) conic {
	m := func(lat float64) float64 {
		s, co := math.Sincos(lat)
		return co / math.Sqrt(1-e.e2()*s*s)
	}
	q1, q2 := e.isometric(l.lat1), e.isometric(l.lat2)
	n := math.Log(m(l.lat1)/m(l.lat2)) / (q2 - q1)
	af := e.a * m(l.lat1) * math.Exp(n*q1) / n
	return conic{e, l.lon0, l.x0, l.y0, n, af, af * math.Exp(-n*e.isometric(l.lat0))}
}

func (c *conic) forward(lon, lat float64) (x, y float64) {
	rho := c.af * math.Exp(-c.n*c.e.isometric(lat))
	s, co := math.Sincos(c.n * (lon - c.lon0))
	return c.x0 + rho*s, c.y0 + c.rho0 - rho*co
}

func (c *conic) inverse(x, y float64) (lon, lat float64) {
	x, y = x-c.x0, c.rho0-(y-c.y0)
	return c.lon0 + math.Atan2(x, y)/c.n, c.e.latitude(-math.Log(math.Hypot(x, y)/c.af) / c.n)
}

// transverse is a transverse Mercator by Krüger's series.
type transverse struct {
	e                 ellipsoid
	k                 krueger
	lon0, scale, x, y float64 // radians, and metres of the false origin
}

// Gauss-Krüger of the survey office: Bessel, scale 1, false northing -5,000,000 m, meridians 28, 31 and
// 34 degrees east of Ferro, that is 10°20', 13°20' and 16°20' east of Greenwich. UTM: scale 0.9996, false easting
// 500,000 m.
const (
	gkNorthing = -5000000.0
	utmScale   = 0.9996
	utmEasting = 500000.0
)

var (
	zoneWest = gaussKrueger(28)
	zoneMid  = gaussKrueger(31)
	zoneEast = gaussKrueger(34)
	utm32    = utm(grs80, 9)
	utm33    = utm(grs80, 15)
	utm32WGS = utm(wgs84, 9)
	utm33WGS = utm(wgs84, 15)
)

func gaussKrueger(ferro int) *transverse {
	return &transverse{bessel, newKrueger(bessel), (float64(ferro) - 17.6666666666667) * degree, 1, 0, gkNorthing}
}

func utm(e ellipsoid, meridian float64) *transverse {
	return &transverse{e, newKrueger(e), meridian * degree, utmScale, utmEasting, 0}
}

// krueger holds the coefficients of Krüger's series in the third flattening n to n⁴; the first term left
// out is below 1e-7 m.
type krueger struct {
	a           float64
	alpha, beta [4]float64
}

func newKrueger(e ellipsoid) (k krueger) {
	n := e.f / (2 - e.f)
	n2, n3, n4 := n*n, n*n*n, n*n*n*n
	k.a = e.a / (1 + n) * (1 + n2/4 + n4/64)
	k.alpha = [4]float64{
		n/2 - 2*n2/3 + 5*n3/16 + 41*n4/180,
		13*n2/48 - 3*n3/5 + 557*n4/1440,
		61*n3/240 - 103*n4/140,
		49561 * n4 / 161280,
	}
	k.beta = [4]float64{
		n/2 - 2*n2/3 + 37*n3/96 - n4/360,
		n2/48 + n3/15 - 437*n4/1440,
		17*n3/480 - 37*n4/840,
		4397 * n4 / 161280,
	}
	return k
}

func (m *transverse) forward(lon, lat float64) (x, y float64) {
	sl, cl := math.Sincos(lon - m.lon0)
	t := math.Sinh(m.e.isometric(lat)) // tangent of the conformal latitude
	xi := math.Atan2(t, cl)
	eta := math.Asinh(sl / math.Hypot(t, cl))
	x, y = eta, xi
	for j, a := range m.k.alpha {
		k := float64(2 * (j + 1))
		x += a * math.Cos(k*xi) * math.Sinh(k*eta)
		y += a * math.Sin(k*xi) * math.Cosh(k*eta)
	}
	return m.scale*m.k.a*x + m.x, m.scale*m.k.a*y + m.y
}

func (m *transverse) inverse(x, y float64) (lon, lat float64) {
	eta, xi := (x-m.x)/(m.scale*m.k.a), (y-m.y)/(m.scale*m.k.a)
	e, n := eta, xi
	for j, b := range m.k.beta {
		k := float64(2 * (j + 1))
		e -= b * math.Cos(k*xi) * math.Sinh(k*eta)
		n -= b * math.Sin(k*xi) * math.Cosh(k*eta)
	}
	lon = m.lon0 + math.Atan2(math.Sinh(e), math.Cos(n))
	return lon, m.e.latitude(math.Atanh(math.Sin(n) / math.Cosh(e)))
}
