package demo

import (
	"fmt"
	"slices"
	"strings"

	"mappe/builders/kg/tilecut"
	"mappe/localdev/demo/planar"
	"mappe/localdev/demo/world"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// The survey office's tiles: parcels at z15, land use at z16, clipped 80 units outside the tile.
const (
	parcelZoom  = 15
	landUseZoom = 16
	extent      = 4096
	buffer      = 80
)

// cut cuts features into the tiles of a folder and hands each on, in their order.
func cut(folder string, zoom uint8, features []tilecut.Feature, then func(name string, tile []byte) error) error {
	tiles, err := tilecut.Cut(features, zoom, extent, buffer)
	if err != nil {
		return err
	}
	ids := make([]mvt.TileID, 0, len(tiles))
	for id := range tiles {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b mvt.TileID) int { return strings.Compare(a.String(), b.String()) })
	for _, id := range ids {
		if err := then(fmt.Sprintf("tiles/%s/%s.pbf", folder, id), tiles[id]); err != nil {
			return err
		}
	}
	return nil
}

// write cuts features and writes the tiles under a folder.
func (o *output) write(folder string, zoom uint8, features []tilecut.Feature) error {
	return cut(folder, zoom, features, func(name string, tile []byte) error {
		o.sum.Tiles++
		return o.file(name, tile)
	})
}

// kgValue spells a KG code as the source does: mostly a number, sometimes text with or without zeros.
func kgValue(code string, n int) mvt.Value {
	switch n % 7 {
	case 2:
		return mvt.String(code)
	case 5:
		return mvt.String(strings.TrimLeft(code, "0"))
	}
	var v uint64
	for _, c := range code {
		v = v*10 + uint64(c-'0')
	}
	return mvt.Uint(v)
}

// parcelTiles writes the layers gst, gnr, kg and kgp.
func (o *output) parcelTiles(w *world.World, t *truth) error {
	var fs []tilecut.Feature
	for i := range w.Parcels {
		p := &w.Parcels[i]
		attrs := []mvt.Attr{
			{Key: "kg", Value: kgValue(w.KGs[p.KG].Code, i)},
			{Key: "gnr", Value: mvt.String(string(p.GNR))},
			{Key: "rstatus", Value: mvt.String(p.Status.String())},
		}
		if p.EZ != 0 {
			attrs = append(attrs, mvt.Attr{Key: "ez", Value: mvt.Uint(uint64(p.EZ))})
		}
		fs = append(fs, tilecut.Feature{Layer: "gst", Geometry: t.drawn(i), Attrs: attrs})
	}
	for i := range w.Parcels {
		p := &w.Parcels[i]
		for _, l := range p.Labels {
			fs = append(fs, tilecut.Feature{Layer: "gnr", At: l.At.E7(), Attrs: []mvt.Attr{
				{Key: "gnr", Value: mvt.String(string(p.GNR))},
				{Key: "rstatus", Value: mvt.String(p.Status.String())},
				{Key: "rot", Value: mvt.Double(l.Rotation)},
				{Key: "kg", Value: kgValue(w.KGs[p.KG].Code, i+3)},
			}})
		}
	}
	for i, k := range w.KGs {
		attrs := []mvt.Attr{
			{Key: "kg", Value: mvt.String(k.Name)},
			{Key: "kg_nr", Value: kgValue(k.Code, 0)},
		}
		fs = append(fs, tilecut.Feature{Layer: "kg", Geometry: t.outline[i], Attrs: attrs})
		if at, ok := t.outline[i].Inside(); ok {
			fs = append(fs, tilecut.Feature{Layer: "kgp", At: at, Attrs: attrs})
		}
	}
	fs = append(fs, t.unbuiltParcels()...)
	return o.write("kataster", parcelZoom, fs)
}

// landUseTiles writes the layer nfl: land use and buildings.
func (o *output) landUseTiles(w *world.World, t *truth) error {
	return o.write("kataster", landUseZoom, append(landUseFeatures(w, w.Uses), t.unbuiltUses()...))
}

func landUseFeatures(w *world.World, uses []world.Use) (fs []tilecut.Feature) {
	add := func(g geom.MultiPolygon, ns uint8) {
		fs = append(fs, tilecut.Feature{Layer: "nfl", Geometry: g, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(uint64(ns))}}})
	}
	for i := range uses {
		add(world.Geometry([]planar.Poly{uses[i].Shape}, 2), uses[i].NS)
	}
	for i := range w.Footprints {
		add(world.Geometry([]planar.Poly{w.Footprints[i].Shape}, 2), 41)
	}
	return fs
}

// symbolTiles writes the layer nsy of the tileset symbole.
func (o *output) symbolTiles(w *world.World) error {
	return o.write("symbole", landUseZoom, symbolFeatures(w.Symbols))
}

func symbolFeatures(symbols []world.Symbol) (fs []tilecut.Feature) {
	for _, s := range symbols {
		fs = append(fs, tilecut.Feature{Layer: "nsy", At: s.At.E7(), Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(uint64(s.NS))}}})
	}
	return fs
}
