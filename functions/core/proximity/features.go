package proximity

import (
	"context"

	"mappe/artefacts/proximity"
	"mappe/shared/geo/geom"
)

// Feature is a line or a point in a box; the other is nil.
type Feature struct {
	Line  *proximity.Line
	Point *proximity.Point
}

// maxCells bounds the cells of a box of 0.1 degrees: it meets four of each grid.
const maxCells = 16

// In gives the features of classes whose box meets a box, each once: those of the near grid by cell, then those of the
// far one, lines before points.
func (n *Nearby) In(ctx context.Context, box geom.Box, set proximity.Set) ([]Feature, error) {
	var found []Feature
	p, err := n.parts(ctx)
	if err != nil {
		return nil, err
	}
	for _, of := range []struct {
		grid proximity.Grid
		set  proximity.Set
	}{{proximity.Near, set & (proximity.Roads.Set | proximity.Waters.Set)}, {proximity.Far,
		set &^ (proximity.Roads.Set | proximity.Waters.Set)}} {
		if of.set == 0 {
			continue
		}
		cells, ids, err := cellsOf(ctx, p, of.grid, of.grid.Cells(box, maxCells))
		if err != nil {
			return nil, err
		}
		for i, c := range cells {
			found = append(found, within(c, of.grid, ids[i], box, of.set)...)
		}
	}
	return found, nil
}

// within are the features of a cell that the box meets. A feature of several cells counts in the one that holds the lower
// corner of what it shares with the box.
func within(c *proximity.Cell, g proximity.Grid, id proximity.CellID, box geom.Box, set proximity.Set) (found []Feature) {
	own := func(b geom.Box) bool {
		return b.Intersects(box) && g.At(geom.Point{X: max(b.MinX, box.MinX), Y: max(b.MinY, box.MinY)}) == id
	}
	for i := range c.Lines {
		if l := &c.Lines[i]; set.Has(l.Class) && own(c.Box(i)) {
			found = append(found, Feature{Line: l})
		}
	}
	for i := range c.Points {
		if p := &c.Points[i]; set.Has(p.Class) && own(geom.Box{MinX: p.At.X, MinY: p.At.Y, MaxX: p.At.X, MaxY: p.At.Y}) {
			found = append(found, Feature{Point: p})
		}
	}
	return found
}
