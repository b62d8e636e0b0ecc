package main

import (
	"math"

	"mappe/shared/geo/geom"
)

// The KGs lie on the squares of the survey office's map of zoom 15, side by side and far enough from the squares' edges that
// none draws into another's tiles: a tile on disk is written once, and holds all of what it shows. Eight KGs of the mean's
// sizes fill a block of 26 by 6 squares; 26 blocks lie in a row from Vorarlberg to Burgenland.
const (
	tileZoom   = 15
	blockWide  = 26
	blockHigh  = 6
	rowBlocks  = 26
	westmost   = 9.56  // degrees; the first square begins east of it
	northmost  = 48.98 // degrees; the first square begins south of it
	insetTiles = 0.08  // between a KG and the edge of its squares; tiles show 0.02 of their neighbours
	tileMetres = 800   // least side of a square between 47 and 49 degrees
)

// sizes are how many KGs a block has.
const sizes = 8

// shares are the sizes of a block's KGs, of the mean, spread as those of real ones.
var shares = [sizes]float64{0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.5, 2.3}

// squares are where they lie in the block, in tiles: column, row, side.
var squares = [sizes][3]int{{0, 0, 2}, {4, 0, 3}, {4, 3, 3}, {0, 2, 4}, {7, 0, 4}, {11, 0, 4}, {15, 0, 5}, {20, 0, 6}}

// place is where KG i lies: its lower left corner, and the side of the ground that it may take, in km.
func place(i int) (corner geom.Point, sideKm float64) {
	block, s := i/sizes, squares[i%sizes]
	x0, y0 := tileAt(westmost, northmost)
	x, y := x0+1+float64(block%rowBlocks*blockWide+s[0])+insetTiles, y0+1+float64(block/rowBlocks*blockHigh+s[1]+s[2])-insetTiles
	corner, _ = geom.PointAt(x*360/(1<<tileZoom)-180, math.Atan(math.Sinh(math.Pi*(1-2*y/(1<<tileZoom))))*180/math.Pi)
	return corner, (float64(s[2]) - 2*insetTiles) * tileMetres / 1000
}

// tileAt is the square of a place, whole numbers as floats.
func tileAt(lon, lat float64) (x, y float64) {
	r := lat * math.Pi / 180
	return math.Floor((lon + 180) / 360 * (1 << tileZoom)),
		math.Floor((1 - math.Log(math.Tan(r)+1/math.Cos(r))/math.Pi) / 2 * (1 << tileZoom))
}
