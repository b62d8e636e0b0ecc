package relief

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"mappe/artefacts/cog"
	"mappe/artefacts/pmt"
	"mappe/artefacts/rasters"
	scanned "mappe/builders/rasters"
	"mappe/builders/stage"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// scansRecipe names what in the program decides how heights are taken from scans.
const scansRecipe = "scans-1"

// scans are the terrain models of laser scans, the layer dtm of the rasters of the country. They are read from the overviews of the
// tiles: a cell of 16 m is the mean of the 256 heights in it, which is what a pixel of 26 m shows anyway, and the country, 3,400
// tiles of 5 km, costs one read of some 300 KB a tile instead of 300 GB.
type scans struct {
	store  store.Store
	layers []rasters.Listed // the newest first, each with tiles
	pixel  float64          // side in metres of the smallest pixels that are drawn

	mu    sync.Mutex
	held  map[string]*held
	cells int // that are held
	turn  int
	lost  map[string]error // tiles that are gone or damaged, and why
}

// held is a tile that was read.
type held struct {
	*scanned.Overview
	used int // turn of the last use
}

// maxHeld bounds the cells that are held: 64 MB, some 160 whole tiles. The map is drawn square by square, so that most tiles are read
// once.
const maxHeld = 16 << 20

// scansOf are the scans that the stage of the rasters has made, or else those that are served; nil without either.
func scansOf(ctx context.Context, c *stage.Country) (*scans, error) {
	o, made := c.Made[rasters.Artefact]
	if !made {
		served, ok := c.Live[rasters.Artefact]
		if !ok {
			return nil, nil
		}
		o = served
	}
	all, err := scanned.ReadIndex(ctx, c.Store, o)
	if !made && (errors.Is(err, store.ErrNotFound) || errors.Is(err, scanned.ErrIndex)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := &scans{store: c.Store, held: map[string]*held{}, lost: map[string]error{}}
	for _, l := range slices.Backward(all) { // which rise by date
		if l.Layer.Layer == rasters.DTM && len(l.Tiles) > 0 {
			s.layers = append(s.layers, l)
		}
	}
	if len(s.layers) == 0 {
		return nil, nil
	}
	return s, nil
}

// sum is a fingerprint of the tiles.
func (s *scans) sum() string {
	h := sha256.New()
	for i := range s.layers {
		fmt.Fprintln(h, s.layers[i].Credit)
		for _, t := range s.layers[i].Tiles {
			fmt.Fprintln(h, t.Key)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// step is the side in metres of the cells of the finest source.
func (s *scans) step() float64 {
	finest := math.Inf(1)
	for i := range s.layers {
		finest = min(finest, max(s.layers[i].Step, s.layers[i].SourceStep))
	}
	return finest
}

// overview is the side in metres of the cells that are read of a whole tile.
func (s *scans) overview() float64 {
	step := s.layers[0].Step
	for 2*step <= s.pixel {
		step *= 2
	}
	return step
}

// box are the degrees that known heights lie in: west, south, east, north.
func (s *scans) box() [4]float64 {
	box := [4]float64{180, 90, -180, -90}
	for i := range s.layers {
		for j := range s.layers[i].Tiles {
			b := s.layers[i].Tiles[j].Reach()
			for _, p := range [][2]float64{{b.West, b.South}, {b.East, b.South}, {b.West, b.North}, {b.East, b.North}} {
				lon, lat := crs.LAEA.Inverse(p[0], p[1])
				box = [4]float64{min(box[0], lon), min(box[1], lat), max(box[2], lon), max(box[3], lat)}
			}
		}
	}
	return box
}

// maxMean is how many tiles the mean height is taken of: it is where the shade ends, which some metres do not change.
const maxMean = 100

// mean is about the mean height, of tiles that are spread evenly, and the area of all in m².
func (s *scans) mean(ctx context.Context) (metres, area float64, err error) {
	var all []*rasters.Tile
	for i := range s.layers {
		l := &s.layers[i]
		for j := range l.Tiles {
			all = append(all, &l.Tiles[j])
			area += float64(float64(l.Tiles[j].Known) * l.Step * l.Step)
		}
	}
	sum, n := 0.0, 0.0
	for i := range min(len(all), maxMean) {
		t := all[i*len(all)/min(len(all), maxMean)]
		o, err := s.read(ctx, t)
		if err != nil {
			return 0, 0, err
		}
		if o == nil {
			continue
		}
		z, cells := 0.0, 0
		for _, v := range o.Z {
			if v == v {
				z, cells = z+float64(v), cells+1
			}
		}
		if cells > 0 {
			sum, n = sum+float64(z/float64(cells)*float64(t.Known)), n+float64(t.Known)
		}
	}
	if n == 0 {
		return 0, 0, nil
	}
	return sum / n, area, nil
}

// read gives the overview of a tile; nil where the tile is gone or damaged, which is noted.
func (s *scans) read(ctx context.Context, t *rasters.Tile) (*scanned.Overview, error) {
	s.mu.Lock()
	s.turn++
	h, known := s.held[t.Key]
	if known {
		h.used = s.turn
	}
	_, lost := s.lost[t.Key]
	s.mu.Unlock()
	if known || lost {
		if lost {
			return nil, nil
		}
		return h.Overview, nil
	}
	o, err := scanned.ReadOverview(ctx, s.store, t, s.pixel)
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, cog.ErrFormat) {
		s.lost[t.Key] = err
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if h, known := s.held[t.Key]; known { // another worker was faster
		return h.Overview, nil
	}
	s.held[t.Key] = &held{o, s.turn}
	for s.cells += len(o.Z); s.cells > maxHeld && len(s.held) > 1; {
		s.drop()
	}
	return o, nil
}

// drop forgets the tile that was used longest ago.
func (s *scans) drop() {
	oldest, used := "", math.MaxInt
	for key, h := range s.held {
		if h.used < used {
			oldest, used = key, h.used
		}
	}
	s.cells -= len(s.held[oldest].Z)
	delete(s.held, oldest)
}

// problems are the tiles that are gone or damaged, in their order.
func (s *scans) problems() (lines []string) {
	for _, key := range slices.Sorted(maps.Keys(s.lost)) {
		lines = append(lines, fmt.Sprintf("the relief lacks the heights of %s: %v", key, s.lost[key]))
	}
	return lines
}

// near are the tiles of scans around a tile of the map.
type near struct {
	*scans
	ctx   context.Context
	tiles []nearTile // the newest first
	err   error      // the first one of a tile that could not be read
}

type nearTile struct {
	*rasters.Tile
	box  raster.Box
	read bool
	over *scanned.Overview
}

// near are those around a tile of the map; nil if no tile lies there.
func (s *scans) near(ctx context.Context, t pmt.ZXY) *near {
	if s == nil {
		return nil
	}
	b := raster.Box{West: math.Inf(1), South: math.Inf(1), East: math.Inf(-1), North: math.Inf(-1)}
	const parts = 4 // of each side: a straight side of one plane is a curve of another
	for i := range parts + 1 {
		for j := range parts + 1 {
			x, y := crs.LAEA.Forward(place(t, i*side/parts, j*side/parts))
			b = raster.Box{West: min(b.West, x), South: min(b.South, y), East: max(b.East, x), North: max(b.North, y)}
		}
	}
	b = b.Grown(s.pixel)
	n := &near{scans: s, ctx: ctx}
	for i := range s.layers {
		l := &s.layers[i]
		for _, at := range rasters.Cover(b, l.TileKm) {
			if tile := l.Tiles.At(at[0], at[1]); tile != nil && tile.Covers(b) {
				n.tiles = append(n.tiles, nearTile{Tile: tile, box: tile.Box()})
			}
		}
	}
	if len(n.tiles) == 0 {
		return nil
	}
	return n
}

// at is the height at a place, of the newest scan that knows it.
func (n *near) at(lon, lat float64) (float64, bool) {
	if n == nil || n.err != nil {
		return 0, false
	}
	x, y := crs.LAEA.Forward(lon, lat)
	for i := range n.tiles {
		t := &n.tiles[i]
		if !(x >= t.box.West && x < t.box.East && y >= t.box.South && y < t.box.North) {
			continue
		}
		if !t.Covers(raster.Box{West: x - 1, South: y - 1, East: x + 1, North: y + 1}) {
			continue
		}
		if !t.read {
			if t.over, n.err = n.read(n.ctx, t.Tile); n.err != nil {
				return 0, false
			}
			t.read = true
		}
		if t.over == nil {
			continue
		}
		if z := t.over.At(x, y); z == z {
			return float64(z), true
		}
	}
	return 0, false
}
