package crs

import "math"

// EPSG:1618, MGI to WGS84, position vector: translations in metres, rotations in arc seconds, scale in
// parts per million.
const (
	tx, ty, tz = 577.326, 90.129, 463.919
	arcsec     = math.Pi / 180 / 3600
	rx, ry, rz = 5.137 * arcsec, 1.474 * arcsec, 5.297 * arcsec
	scale      = 1 + 2.4232e-6
)

// fromMGI shifts a position on the Bessel ellipsoid to WGS84 (radians).
func fromMGI(lon, lat float64) (float64, float64) {
	x, y, z := bessel.geocentric(lon, lat)
	return wgs84.geodetic(
		tx+scale*(x-rz*y+ry*z),
		ty+scale*(rz*x+y-rx*z),
		tz+scale*(-ry*x+rx*y+z))
}

// toMGI is the exact inverse of fromMGI for positions without height. The matrix I + [r] is inverted
// exactly, (I - [r] + r rᵀ) / (1 + |r|²); what is left, the height that is not carried (about 4 mm), is
// taken away by one correction with fromMGI itself, so that round trips close.
func toMGI(lon, lat float64) (float64, float64) {
	x, y, z := wgs84.geocentric(lon, lat)
	x, y, z = (x-tx)/scale, (y-ty)/scale, (z-tz)/scale
	const n = 1 + rx*rx + ry*ry + rz*rz
	d := rx*x + ry*y + rz*z
	glon, glat := bessel.geodetic(
		(x+rz*y-ry*z+rx*d)/n,
		(y-rz*x+rx*z+ry*d)/n,
		(z+ry*x-rx*y+rz*d)/n)
	blon, blat := fromMGI(glon, glat)
	return glon + (lon - blon), glat + (lat - blat)
}
