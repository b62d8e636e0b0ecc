package world

import (
	"math"

	"mappe/localdev/demo/planar"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// The map's origin, and the grid all parcel vertices lie on: the 4096 steps of a z15 tile, so that tiles
// give every vertex back exactly. Land use and buildings use the grid of z16, twice as fine.
const (
	originLon = 13.28
	originLat = 47.32
	gridBits  = 27 // 15 zoom levels and 12 bits inside a tile
	gridSize  = 1 << gridBits
	radius    = 6378137.0
)

// P is a place in metres east and north of the origin. The plane is Mercator's, true to scale at the
// origin's latitude and within 0.1 % in the valley.
type P struct{ X, Y float64 }

func (a P) add(b P) P               { return P{a.X + b.X, a.Y + b.Y} }
func (a P) sub(b P) P               { return P{a.X - b.X, a.Y - b.Y} }
func (a P) mul(f float64) P         { return P{a.X * f, a.Y * f} }
func (a P) dot(b P) float64         { return a.X*b.X + a.Y*b.Y }
func (a P) cross(b P) float64       { return a.X*b.Y - a.Y*b.X }
func (a P) len() float64            { return math.Sqrt(a.X*a.X + a.Y*a.Y) }
func (a P) left() P                 { return P{-a.Y, a.X} }
func (a P) mix(b P, f float64) P    { return P{a.X + f*(b.X-a.X), a.Y + f*(b.Y-a.Y)} }
func (a P) dist(b P) float64        { return a.sub(b).len() }
func unit(a P) P                    { return a.mul(1 / math.Max(a.len(), 1e-9)) }
func direction(angle float64) P     { return P{math.Cos(angle), math.Sin(angle)} }
func (a P) rotated(d P) P           { return P{a.X*d.X - a.Y*d.Y, a.X*d.Y + a.Y*d.X} }
func metres(q planar.Pt) P          { return P{float64(q.X) * Unit, float64(q.Y) * Unit} }
func gridPt(p P) planar.Pt          { return planar.Pt{X: round(p.X / Unit), Y: round(p.Y / Unit)} }
func finePt(p P) planar.Pt          { return planar.Pt{X: round(p.X * 2 / Unit), Y: round(p.Y * 2 / Unit)} }
func round(f float64) int32         { return int32(math.Floor(f + 0.5)) }
func squareMetres(a2 int64) float64 { return float64(a2) / 2 * Unit * Unit }

// Unit is the side of a grid cell in metres at the origin.
var Unit = 2 * math.Pi * radius * math.Cos(originLat*math.Pi/180) / gridSize

// OriginX and OriginY are the z15 grid coordinates of the origin, counted from the north-west corner of
// the world tile, rows growing to the south.
var (
	OriginX = int32(math.Floor((originLon + 180) / 360 * gridSize))
	OriginY = int32(math.Floor((0.5 - mercator(originLat)/(2*math.Pi)) * gridSize))
)

func mercator(lat float64) float64 {
	s := math.Sin(lat * math.Pi / 180)
	return math.Atanh(s)
}

// E7 is a grid point in 1e-7 degrees; scale is 1 for the z15 grid and 2 for the z16 grid.
func E7(q planar.Pt, scale int32) geom.Point {
	g := mvt.Grid{Z: uint8(14 + scale), Extent: 4096}
	return g.Point(int64(OriginX*scale+q.X), int64(OriginY*scale-q.Y))
}

// Geometry is a set of polygons of one of the two grids in 1e-7 degrees.
func Geometry(parts []planar.Poly, scale int32) geom.MultiPolygon {
	out := make(geom.MultiPolygon, len(parts))
	for i, p := range parts {
		out[i] = make(geom.Polygon, len(p))
		for j, r := range p {
			out[i][j] = make(geom.Ring, len(r))
			for k, q := range r {
				out[i][j][k] = E7(q, scale)
			}
		}
	}
	return out
}

// E7 is the place in 1e-7 degrees.
func (a P) E7() geom.Point {
	lon, lat := a.LonLat()
	return geom.Point{X: int32(math.Floor(lon*geom.Scale + 0.5)), Y: int32(math.Floor(lat*geom.Scale + 0.5))}
}

// Place is the point of the plane for degrees.
func Place(lon, lat float64) P {
	x := (lon + 180) / 360 * gridSize
	y := (0.5 - mercator(lat)/(2*math.Pi)) * gridSize
	return P{(x - float64(OriginX)) * Unit, (float64(OriginY) - y) * Unit}
}

// LonLat is the place in degrees.
func (a P) LonLat() (lon, lat float64) {
	x := (float64(OriginX) + a.X/Unit) / gridSize
	y := (float64(OriginY) - a.Y/Unit) / gridSize
	return x*360 - 180, math.Atan(math.Sinh(math.Pi*(1-2*y))) * 180 / math.Pi
}

// East is the place d metres to the east.
func (a P) East(d float64) P { return P{a.X + d, a.Y} }
