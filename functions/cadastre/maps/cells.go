package maps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"

	"mappe/artefacts/ne"
	"mappe/artefacts/pmt"
	"mappe/functions/core/cells"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/geo/mvt"
	"mappe/shared/geo/paint"
)

// The cells, as the map page has them (localdev/server/web/src/cellstyle.js and palette.js, light); a test compares.
const (
	cellsPrefix = "cells_"
	nearZoom    = 14.8 // from which they are those of resolution 12
	lineZoom    = 16   // from which each has a line
	lineAlpha   = 107  // of its width of 0.6 and its opacity of 0.7
)

// choice is what the colours of the cells say: the share of a class of land use or of what is built over, or what changed.
type choice struct{ id, title string }

// changed is the choice of what changed, built that of the share of the ground that buildings cover.
const (
	changed = "changes"
	built   = "str_cover"
)

var choices = func() (list []choice) {
	for _, c := range austria.AllLandUseClasses() {
		list = append(list, choice{c.String(), titles[c]})
	}
	return append(list, choice{built, "Built over"}, choice{changed, "What changed"})
}()

func (c choice) layer() layer { return cellsPrefix + layer(c.id) }

func (c choice) described() described {
	d := described{layer: c.layer(), title: "Cells: " + c.title, zoom: farZoom,
		abstract: "Hexagonal cells (H3) by their share of: " + strings.ToLower(c.title[:1]) + c.title[1:] +
			". Cells of resolution 7 to 9 by scale, single cells of some 300 m² from about 1:9,800 on (as Web Mercator counts)."}
	if c.id == changed {
		d.abstract = "Hexagonal cells (H3) whose ground changed: by how sure the change is, and by how much of a larger cell it is."
	}
	return d
}

// choice is what a layer of cells shows.
func (l layer) choice() choice {
	for _, c := range choices {
		if c.layer() == l {
			return c
		}
	}
	return choice{}
}

// share is a class of shares from one on.
type share struct {
	from   float64
	colour color.NRGBA
}

var shares = []share{{0, hex("#fdffc9")}, {0.05, hex("#ffd57c")}, {0.2, hex("#ef9459")}, {0.4, hex("#c66e65")}, {0.6, hex("#985273")},
	{0.8, hex("#6c376b")}, {0.95, hex("#470945")}}

// changedShares are those of changed ground of a larger cell, by what there is more of; changedCells the colours of single cells.
var (
	changedShares = map[ne.Status][]share{
		ne.Confirmed: {{0, hex("#a9cbee")}, {0.01, hex("#5e95d2")}, {0.1, hex("#0b3f7d")}},
		ne.Candidate: {{0, hex("#fbd28c")}, {0.01, hex("#ea8f24")}, {0.1, hex("#8f4a07")}},
	}
	changedCells = map[ne.Status]color.NRGBA{ne.Confirmed: hex("#0b5cad"), ne.Candidate: hex("#f2a63d")}
)

// colourIn is the colour of a share.
func colourIn(list []share, v float64) color.NRGBA {
	out := list[0].colour
	for _, s := range list {
		if v >= s.from {
			out = s.colour
		}
	}
	return out
}

// hexagons are the cells of a picture: single ones, or tiles with larger ones.
type hexagons struct {
	near  []cells.Near
	rings [][]paint.XY // of near
	far   []*tile
}

// hexagons reads the cells of a picture. One that shows more single cells than a request reads has larger ones.
func (v picture) hexagons(ctx context.Context, zoom float64) (*hexagons, error) {
	if zoom >= nearZoom-1e-6 {
		h, err := v.nearHexagons(ctx)
		if !errors.Is(err, cells.ErrTooMany) {
			return h, err
		}
	}
	a, err := view.ArchiveOf(ctx, ne.BaseArtefact)
	if err != nil || a == nil {
		return &hexagons{}, err
	}
	far, err := v.read(ctx, a, zoomOf(a.Header, zoom), 0)
	return &hexagons{far: far}, err
}

// cellReach is how far a cell of resolution 12 reaches beyond its centre, in units of a position: some 17 m.
const cellReach = 2300

// nearHexagons reads the single cells of a picture and their outlines.
func (v picture) nearHexagons(ctx context.Context) (*hexagons, error) {
	w, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	box := v.bounds(1)
	if box.Empty() {
		return &hexagons{}, nil
	}
	box = geom.Box{MinX: box.MinX - cellReach, MinY: box.MinY - cellReach, MaxX: box.MaxX + cellReach, MaxY: box.MaxY + cellReach}
	h := &hexagons{}
	if h.near, err = cells.In(ctx, w.View, box); err != nil {
		return nil, err
	}
	for i := range h.near {
		border, err := h.near[i].Cell.Boundary()
		if err != nil {
			return nil, err
		}
		ring := make([]paint.XY, len(border))
		for k, p := range border {
			ring[k] = v.place(p.Lng, p.Lat)
		}
		h.rings = append(h.rings, ring)
	}
	return h, nil
}

// nearColour is the colour of a single cell; false where it is not drawn.
func (c choice) nearColour(n *cells.Near) (color.NRGBA, bool) {
	if c.id == changed {
		ink, ok := changedCells[n.Changed]
		return ink, ok
	}
	return colourIn(shares, float64(c.nearShare(n))/255), true
}

// nearShare is the share of a single cell, of 255.
func (c choice) nearShare(n *cells.Near) uint8 {
	for i, use := range ne.Uses {
		if use == c.id {
			return n.Use[i]
		}
	}
	return n.StrCover
}

// farColour is the colour of a larger cell; false where it is not drawn.
func (c choice) farColour(l *mvt.Layer, f *mvt.Feature) (color.NRGBA, bool) {
	if c.id != changed {
		return colourIn(shares, valueOf(l, f, c.id)/255), true
	}
	confirmed, candidate := valueOf(l, f, "confirmed_m2"), valueOf(l, f, "candidate_m2")
	of := ne.Candidate
	if confirmed >= candidate {
		of = ne.Confirmed
	}
	all := confirmed + candidate
	return colourIn(changedShares[of], all/max(1, valueOf(l, f, "area_m2"))), all > 0
}

// valueOf is a number of a feature, 0 where it has none.
func valueOf(l *mvt.Layer, f *mvt.Feature, name string) float64 {
	v, ok := l.Value(f, l.Key(name))
	if !ok {
		return 0
	}
	n, _ := v.Float64()
	return n
}

// hexagonsOf draws the cells of a layer in the strip, colour by colour in the order in which they are met.
func (d *drawing) hexagonsOf(c choice) {
	var order []color.NRGBA
	rings := map[color.NRGBA][]func(){}
	add := func(ink color.NRGBA, draw func()) {
		if rings[ink] == nil {
			order = append(order, ink)
		}
		rings[ink] = append(rings[ink], draw)
	}
	for i := range d.cells.near {
		if ink, ok := c.nearColour(&d.cells.near[i]); ok {
			add(ink, func() { d.canvas.Area(d.cells.rings[i]) })
		}
	}
	d.each(d.cells.far, "cells", func(t *tile, l *mvt.Layer, f *mvt.Feature) {
		if ink, ok := c.farColour(l, f); ok {
			add(ink, func() { d.area(t, l, f) })
		}
	})
	for _, ink := range order {
		for _, draw := range rings[ink] {
			draw()
		}
		d.canvas.Mix(ink)
	}
	d.canvas.PaintMix(themeShare)
	if d.zoom >= lineZoom-1e-6 {
		d.hexagonLines(c)
	}
}

// hexagonLines draws the borders of single cells.
func (d *drawing) hexagonLines(c choice) {
	for i, ring := range d.cells.rings {
		if _, ok := c.nearColour(&d.cells.near[i]); !ok {
			continue
		}
		for k, p := range ring {
			d.canvas.Line(p, ring[(k+1)%len(ring)], 1)
		}
	}
	ink := ground
	ink.A = lineAlpha
	d.canvas.Paint(ink)
}

// hexagon is the cell that a picture shows at a point.
type hexagon struct {
	cell hexgrid.Cell
	near *cells.Near
	l    *mvt.Layer // of the larger cell f
	f    *mvt.Feature
}

// hexagonAt is the cell at a point at a zoom; without a cell where none is built.
func hexagonAt(ctx context.Context, at geom.Point, zoom float64) (*hexagon, error) {
	h := &hexagon{}
	if zoom >= nearZoom-1e-6 {
		w, err := view.Of(ctx)
		if err != nil {
			return nil, err
		}
		of, err := hexgrid.PointToCell(at, ne.LURes)
		if err != nil {
			return nil, err
		}
		box := geom.Box{MinX: at.X - cellReach, MinY: at.Y - cellReach, MaxX: at.X + cellReach, MaxY: at.Y + cellReach}
		list, err := cells.In(ctx, w.View, box)
		for i := range list {
			if list[i].Cell == of {
				h.cell, h.near = of, &list[i]
			}
		}
		return h, err
	}
	a, err := view.ArchiveOf(ctx, ne.BaseArtefact)
	if err != nil || a == nil {
		return h, err
	}
	return h, h.far(ctx, a, at, zoomOf(a.Header, zoom))
}

// far finds the larger cell at a point in the tiles of a zoom.
func (h *hexagon) far(ctx context.Context, a *pmt.Archive, at geom.Point, z uint8) error {
	g := mvt.Grid{Z: z, Extent: mvt.DefaultExtent}
	x, y := g.Snap(at)
	id := g.Tile(x, y)
	t, err := decoded(ctx, a, id)
	if err != nil || t == nil {
		return err
	}
	l := t.Layer("cells")
	if l == nil {
		return nil
	}
	spot := mvt.Point{X: int32(x - int64(id.X)*mvt.DefaultExtent), Y: int32(y - int64(id.Y)*mvt.DefaultExtent)}
	for i := range l.Features {
		if f := &l.Features[i]; inside(f, spot, scale(l)) {
			name, _ := l.Value(f, l.Key("cell"))
			if h.cell, err = hexgrid.Parse(name.Text()); err != nil {
				return fmt.Errorf("a tile of the cells: %w", err)
			}
			h.l, h.f = l, f
		}
	}
	return nil
}

// told is what a layer tells of the cell.
func (h *hexagon) told(of layer, in locale) *told {
	c, area := of.choice(), ne.CellArea(h.cell)
	t := &told{layer: of}
	t.put("cell", h.cell.String())
	t.put("resolution", float64(h.cell.Resolution()))
	t.put("area_m2", math.Round(area))
	if c.id != changed {
		value := 0.0
		if h.near != nil {
			value = float64(c.nearShare(h.near)) / 255
		} else {
			value = valueOf(h.l, h.f, c.id) / 255
		}
		t.put("share_pct", rounded(100*value, 1))
		t.put("in_words", in.says("{use}: {n} % of the cell of {area}", "{use}", in.of(c.title), "{n}", in.number(100*value, 0),
			"{area}", in.area(area)))
		return t
	}
	if h.near != nil {
		t.put("status", cmp.Or(string(h.near.Changed), "unchanged"))
		t.put("in_words", in.of(words[h.near.Changed]))
		return t
	}
	confirmed, candidate := valueOf(h.l, h.f, "confirmed_m2"), valueOf(h.l, h.f, "candidate_m2")
	t.put("confirmed_m2", confirmed)
	t.put("candidate_m2", candidate)
	t.put("in_words", in.says("Changed ground: {confirmed} m² confirmed, {candidate} m² candidate, of the cell of {area}",
		"{confirmed}", in.number(confirmed, 0), "{candidate}", in.number(candidate, 0), "{area}", in.area(area)))
	return t
}

// words say whether the ground of a single cell changed.
var words = map[ne.Status]string{"": "Unchanged", ne.Confirmed: "Changed, confirmed", ne.Candidate: "Changed, candidate"}

// area is an area in the unit in which a person reads it.
func (in locale) area(m2 float64) string {
	switch {
	case m2 >= 1e6:
		return in.number(m2/1e6, 1) + " km²"
	case m2 >= 1e4:
		return in.number(m2/1e4, 1) + " ha"
	}
	return in.number(m2, 0) + " m²"
}

// legend are the classes of a choice.
func (c choice) legend(in locale) (list []entry) {
	if c.id != changed {
		list = append(list, entry{title: in.says("{use}, share of the cell", "{use}", in.of(c.title)), head: true})
		return append(list, shareEntries(in, shares)...)
	}
	list = append(list, entry{title: in.of(c.title), head: true})
	for _, s := range []ne.Status{ne.Confirmed, ne.Candidate} {
		name := in.of(statuses[s])
		list = append(list, entry{title: name, fill: changedCells[s]},
			entry{title: in.says("{status}, changed ground of a larger cell", "{status}", name), head: true})
		list = append(list, shareEntries(in, changedShares[s])...)
	}
	return list
}

// statuses are the names of what changed.
var statuses = map[ne.Status]string{ne.Confirmed: "Confirmed", ne.Candidate: "Candidate"}

// shareEntries are the lines of classes of shares.
func shareEntries(in locale, classes []share) (list []entry) {
	percent := func(v float64) string { return in.number(100*v, 0) }
	for i, s := range classes {
		title := ""
		switch {
		case i == 0:
			title = in.says("under {n} %", "{n}", percent(classes[1].from))
		case i == len(classes)-1:
			title = in.says("{n} % and more", "{n}", percent(s.from))
		default:
			title = percent(s.from) + " – " + percent(classes[i+1].from) + " %"
		}
		list = append(list, entry{title: title, fill: s.colour})
	}
	return list
}
