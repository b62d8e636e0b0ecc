// Package crs turns WGS84 longitude and latitude into the plane systems used for Austria and back. It
// owns the eleven systems and the UTM zones that foreign data comes in, the datum shift between MGI and WGS84 and a metric plane around a
// point; it knows no geometry beyond a point. ETRS89 is taken as WGS84 (they differ by less than a metre).
//
//	EPSG   system                         method                    unit
//	4326   WGS84                          longitude, latitude       degree
//	3857   Web Mercator                   spherical Mercator        metre at the equator
//	3035   ETRS89 / LAEA Europe           Lambert equal area        metre, true areas
//	31287  MGI / Austria Lambert          Lambert conformal conic   metre
//	3416   ETRS89 / Austria Lambert       Lambert conformal conic   metre
//	31254  MGI / Austria GK West  (M28)   transverse Mercator       metre
//	31255  MGI / Austria GK Central (M31) transverse Mercator       metre
//	31256  MGI / Austria GK East  (M34)   transverse Mercator       metre
//	31257, 31258, 31259  MGI / Austria GK M28, M31, M34: the same with the false eastings of the Bundesmeldenetz
//	25832, 25833, 32632, 32633  UTM zones 32 and 33 of ETRS89 and WGS84, of foreign data and of exported files (ParseSource)
//
// Coordinates are always x east (longitude, Rechtswert), y north (latitude, Hochwert), whatever the axis
// order of the official definition is.
package crs

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mappe/shared/geo/geom"
)

// System is a coordinate reference system, named by its EPSG code. The zero value is unset.
type System int

// The systems.
const (
	WGS84             System = 4326
	WebMercator       System = 3857
	LAEA              System = 3035
	LambertMGI        System = 31287
	LambertETRS89     System = 3416
	GaussKruegerWest  System = 31254
	GaussKruegerMid   System = 31255
	GaussKruegerEast  System = 31256
	MeldenetzWest     System = 31257 // M28, false easting 150,000 m
	MeldenetzMid      System = 31258 // M31, 450,000 m
	MeldenetzEast     System = 31259 // M34, 750,000 m
	degree                   = math.Pi / 180
	maxMercatorLat           = 85.0511287798066
	mercatorRadius           = 6378137.0
	systemsExpected          = "EPSG:4326, 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258, 31259 or CRS84"
	helmertAccuracyOf        = "1.5 m: datum shift EPSG:1618 between MGI and WGS84; the projection itself is exact to 0.01 mm"
)

// AllSystems lists the systems, WGS84 first.
func AllSystems() []System {
	return []System{WGS84, WebMercator, LAEA, LambertMGI, LambertETRS89, GaussKruegerWest, GaussKruegerMid, GaussKruegerEast,
		MeldenetzWest, MeldenetzMid, MeldenetzEast}
}

// spellings stand before a code.
var spellings = [...]string{"EPSG:", "URN:OGC:DEF:CRS:EPSG::", "HTTP://WWW.OPENGIS.NET/DEF/CRS/EPSG/0/",
	"HTTPS://WWW.OPENGIS.NET/DEF/CRS/EPSG/0/"}

// Parse reads "EPSG:31256", "31256", "urn:ogc:def:crs:EPSG::31256",
// "http://www.opengis.net/def/crs/EPSG/0/31256" or any spelling that ends in CRS84.
func Parse(s string) (System, error) {
	if len(s) <= 64 {
		u := strings.ToUpper(s) // may be longer than s: ɐ has two bytes and Ɐ three
		if u == "CRS84" || strings.HasSuffix(u, ":CRS84") || strings.HasSuffix(u, "/CRS84") {
			return WGS84, nil
		}
		code := u
		for _, p := range spellings {
			if rest, ok := strings.CutPrefix(u, p); ok {
				code = rest
				break
			}
		}
		for _, k := range AllSystems() {
			if code == strconv.Itoa(int(k)) {
				return k, nil
			}
		}
	} else {
		s = s[:64] + "…"
	}
	return 0, fmt.Errorf("coordinate reference system %q is not known: expected %s", s, systemsExpected)
}

// String is the spelling "EPSG:31256".
func (s System) String() string { return "EPSG:" + strconv.Itoa(int(s)) }

// Name is the system's official name.
func (s System) Name() string {
	switch s {
	case WGS84:
		return "WGS 84"
	case WebMercator:
		return "WGS 84 / Pseudo-Mercator"
	case LAEA:
		return "ETRS89-extended / LAEA Europe"
	case LambertMGI:
		return "MGI / Austria Lambert"
	case LambertETRS89:
		return "ETRS89 / Austria Lambert"
	case GaussKruegerWest:
		return "MGI / Austria GK West"
	case GaussKruegerMid:
		return "MGI / Austria GK Central"
	case GaussKruegerEast:
		return "MGI / Austria GK East"
	case MeldenetzWest:
		return "MGI / Austria GK M28"
	case MeldenetzMid:
		return "MGI / Austria GK M31"
	case MeldenetzEast:
		return "MGI / Austria GK M34"
	case UTM32:
		return "ETRS89 / UTM zone 32N"
	case UTM33:
		return "ETRS89 / UTM zone 33N"
	case UTM32WGS:
		return "WGS 84 / UTM zone 32N"
	case UTM33WGS:
		return "WGS 84 / UTM zone 33N"
	}
	return ""
}

// Accuracy says how far a result may lie from the true position in the system.
func (s System) Accuracy() string {
	switch s {
	case WGS84, WebMercator:
		return "exact"
	case LAEA, LambertETRS89, UTM32, UTM33, UTM32WGS, UTM33WGS:
		return "0.01 mm for the projection; ETRS89 is taken as WGS84, which differs by less than 1 m"
	case LambertMGI, GaussKruegerWest, GaussKruegerMid, GaussKruegerEast, MeldenetzWest, MeldenetzMid, MeldenetzEast:
		return helmertAccuracyOf
	}
	return ""
}

// Decimals is the number of decimals that states a coordinate to about a centimetre or better.
func (s System) Decimals() int {
	if s == WGS84 {
		return 7
	}
	return 2
}

// Forward projects longitude and latitude in degrees. It is NaN for an unknown system; latitudes
// beyond 85.0511 are held there in Web Mercator.
func (s System) Forward(lon, lat float64) (x, y float64) {
	switch s {
	case WGS84:
		return lon, lat
	case WebMercator:
		lat = max(-maxMercatorLat, min(maxMercatorLat, lat))
		return mercatorRadius * lon * degree, mercatorRadius * math.Atanh(math.Sin(lat*degree))
	case LAEA:
		return laeaForward(lon*degree, lat*degree)
	case LambertETRS89:
		return lambertETRS89.forward(lon*degree, lat*degree)
	case LambertMGI:
		return lambertMGI.forward(toMGI(lon*degree, lat*degree))
	case GaussKruegerWest:
		return zoneWest.forward(toMGI(lon*degree, lat*degree))
	case GaussKruegerMid:
		return zoneMid.forward(toMGI(lon*degree, lat*degree))
	case GaussKruegerEast:
		return zoneEast.forward(toMGI(lon*degree, lat*degree))
	case MeldenetzWest, MeldenetzMid, MeldenetzEast:
		x, y = s.strip().Forward(lon, lat)
		return x + s.falseEasting(), y
	case UTM32:
		return utm32.forward(lon*degree, lat*degree)
	case UTM33:
		return utm33.forward(lon*degree, lat*degree)
	case UTM32WGS:
		return utm32WGS.forward(lon*degree, lat*degree)
	case UTM33WGS:
		return utm33WGS.forward(lon*degree, lat*degree)
	}
	return math.NaN(), math.NaN()
}

// Inverse gives longitude and latitude in degrees. It is NaN for an unknown system.
func (s System) Inverse(x, y float64) (lon, lat float64) {
	switch s {
	case WGS84:
		return x, y
	case WebMercator:
		return x / mercatorRadius / degree, math.Asin(math.Tanh(y/mercatorRadius)) / degree
	case LAEA:
		lon, lat = laeaInverse(x, y)
	case LambertETRS89:
		lon, lat = lambertETRS89.inverse(x, y)
	case LambertMGI:
		lon, lat = fromMGI(lambertMGI.inverse(x, y))
	case GaussKruegerWest:
		lon, lat = fromMGI(zoneWest.inverse(x, y))
	case GaussKruegerMid:
		lon, lat = fromMGI(zoneMid.inverse(x, y))
	case GaussKruegerEast:
		lon, lat = fromMGI(zoneEast.inverse(x, y))
	case MeldenetzWest, MeldenetzMid, MeldenetzEast:
		return s.strip().Inverse(x-s.falseEasting(), y)
	case UTM32:
		lon, lat = utm32.inverse(x, y)
	case UTM33:
		lon, lat = utm33.inverse(x, y)
	case UTM32WGS:
		lon, lat = utm32WGS.inverse(x, y)
	case UTM33WGS:
		lon, lat = utm33WGS.inverse(x, y)
	default:
		return math.NaN(), math.NaN()
	}
	return lon / degree, lat / degree
}

// strip is the Gauss-Krüger strip of a system of the Bundesmeldenetz, which differs from it by its false easting.
func (s System) strip() System { return s - MeldenetzWest + GaussKruegerWest }

// falseEasting is that of a system of the Bundesmeldenetz, in metres.
func (s System) falseEasting() float64 { return 150000 + 300000*float64(s-MeldenetzWest) }

// Project projects a grid point; s.Project is a geom.Projection. For equal-area work use EqualArea.
func (s System) Project(p geom.Point) (x, y float64) { return s.Forward(p.Lon(), p.Lat()) }

// Point is the grid point at a position of the system, false outside the grid or where not finite.
func (s System) Point(x, y float64) (geom.Point, bool) {
	lon, lat := s.Inverse(x, y)
	return geom.PointAt(lon, lat)
}

// EqualArea projects a grid point to EPSG:3035: the projection for every area of the project.
func EqualArea(p geom.Point) (x, y float64) {
	return laeaForward(float64(p.X)*(degree/geom.Scale), float64(p.Y)*(degree/geom.Scale))
}
