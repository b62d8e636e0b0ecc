package library

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/cog"
	"mappe/artefacts/keys"
	"mappe/artefacts/rasters"
	"mappe/shared/geo/raster"
)

var rasterIndex = Decoder[*rasters.Index]{Limit: rasters.MaxIndex, Decode: func(body []byte) (*rasters.Index, int64, error) {
	x, err := rasters.Parse(body)
	return x, int64(len(body)), err
}}

// Rasters is the list of the rasters of the generation; an empty one where it has none.
func (v *View) Rasters(ctx context.Context) (*rasters.Index, error) {
	key, ok := v.Artefact(rasters.Artefact)
	if !ok {
		return &rasters.Index{}, nil
	}
	return Get(ctx, v, key, rasterIndex)
}

// rasterTile is a tile of a raster: its directory is in memory, its blocks are read by range.
type rasterTile struct {
	opened
	rasterBlocks
}

// rasterBlocks are the blocks of the full resolution of a GeoTIFF, row by row.
type rasterBlocks struct {
	*cog.File
	im *cog.Image
}

// Len is the number of blocks.
func (b rasterBlocks) Len() int { return b.im.Across * b.im.Down }

// Range is where a block is stored.
func (b rasterBlocks) Range(i int) (offset, length int64) {
	return b.im.Tile(i%b.im.Across, i/b.im.Across, 0)
}

// Decode gives a block as it is stored.
func (b rasterBlocks) Decode(_ int, stored []byte) ([]byte, error) { return stored, nil }

// Name is a block by its place.
func (b rasterBlocks) Name(i int) string {
	return fmt.Sprintf("block %d,%d", i%b.im.Across, i/b.im.Across)
}

// tileWidth is how many tiles of a window are read at once; the blocks of each are read at once too.
const tileWidth = 4

// Window gives the cells of a layer in a box whose borders are multiples of its step, NaN where nothing is known: from
// memory, or for each tile a read of its front and one for each run of blocks. The errors are those of Get, and one of a
// box with too many cells.
func (v *View) Window(ctx context.Context, l *rasters.Layer, b raster.Box) (*raster.Grid, error) {
	g, err := raster.Over(b, l.Step)
	if err != nil {
		return nil, err
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(tileWidth)
	for _, at := range rasters.Cover(b) {
		t := l.At(at[0], at[1])
		if t == nil {
			continue
		}
		work.Go(func() error { return v.paste(ctx, g, t) }) // tiles share no cell
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	return g, nil
}

// paste fills the cells of a window that lie in a tile.
func (v *View) paste(ctx context.Context, to *raster.Grid, t *rasters.Tile) error {
	in, err := v.rasterTile(ctx, t)
	if err != nil {
		return err
	}
	f, im := in.File, in.im
	at := f.Grid(im)
	west, north := max(to.West, at.West), min(to.North, at.North)
	cells := func(metres float64) int { return int(math.Round(metres / at.Step)) }
	w := cog.Window{Col: cells(west - at.West), Row: cells(at.North - north), Cols: cells(min(to.East(), at.East()) - west), Rows: cells(north - max(to.South(), at.South()))}
	if w.Cols < 1 || w.Rows < 1 {
		return nil
	}
	at.West, at.North = west, north
	place, err := cog.PlaceIn(to, at)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", t.Key, ErrDamaged, err)
	}
	// Some blocks at a time: those that the window has taken are held by the library's budget alone.
	for places := range slices.Chunk(f.Tiles(im, w), maxBlocks) {
		if err := in.pasteBlocks(ctx, place, w, places); err != nil {
			return err
		}
	}
	return nil
}

// maxBlocks is how many blocks of a tile, of 1 MB each, are read at once.
const maxBlocks = 16

// pasteBlocks fills the cells of a window of the tile that lie in some of its blocks.
func (in *rasterTile) pasteBlocks(ctx context.Context, to cog.Target, w cog.Window, places []cog.Place) error {
	f, im := in.File, in.im
	var numbers []int
	var stored []cog.Place
	for _, p := range places {
		if _, length := im.Tile(p.Col, p.Row, 0); length > 0 {
			numbers, stored = append(numbers, p.Row*im.Across+p.Col), append(stored, p)
		}
	}
	got, err := Sections(ctx, in, numbers, func(_ int, body []byte) ([]float32, int64, error) {
		values, err := f.Decode(im, 0, body)
		return values, int64(4 * len(values)), err
	})
	if err != nil {
		return err
	}
	for i, p := range stored {
		f.Paste(to, im, w, p, got[i])
	}
	return nil
}

// rasterTile opens a tile, from memory or with one read.
func (v *View) rasterTile(ctx context.Context, t *rasters.Tile) (*rasterTile, error) {
	key, err := keys.Parse(t.Key)
	if err != nil {
		return nil, err
	}
	n := name{key.String(), front}
	got, err := v.l.cache.get(ctx, n, func(ctx context.Context) (any, int64, error) {
		b, size, err := v.l.readRange(ctx, n.object, 0, frontGuess)
		if err != nil {
			return nil, 0, err
		}
		f, err := cog.Open(bytes.NewReader(b), size)
		if err == nil && size != t.Bytes {
			err = fmt.Errorf("it has %d bytes, the list says %d", size, t.Bytes)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w: %w", key, ErrDamaged, err)
		}
		return f, int64(len(b)) + entryBytes, nil
	})
	if err != nil {
		return nil, err
	}
	f, err := as[*cog.File](n, got)
	if err != nil {
		return nil, err
	}
	b := rasterBlocks{f, &f.Images[0]}
	return &rasterTile{opened{b, v.l, n.object, nil}, b}, nil
}
