package maps

import (
	"context"
	"image/color"
	"math"

	"mappe/artefacts/overlays"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/paint"
)

// The layers of what lies over the parcels: of their own, and no part of the whole.
const (
	natura    layer = "natura2000"
	protected layer = "protected_areas"
)

// lying are these layers in drawing order. Below their zoom a picture would show a great part of the country's outlines.
var lying = []described{
	{natura, "Natura 2000", "Natura 2000 sites.", 8, 0},
	{protected, "Protected areas", "Protected areas (national parks, nature reserves and others).", 8, 0},
}

// overInk are their colours, those of the map page (localdev/server/web/src/overlays.js, light); a test compares.
var overInk = map[layer]color.NRGBA{natura: hex("#0b6e4f"), protected: hex("#5b3f9e")}

const (
	overAlpha = 41 // 0.16 of 255
	overWidth = 2
	dashOn    = 3 * overWidth
	dashOff   = 1.5 * overWidth
	// nearby is the least distance of two vertices of an outline in pixels: of those that are nearer one is drawn.
	nearby = 0.4
	// shapesAtOnce bounds the shapes that are held while they are brought into the picture.
	shapesAtOnce = 32
)

// over says whether a layer is one of these.
func (l layer) over() bool { _, ok := overInk[l]; return ok }

// boxesOf are the boxes of the rows of such a layer.
func boxesOf(ctx context.Context, o *overlayindex.Overlays, l layer) (list []geom.Box, err error) {
	if l == natura {
		rows, err := o.Sites(ctx)
		for i := range rows {
			list = append(list, rows[i].Box)
		}
		return list, err
	}
	rows, err := o.Areas(ctx)
	for i := range rows {
		list = append(list, rows[i].Box)
	}
	return list, err
}

// shapesOf is where the shapes of such a layer are.
func (l layer) shapesOf() overlays.Layer {
	if l == natura {
		return overlays.SiteShapes
	}
	return overlays.AreaShapes
}

// outlines are the rings of such a layer that reach into the picture, in pixels.
func (v picture) outlines(ctx context.Context, l layer) (rings [][]paint.XY, err error) {
	w, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	o := overlayindex.Of(w.View)
	within := v.bounds(overWidth)
	if !o.Has() || within.Empty() {
		return nil, nil
	}
	boxes, err := boxesOf(ctx, o, l)
	if err != nil {
		return nil, err
	}
	var rows []int
	for i, b := range boxes {
		if b.Intersects(within) {
			rows = append(rows, i)
		}
	}
	for at := 0; at < len(rows); at += shapesAtOnce {
		shapes, err := o.Shapes(ctx, l.shapesOf(), rows[at:min(at+shapesAtOnce, len(rows))])
		if err != nil {
			return nil, err
		}
		for _, s := range shapes {
			for _, polygon := range s.Geometry {
				for _, ring := range polygon {
					rings = append(rings, v.thinned(ring))
				}
			}
		}
	}
	return rings, nil
}

// thinned is a ring in pixels without vertices that lie on the one before.
func (v picture) thinned(ring geom.Ring) (out []paint.XY) {
	for _, p := range ring {
		at := v.place(p.Lon(), p.Lat())
		if n := len(out); n > 0 && math.Hypot(float64(at.X-out[n-1].X), float64(at.Y-out[n-1].Y)) < nearby {
			continue
		}
		out = append(out, at)
	}
	return out
}

// over draws such a layer in the strip: areas that let the map through, and broken borders.
func (d *drawing) over(l layer) {
	ink := overInk[l]
	for _, ring := range d.outlines[l] {
		d.canvas.Area(ring)
	}
	fill := ink
	fill.A = overAlpha
	d.canvas.Paint(fill)
	for _, ring := range d.outlines[l] {
		d.dashes(ring)
	}
	d.canvas.Paint(ink)
}

// dashes adds a ring as a broken line. The pieces begin at the ring's first vertex, so that they go on from tile to tile.
func (d *drawing) dashes(ring []paint.XY) {
	top, bottom := d.canvas.Rows()
	at := 0.0 // where the edge begins in the pattern
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
		length := math.Hypot(dx, dy)
		from, to := seen(a, b, [4]float64{-overWidth, float64(top) - overWidth, float64(d.w) + overWidth, float64(bottom) + overWidth})
		from, to = from*length, to*length
		for s := math.Floor((from+at)/(dashOn+dashOff))*(dashOn+dashOff) - at; s < to; s += dashOn + dashOff {
			if p, q := max(s, from), min(s+dashOn, to); q > p {
				d.canvas.Line(paint.XY{X: a.X + float32(dx*p/length), Y: a.Y + float32(dy*p/length)},
					paint.XY{X: a.X + float32(dx*q/length), Y: a.Y + float32(dy*q/length)}, overWidth)
			}
		}
		at = math.Mod(at+length, dashOn+dashOff)
	}
}

// seen is the part of an edge within a box (left, top, right, bottom), as shares of its length; nothing where the second is not greater.
func seen(a, b paint.XY, box [4]float64) (from, to float64) {
	to = 1
	dx, dy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	for _, c := range [4][2]float64{{-dx, float64(a.X) - box[0]}, {dx, box[2] - float64(a.X)}, {-dy, float64(a.Y) - box[1]},
		{dy, box[3] - float64(a.Y)}} {
		p, q := c[0], c[1]
		switch {
		case p == 0 && q < 0:
			return 0, 0
		case p < 0:
			from = max(from, q/p)
		case p > 0:
			to = min(to, q/p)
		}
	}
	return from, to
}

// overAt are the sites and areas at a point, the uppermost layer first; at most so many of each.
func overAt(ctx context.Context, at geom.Point, layers []layer, most int) (list []told, err error) {
	w, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	o := overlayindex.Of(w.View)
	if !o.Has() {
		return nil, nil
	}
	for i := len(layers) - 1; i >= 0; i-- {
		l := layers[i]
		if !l.over() {
			continue
		}
		rows, err := o.At(ctx, l.shapesOf(), at)
		if err != nil {
			return nil, err
		}
		for _, row := range rows[:min(most, len(rows))] {
			t, err := overTold(ctx, o, l, row)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
	}
	return list, nil
}

// overTold is what is told of a row of such a layer.
func overTold(ctx context.Context, o *overlayindex.Overlays, l layer, row int) (told, error) {
	t := told{layer: l, at: map[string]any{}}
	put := func(name string, v any) {
		if n, ok := v.(float64); v == "" || ok && math.IsNaN(n) {
			return // not stated
		}
		t.names, t.at[name] = append(t.names, name), v
	}
	if l == natura {
		rows, err := o.Sites(ctx)
		if err != nil {
			return t, err
		}
		s := &rows[row]
		put("sitecode", s.Code)
		put("sitename", s.Name)
		put("sitetype", s.Type.String())
		put("area_ha", s.AreaHa)
		return t, nil
	}
	rows, err := o.Areas(ctx)
	if err != nil {
		return t, err
	}
	a := &rows[row]
	put("name", a.Name)
	put("desig", a.Desig)
	put("desig_eng", a.DesigEng)
	put("iucn_cat", a.IUCN)
	put("rep_area", a.RepArea)
	return t, nil
}
