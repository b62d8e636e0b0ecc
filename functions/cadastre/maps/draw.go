package maps

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"slices"

	"mappe/artefacts/pmt"
	"mappe/shared/austria"
	"mappe/shared/geo/mvt"
	"mappe/shared/geo/paint"
)

// stripPixels are drawn at once: their shares take 20 bytes a pixel. All features that meet a strip are gone through for it, so that
// strips are as few as memory allows, however wide a picture is.
const stripPixels = 1 << 20

// stripRows are the rows of a strip.
func (v picture) stripRows() int { return min(v.h, max(1, stripPixels/v.w)) }

// drawing is a picture being drawn.
type drawing struct {
	picture
	zoom     float64
	layers   []layer
	tiles    []*tile
	numbers  []number
	outlines map[layer][][]paint.XY // of what lies over the parcels
	ground   *terrain               // nil: no height is known
	priced   map[string]priced      // by parcel or KG
	cells    *hexagons
	canvas   *paint.Canvas
	seen     map[edge]struct{}
	ring     []paint.XY
}

// memory is the memory of the picture, of its strip, of the tiles and of what its layers read beside them, in bytes.
func (v picture) memory(layers []layer) int64 {
	n := int64(v.w)*int64(v.h)*4 + int64(v.w)*int64(v.stripRows())*20 + 48<<20
	if slices.Contains(layers, relief) {
		n += maxHeights * heightSide * heightSide * 6 // heights, and the slopes that are made of them
	}
	return n
}

// draw draws layers over a ground; of a ground without opacity nothing is seen. It stops when the context ends.
func (v picture) draw(ctx context.Context, a *pmt.Archive, layers []layer, under color.NRGBA) (*image.RGBA, error) {
	d := &drawing{picture: v, zoom: v.zoom(), seen: map[edge]struct{}{}, outlines: map[layer][][]paint.XY{}}
	around, tiled := 0.0, false
	for _, l := range drawn(layers) {
		if of := l.describedAs(); d.zoom < of.zoom-1e-6 || of.until > 0 && d.zoom >= of.until {
			continue
		}
		d.layers = append(d.layers, l)
		tiled = tiled || l.tiled()
		if l == labels {
			around = numberReach
		}
	}
	out := image.NewRGBA(image.Rect(0, 0, v.w, v.h))
	if under.A > 0 {
		draw.Draw(out, out.Rect, image.NewUniform(under), image.Point{}, draw.Src)
	}
	if len(d.layers) == 0 || !(d.zoom > -2) { // no layer, or no place
		return out, nil
	}
	var err error
	if tiled {
		if d.tiles, err = v.read(ctx, a, zoomOf(a.Header, d.zoom), around); err != nil {
			return nil, err
		}
	}
	for _, l := range d.layers {
		if err := d.prepare(ctx, l); err != nil {
			return nil, err
		}
	}
	if around > 0 {
		d.numbers = d.placed()
	}
	rows := v.stripRows()
	d.canvas = paint.Strip(out, 0, rows)
	for top := 0; top < v.h; top += rows {
		d.canvas.Move(top, min(top+rows, v.h))
		for _, l := range d.layers {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			d.layer(l)
		}
	}
	return out, nil
}

// layer draws one layer in the strip.
func (d *drawing) layer(l layer) {
	switch l {
	case landUse:
		d.landUse()
	case footprints:
		d.each(d.tiles, "footprints", func(t *tile, l *mvt.Layer, f *mvt.Feature) { d.area(t, l, f) })
		d.canvas.Paint(house)
		d.lines("footprints", houseWidth, inkHouse)
	case parcels:
		d.lines("parcels", float32(parcelWidth.at(d.zoom)), inkParcel)
	case kgs:
		d.lines("kg", float32(kgWidth.at(d.zoom)), inkKG)
	case labels:
		d.write()
	case natura, protected:
		d.over(l)
	case relief:
		d.shade()
	case prices:
		d.prices()
	default:
		d.hexagonsOf(l.choice())
	}
}

// each passes the features of a layer of tiles that meet the strip.
func (d *drawing) each(tiles []*tile, name string, do func(*tile, *mvt.Layer, *mvt.Feature)) {
	from, to := d.canvas.Rows()
	for _, t := range tiles {
		margin := (t.top - t.low) / 16 // features reach beyond their tile
		if t.low-margin > to || t.top+margin < from {
			continue
		}
		if l := t.Layer(name); l != nil {
			for i := range l.Features {
				do(t, l, &l.Features[i])
			}
		}
	}
}

// landUse draws the areas, class by class; where classes touch no ground is seen.
func (d *drawing) landUse() {
	for _, c := range austria.AllLandUseClasses() {
		some := false
		d.each(d.tiles, "landuse", func(t *tile, l *mvt.Layer, f *mvt.Feature) {
			if v, ok := l.Value(f, l.Key("ns")); ok {
				if n, ok := v.Int64(); ok && n >= 0 && n <= 255 && austria.LandUse(n).Class() == c {
					d.area(t, l, f)
					some = true
				}
			}
		})
		if some {
			d.canvas.Mix(classes[c].colour)
		}
	}
	d.canvas.PaintMix(1)
}

// area adds the rings of a feature, where they reach into the strip.
func (d *drawing) area(t *tile, l *mvt.Layer, f *mvt.Feature) {
	if f.Type != mvt.Polygons {
		return
	}
	from, to := d.canvas.Rows()
	k := scale(l)
	for _, part := range f.Parts {
		ring := d.ring[:0]
		low, high := float32(1e9), float32(-1e9)
		for _, p := range part {
			at := t.warp.at(float32(p.X)*k, float32(p.Y)*k)
			low, high = min(low, at.Y), max(high, at.Y)
			ring = append(ring, at)
		}
		d.ring = ring
		if low < to && high > from {
			d.canvas.Area(ring)
		}
	}
}

// edge is a piece of a border on the grid of the world.
type edge [4]int64

// lines draws the borders of a layer. A border that two features share is drawn once; where a tile was cut, none.
func (d *drawing) lines(name string, width float32, ink color.NRGBA) {
	clear(d.seen)
	if width < 1 { // a thin line is a faint one of a pixel
		ink.A = byte(width*255 + 0.5)
		width = 1
	}
	from, to := d.canvas.Rows()
	d.each(d.tiles, name, func(t *tile, l *mvt.Layer, f *mvt.Feature) {
		if f.Type == mvt.Points {
			return
		}
		k := scale(l)
		for _, part := range f.Parts {
			for i, p := range part {
				q := part[(i+1)%len(part)]
				if f.Type == mvt.Lines && i+1 == len(part) {
					break
				}
				x0, y0, x1, y1, ok := within(float32(p.X)*k, float32(p.Y)*k, float32(q.X)*k, float32(q.Y)*k)
				if !ok {
					continue
				}
				a, b := t.warp.at(x0, y0), t.warp.at(x1, y1)
				if min(a.Y, b.Y)-width > to || max(a.Y, b.Y)+width < from || d.known(t, x0, y0, x1, y1) {
					continue
				}
				d.canvas.Line(a, b, width)
				if before := part[(i+len(part)-1)%len(part)]; width > 1 && (i > 0 || f.Type == mvt.Polygons) && float32(p.X)*k == x0 &&
					float32(p.Y)*k == y0 {
					d.canvas.Join(t.warp.at(float32(before.X)*k, float32(before.Y)*k), a, b, width)
				}
			}
		}
	})
	d.canvas.Paint(ink)
}

// known says whether an edge was drawn, whichever way it ran, and notes it.
func (d *drawing) known(t *tile, x0, y0, x1, y1 float32) bool {
	const grid = 16 // places of a pixel of the tile
	ox, oy := int64(t.id.X)*mvt.DefaultExtent*grid, int64(t.id.Y)*mvt.DefaultExtent*grid
	e := edge{ox + int64(x0*grid), oy + int64(y0*grid), ox + int64(x1*grid), oy + int64(y1*grid)}
	if e[0] > e[2] || e[0] == e[2] && e[1] > e[3] {
		e = edge{e[2], e[3], e[0], e[1]}
	}
	if _, ok := d.seen[e]; ok {
		return true
	}
	d.seen[e] = struct{}{}
	return false
}

// within is the part of an edge that lies in its tile; false where none does. An edge along the side where the tile was cut is beyond
// it, and one along the tile's own side belongs to it.
func within(x0, y0, x1, y1 float32) (ax, ay, bx, by float32, ok bool) {
	const side = mvt.DefaultExtent
	t0, t1 := float32(0), float32(1)
	dx, dy := x1-x0, y1-y0
	for _, c := range [4][2]float32{{-dx, x0}, {dx, side - x0}, {-dy, y0}, {dy, side - y0}} {
		p, q := c[0], c[1]
		switch {
		case p == 0 && q < 0:
			return 0, 0, 0, 0, false
		case p < 0:
			t0 = max(t0, q/p)
		case p > 0:
			t1 = min(t1, q/p)
		}
	}
	if t0 >= t1 {
		return 0, 0, 0, 0, false
	}
	return x0 + t0*dx, y0 + t0*dy, x0 + t1*dx, y0 + t1*dy, true
}
