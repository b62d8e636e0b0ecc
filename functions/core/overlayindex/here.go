package overlayindex

import (
	"context"

	"mappe/artefacts/library"
	"mappe/artefacts/overlays"
	"mappe/functions/core/generation"
	"mappe/shared/geo/geom"
)

// Here is what holds a point. It is exact, and half-open on borders. In generations with a grid it costs two reads, one for
// the directory and one for the cell; in others the rows of a layer and the shapes whose box holds the point are read.
type Here struct {
	o  *Overlays
	at geom.Point
}

// Here asks what holds a point.
func (o *Overlays) Here(p geom.Point) Here { return Here{o, p} }

// Sites are the Natura 2000 sites that hold the point, by code.
func (h Here) Sites(ctx context.Context) ([]*overlays.Site, error) {
	return hold(ctx, h, overlays.SiteShapes, sitesOf, h.o.Sites)
}

// Areas are the protected areas that hold the point, in the order of the source.
func (h Here) Areas(ctx context.Context) ([]*overlays.Area, error) {
	return hold(ctx, h, overlays.AreaShapes, areasOf, h.o.Areas)
}

// Municipality is the municipality that holds the point, nil where none does. known is false where the generation has no
// outlines of municipalities.
func (h Here) Municipality(ctx context.Context) (m *overlays.Municipality, known bool, err error) {
	list, err := hold(ctx, h, overlays.MunicipalityShapes, municipalitiesOf, h.o.Municipalities)
	if err != nil {
		return nil, false, err
	}
	if len(list) > 0 {
		return list[0], true, nil
	}
	known, err = h.o.drawn(ctx)
	return nil, known, err
}

func sitesOf(c *overlays.Cell) []overlays.Site { return c.Sites }

func areasOf(c *overlays.Cell) []overlays.Area { return c.Areas }

func municipalitiesOf(c *overlays.Cell) []overlays.Municipality { return c.Municipalities }

// hold are the rows of a layer that hold the point: those of the cell, or of the country where there is no grid.
func hold[T any](ctx context.Context, h Here, l overlays.Layer, of func(*overlays.Cell) []T, all func(context.Context) ([]T, error)) ([]*T,
	error) {
	c, gridded, err := h.cell(ctx)
	if err != nil {
		return nil, err
	}
	var rows []T
	var places []int
	switch {
	case c != nil:
		rows, places = of(c), c.At(l, h.at)
	case !gridded:
		if rows, err = all(ctx); err != nil {
			return nil, err
		}
		if places, err = h.o.byBox(ctx, l, h.at); err != nil {
			return nil, err
		}
	}
	var found []*T
	for _, i := range places {
		found = append(found, &rows[i])
	}
	return found, nil
}

// cell is the cell of the point, nil where nothing reaches it; gridded is false where the generation has no grid.
func (h Here) cell(ctx context.Context) (c *overlays.Cell, gridded bool, err error) {
	p, err := h.o.grid(ctx)
	if err != nil || p == nil {
		return nil, false, err
	}
	id := overlays.Cells.At(h.at)
	i, ok := p.Find(overlays.Cells.Section(id))
	if !ok {
		return nil, true, nil
	}
	got, err := library.Sections(ctx, p, []int{i}, func(_ int, body []byte) (*overlays.Cell, int64, error) {
		return overlays.DecodeCell(body, overlays.Cells.Box(id))
	})
	if err != nil {
		return nil, true, generation.Fault(ctx, err)
	}
	return got[0], true, nil
}

func (o *Overlays) grid(ctx context.Context) (*library.Parts, error) {
	return o.open(ctx, overlays.GridArtefact, overlays.GridFamily)
}

// drawn says whether there are outlines of municipalities.
func (o *Overlays) drawn(ctx context.Context) (bool, error) {
	p, err := o.grid(ctx)
	if err != nil {
		return false, err
	}
	if p != nil {
		head, err := library.Head(p, overlays.DecodeGridHead)
		return head.Municipalities > 0, err
	}
	rows, err := o.Municipalities(ctx)
	return len(rows) > 0, err
}

// At are the rows of a layer whose shape holds a point, rising: Here for who needs the numbers of rows.
func (o *Overlays) At(ctx context.Context, l overlays.Layer, p geom.Point) ([]int, error) {
	c, gridded, err := o.Here(p).cell(ctx)
	switch {
	case err != nil:
		return nil, err
	case !gridded:
		return o.byBox(ctx, l, p)
	case c == nil:
		return nil, nil
	}
	rows := c.At(l, p)
	for i, place := range rows {
		rows[i] = c.Row(l, place)
	}
	return rows, nil
}

// byBox is At without a grid: it reads the shapes whose box holds the point.
func (o *Overlays) byBox(ctx context.Context, l overlays.Layer, p geom.Point) ([]int, error) {
	n, box, err := o.boxes(ctx, l)
	if err != nil {
		return nil, err
	}
	var near []int
	for i := range n {
		if box(i).Contains(p) {
			near = append(near, i)
		}
	}
	shapes, err := o.Shapes(ctx, l, near)
	if err != nil {
		return nil, err
	}
	var found []int
	for i, s := range shapes {
		if s.Contains(p) {
			found = append(found, near[i])
		}
	}
	return found, nil
}

// Boxes are the boxes of a layer's rows by their numbers, without their shapes.
func (o *Overlays) Boxes(ctx context.Context, l overlays.Layer) (func(int) geom.Box, error) {
	_, box, err := o.boxes(ctx, l)
	return box, err
}

// boxes are the boxes of a layer's rows.
func (o *Overlays) boxes(ctx context.Context, l overlays.Layer) (n int, box func(int) geom.Box, err error) {
	switch l {
	case overlays.SiteShapes:
		rows, err := o.Sites(ctx)
		return len(rows), func(i int) geom.Box { return rows[i].Box }, err
	case overlays.AreaShapes:
		rows, err := o.Areas(ctx)
		return len(rows), func(i int) geom.Box { return rows[i].Box }, err
	default:
		rows, err := o.Municipalities(ctx)
		return len(rows), func(i int) geom.Box { return rows[i].Box }, err
	}
}
