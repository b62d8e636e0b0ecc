// Package rasters is the index of the rasters of the country: which layers of which dates there are, what their numbers
// mean, and the tiles they are stored in, each a GeoTIFF of its own (artefacts/cog) that any program opens. Tiles are read by
// artefacts/library/mosaic and made by builders/rasters.
//
// All rasters lie in EPSG:3035 in cells whose borders are multiples of their step, in squares whose borders are multiples of
// 1,000 m. A tile is named by the kilometres of its south-western corner, multiples of its layer's tile_km; its file holds that
// square or the part of it that has values. A place lies in one tile of a layer and date: neighbours share no cell.
//
// # The artefact "rasters" of a generation, an artefact in parts (artefacts/sectionfile) of the family "rast"
//
// The family's head is JSON: {format: 2, layers: [{layer, date, precision, title, origin, step_m, source_step_m,
// tile_km, sample, nodata?, bands:
// [{name, unit?, scale?, missing?, doc?}], resampling, attribution, license, license_url, share_alike?, tiles, bytes, known_km2}]}.
//
// A section has the tiles of all layers and dates in a square of 10 km, so that what there is of a place costs one read. Its
// name is NnnnEeee, tens of kilometres of the square's south-western corner. Its rows are tiles by layer in the order of the
// head, then north, then east, in columns as artefacts/internal/column draws them:
//
//	ints number of the layer in the head · ints east, km from the square's corner · ints north · ints bytes · ints cells that have a value
//	text inputs, fingerprint of what the tile was made of · ints bytes of its cover, 0: all squares of 100 m have a value
//	plain SHA-256 of the file, 32 bytes a row · count of all bytes of covers · plain covers
//
// The key of a tile follows from layer, date, place and SHA-256 (keys.Raster).
package rasters

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/shared/geo/raster"
)

// Artefact is the name of the index among the artefacts of a generation (manifest.Artefacts).
const Artefact = "rasters"

// PartsFamily is the family of the artefact in parts.
var PartsFamily = sectionfile.Family{'r', 'a', 's', 't'}

// SquareKm is the side in kilometres of the squares that the index is read in.
const SquareKm = 10

// maxKm bounds places: names of squares have three digits.
const maxKm = 1000 * SquareKm

// EPSG is the plane of all rasters.
const EPSG = 3035

// Index says which layers there are: the head of the artefact.
type Index struct {
	Format int     `json:"format"`
	Layers []Layer `json:"layers"` // by name, then date
}

// Layer is a raster of one date.
type Layer struct {
	Layer      string     `json:"layer"`
	Date       string     `json:"date"` // YYYY-MM-DD; the first day of a month or year
	Precision  Precision  `json:"precision"`
	Title      string     `json:"title"`
	Origin     string     `json:"origin"`
	Step       float64    `json:"step_m"`        // side of a cell in metres
	SourceStep float64    `json:"source_step_m"` // of the finest source
	TileKm     int        `json:"tile_km"`
	Form       string     `json:"sample"` // uint8, uint16, int16, float32
	NoData     *float64   `json:"nodata"` // nil of float32: NaN
	Bands      []Band     `json:"bands"`
	Resampling Resampling `json:"resampling"`
	Credit
	Count   int     `json:"tiles"` // in the country
	Bytes   int64   `json:"bytes"`
	KnownKm float64 `json:"known_km2"`
	number  int     // in the index
}

// New is a layer of a kind and a date (YYYY-MM-DD) without tiles.
func (k *LayerType) New(date string, c Credit) Layer {
	l := Layer{Layer: k.Name, Date: date, Precision: k.Precision, Title: k.Title, Origin: k.Origin, Step: k.Step,
		SourceStep: k.SourceStep, TileKm: k.TileKm, Form: k.Form,
		Bands: slices.Clone(k.Bands), Resampling: k.Resampling, Credit: c}
	if k.Form != "float32" {
		n := k.NoData
		l.NoData = &n
	}
	return l
}

// Listed is a layer with all its tiles, as builders have it.
type Listed struct {
	Layer
	Tiles Tiles
}

// Tile is one object.
type Tile struct {
	E  int `json:"e"` // km
	N  int `json:"n"`
	Km int `json:"-"` // side
	manifest.Object
	Known  int    `json:"known"`  // cells with a value
	Inputs string `json:"inputs"` // fingerprint of what it was made of
	// Cover has a bit for each square of 100 m of the tile, by rows from the north, each from the west, the highest bit of a
	// byte first: whether a cell in it has a value. None is the whole tile.
	Cover []byte `json:"cover,omitempty"`
}

// Tiles are those of a layer, by n, then e.
type Tiles []Tile

// At is the tile at a place; nil if the layer has no tile there.
func (l Tiles) At(e, n int) *Tile {
	i, ok := slices.BinarySearchFunc(l, [2]int{e, n}, func(t Tile, at [2]int) int {
		return cmp.Or(cmp.Compare(t.N, at[1]), cmp.Compare(t.E, at[0]))
	})
	if !ok {
		return nil
	}
	return &l[i]
}

// Sort brings tiles into their order.
func (l Tiles) Sort() {
	slices.SortFunc(l, func(a, b Tile) int { return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.E, b.E)) })
}

// coverSide is the side of the squares of Cover in metres.
const coverSide = 100

// coverCols is how many of them a side of a tile has.
func (t *Tile) coverCols() int { return t.Km * 1000 / coverSide }

// coverBytes is the length of a cover.
func coverBytes(km int) int {
	cols := km * 1000 / coverSide
	return (cols*cols + 7) / 8
}

// CoverOf is the cover of a tile whose cells are those of a grid; nil where every square has a value.
func CoverOf(t Tile, g *raster.Grid) []byte {
	return CoverBy(t, g, func(row int, known func(col int)) {
		for col, z := range g.Row(row) {
			if z == z {
				known(col)
			}
		}
	})
}

// CoverBy is CoverOf of cells that are known by another measure: each tells of the columns of a row that have a value.
func CoverBy(t Tile, g *raster.Grid, each func(row int, known func(col int))) []byte {
	cols := t.coverCols()
	bits := make([]byte, coverBytes(t.Km))
	box, n := t.Box(), 0
	for row := range g.Rows {
		_, y := g.Centre(0, row)
		line := int((box.North-y)/coverSide) * cols
		each(row, func(col int) {
			x, _ := g.Centre(col, row)
			i := line + int((x-box.West)/coverSide)
			if i < 0 || i >= cols*cols {
				return
			}
			if mask := byte(0x80 >> (i % 8)); bits[i/8]&mask == 0 {
				bits[i/8] |= mask
				n++
			}
		})
	}
	if n == cols*cols {
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
	cols := t.coverCols()
	at := func(metres float64) int { return min(max(int(metres/coverSide), 0), cols-1) }
	for row := at(box.North - b.North); row <= at(box.North-b.South); row++ {
		for col := at(b.West - box.West); col <= at(b.East-box.West); col++ {
			i := row*cols + col
			square := raster.Box{West: box.West + float64(col)*coverSide, North: box.North - float64(row)*coverSide}
			square.East, square.South = square.West+coverSide, square.North-coverSide
			if t.Cover[i/8]&(0x80>>(i%8)) != 0 && square.Overlaps(b) {
				return true
			}
		}
	}
	return false
}

// Reach is the box of the squares of 100 m that have a value.
func (t *Tile) Reach() raster.Box {
	box := t.Box()
	if t.Cover == nil {
		return box
	}
	cols := t.coverCols()
	west, north, east, south := cols, cols, 0, 0
	for i := range cols * cols {
		if t.Cover[i/8]&(0x80>>(i%8)) != 0 {
			west, east = min(west, i%cols), max(east, i%cols+1)
			north, south = min(north, i/cols), max(south, i/cols+1)
		}
	}
	at := func(n int) float64 { return float64(n * coverSide) }
	return raster.Box{West: box.West + at(west), South: box.North - at(south), East: box.West + at(east), North: box.North - at(north)}
}

// Box is the square of a tile in metres.
func (t Tile) Box() raster.Box { return BoxOf(t.E, t.N, t.Km) }

// BoxOf is the square of so many kilometres at a place in kilometres.
func BoxOf(e, n, km int) raster.Box {
	return raster.Box{West: float64(e) * 1000, South: float64(n) * 1000, East: float64(e+km) * 1000, North: float64(n+km) * 1000}
}

// Cover are the places of the squares of so many kilometres that a box touches, by n, then e.
func Cover(b raster.Box, km int) (places [][2]int) {
	floor := func(v float64) int { return int(math.Floor(v/1000/float64(km))) * km }
	for n := floor(b.South); float64(n*1000) < b.North; n += km {
		for e := floor(b.West); float64(e*1000) < b.East; e += km {
			places = append(places, [2]int{e, n})
		}
	}
	return places
}

// Within says whether a place can be told in the index.
func Within(e, n int) bool { return e >= 0 && n >= 0 && e < maxKm && n < maxKm }

// SquareName is the section of the index that holds a place in kilometres.
func SquareName(e, n int) string { return fmt.Sprintf("N%03dE%03d", n/SquareKm, e/SquareKm) }

// Squares are the names of the sections for a box.
func Squares(b raster.Box) (names []string) {
	for _, at := range Cover(b, SquareKm) {
		if Within(at[0], at[1]) {
			names = append(names, SquareName(at[0], at[1]))
		}
	}
	return names
}

// Dataset is the date as it is asked for: 20240915, of a month 202404, of a year 2024.
func (l *Layer) Dataset() string {
	switch l.Precision {
	case Year:
		return l.Date[:4]
	case Month:
		return l.Date[:4] + l.Date[5:7]
	}
	return l.Date[:4] + l.Date[5:7] + l.Date[8:]
}

// Classes says whether the numbers of the layer are no quantities.
func (l *Layer) Classes() bool {
	k := LayerTypeOf(l.Layer)
	return k != nil && k.Classes
}

// Find is a layer of a date; nil if the index does not list it.
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

// Scans are the height models that an area is analysed in: terrain and surface of a date, and of the date before it. Those that do
// not reach into the area are nil.
type Scans struct{ Ground, Top, EarlierGround, EarlierTop *Layer }

// Pairs are the terrain models with a surface model of the same date, both in cells of 1 m, rising by date.
func (x *Index) Pairs() (grounds []*Layer) {
	for i := range x.Layers {
		if l := &x.Layers[i]; l.Layer == DTM && x.surface(l) != nil {
			grounds = append(grounds, l)
		}
	}
	return grounds
}

// surface is the surface model of the date of a terrain model, both in cells of 1 m; nil if the date has no surface model.
func (x *Index) surface(ground *Layer) *Layer {
	if l := x.Find(DSM, ground.Dataset()); l != nil && l.Step == 1 && ground.Step == 1 {
		return l
	}
	return nil
}

// Scans are those of an area. newest chooses among terrain models, which rise by date, the one that the area is analysed in, nil
// where none reaches into it: first of those allowed, then, for the earlier date, of all Pairs before that.
func (x *Index) Scans(allowed []*Layer, newest func([]*Layer) (*Layer, error)) (s Scans, err error) {
	if s.Ground, err = newest(allowed); err != nil || s.Ground == nil {
		return s, err
	}
	s.Top = x.surface(s.Ground)
	before := slices.DeleteFunc(x.Pairs(), func(l *Layer) bool { return l.Dataset() >= s.Ground.Dataset() })
	if s.EarlierGround, err = newest(before); err != nil || s.EarlierGround == nil {
		return s, err
	}
	s.EarlierTop = x.surface(s.EarlierGround)
	return s, nil
}

// forms are those of samples, with their bytes.
var forms = map[string]int{"uint8": 1, "uint16": 2, "int16": 2, "float32": 4}

// check refuses an invalid layer.
func (l *Layer) check() error {
	if _, err := time.Parse(time.DateOnly, l.Date); err != nil {
		return fmt.Errorf("its date does not have the form YYYY-MM-DD")
	}
	switch l.Precision {
	case Day, Month, Year:
	default:
		return fmt.Errorf("a date to the %.20q", l.Precision)
	}
	if !(l.Step >= 0.1 && l.Step <= 1000) {
		return fmt.Errorf("cells of %g m", l.Step)
	}
	if l.TileKm < 1 || SquareKm%l.TileKm != 0 {
		return fmt.Errorf("tiles of %d km", l.TileKm)
	}
	if cells := float64(l.TileKm) * 1000 / l.Step; math.Abs(cells-math.Round(cells)) > 1e-6 {
		return fmt.Errorf("cells of %g m, of which no whole number makes %d km", l.Step, l.TileKm)
	}
	if forms[l.Form] == 0 || (l.NoData == nil) != (l.Form == "float32") || len(l.Bands) == 0 {
		return fmt.Errorf("%d bands of the form %.20q", len(l.Bands), l.Form)
	}
	return nil
}
