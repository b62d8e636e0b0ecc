package cells

import (
	"context"
	"errors"

	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// ErrTooMany says that a box has more cells, or reaches into more KGs, than one request reads.
var ErrTooMany = errors.New("more cells than one request reads")

// maxNear bounds the cells of a box for In: a picture of 4,096 pixels shows three times as many where it first shows them.
const maxNear = 1 << 16

// Near is a cell of resolution 12, and what of its newest change is known; the status is empty where it did not change.
type Near struct {
	ne.LURow
	Changed ne.Status
}

// In are the cells of resolution 12 whose centre lies in a box, by rising cell, for services that draw them. KGs whose
// cells are not built or cannot be read have none. A generation without cells has none either.
func In(ctx context.Context, v *library.View, box geom.Box) ([]Near, error) {
	if _, ok := v.Artefact(ne.Artefact); !ok || box.Empty() {
		return nil, nil
	}
	s, err := sourceIn(ctx, v)
	if err != nil {
		return nil, err
	}
	ring := geom.Ring{{X: box.MinX, Y: box.MinY}, {X: box.MaxX, Y: box.MinY}, {X: box.MaxX, Y: box.MaxY}, {X: box.MinX, Y: box.MaxY}}
	found, err := hexgrid.PolygonToCells(geom.MultiPolygon{{ring}}, ne.LURes, maxNear)
	if errors.Is(err, hexgrid.ErrDomain) {
		return nil, ErrTooMany
	}
	if err != nil {
		return nil, err
	}
	chosen := ofCells(found, []ne.Layer{ne.LU})
	p, err := s.plan(ctx, chosen.wants)
	var much *tooMuch
	if errors.As(err, &much) {
		return nil, ErrTooMany
	}
	if err != nil {
		return nil, err
	}
	got, err := p.read(ctx)
	if err != nil {
		return nil, err
	}
	changes, err := s.changesOf(ctx, p.kgs)
	if err != nil {
		return nil, err
	}
	var rows []Near
	for _, g := range p.merge(got, []ne.Layer{ne.LU}) {
		for i := range g.len() {
			n := Near{LURow: ne.ParseLU(g.row(i))}
			if c, ok := changes[n.Cell]; ok {
				n.Changed = c.Newest.Status
			}
			rows = append(rows, n)
		}
	}
	return rows, nil
}
