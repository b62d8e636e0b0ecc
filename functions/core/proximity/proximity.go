// Package proximity is how functions read the community map of one generation (artefacts/proximity): the nearest road,
// railway, water, stop, station and settlement of a place, how remote it is, and the features in a box. It owns the
// search over cells; distances are those of the ellipsoid.
//
//	n, err := proximity.Of(ctx, v)       // nil: the generation has none; one read, none when it is in memory
//	s, err := n.At(ctx, p)            // one read of a cell
//
// All of it is under the ODbL: License and Head.Attribution say so in every answer.
package proximity

import (
	"context"
	"errors"
	"math"
	"slices"

	"mappe/artefacts/library"
	"mappe/artefacts/proximity"
	"mappe/artefacts/sectionfile"
	"mappe/functions/core/generation"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// The licence of the map.
const (
	License    = "ODbL 1.0"
	LicenseURL = "https://opendatacommons.org/licenses/odbl/1-0/"
)

// Nearby is the map of one generation.
type Nearby struct {
	proximity.Head
	view    *library.View
	nearest *library.Parts // nil in generations that have none: then cells of the map are searched ring by ring
}

// Of opens the map, nil where the generation has none.
func Of(ctx context.Context, v *library.View) (*Nearby, error) {
	if !Has(v) {
		return nil, nil
	}
	n := &Nearby{view: v}
	var err error
	if n.nearest, err = artefact(ctx, v, proximity.NearestArtefact, proximity.NearestFamily); err != nil {
		return nil, err
	}
	headed := n.nearest
	if headed == nil {
		if headed, err = n.parts(ctx); err != nil {
			return nil, err
		}
	}
	n.Head, err = library.Head(headed, proximity.DecodeHead)
	return n, err
}

// artefact opens an artefact of the generation, nil where it has none.
func artefact(ctx context.Context, v *library.View, name string, family sectionfile.Family) (*library.Parts, error) {
	key, ok := v.Artefact(name)
	if !ok {
		return nil, nil
	}
	p, err := v.Parts(ctx, key, family)
	return p, generation.Fault(ctx, err)
}

// parts opens the cells of the map.
func (n *Nearby) parts(ctx context.Context) (*library.Parts, error) {
	return artefact(ctx, n.view, proximity.Artefact, proximity.Family)
}

// Has says whether a generation has a map.
func Has(v *library.View) bool {
	_, ok := v.Artefact(proximity.Artefact)
	return ok
}

// Surroundings are the nearest features of a place.
type Surroundings struct {
	Road, MajorRoad, Rail, Water, Stop, Station, Settlement proximity.Hit
}

// aim is a search with the nearest feature of it.
type aim struct {
	proximity.Search
	hit *proximity.Hit
}

// How many rings of cells around a place reach as far as the searches do in all of Austria.
const (
	nearRings = 5
	farRings  = 2
)

// At finds the nearest features of a place.
func (n *Nearby) At(ctx context.Context, p geom.Point) (*Surroundings, error) {
	none := proximity.None()
	s := &Surroundings{none, none, none, none, none, none, none}
	ruler := crs.RulerAt(p)
	near := []aim{{proximity.Roads, &s.Road}, {proximity.Waters, &s.Water}}
	far := []aim{{proximity.Majors, &s.MajorRoad}, {proximity.Rails, &s.Rail}, {proximity.Stops, &s.Stop}, {proximity.Stations, &s.Station},
		{proximity.Places, &s.Settlement}}
	if n.nearest != nil {
		cells, _, err := cellsOf(ctx, n.nearest, proximity.Near, []proximity.CellID{proximity.Near.At(p)})
		if err != nil {
			return nil, err
		}
		look(&ruler, cells, near)
		look(&ruler, cells, far)
	} else if err := errors.Join(n.search(ctx, &ruler, proximity.Near, nearRings, near), n.search(ctx, &ruler, proximity.Far, farRings,
		far)); err != nil {
		return nil, err
	}
	for _, a := range append(near, far...) {
		if a.hit.Metres > a.Reach { // something unread may be nearer
			*a.hit = none
		}
	}
	return s, nil
}

// look makes the hits better by the features of cells.
func look(l *crs.Ruler, cells []*proximity.Cell, aims []aim) {
	for _, c := range cells {
		for _, a := range aims {
			c.Nearest(l, a.Set, a.hit)
		}
	}
}

// search looks through the cell of the place, then ring by ring through those that may hold something nearer.
func (n *Nearby) search(ctx context.Context, l *crs.Ruler, g proximity.Grid, rings int, aims []aim) error {
	at := g.At(l.Origin())
	p, err := n.parts(ctx)
	if err != nil {
		return err
	}
	for r := 0; r <= rings; r++ {
		farthest := 0.0 // of those found, +Inf while one is missing
		for _, a := range aims {
			farthest = max(farthest, a.hit.Metres)
		}
		var ids []proximity.CellID
		for row := at.Row - r; row <= at.Row+r; row++ {
			step := 1
			if row != at.Row-r && row != at.Row+r {
				step = 2 * r // the two ends of the row
			}
			for column := at.Column - r; column <= at.Column+r; column += max(step, 1) {
				if id := (proximity.CellID{Row: row, Column: column}); row >= 0 && column >= 0 && l.ToBox(g.Box(id)) < farthest {
					ids = append(ids, id)
				}
			}
		}
		if len(ids) == 0 {
			break
		}
		cells, _, err := cellsOf(ctx, p, g, ids)
		if err != nil {
			return err
		}
		look(l, cells, aims)
	}
	return nil
}

// cellsOf are the cells of the ids that have features, in their order.
func cellsOf(ctx context.Context, p *library.Parts, g proximity.Grid, ids []proximity.CellID) ([]*proximity.Cell, []proximity.CellID,
	error) {
	var sections []int
	var own []proximity.CellID
	for _, id := range ids {
		if i, ok := p.Find(g.Section(id)); ok {
			sections, own = append(sections, i), append(own, id)
		}
	}
	if len(sections) == 0 {
		return nil, nil, nil
	}
	cells, err := library.Sections(ctx, p, sections, func(i int, body []byte) (*proximity.Cell, int64, error) {
		return proximity.DecodeCell(body, g.Box(own[slices.Index(sections, i)]))
	})
	return cells, own, generation.Fault(ctx, err)
}

// remote are the distances that remoteness is made of: beyond a distance in metres, or not found, counts as 1.
var remote = []struct {
	hit    func(*Surroundings) *proximity.Hit
	metres float64
	weight float64
}{
	{func(s *Surroundings) *proximity.Hit { return &s.Road }, 5_000, 0.30},
	{func(s *Surroundings) *proximity.Hit { return &s.MajorRoad }, 20_000, 0.15},
	{func(s *Surroundings) *proximity.Hit { return &s.Stop }, 10_000, 0.30},
	{func(s *Surroundings) *proximity.Hit { return &s.Settlement }, 15_000, 0.25},
}

// Remoteness is from 0, central, to 100, remote.
func (s *Surroundings) Remoteness() float64 {
	sum, weights := 0.0, 0.0
	for _, r := range remote {
		sum += r.weight * min(1, r.hit(s).Metres/r.metres)
		weights += r.weight
	}
	return 100 * sum / weights
}

// OnParcel says whether the nearest road may touch a parcel of an area in m² around the place: whether it is no farther
// than the radius of a circle of the area.
func (s *Surroundings) OnParcel(area float64) bool {
	return s.Road.Metres <= math.Sqrt(area/math.Pi)
}
