package spatial

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/pin"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/fault"
)

// view is one pinned generation of the data, or the snapshots of one date in it.
type view struct {
	*library.View
	past *past // nil for the present snapshots
}

// KG is library.View.KG of the date.
func (v *view) KG(ctx context.Context, code austria.KGCode) (*kgfile.File, error) {
	if v.past != nil {
		f, err := v.KGAt(ctx, code, v.past.date)
		if err == nil {
			v.past.read(f)
		}
		return f, err
	}
	return v.View.KG(ctx, code)
}

// read gives the file of a KG, nil where it cannot be had: gaps then say why. An error is of the service.
func (v *view) read(ctx context.Context, code austria.KGCode, g *gaps) (*kgfile.File, error) {
	f, err := v.KG(ctx, code)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, library.ErrCold) && v.Warms():
		g.warming.add(code)
	case errors.Is(err, library.ErrCold), errors.Is(err, library.ErrDamaged):
		g.unavailable.add(code)
	case errors.Is(err, library.ErrNoVersion):
		g.unversioned.add(code)
	default:
		return nil, pin.Fault(ctx, err)
	}
	return nil, nil
}

// open gives the file of a KG whose rows are being sent.
func (v *view) open(ctx context.Context, code austria.KGCode) (*kgfile.File, error) {
	f, err := v.KG(ctx, code)
	if errors.Is(err, library.ErrCold) {
		return nil, fault.Retry(fault.Unavailable, retryAfter, "KG %s is no longer at hand", code).Because(err)
	}
	return f, pin.Fault(ctx, err)
}

// confirm makes sure that KGs whose rows are only counted could be read.
func (v *view) confirm(ctx context.Context, codes []austria.KGCode, g *gaps) error {
	missing, err := v.Missing(ctx, codes)
	if err != nil {
		return pin.Fault(ctx, err)
	}
	for _, code := range missing {
		if v.Warms() {
			g.warming.add(code)
		} else {
			g.unavailable.add(code)
		}
	}
	return nil
}

// place is a warm KG that a search looks at.
type place struct {
	code  austria.KGCode
	kg    *register.KG
	whole bool // its box lies in the area: every row of it matches
}

// count is the number of rows of a layer as the register knows it, -1 where it does not: address
// points may stand outside the KG's parcels, so they are looked at one by one.
func (p *place) count(l layer) int {
	switch l {
	case parcels:
		return p.kg.ParcelCount
	case footprints:
		return p.kg.FootprintCount
	}
	return -1
}

// plan is what a search looks at: places in code order.
type plan struct {
	places []place
	named  []*register.KG // matches of the layer kg
	gaps   gaps
}

// depends are the KGs whose state decides the answer.
func (pl *plan) depends() []austria.KGCode {
	codes := make([]austria.KGCode, 0, len(pl.places)+len(pl.named))
	for i := range pl.places {
		codes = append(codes, pl.places[i].code)
	}
	for _, k := range pl.named {
		codes = append(codes, k.Code)
	}
	return codes
}

// plan finds the KGs a search has to look at for these layers.
func (v *view) plan(ctx context.Context, q *search, layers []layer) (*plan, error) {
	if err := v.only(layers); err != nil {
		return nil, err
	}
	pl := &plan{}
	reg := v.Register()
	wantRows := slices.ContainsFunc(layers, func(l layer) bool { return l != kgs })
	reads := 0
	slack := strayOf(layers)
	for _, code := range reg.KGsInBox(crs.Grow(q.area.Box(), slack)) {
		k := reg.KG(code)
		if slices.Contains(layers, kgs) && q.matchesBox(k.Box) {
			pl.named = append(pl.named, k)
		}
		if !wantRows {
			continue
		}
		side := q.area.Side(k.Box)
		if side == region.Outside && slack == 0 || side != region.Inside && !q.reaches(reg, k, slack) {
			continue
		}
		if !v.Warm(code) {
			if _, err := v.read(ctx, code, &pl.gaps); err != nil { // asks for a warm-up
				return nil, err
			}
			continue
		}
		at := place{code, k, side == region.Inside && v.past == nil} // the register knows the present box and counts
		if slices.ContainsFunc(layers, func(l layer) bool {
			return l != kgs && !q.takesAll(&at, l)
		}) {
			reads++
		}
		pl.places = append(pl.places, at)
	}
	if reads > maxKGs {
		f := tooMuch("the area reaches into %d KGs that have to be read: expected at most %d", reads, maxKGs)
		f.Split = split(q.area.Box())
		return nil, f
	}
	return pl, q.explain(q.area.Err())
}

// stray is how far in metres footprints and address points may stand outside their KG's outline and
// still be found by place: footprints hang over borders, address points lie on the road before the house.
const stray = 100

// strayOf is the slack a search for these layers has to allow.
func strayOf(layers []layer) float64 {
	if slices.Contains(layers, buildings) || slices.Contains(layers, footprints) {
		return stray
	}
	return 0
}

// reaches says whether rows of a KG can match, so that objects of neighbours whose boxes merely overlap
// are not read: parcels lie within the stored outline and its tolerance.
func (q *search) reaches(reg *register.Register, k *register.KG, slack float64) bool {
	if m := reg.Outline(k.Code); len(m) > 0 {
		return q.area.Reaches(m, m.Bounds(), reg.OutlineToleranceM(k.Code)+slack)
	}
	return true
}

// matchesBox tests a KG by its bounding box.
func (q *search) matchesBox(b geom.Box) bool {
	m := boxPolygon(b)
	if q.rel == within {
		return q.area.Covers(m, b)
	}
	return q.area.Overlaps(m, b)
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

// explain tells an area that cannot be searched from a failure of the service.
func (q *search) explain(err error) error {
	if q.field == "buffer" && errors.Is(err, region.ErrWork) {
		return fault.BadValue("buffer", "the search was given up", "a smaller buffer or a polygon with fewer vertices: too many of them lie within the buffer of too many features")
	}
	return searchError(q.field, err)
}

func searchError(field string, err error) error {
	if errors.Is(err, region.ErrWork) {
		return fault.BadValue(field, "the search was given up", "a simpler polygon: "+err.Error())
	}
	return err
}
