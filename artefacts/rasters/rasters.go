// Package rasters is the list of the rasters of the country: height models of several dates, in tiles of 5 km that are
// GeoTIFFs of their own (artefacts/cog), so that a function reads a window by range and any program opens a tile.
//
// The list is JSON, the artefact "rasters" of a generation:
//
//	{format: 1, layers: [{layer, date, title, source, attribution, step_m, tiles: [{e, n, key, bytes, sha256, known, inputs, cover?}]}]}
//
// A tile is named by the kilometres of its south-western corner in EPSG:3035, multiples of 5; its file holds that square
// or the part of it that has values, in cells aligned to multiples of step_m. A place lies in one tile: neighbours share no cell. known is how many cells have a value.
package rasters

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/shared/geo/raster"
)

// Artefact is the name of the list among the artefacts of a generation (manifest.Artefacts).
const Artefact = "rasters"

// TileKm is the side of a tile in kilometres.
const TileKm = 5

// EPSG is the plane of all rasters.
const EPSG = 3035

// The layers.
const (
	DTM = "dtm" // heights of the ground in metres above the Adriatic
	DSM = "dsm" // heights of what is seen from above: ground, canopy, roofs
)

// MaxIndex bounds a list in bytes: 20,000 tiles take 5 MB.
const MaxIndex = 64 << 20

// Index is the list.
type Index struct {
	Format int     `json:"format"`
	Layers []Layer `json:"layers"` // by name, then date
}

// Layer is a raster of one date.
type Layer struct {
	Layer       string  `json:"layer"`
	Date        string  `json:"date"` // YYYY-MM-DD
	Title       string  `json:"title"`
	Source      string  `json:"source"`
	Attribution string  `json:"attribution"`
	Step        float64 `json:"step_m"` // side of a cell in metres
	Tiles       []Tile  `json:"tiles"`  // by n, then e
}

// Tile is one object.
type Tile struct {
	E int `json:"e"` // km
	N int `json:"n"`
	manifest.Object
	Known  int    `json:"known"`  // cells with a value
	Inputs string `json:"inputs"` // fingerprint of what it was made of
	// Cover has a bit for each square of 100 m of the tile, by rows from the north, each from the west, the highest bit of a
	// byte first: whether a cell in it has a value. None is the whole tile.
	Cover []byte `json:"cover,omitempty"`
}

// The squares of Cover.
const (
	coverSide = 100 // metres
	coverCols = TileKm * 1000 / coverSide
)

// CoverOf is the cover of a tile whose cells are those of a grid; nil where every square has a value.
func CoverOf(t Tile, g *raster.Grid) []byte {
	bits := make([]byte, (coverCols*coverCols+7)/8)
	box, n := t.Box(), 0
	for row := range g.Rows {
		for col, z := range g.Row(row) {
			if z != z {
				continue
			}
			x, y := g.Centre(col, row)
			i := int((box.North-y)/coverSide)*coverCols + int((x-box.West)/coverSide)
			if i < 0 || i >= coverCols*coverCols {
				continue
			}
			if mask := byte(0x80 >> (i % 8)); bits[i/8]&mask == 0 {
				bits[i/8] |= mask
				n++
			}
		}
	}
	if n == coverCols*coverCols {
		return nil
	}
	return bits
}

// Covers says whether a square of 100 m that a box shares more than a border with has a value.
func (t *Tile) Covers(b raster.Box) bool {
	box := t.Box()
	if t.Known == 0 || !box.Overlaps(b) {
		return false
	}
	if t.Cover == nil {
		return true
	}
	at := func(metres float64) int { return min(max(int(metres/coverSide), 0), coverCols-1) }
	for row := at(box.North - b.North); row <= at(box.North-b.South); row++ {
		for col := at(b.West - box.West); col <= at(b.East-box.West); col++ {
			i := row*coverCols + col
			square := raster.Box{West: box.West + float64(col)*coverSide, North: box.North - float64(row)*coverSide}
			square.East, square.South = square.West+coverSide, square.North-coverSide
			if t.Cover[i/8]&(0x80>>(i%8)) != 0 && square.Overlaps(b) {
				return true
			}
		}
	}
	return false
}

// Box is the square of a tile in metres.
func (t Tile) Box() raster.Box { return BoxOf(t.E, t.N) }

// BoxOf is the square of the tile at a place in kilometres.
func BoxOf(e, n int) raster.Box {
	return raster.Box{West: float64(e) * 1000, South: float64(n) * 1000, East: float64(e+TileKm) * 1000, North: float64(n+TileKm) * 1000}
}

// Cover are the places of the tiles that a box touches, by n, then e.
func Cover(b raster.Box) (places [][2]int) {
	floor := func(v float64) int {
		k := int(v / 1000 / TileKm)
		if float64(k*TileKm*1000) > v {
			k--
		}
		return k * TileKm
	}
	for n := floor(b.South); float64(n*1000) < b.North; n += TileKm {
		for e := floor(b.West); float64(e*1000) < b.East; e += TileKm {
			places = append(places, [2]int{e, n})
		}
	}
	return places
}

// At is the tile at a place; nil where there is none.
func (l *Layer) At(e, n int) *Tile {
	i, ok := slices.BinarySearchFunc(l.Tiles, [2]int{e, n}, func(t Tile, at [2]int) int {
		return cmp.Or(cmp.Compare(t.N, at[1]), cmp.Compare(t.E, at[0]))
	})
	if !ok {
		return nil
	}
	return &l.Tiles[i]
}

// Dataset is the date as it is asked for: 20240915.
func (l *Layer) Dataset() string { return l.Date[:4] + l.Date[5:7] + l.Date[8:] }

// Find is a layer of a date; nil where there is none.
func (x *Index) Find(layer, dataset string) *Layer {
	for i := range x.Layers {
		if l := &x.Layers[i]; l.Layer == layer && l.Dataset() == dataset {
			return l
		}
	}
	return nil
}

// Dates are the datasets of a layer, rising.
func (x *Index) Dates(layer string) (datasets []string) {
	for i := range x.Layers {
		if x.Layers[i].Layer == layer {
			datasets = append(datasets, x.Layers[i].Dataset())
		}
	}
	return datasets
}

// Sort brings layers and tiles into their order.
func (x *Index) Sort() {
	slices.SortFunc(x.Layers, func(a, b Layer) int { return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Date, b.Date)) })
	for i := range x.Layers {
		slices.SortFunc(x.Layers[i].Tiles, func(a, b Tile) int { return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.E, b.E)) })
	}
}

// Encode writes the list.
func (x *Index) Encode() ([]byte, error) {
	x.Format = 1
	x.Sort()
	return json.Marshal(x)
}

// Parse reads a list.
func Parse(b []byte) (*Index, error) {
	if len(b) > MaxIndex {
		return nil, fmt.Errorf("list of rasters: %d bytes, at most %d", len(b), MaxIndex)
	}
	x := &Index{}
	if err := json.Unmarshal(b, x); err != nil {
		return nil, fmt.Errorf("list of rasters: %w", err)
	}
	if x.Format != 1 {
		return nil, fmt.Errorf("list of rasters: format %d, this program reads 1", x.Format)
	}
	for i := range x.Layers {
		if err := x.Layers[i].check(); err != nil {
			return nil, fmt.Errorf("list of rasters: layer %.40q of %.20q: %w", x.Layers[i].Layer, x.Layers[i].Date, err)
		}
	}
	x.Sort()
	return x, nil
}

func (l *Layer) check() error {
	if _, err := time.Parse(time.DateOnly, l.Date); err != nil {
		return fmt.Errorf("its date is none of the form YYYY-MM-DD")
	}
	if !(l.Step >= 0.1 && l.Step <= 1000) {
		return fmt.Errorf("cells of %g m", l.Step)
	}
	seen := map[[2]int]bool{}
	for _, t := range l.Tiles {
		at := [2]int{t.E, t.N}
		k, err := keys.Parse(t.Key)
		r, ok := k.(keys.Raster)
		if err != nil || !ok || r.Layer != l.Layer || r.Date != l.Date || r.E != t.E || r.N != t.N || t.E%TileKm != 0 || t.N%TileKm != 0 || seen[at] {
			return fmt.Errorf("%.80q is no tile of it", t.Key)
		}
		if err := t.Check(); err != nil {
			return err
		}
		if t.Cover != nil && len(t.Cover) != (coverCols*coverCols+7)/8 {
			return fmt.Errorf("a cover of %d bytes", len(t.Cover))
		}
		seen[at] = true
	}
	return nil
}
