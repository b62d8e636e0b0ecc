package mvt

import (
	"fmt"
	"math"

	"mappe/shared/geo/geom"
)

// TileID is a tile of the XYZ scheme: y runs south from the north pole side.
type TileID struct {
	Z    uint8
	X, Y uint32
}

func (t TileID) String() string { return fmt.Sprintf("%d/%d/%d", t.Z, t.X, t.Y) }

// Valid says whether the tile exists in the scheme.
func (t TileID) Valid() bool { return t.Z <= 30 && t.X < 1<<t.Z && t.Y < 1<<t.Z }

// Grid is the world's pixel grid at one zoom: position = tile * Extent + pixel, so one position has one
// name in every tile that shows it.
type Grid struct {
	Z      uint8
	Extent uint32
}

// Size is the width of the world in pixels.
func (g Grid) Size() int64 { return int64(g.Extent) << g.Z }

// maxLat is the latitude where Web Mercator ends, a little inside the square's edge.
const maxLat = 85.05112877980659

// Snap is the grid position nearest to a point; latitudes beyond Web Mercator are held at its edge.
func (g Grid) Snap(p geom.Point) (x, y int64) {
	fx, fy := g.Project(p)
	return int64(math.Floor(fx + 0.5)), int64(math.Floor(fy + 0.5))
}

// Project is the position of a point in pixels, unrounded.
func (g Grid) Project(p geom.Point) (x, y float64) {
	size := float64(g.Size())
	x = float64((float64(p.X)/(360*geom.Scale) + 0.5) * size)
	lat := max(-maxLat, min(maxLat, p.Lat())) * (math.Pi / 180)
	// Explicit conversions keep the compiler from fusing multiply and add, so all machines agree.
	y = float64((0.5 - float64(math.Asinh(math.Tan(lat))/(2*math.Pi))) * size)
	return x, y
}

// ProjectDegrees is Project for a position in degrees that is finer than 1e-7: what is projected from another
// system is rounded once, to the grid.
func (g Grid) ProjectDegrees(lon, lat float64) (x, y float64) {
	size := float64(g.Size())
	lat = max(-maxLat, min(maxLat, lat)) * (math.Pi / 180)
	x = float64((lon/360 + 0.5) * size)
	y = float64((0.5 - float64(math.Asinh(math.Tan(lat))/(2*math.Pi))) * size)
	return x, y
}

// Point is the position of a grid corner in 1e-7 degrees, rounded to nearest.
func (g Grid) Point(x, y int64) geom.Point {
	return geom.Point{X: g.lonE7(x), Y: g.latE7(y)}
}

func (g Grid) lonE7(x int64) int32 {
	size := g.Size()
	const turn = int64(360 * geom.Scale)
	// floor(x*turn/size + 1/2) in integers. An even size is halved, so that x up to 2^31 and turn, below 2^32,
	// stay within 63 bits.
	n, d := x*turn+size/2, size
	if size%2 != 0 {
		n, d = 2*x*turn+size, 2*size
	}
	q := n / d
	if n%d < 0 {
		q--
	}
	return int32(max(-turn/2, min(turn/2, q-turn/2)))
}

func (g Grid) latE7(y int64) int32 {
	t := float64(math.Pi * float64(1-float64(2*float64(y))/float64(g.Size())))
	lat := float64(math.Atan(math.Sinh(t)) * (180 / math.Pi))
	return int32(math.Floor(float64(lat*geom.Scale) + 0.5))
}

// Tile is the tile whose half-open square holds a grid position.
func (g Grid) Tile(x, y int64) TileID {
	n := int64(1)<<g.Z - 1
	e := int64(g.Extent)
	return TileID{Z: g.Z, X: uint32(max(0, min(n, floorDiv(x, e)))), Y: uint32(max(0, min(n, floorDiv(y, e))))}
}

// Bounds is the tile's box in 1e-7 degrees, both edges included.
func (t TileID) Bounds() geom.Box {
	g := Grid{Z: t.Z, Extent: 1}
	a, b := g.Point(int64(t.X), int64(t.Y)), g.Point(int64(t.X)+1, int64(t.Y)+1)
	return geom.Box{MinX: a.X, MinY: b.Y, MaxX: b.X, MaxY: a.Y}
}

// Cover lists the tiles of a zoom that touch the box, row by row from the north-west. It stops with
// nil and false when more than limit tiles would be needed.
func Cover(box geom.Box, z uint8, limit int) ([]TileID, bool) {
	if box.Empty() {
		return nil, true
	}
	g := Grid{Z: z, Extent: 1}
	tile := func(p geom.Point) TileID {
		x, y := g.Project(p)
		return g.Tile(int64(math.Floor(x)), int64(math.Floor(y)))
	}
	nw := tile(geom.Point{X: box.MinX, Y: box.MaxY})
	se := tile(geom.Point{X: box.MaxX, Y: box.MinY})
	w, h := int64(se.X)-int64(nw.X)+1, int64(se.Y)-int64(nw.Y)+1
	if w*h > int64(limit) {
		return nil, false
	}
	out := make([]TileID, 0, w*h)
	for y := nw.Y; y <= se.Y; y++ {
		for x := nw.X; x <= se.X; x++ {
			out = append(out, TileID{z, x, y})
		}
	}
	return out, true
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
