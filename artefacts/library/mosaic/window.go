package mosaic

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/cog"
	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/rasters"
	"mappe/shared/geo/raster"
)

// Window gives the values of the first band of a layer in a box whose borders are multiples of its step, NaN where nothing is
// known: from memory, or for each tile a read of its front and one for each run of blocks. The errors are those of
// library.Get, and one of a box with too many cells.
func (m *Mosaic) Window(ctx context.Context, l *rasters.Layer, b raster.Box) (*raster.Grid, error) {
	bands, err := m.Bands(ctx, l, b, l.Step)
	if err != nil {
		return nil, err
	}
	return bands[0], nil
}

// Bands gives the values of all bands of a layer as Window does, in cells of a step that is the layer's own or one of its
// overviews', 2, 4 or more times as large.
func (m *Mosaic) Bands(ctx context.Context, l *rasters.Layer, b raster.Box, step float64) ([]*raster.Grid, error) {
	switch l.Form {
	case "float32":
		s, err := samples[float32](ctx, m, l, b, step)
		if err != nil || s.Bands > 1 {
			return values(s, l), err
		}
		return []*raster.Grid{{West: s.West, North: s.North, Step: s.Step, Cols: s.Cols, Rows: s.Rows, Z: s.Pix}}, nil
	case "uint8":
		s, err := samples[uint8](ctx, m, l, b, step)
		return values(s, l), err
	case "uint16":
		s, err := samples[uint16](ctx, m, l, b, step)
		return values(s, l), err
	case "int16":
		s, err := samples[int16](ctx, m, l, b, step)
		return values(s, l), err
	}
	return nil, errForm(l)
}

// Samples gives the numbers of all bands of a layer as they are stored, the layer's nodata where nothing is known, in cells
// of a step as Bands does.
func Samples[T raster.Sample](ctx context.Context, m *Mosaic, l *rasters.Layer, b raster.Box, step float64) (*raster.Samples[T], error) {
	var v T
	if fmt.Sprintf("%T", v) != l.Form {
		return nil, errForm(l)
	}
	return samples[T](ctx, m, l, b, step)
}

// values makes grids of the bands of samples.
func values[T raster.Sample](s *raster.Samples[T], l *rasters.Layer) []*raster.Grid {
	if s == nil {
		return nil
	}
	out := make([]*raster.Grid, s.Bands)
	for band := range out {
		g := raster.New(s.West, s.North, s.Step, s.Cols, s.Rows)
		scale := l.Bands[band].Scale
		for i := range g.Z {
			v := float64(s.Pix[i*s.Bands+band])
			if v != v || l.NoData != nil && v == *l.NoData {
				continue
			}
			if scale != 0 {
				v *= scale
			}
			g.Z[i] = float32(v)
		}
		out[band] = g
	}
	return out
}

// tileWidth is how many tiles of a window are read at once; the blocks of each are read at once too.
const tileWidth = 4

func samples[T raster.Sample](ctx context.Context, m *Mosaic, l *rasters.Layer, b raster.Box, step float64) (*raster.Samples[T], error) {
	level, err := levelOf(l, step)
	if err != nil {
		return nil, err
	}
	out, err := raster.SamplesOver[T](b, step, len(l.Bands))
	if err != nil {
		return nil, err
	}
	var none T // of whole numbers without nodata 0
	switch {
	case l.NoData != nil:
		none = T(*l.NoData)
	case l.Form == "float32":
		none = T(math.NaN())
	}
	if none != 0 {
		for i := range out.Pix {
			out.Pix[i] = none
		}
	}
	tiles, err := m.TilesIn(ctx, l, b)
	if err != nil {
		return nil, err
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(tileWidth)
	for i := range tiles {
		work.Go(func() error { return paste(ctx, m, out, &tiles[i], level) }) // tiles share no cell
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// levelOf is the number of the overview that has a step, 0 of the layer's own.
func levelOf(l *rasters.Layer, step float64) (int, error) {
	level := math.Log2(step / l.Step)
	whole := math.Round(level)
	if cells := float64(l.TileKm) * 1000 / step; level < 0 || math.Abs(level-whole) > 1e-9 || math.Abs(cells-math.Round(cells)) > 1e-6 {
		return 0, fmt.Errorf("mosaic: %s of %s has no cells of %g m, its own are of %g m", l.Layer, l.Date, step, l.Step)
	}
	return int(whole), nil
}

// paste fills the cells of a window that lie in a tile.
func paste[T raster.Sample](ctx context.Context, m *Mosaic, to *raster.Samples[T], t *rasters.Tile, level int) error {
	in, err := m.open(ctx, t)
	if err != nil {
		return err
	}
	f := in.Front.File
	if level >= len(f.Images) || f.Images[level].Bands != to.Bands {
		return fmt.Errorf("%s: %w: it has %d resolutions and %d bands", t.Key, library.ErrDamaged, len(f.Images), f.Images[0].Bands)
	}
	im := &f.Images[level]
	at := f.Grid(im)
	west, north := max(to.West, at.West), min(to.North, at.North)
	window := to.Grid()
	cells := func(metres float64) int { return int(math.Round(metres / at.Step)) }
	w := cog.Window{Col: cells(west - at.West), Row: cells(at.North - north), Cols: cells(min(window.East(), at.East()) - west),
		Rows: cells(north - max(window.South(), at.South()))}
	if w.Cols < 1 || w.Rows < 1 {
		return nil
	}
	at.West, at.North = west, north
	place, err := cog.PlaceIn(window, at)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", t.Key, library.ErrDamaged, err)
	}
	part := cog.Pasting[T]{To: to, Col: place.Col, Row: place.Row, File: f, Image: im, Window: w}
	// Some blocks at a time: those that the window has taken are held by the library's budget alone.
	for places := range slices.Chunk(f.Tiles(im, w), maxBlocks) {
		if err := pasteBlocks(ctx, in, level, &part, places); err != nil {
			return err
		}
	}
	return nil
}

// maxBlocks is how many blocks of a tile, of some MB each, are read at once.
const maxBlocks = 16

// pasteBlocks fills the cells of a window of a resolution of the tile that lie in some of its blocks.
func pasteBlocks[T raster.Sample](ctx context.Context, in *library.Ranged[*blocks], level int, to *cog.Pasting[T],
	places []cog.Place) error {
	f, im := to.File, to.Image
	var numbers []int
	var stored []cog.Place
	for _, p := range places {
		if _, length := im.Tile(p.Col, p.Row, 0); length > 0 {
			numbers, stored = append(numbers, in.Front.number(level, p)), append(stored, p)
		}
	}
	var sample T
	got, err := library.Sections(ctx, in, numbers, func(_ int, body []byte) ([]T, int64, error) {
		values, err := cog.DecodeSamples[T](f, im, body)
		return values, int64(len(values)) * int64(unsafe.Sizeof(sample)), err
	})
	if err != nil {
		return err
	}
	for i, p := range stored {
		to.Paste(p, 0, got[i])
	}
	return nil
}

// blocks are the blocks of a tile, resolution by resolution, each row by row.
type blocks struct {
	*cog.File
	first []int // number of the first block of each resolution, and one more
}

func (b *blocks) at(i int) (*cog.Image, cog.Place) {
	level, _ := slices.BinarySearch(b.first, i+1)
	level--
	im := &b.Images[level]
	i -= b.first[level]
	return im, cog.Place{Col: i % im.Across, Row: i / im.Across}
}

func (b *blocks) number(level int, p cog.Place) int {
	return b.first[level] + p.Row*b.Images[level].Across + p.Col
}

// Len is the number of blocks.
func (b *blocks) Len() int { return b.first[len(b.first)-1] }

// Range is where a block is stored.
func (b *blocks) Range(i int) (offset, length int64) {
	im, p := b.at(i)
	return im.Tile(p.Col, p.Row, 0)
}

// Decode gives a block as it is stored.
func (b *blocks) Decode(_ int, stored []byte) ([]byte, error) { return stored, nil }

// Name is a block by its place.
func (b *blocks) Name(i int) string {
	im, p := b.at(i)
	return fmt.Sprintf("block %d,%d of %d x %d cells", p.Col, p.Row, im.Width, im.Height)
}

// open opens a tile, from memory or with one read.
func (m *Mosaic) open(ctx context.Context, t *rasters.Tile) (*library.Ranged[*blocks], error) {
	key, err := keys.Parse(t.Key)
	if err != nil {
		return nil, err
	}
	return library.OpenRanged(ctx, m.view, key, t.Bytes, tiles)
}

var tiles = library.Form[*blocks]{Open: func(front io.ReaderAt, size int64) (*blocks, int64, error) {
	f, err := cog.Open(front, size)
	if err != nil {
		return nil, 0, err
	}
	b := &blocks{f, make([]int, 1, len(f.Images)+1)}
	for i := range f.Images {
		b.first = append(b.first, b.first[i]+f.Images[i].Across*f.Images[i].Down)
	}
	return b, int64(16*b.Len() + 1024), nil
}}
