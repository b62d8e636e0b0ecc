package rasters

import (
	"encoding/json"
	"fmt"

	"mappe/artefacts/keys"
)

// MaxList bounds a list of format 1 in bytes: 20,000 tiles take 5 MB.
const MaxList = 64 << 20

// ParseList reads the form that the artefact had before it was in parts, national/rasters-{sum}.json: {format: 1, layers:
// [{layer, date, title, source, attribution, step_m, tiles: [{e, n, key, bytes, sha256, known, inputs, cover?}]}]},
// height models in tiles of 5 km.
func ParseList(b []byte) ([]Listed, error) {
	var list struct {
		Format int `json:"format"`
		Layers []struct {
			Layer       string `json:"layer"`
			Date        string `json:"date"`
			Attribution string `json:"attribution"`
			Tiles       []Tile `json:"tiles"`
		} `json:"layers"`
	}
	if len(b) > MaxList {
		return nil, fmt.Errorf("list of rasters: %d bytes, at most %d", len(b), MaxList)
	}
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("list of rasters: %w", err)
	}
	if list.Format != 1 {
		return nil, fmt.Errorf("list of rasters: format %d, this program reads 1", list.Format)
	}
	var out []Listed
	for _, from := range list.Layers {
		k := LayerTypeOf(from.Layer)
		if k == nil || k.Form != "float32" {
			return nil, fmt.Errorf("list of rasters: layer %.40q", from.Layer)
		}
		credit := k.Credit
		credit.Attribution = from.Attribution
		l := Listed{Layer: k.New(from.Date, credit), Tiles: from.Tiles}
		l.Tiles.Sort()
		if err := l.Layer.check(); err != nil {
			return nil, fmt.Errorf("list of rasters: layer %.40q of %.20q: %w", from.Layer, from.Date, err)
		}
		for i := range l.Tiles {
			t := &l.Tiles[i]
			t.Km = l.TileKm
			key, err := keys.Parse(t.Key)
			r, ok := key.(keys.Raster)
			if err != nil || !ok || r.Layer != l.Layer.Layer || r.Date != l.Date || r.E != t.E || r.N != t.N || !Within(t.E, t.N) {
				return nil, fmt.Errorf("list of rasters: %.80q is no tile of %s", t.Key, l.Layer.Layer)
			}
			if err := l.checkTile(t, l.Tiles[:i]); err != nil {
				return nil, fmt.Errorf("list of rasters: %s: %w", t.Key, err)
			}
		}
		out = append(out, l)
	}
	return out, nil
}
