package maps

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"mappe/shared/geo/crs"
)

// tileSize is the width and height of a tile in pixels.
const tileSize = 256

// set is a set of tile matrices: a system cut into squares, twice as fine from matrix to matrix.
type set struct {
	name   string
	known  string // URN of a well-known scale set, "" for none
	system system
	left   float64 // west and north of the first tile, in units of the system
	top    float64
	unit   float64 // width of a pixel of matrix 0, in units of the system
	wide   int     // tiles of matrix 0 from the west
	high   int
	most   int // the last matrix
}

// gridTop is the width of a pixel of matrix 0 of the systems in metres: a tile is 1,048 km wide, more than Austria is.
const gridTop = 4096.0

// sets are all sets, Web Mercator's first. Their corners are computed once: the country is projected into each system, which takes longer
// than drawing an empty tile.
var sets = sync.OnceValue(func() []set {
	const half = math.Pi * 6378137
	list := []set{
		{name: "WebMercatorQuad", known: "urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible", system: system{System: crs.WebMercator},
			left: -half, top: half, unit: 2 * half / tileSize, wide: 1, high: 1, most: 20},
		{name: "WorldCRS84Quad", known: "urn:ogc:def:wkss:OGC:1.0:GoogleCRS84Quad", system: system{System: crs.WGS84, lonFirst: true},
			left: -180, top: 90, unit: 180.0 / tileSize, wide: 2, high: 1, most: 19},
		{name: "EPSG4326", system: system{System: crs.WGS84}, left: -180, top: 90, unit: 180.0 / tileSize, wide: 2, high: 1, most: 19},
	}
	for _, s := range systems()[3:] {
		b := s.boxOf(country)
		// The corner is a round number beyond the country's: the middle of the first tile is about that of the country.
		round := func(v float64) float64 { return math.Round(v/100_000)*100_000 + 0 } // 0 and not -0
		side := gridTop * tileSize
		list = append(list, set{
			name: fmt.Sprintf("EPSG%d", int(s.System)), system: s, left: round((b[0]+b[2])/2 - side/2),
			top: round((b[1]+b[3])/2 + side/2), unit: gridTop, wide: 1, high: 1, most: 16,
		})
	}
	return list
})

func setNames() (names []string) {
	for _, s := range sets() {
		names = append(names, s.name)
	}
	return names
}

func parseSet(text string) (set, error) {
	if text == "GoogleMapsCompatible" || text == "EPSG:3857" || text == "EPSG3857" {
		text = "WebMercatorQuad"
	}
	for _, s := range sets() {
		if s.name == text || strings.EqualFold(strings.Replace(text, ":", "", 1), s.name) {
			return s, nil
		}
	}
	return set{}, errors.New("one of " + strings.Join(setNames(), ", "))
}

// at is the picture of a tile: matrix z, column, row from the north-west.
func (s set) at(z, col, row int) (picture, bool) {
	if z < 0 || z > s.most || col < 0 || row < 0 || col >= s.wide<<z || row >= s.high<<z {
		return picture{}, false
	}
	side := s.unit * tileSize / math.Exp2(float64(z))
	left, top := s.left+side*float64(col), s.top-side*float64(row)
	return picture{w: tileSize, h: tileSize, system: s.system.System, box: [4]float64{left, top - side, left + side, top},
		phase: (col + row) * tileSize % hatchStep}, true
}

// denominator is the scale of a matrix.
func (s set) denominator(z int) float64 {
	return s.unit / math.Exp2(float64(z)) * s.system.metres() / pixelMetres
}

// parseFile reads the last part of a tile's address: a number and the ending of the picture.
func parseFile(text string) (file, error) {
	number, ending, _ := strings.Cut(text, ".")
	n, err := strconv.Atoi(number)
	as, asErr := parsePictureType(ending)
	if err != nil || n < 0 || asErr != nil || len(number) > 9 {
		return file{}, errors.New("a whole number with the ending .png, .jpg or .jpeg")
	}
	return file{n, as}, nil
}

// file is the last part of a tile's address.
type file struct {
	n  int
	as string
}

// String is the text that parseFile reads.
func (f file) String() string {
	if f.as == asJPEG {
		return strconv.Itoa(f.n) + ".jpg"
	}
	return strconv.Itoa(f.n) + ".png"
}
