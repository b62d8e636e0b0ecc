package query

import (
	"context"
	"slices"
	"strings"

	"mappe/artefacts/columns"
	"mappe/functions/core/overlayindex"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// lay leaves of the places those in which parcels may pass by what lies over them, and reads what lies over them.
func (p *plan) lay(ctx context.Context) error {
	if !p.over.Active() {
		return nil
	}
	if p.view.Past() {
		return fault.New(fault.Conflict, "filters on Natura 2000 and on laws are of the present: leave out version, or them")
	}
	o := overlayindex.Of(p.view.View)
	out, err := o.Outside(ctx, p.over)
	if err != nil {
		return err
	}
	if out != nil {
		var name strings.Builder
		p.over.Name(&name)
		p.named.Rule(name.String(), out)
	}
	codes, all, err := o.KGs(ctx, p.over)
	if err != nil {
		return err
	}
	if !all {
		in := make(map[austria.KGCode]bool, len(codes))
		for _, c := range codes {
			in[c] = true
		}
		p.places = slices.DeleteFunc(p.places, func(at place) bool { return !in[at.kg.Code] })
	}
	if err := p.overPlaces(ctx, o); err != nil {
		return err
	}
	// Of a KG without a section nothing lies over any parcel.
	p.places = slices.DeleteFunc(p.places, func(at place) bool { return at.over == nil && !p.over.Passes(nil, 0) })
	return nil
}

// passing leaves of the rows of a place those that pass by what lies over them.
func (p *plan) passing(at *place, t *columns.Table, rows []int32) []int32 {
	if at.over == nil {
		return rows
	}
	return keep(rows, func(row int32) bool { return p.over.Passes(at.over, int(t.Rows[row])) })
}
