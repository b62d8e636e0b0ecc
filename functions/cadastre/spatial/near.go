package spatial

import (
	"cmp"
	"context"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/functions/rows"
	"mappe/functions/view"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// near is a search around points.
type near struct {
	v      *view.View
	radius float64 // m
	layers []layer
	filter filter
	kgs    []*register.KG // looked at so far; hits name them by number
	number map[austria.KGCode]int16
	gaps   view.Gaps
	budget int // hits that may still be found
}

// reach are the KGs that the radius around p reaches into.
func (n *near) reach(p geom.Point) ([]austria.KGCode, error) {
	if err := only(n.v, n.layers); err != nil {
		return nil, err
	}
	plane := crs.RulerAt(p)
	box := crs.Grow(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, n.radius)
	reg := n.v.Register()
	slack := strayOf(n.layers)
	codes := reg.KGsInBox(crs.Grow(box, slack))
	if len(codes) > rows.MaxKGs {
		return nil, tooMuch("the radius reaches into %d KGs: expected at most %d", len(codes), rows.MaxKGs)
	}
	return slices.DeleteFunc(codes, func(code austria.KGCode) bool {
		m := reg.Outline(code)
		return len(m) > 0 && plane.ToFeature(m) > n.radius+reg.OutlineToleranceM(code)+slack // see search.reaches
	}), nil
}

// around finds the features of the layers in these KGs up to the radius from p, nearest first; ties by layer,
// KG code and order in the snapshot. It appends to found.
func (n *near) around(ctx context.Context, p geom.Point, codes []austria.KGCode, found []rows.Hit) ([]rows.Hit, error) {
	start := len(found)
	plane := crs.RulerAt(p)
	box := crs.Grow(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, n.radius)
	reg := n.v.Register()
	reads := n.v.Ahead(codes)
	for _, code := range codes {
		if err := ctx.Err(); err != nil { // files in memory are opened for a client that has left, too
			return found, err
		}
		reads.Next(ctx)
		f, err := n.v.Read(ctx, code, &n.gaps)
		if err != nil {
			return found, err
		}
		at := n.numberOf(reg.KG(code))
		for i, l := range n.layers {
			if f == nil && l != kgs {
				continue
			}
			switch l {
			case kgs:
				found, err = n.outline(f, at, int8(i), &plane, found)
			case parcels:
				found, err = n.parcels(f, at, int8(i), &plane, box, found)
			default:
				found, err = n.buildings(f, at, int8(i), &plane, box, found)
			}
			if err != nil {
				return found, err
			}
			if len(found) > n.budget {
				return found, tooMuch("more than %d features match: use a smaller radius or fewer points", n.budget)
			}
		}
	}
	slices.SortFunc(found[start:], func(a, b rows.Hit) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Layer, b.Layer),
			cmp.Compare(n.kgs[a.KG].Code, n.kgs[b.KG].Code), cmp.Compare(a.Row, b.Row))
	})
	return found, nil
}

// fewKGs are told apart without a table.
const fewKGs = 4

func (n *near) numberOf(k *register.KG) int16 {
	if i := slices.Index(n.kgs[max(len(n.kgs)-fewKGs, 0):], k); i >= 0 { // points of one request lie close together
		return int16(i + max(len(n.kgs)-fewKGs, 0))
	}
	i, ok := n.number[k.Code]
	if !ok {
		i = int16(len(n.kgs))
		if len(n.kgs) < fewKGs {
			n.kgs = append(n.kgs, k)
			return i
		}
		if n.number == nil {
			n.number = map[austria.KGCode]int16{}
			for j, known := range n.kgs {
				n.number[known.Code] = int16(j)
			}
		}
		n.number[k.Code] = i
		n.kgs = append(n.kgs, k)
	}
	return i
}

// printed rounds a distance as it is written, so that the order of equal printed distances is the
// documented one.
func printed(d float64) float64 { return math.Round(d*100) / 100 }

func (n *near) parcels(f *kgfile.File, kg int16, layer int8, plane *crs.Ruler, box geom.Box, found []rows.Hit) ([]rows.Hit, error) {
	table, err := f.Parcels()
	if err != nil {
		return found, err
	}
	all := n.filter.none()
	take := func(i int, d float64) {
		if d <= n.radius {
			found = append(found, rows.Hit{Rank: printed(d), Row: int32(i), KG: kg, Layer: layer})
		}
	}
	if n.radius == 0 { // only whether the distance is 0 matters
		f.AtPoint(plane.Origin(), func(i int) {
			if (all || n.filter.passes(&table[i])) && plane.At(f.ParcelGeometry(i)) {
				take(i, 0)
			}
		})
	} else {
		f.InBox(box, func(i int) bool {
			if !all && !n.filter.passes(&table[i]) {
				return true
			}
			if plane.ToBox(f.ParcelBox(i)) <= n.radius+1 {
				take(i, plane.ToFeature(f.ParcelGeometry(i)))
			}
			return true
		})
	}
	if degenerate(f) {
		for i := range table {
			if len(table[i].Geometry) == 0 && (all || n.filter.passes(&table[i])) {
				take(i, plane.Distance(table[i].Inside))
			}
		}
	}
	return found, nil
}

func (n *near) buildings(f *kgfile.File, kg int16, layer int8, plane *crs.Ruler, box geom.Box, found []rows.Hit) ([]rows.Hit, error) {
	table, err := f.Buildings()
	if err != nil {
		return found, err
	}
	err = f.BuildingsInBox(box, func(i int) bool {
		if d := plane.Distance(table[i].At); d <= n.radius {
			found = append(found, rows.Hit{Rank: printed(d), Row: int32(i), KG: kg, Layer: layer})
		}
		return true
	})
	return found, err
}

// outline measures to the KG's own outline, or to the register's simplified one while it is cold.
func (n *near) outline(f *kgfile.File, kg int16, layer int8, plane *crs.Ruler, found []rows.Hit) ([]rows.Hit, error) {
	m := n.v.Register().Outline(n.kgs[kg].Code)
	if f != nil {
		exact, err := f.Outline()
		if err != nil {
			return found, err
		}
		if len(exact) > 0 {
			m = exact
		}
	}
	if d := plane.ToFeature(m); d <= n.radius {
		found = append(found, rows.Hit{Rank: printed(d), Row: int32(kg), KG: kg, Layer: layer})
	}
	return found, nil
}
