package dkm

import (
	"context"
	"fmt"
	"math"

	"mappe/builders/source/geopackage"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
	"mappe/shared/geo/wkb"
)

// Zoom is the zoom at which a map of this form is best read: its tiles are 1.6 km wide in Austria, so that few
// features stand in several, and a vertex may lie 26 km from a tile that shows it.
const Zoom = 14

// Zooms at which tiles are made: the extent stays within what a tile can say.
const (
	minZoom   = 11
	maxZoom   = 18
	gridWidth = 31 // bits
)

// margin is added to a tile's box in the layer's system, in metres: its sides are not quite straight there.
const margin = 5

// Tile makes the tile of a tileset, nil when nothing of the map is in it.
func (s *Source) Tile(ctx context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	if id.Z < minZoom || id.Z > maxZoom || !id.Valid() {
		return nil, fmt.Errorf("tile %s/%v: tiles of a GeoPackage are made at zoom %d to %d", tileset, id, minZoom, maxZoom)
	}
	var doc mvt.Tile
	c := newCanvas(id)
	built := map[string]*mvt.LayerBuilder{} // several files may hold one role
	for i := range s.layers {
		l := &s.layers[i]
		if l.tileset != tileset {
			continue
		}
		b := built[l.layer]
		if b == nil {
			b = mvt.NewLayer(l.layer, c.grid.Extent)
			built[l.layer] = b
		}
		if err := s.draw(ctx, i, c, b); err != nil {
			return nil, fmt.Errorf("tile %s/%v: %w", tileset, id, err)
		}
	}
	for i := range forms {
		if b := built[forms[i].layer]; b != nil && len(b.Layer().Features) > 0 {
			doc.Layers = append(doc.Layers, b.Layer())
		}
	}
	if len(doc.Layers) == 0 {
		return nil, nil
	}
	return mvt.Encode(doc)
}

// boxIn is the tile's box in a system, a little larger: the sides are looked at in their middles too, where
// they bulge.
func boxIn(id mvt.TileID, system crs.System) wkb.Box {
	b := id.Bounds()
	m := b.Center()
	out := wkb.Box{MinX: math.Inf(1), MinY: math.Inf(1), MaxX: math.Inf(-1), MaxY: math.Inf(-1)}
	for _, p := range [...]geom.Point{{X: b.MinX, Y: b.MinY}, {X: m.X, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MinX, Y: m.Y},
		{X: b.MaxX, Y: m.Y}, {X: b.MinX, Y: b.MaxY}, {X: m.X, Y: b.MaxY}, {X: b.MaxX, Y: b.MaxY}} {
		x, y := system.Project(p)
		out.MinX, out.MaxX = min(out.MinX, x), max(out.MaxX, x)
		out.MinY, out.MaxY = min(out.MinY, y), max(out.MaxY, y)
	}
	more := float64(margin)
	if system == crs.WGS84 {
		more /= 70_000 // metres of a degree of longitude, rounded down
	}
	return wkb.Box{MinX: out.MinX - more, MinY: out.MinY - more, MaxX: out.MaxX + more, MaxY: out.MaxY + more}
}

// draw adds a layer's features that touch the tile, in the order of the table.
func (s *Source) draw(ctx context.Context, layer int, c *canvas, to *mvt.LayerBuilder) error {
	l := &s.layers[layer]
	ids, err := l.index.In(ctx, boxIn(c.id, l.system))
	if err != nil {
		return err
	}
	c.system = l.system
	attrs := make([]mvt.Attr, len(l.attributes))
	return l.rows.Each(ctx, ids, func(r geopackage.Row) {
		if r.Geometry == nil {
			return // no place, or larger than what is read
		}
		shape, err := wkb.Decode(r.Geometry)
		if err != nil {
			s.bad(layer, r.ID, "", "a geometry that can be read: "+err.Error())
			return
		}
		features, ok := c.features(shape, l.points)
		if !ok {
			s.bad(layer, r.ID, "", "coordinates of "+l.system.String()+" within 20 km of the tile")
			return
		}
		for i, a := range l.attributes {
			attrs[i] = mvt.Attr{Key: a.name, Value: value(r.Values[i], a.name)}
		}
		for _, f := range features {
			to.Add(f, attrs...)
		}
	})
}

// value is an attribute as the tiles have it: numbers that are written as text are numbers, a parcel number is
// text, and nothing is nothing.
func value(v any, name string) mvt.Value {
	text := geopackage.Text(v)
	switch {
	case text == "":
		return mvt.Value{}
	case name == "ez" || name == "ns":
		if n, ok := mvt.String(text).Int64(); ok {
			return mvt.Int(n)
		}
	case name == "rot":
		if f, ok := decimal(text); ok {
			return mvt.Double(f)
		}
	}
	return mvt.String(text)
}
