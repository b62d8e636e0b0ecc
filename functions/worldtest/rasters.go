package worldtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"

	"mappe/artefacts/cog"
	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rasters"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// Raster is a height model of a date: heights by place in EPSG:3035, NaN where nothing is known.
type Raster struct {
	Layer, Date string
	Box         raster.Box // aligned to metres
	Height      func(x, y float64) float64
}

// RasterAttribution is whom the height models of the world name.
const RasterAttribution = "© made-up scans"

// Plane is a place of the world, in cells from its origin, in EPSG:3035.
func Plane(x, y float64) (east, north float64) { return crs.EqualArea(At(x, y)) }

// AddRasters gives the published generation height models, in tiles of 5 km.
func AddRasters(s store.Store, models ...Raster) error {
	x := rasters.Index{}
	for _, m := range models {
		l := rasters.Layer{Layer: m.Layer, Date: m.Date, Title: m.Layer, Source: "made up", Attribution: RasterAttribution, Step: 1}
		for _, at := range rasters.Cover(m.Box) {
			t, err := putTile(s, m, at)
			if err != nil {
				return err
			}
			l.Tiles = append(l.Tiles, t)
		}
		x.Layers = append(x.Layers, l)
	}
	body, err := x.Encode()
	if err != nil {
		return err
	}
	return putArtefact(s, rasters.Artefact, keys.National{Name: rasters.Artefact, Sum: keys.Sum(body), Ext: "json"}, body)
}

func putTile(s store.Store, m Raster, at [2]int) (rasters.Tile, error) {
	t, box := rasters.Tile{E: at[0], N: at[1], Inputs: "made up"}, rasters.BoxOf(at[0], at[1])
	g, err := raster.Over(raster.Box{West: max(box.West, m.Box.West), South: max(box.South, m.Box.South), East: min(box.East, m.Box.East), North: min(box.North, m.Box.North)}, 1)
	if err != nil {
		return t, err
	}
	for row := range g.Rows {
		for col := range g.Cols {
			if h := m.Height(g.Centre(col, row)); !math.IsNaN(h) {
				g.Z[row*g.Cols+col] = float32(h)
				t.Known++
			}
		}
	}
	t.Cover = rasters.CoverOf(t, g)
	body, err := cog.Encode(g, cog.Options{Packing: cog.Zstd, EPSG: rasters.EPSG, Unit: "m"})
	if err != nil {
		return t, err
	}
	key := keys.Raster{Layer: m.Layer, Date: m.Date, E: t.E, N: t.N, Sum: keys.Sum(body)}
	sum := sha256.Sum256(body)
	t.Object = manifest.Object{Key: key.String(), Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}
	_, err = s.Put(context.Background(), key.String(), body, store.PutOptions{Immutable: true})
	return t, err
}
