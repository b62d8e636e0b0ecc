package spatialquery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"mappe/artefacts/register"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/fault"
)

// Plan finds the KGs a search has to look at for these layers; draw gives the source of each but KGs.
func (q *Search) Plan(ctx context.Context, v *view.View, layers []Layer, draw func(Layer) rows.Source) (*rows.Query, error) {
	if err := Only(v, layers); err != nil {
		return nil, err
	}
	list := &rows.Query{View: v}
	named, err := q.places(ctx, list, layers)
	if err != nil {
		return nil, err
	}
	for _, l := range layers {
		if l == KGs {
			list.Layers = append(list.Layers, rows.Layer{Source: rows.KGs(KGRows.Record(), v.Register(), named), External: true})
		} else {
			list.Layers = append(list.Layers, q.layer(l, draw(l)))
		}
	}
	if n := list.Reads(); n > view.MaxKGs {
		f := fault.New(fault.TooLarge, "the area reaches into %d KGs that have to be read: expected at most %d", n, view.MaxKGs)
		f.Split = split(q.Area.Box())
		return nil, f
	}
	return list, q.Explain(q.Area.Err())
}

// places adds the KGs that may have matches to the list, and gives the matches of the layer kg.
func (q *Search) places(ctx context.Context, list *rows.Query, layers []Layer) (named []*register.KG, err error) {
	v, reg := list.View, list.View.Register()
	wantKGs := slices.Contains(layers, KGs)
	wantRows := slices.ContainsFunc(layers, func(l Layer) bool { return l != KGs })
	slack := StrayOf(layers)
	var absent []rows.Candidate
	for _, code := range v.KGsNear(crs.Grow(q.Area.Box(), slack)) {
		k := reg.KG(code)
		if q.In != nil && !q.In(k) {
			continue
		}
		if wantKGs && q.matchesBox(k.Box) {
			named = append(named, k)
			list.Named = append(list.Named, code)
		}
		switch {
		case !wantRows:
		case !v.Warm(code): // of a map of small scale, or of no outline: its box says little
			if Reaches(reg, code, q.Area, slack) {
				absent = append(absent, rows.Candidate{Code: code, KG: k})
			}
		case v.Moved(code):
			list.Candidates = append(list.Candidates, rows.Candidate{Code: code, KG: k})
		default:
			side := q.Area.Side(k.Box)
			if side == region.Outside && slack == 0 || side != region.Inside && !Reaches(reg, code, q.Area, slack) {
				continue
			}
			whole := side == region.Inside && !v.Past() // the register knows the present box and counts
			list.Candidates = append(list.Candidates, rows.Candidate{Code: code, KG: k, Whole: whole})
		}
	}
	NearestFirst(absent, q.Area.Box().Center())
	for _, at := range absent {
		if err := list.Look(ctx, at); err != nil {
			return nil, err
		}
	}
	return named, nil
}

// NearestFirst orders KGs by how far their box is from a point, so that what is loaded first is what was asked for.
func NearestFirst(list []rows.Candidate, p geom.Point) {
	ruler := crs.RulerAt(p)
	slices.SortStableFunc(list, func(a, b rows.Candidate) int { return cmp.Compare(ruler.ToBox(a.KG.Box), ruler.ToBox(b.KG.Box)) })
}

// layer is a layer of the search. Address points may stand outside the KG's parcels, so they are looked at
// one by one even where the KG lies whole in the area.
func (q *Search) layer(l Layer, s rows.Source) rows.Layer {
	switch l {
	case Parcels:
		return rows.Layer{Source: s, Match: q.parcels, Count: func(at *rows.Candidate) int {
			if at.Whole && q.Filter.All() {
				return at.KG.ParcelCount
			}
			return -1
		}}
	case Footprints:
		return rows.Layer{Source: s, Match: q.footprints, Count: func(at *rows.Candidate) int {
			if at.Whole {
				return at.KG.FootprintCount
			}
			return -1
		}}
	}
	if l == LandUse {
		return rows.Layer{Source: s, Match: q.landUse}
	}
	return rows.Layer{Source: s, Match: q.buildings}
}

// Only refuses the layer KGs of a date: what is known of whole KGs is of the present.
func Only(v *view.View, layers []Layer) error {
	if v.Past() && slices.Contains(layers, KGs) {
		return fault.Of(fault.Conflict, "layers", string(KGs), "parcels or buildings together with version: the layer kg is of the present")
	}
	return nil
}

// stray is how far in metres footprints and address points may stand outside their KG's outline and
// still be found by place: footprints hang over borders, address points lie on the road before the house.
const stray = 100

// StrayOf is the slack a search for these layers has to allow.
func StrayOf(layers []Layer) float64 {
	if slices.Contains(layers, Buildings) || slices.Contains(layers, Footprints) {
		return stray
	}
	return 0
}

// Reaches says whether a KG may have rows in an area, or up to slack metres beside its ground, so that objects of neighbours
// whose boxes merely overlap are not read: parcels lie within the stored outline and its tolerance.
func Reaches(reg *register.Register, code austria.KGCode, area *region.Area, slack float64) bool {
	g, known := reg.Ground(code)
	return !known || area.Reaches(g.Outline, g.Outline.Bounds(), g.ToleranceM+slack)
}

// matchesBox tests a KG by its bounding box.
func (q *Search) matchesBox(b geom.Box) bool {
	m := BoxPolygon(b)
	if q.Within {
		return q.Area.Covers(m, b)
	}
	return q.Area.Overlaps(m, b)
}

// split cuts a box into four that together are it.
func split(b geom.Box) []string {
	x, y := b.MinX/2+b.MaxX/2, b.MinY/2+b.MaxY/2
	var parts []string
	for _, q := range []geom.Box{{MinX: b.MinX, MinY: b.MinY, MaxX: x, MaxY: y}, {MinX: x, MinY: b.MinY, MaxX: b.MaxX, MaxY: y},
		{MinX: b.MinX, MinY: y, MaxX: x, MaxY: b.MaxY}, {MinX: x, MinY: y, MaxX: b.MaxX, MaxY: b.MaxY}} {
		lo, hi := geom.Point{X: q.MinX, Y: q.MinY}, geom.Point{X: q.MaxX, Y: q.MaxY}
		parts = append(parts, fmt.Sprintf("west=%.7f&south=%.7f&east=%.7f&north=%.7f", lo.Lon(), lo.Lat(), hi.Lon(), hi.Lat()))
	}
	return parts
}

// Explain tells an area that cannot be searched from a failure of the service.
func (q *Search) Explain(err error) error {
	if q.Field == "buffer" && errors.Is(err, region.ErrWork) {
		return fault.BadValue("buffer", "the search was given up",
			"a smaller buffer or a polygon with fewer vertices: too many of them lie within the buffer of too many features")
	}
	return Fault(q.Field, err)
}

func Fault(field string, err error) error {
	if errors.Is(err, region.ErrWork) {
		return fault.BadValue(field, "the search was given up", "a simpler polygon: "+err.Error())
	}
	return err
}
