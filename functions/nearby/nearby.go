// Package nearby is how functions read the community map of one generation (artefacts/proximity): the nearest road,
// railway, water, stop, station and settlement of a place, how remote it is, and the features in a box. It owns the
// search over cells; distances are those of the ellipsoid.
//
//	n, err := nearby.Of(ctx, v)       // nil: the generation has none; one read, none when it is in memory
//	s, err := n.At(ctx, p)            // one or two reads of cells, more where features are far
//
// All of it is under the ODbL: License and Head.Attribution say so in every answer.
package nearby

import (
	"context"
	"math"
	"slices"

	"mappe/artefacts/library"
	"mappe/artefacts/proximity"
	"mappe/functions/pin"
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
	parts *library.Parts
}

// Of opens the map, nil where the generation has none.
func Of(ctx context.Context, v *library.View) (*Nearby, error) {
	key, ok := v.Artefact(proximity.Artefact)
	if !ok {
		return nil, nil
	}
	p, err := v.Parts(ctx, key, proximity.Kind)
	if err != nil {
		return nil, pin.Fault(ctx, err)
	}
	h, err := proximity.DecodeHead(p.Head())
	return &Nearby{h, p}, err
}

// Has says whether a generation has a map.
func Has(v *library.View) bool {
	_, ok := v.Artefact(proximity.Artefact)
	return ok
}

// The classes that are looked for.
var (
	roads    = proximity.OfCategory(proximity.Road)
	majors   = proximity.SetOf(proximity.Class.Major)
	rails    = proximity.OfCategory(proximity.Rail)
	waters   = proximity.OfCategory(proximity.Water)
	stops    = proximity.OfCategory(proximity.Transit)
	stations = proximity.SetOf(proximity.Class.Trains)
	places   = proximity.OfCategory(proximity.Place)
)

// Surroundings are the nearest features of a place.
type Surroundings struct {
	Road, MajorRoad, Rail, Water, Stop, Station, Settlement proximity.Hit
}

// aim is a set of classes with the nearest feature of it.
type aim struct {
	set proximity.Set
	hit *proximity.Hit
}

// How many rings of cells around a place are searched, and how far, in metres, they reach in all of Austria: what is
// farther is not found.
const (
	nearRings, nearReach = 5, 36_000
	farRings, farReach   = 2, 70_000
)

// At finds the nearest features of a place.
func (n *Nearby) At(ctx context.Context, p geom.Point) (*Surroundings, error) {
	none := proximity.None()
	s := &Surroundings{none, none, none, none, none, none, none}
	ruler := crs.RulerAt(p)
	if err := n.search(ctx, &ruler, proximity.Near, ring{nearRings, nearReach}, []aim{{roads, &s.Road}, {waters, &s.Water}}); err != nil {
		return nil, err
	}
	err := n.search(ctx, &ruler, proximity.Far, ring{farRings, farReach}, []aim{{majors, &s.MajorRoad}, {rails, &s.Rail}, {stops, &s.Stop}, {stations, &s.Station}, {places, &s.Settlement}})
	return s, err
}

// ring is how far is searched.
type ring struct {
	most  int
	reach float64
}

// search looks through the cell of the place, then ring by ring through those that may hold something nearer.
func (n *Nearby) search(ctx context.Context, l *crs.Ruler, g proximity.Grid, rings ring, aims []aim) error {
	at := g.At(l.Origin())
	for r := 0; r <= rings.most; r++ {
		farthest := 0.0 // of what was found, +Inf while something was not
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
		cells, err := n.cells(ctx, g, ids)
		if err != nil {
			return err
		}
		for _, c := range cells {
			for _, a := range aims {
				c.Nearest(l, a.set, a.hit)
			}
		}
	}
	for _, a := range aims {
		if a.hit.Metres > rings.reach { // something unread may be nearer
			*a.hit = proximity.None()
		}
	}
	return nil
}

// cells are those of the ids that have features, in their order.
func (n *Nearby) cells(ctx context.Context, g proximity.Grid, ids []proximity.CellID) ([]*proximity.Cell, error) {
	cells, _, err := n.cellsOf(ctx, g, ids)
	return cells, err
}

func (n *Nearby) cellsOf(ctx context.Context, g proximity.Grid, ids []proximity.CellID) ([]*proximity.Cell, []proximity.CellID, error) {
	var sections []int
	var own []proximity.CellID
	for _, id := range ids {
		if i, ok := n.parts.Find(g.Section(id)); ok {
			sections, own = append(sections, i), append(own, id)
		}
	}
	if len(sections) == 0 {
		return nil, nil, nil
	}
	cells, err := library.Sections(ctx, n.parts, sections, func(i int, body []byte) (*proximity.Cell, int64, error) {
		return proximity.DecodeCell(body, g.Box(own[slices.Index(sections, i)]))
	})
	return cells, own, pin.Fault(ctx, err)
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
