package worldtest

import (
	"bytes"
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

// AddRasters gives the published generation height models beside the rasters that it has, in tiles of 5 km.
func AddRasters(s store.Store, models ...Raster) error {
	layers, err := listed(s)
	if err != nil {
		return err
	}
	for _, m := range models {
		k := rasters.KindOf(m.Layer)
		credit := k.Credit
		credit.Attribution = RasterAttribution
		l := rasters.Listed{Layer: k.New(m.Date, credit)}
		for _, at := range rasters.Cover(m.Box, l.TileKm) {
			t, err := putTile(s, m, at)
			if err != nil {
				return err
			}
			l.Tiles = append(l.Tiles, t)
		}
		layers = append(layers, l)
	}
	return putRasters(s, layers)
}

func putRasters(s store.Store, layers []rasters.Listed) error {
	body, err := rasters.Encode(layers)
	if err != nil {
		return err
	}
	return putArtefact(s, rasters.Artefact, keys.National{Name: rasters.Artefact, Sum: keys.Sum(body), Ext: "parts"}, body)
}

func putTile(s store.Store, m Raster, at [2]int) (rasters.Tile, error) {
	t := rasters.Tile{E: at[0], N: at[1], Km: rasters.HeightKm, Inputs: "made up"}
	box := t.Box()
	g, err := raster.Over(raster.Box{West: max(box.West, m.Box.West), South: max(box.South, m.Box.South), East: min(box.East, m.Box.East),
		North: min(box.North, m.Box.North)}, 1)
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
	return t, putTileBody(s, &t, m.Layer, m.Date, body)
}

// putTileBody stores the file of a tile.
func putTileBody(s store.Store, t *rasters.Tile, layer, date string, body []byte) error {
	key := keys.Raster{Layer: layer, Date: date, E: t.E, N: t.N, Sum: keys.Sum(body)}
	sum := sha256.Sum256(body)
	t.Object = manifest.Object{Key: key.String(), Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}
	_, err := s.Put(context.Background(), key.String(), body, store.PutOptions{Immutable: true})
	return err
}

// Bytes is a layer of bytes of a year: the samples of all bands by place in EPSG:3035, the layer's nodata where nothing is known.
type Bytes struct {
	Layer, Date string
	Box         raster.Box
	Samples     func(x, y float64) []uint8
}

// AddBytes gives the published generation layers of bytes beside the rasters that it has, in whole tiles.
func AddBytes(s store.Store, layers ...Bytes) error {
	all, err := listed(s)
	if err != nil {
		return err
	}
	for _, m := range layers {
		k := rasters.KindOf(m.Layer)
		credit := k.Credit
		credit.Attribution = RasterAttribution
		l := rasters.Listed{Layer: k.New(m.Date, credit)}
		for _, at := range rasters.Cover(m.Box, l.TileKm) {
			t, err := putBytes(s, m, k, at)
			if err != nil {
				return err
			}
			l.Tiles = append(l.Tiles, t)
		}
		all = append(all, l)
	}
	return putRasters(s, all)
}

func putBytes(s store.Store, m Bytes, k *rasters.Kind, at [2]int) (rasters.Tile, error) {
	t := rasters.Tile{E: at[0], N: at[1], Km: k.TileKm, Inputs: "made up"}
	g, err := raster.SamplesOver[uint8](t.Box(), k.Step, len(k.Bands))
	if err != nil {
		return t, err
	}
	where := g.Grid()
	known := func(row int, tell func(col int)) {
		for col := range g.Cols {
			for _, v := range g.Row(row)[col*g.Bands : (col+1)*g.Bands] {
				if v != uint8(k.NoData) {
					tell(col)
					break
				}
			}
		}
	}
	for row := range g.Rows {
		for col := range g.Cols {
			x, y := where.Centre(col, row)
			out := g.Row(row)[col*g.Bands:][:g.Bands]
			if x > m.Box.West && x < m.Box.East && y > m.Box.South && y < m.Box.North {
				copy(out, m.Samples(x, y))
				t.Known++
				continue
			}
			for i := range out {
				out[i] = uint8(k.NoData)
			}
		}
	}
	t.Cover = rasters.CoverBy(t, where, known)
	body, err := cog.EncodeSamples(g, cog.Options{Packing: cog.Zstd, EPSG: rasters.EPSG, NoData: &k.NoData, Classes: k.Classes})
	if err != nil {
		return t, err
	}
	return t, putTileBody(s, &t, m.Layer, m.Date, body)
}

// listed are the rasters that the published generation has.
func listed(s store.Store) ([]rasters.Listed, error) {
	raw, _, err := store.ReadAll(context.Background(), s, keys.Current{}.String(), 1<<20, store.GetOptions{})
	if err != nil {
		return nil, err
	}
	p, err := manifest.ParsePointer(raw)
	if err != nil || p.Artefacts[rasters.Artefact].Key == "" {
		return nil, err
	}
	body, _, err := store.ReadAll(context.Background(), s, p.Artefacts[rasters.Artefact].Key, 1<<24, store.GetOptions{})
	if err != nil {
		return nil, err
	}
	return rasters.All(bytes.NewReader(body), int64(len(body)))
}
