package maps

import (
	"context"
	"errors"
	"math"

	"mappe/artefacts/pmt"
	"mappe/functions/core/generation"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
	"mappe/shared/web/fault"
)

// maxTiles bounds the vector tiles that are read for one picture.
const maxTiles = 144

// tileLimits bound one of them: a tile of the country's densest place has some 20,000 vertices.
var tileLimits = mvt.Limits{Bytes: 8 << 20, Vertices: 1_000_000, Features: 200_000}

// tile is a decoded tile and its way into the picture.
type tile struct {
	*mvt.Tile
	id       mvt.TileID
	warp     warp
	low, top float32 // rows of the picture that it meets
}

// zoomOf is the zoom of the tiles that a picture of a zoom is drawn from.
func zoomOf(h pmt.Header, zoom float64) uint8 {
	const rounding = 1e-6 // of a zoom that is whole
	return uint8(max(float64(h.MinZoom), min(float64(h.MaxZoom), math.Floor(zoom+rounding))))
}

// extent is the box of an archive.
func extent(h pmt.Header) geom.Box {
	return geom.Box{MinX: h.MinLon, MinY: h.MinLat, MaxX: h.MaxLon, MaxY: h.MaxLat}
}

// read reads the tiles of a view, with so many pixels around it.
func (v picture) read(ctx context.Context, a *pmt.Archive, z uint8, around float64) ([]*tile, error) {
	box := v.bounds(around)
	if box.Empty() || !box.Intersects(extent(a.Header)) {
		return nil, nil
	}
	e := extent(a.Header)
	box = geom.Box{MinX: max(box.MinX, e.MinX), MinY: max(box.MinY, e.MinY), MaxX: min(box.MaxX, e.MaxX), MaxY: min(box.MaxY, e.MaxY)}
	ids, ok := mvt.Cover(box, z, maxTiles)
	if !ok {
		return nil, fault.New(fault.TooLarge,
			"the picture needs more than %d vector tiles: expected a smaller picture or a smaller scale", maxTiles)
	}
	var list []*tile
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t, err := decoded(ctx, a, id)
		if err != nil {
			return nil, err
		}
		if t == nil {
			continue
		}
		one := &tile{Tile: t, id: id, warp: v.warp(id)}
		one.low, one.top = float32(math.Inf(1)), float32(math.Inf(-1))
		for _, n := range one.warp.nodes {
			one.low, one.top = min(one.low, n.Y), max(one.top, n.Y)
		}
		list = append(list, one)
	}
	return list, nil
}

// decoded is a tile; nil where the archive has no tile.
func decoded(ctx context.Context, a *pmt.Archive, id mvt.TileID) (*mvt.Tile, error) {
	body, err := a.Tile(pmt.ZXY{Z: id.Z, X: id.X, Y: id.Y})
	if errors.Is(err, pmt.ErrNoTile) {
		return nil, nil
	}
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	return mvt.Decode(body, tileLimits)
}

// warp is the way of a tile into the picture. Positions count in pixels of mvt.DefaultExtent, as the tiles of the country have them.
func (v picture) warp(id mvt.TileID) warp {
	w := warp{steps: warpSteps}
	if v.system == crs.WebMercator {
		w.steps = 1 // it is the tiles' own system
	}
	w.field = float32(mvt.DefaultExtent) / float32(w.steps)
	const half = math.Pi * 6378137
	side := 2 * half / float64(uint64(1)<<id.Z)
	for j := range w.steps + 1 {
		for i := range w.steps + 1 {
			x := -half + side*(float64(id.X)+float64(i)/float64(w.steps))
			y := half - side*(float64(id.Y)+float64(j)/float64(w.steps))
			lon, lat := crs.WebMercator.Inverse(x, y)
			w.nodes = append(w.nodes, v.place(lon, lat))
		}
	}
	return w
}

// scale is by how much positions of a layer are multiplied to count in pixels of mvt.DefaultExtent.
func scale(l *mvt.Layer) float32 {
	if l.Extent == 0 {
		return 1
	}
	return mvt.DefaultExtent / float32(l.Extent)
}
