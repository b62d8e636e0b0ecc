package kg

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// maxTiles bounds the tiles of one KG and zoom. The largest KG of the country (some 270 km²) needs about
// 450 at zoom 15 and 1,700 at zoom 16.
const maxTiles = 10_000

// reachTiles is how many tile widths beyond its tile's north-west corner a vertex lies at most: those that
// mvt.Limits allow, and the tile itself.
const reachTiles = 17

// region is the set of tiles read of one tileset and zoom, decoded, in a fixed order.
type region struct {
	reader  TileReader
	tileset string
	zoom    uint8
	workers int
	tiles   map[square]*mvt.Tile
	order   []square // rising by row, then column
	grid    mvt.Grid // shared by all tiles: its extent is a multiple of theirs
}

func newRegion(in *Input, tileset string, zoom uint8) *region {
	return &region{reader: in.Tiles, tileset: tileset, zoom: zoom, workers: in.Workers, tiles: map[square]*mvt.Tile{}}
}

func (r *region) has(s square) bool { _, ok := r.tiles[s]; return ok }

// read adds tiles; those it already has are passed over. It says how many were new.
func (r *region) read(ctx context.Context, want []square) (int, error) {
	limit := int32(1)<<r.zoom - 1
	fresh := make([]square, 0, len(want))
	for _, s := range want {
		if !r.has(s) && s.x >= 0 && s.y >= 0 && s.x <= limit && s.y <= limit {
			fresh = append(fresh, s)
		}
	}
	slices.SortFunc(fresh, compareSquares)
	fresh = slices.Compact(fresh)
	if len(r.tiles)+len(fresh) > maxTiles {
		return 0, fmt.Errorf("tileset %s zoom %d: %d tiles needed, at most %d allowed", r.tileset, r.zoom, len(r.tiles)+len(fresh),
			maxTiles)
	}
	got := make([]*mvt.Tile, len(fresh))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.workers)
	for i, s := range fresh {
		g.Go(func() error {
			id := mvt.TileID{Z: r.zoom, X: uint32(s.x), Y: uint32(s.y)}
			b, err := r.reader.Tile(ctx, r.tileset, id)
			if err != nil {
				return err
			}
			if got[i], err = mvt.Decode(b, mvt.Limits{}); err != nil {
				return fmt.Errorf("tile %s/%v: %w", r.tileset, id, err)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return 0, err
	}
	for i, s := range fresh {
		r.tiles[s] = got[i]
	}
	r.order = append(r.order, fresh...)
	slices.SortFunc(r.order, compareSquares)
	return len(fresh), nil
}

func compareSquares(a, b square) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) }

// cover lists the squares that touch a box, with a margin in units of 1e-7 degrees.
func (r *region) cover(b geom.Box, margin int32) ([]square, error) {
	b = geom.Box{MinX: b.MinX - margin, MinY: b.MinY - margin, MaxX: b.MaxX + margin, MaxY: b.MaxY + margin}
	ids, ok := mvt.Cover(b, r.zoom, maxTiles)
	if !ok {
		return nil, fmt.Errorf("box %v at zoom %d needs more than %d tiles", b, r.zoom, maxTiles)
	}
	out := make([]square, len(ids))
	for i, id := range ids {
		out[i] = square{int32(id.X), int32(id.Y)}
	}
	return out, nil
}

// fix chooses the grid that all layers of the tiles read so far fit on: the least common multiple of
// their extents, which is the extent itself in every real tileset.
func (r *region) fix(layers ...string) error {
	e := uint32(1)
	for _, s := range r.order {
		for _, name := range layers {
			l := r.tiles[s].Layer(name)
			if l == nil {
				continue
			}
			a, b := e, l.Extent
			for b != 0 {
				a, b = b, a%b
			}
			m := uint64(e) / uint64(a) * uint64(l.Extent)
			if m > 1<<31 || (uint64(max(s.x, s.y))+reachTiles)*m > math.MaxInt32 {
				return fmt.Errorf("tile %s/%d/%d/%d: layer %s: extent %d is too fine for the grid of zoom %d", r.tileset, r.zoom, s.x, s.y,
					name, l.Extent, r.zoom)
			}
			e = uint32(m)
		}
	}
	if e == 1 {
		e = mvt.DefaultExtent
	}
	r.grid = mvt.Grid{Z: r.zoom, Extent: e}
	return nil
}

// rings gives a feature's rings on the region's grid, without repeated vertices. Rings of fewer than
// three vertices stay out; first is the first vertex of all.
func (r *region) rings(s square, l *mvt.Layer, f *mvt.Feature) (rings [][]pt, first pt) {
	scale := int32(r.grid.Extent / l.Extent)
	ox, oy := s.x*int32(r.grid.Extent), s.y*int32(r.grid.Extent)
	n := 0
	for _, p := range f.Parts {
		n += len(p)
	}
	arena := make([]pt, 0, n)
	for i, p := range f.Parts {
		at := len(arena)
		for _, q := range p {
			arena = append(arena, pt{X: ox + q.X*scale, Y: oy + q.Y*scale})
		}
		if i == 0 && len(p) > 0 {
			first = arena[at]
		}
		if ring := unrepeat(arena[at:len(arena):len(arena)]); len(ring) >= 3 {
			rings = append(rings, ring)
		}
	}
	return rings, first
}

// home is the tile whose own square holds a grid position.
func (r *region) home(p pt) square {
	return square{p.X / int32(r.grid.Extent), p.Y / int32(r.grid.Extent)}
}

// point is a grid position in 1e-7 degrees.
func (r *region) point(p pt) geom.Point { return r.grid.Point(int64(p.X), int64(p.Y)) }
