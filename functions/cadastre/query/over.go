package query

import (
	"context"
	"slices"
	"strings"

	"mappe/artefacts/columns"
	"mappe/artefacts/overlays"
	"mappe/functions/core/overlay"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

var (
	hasRefs       = endpoint.Bool("has_legal_refs", "true: only parcels that a law names; false: only others.")
	legalContext  = endpoint.Enum("legal_context", "Only parcels that a law of this context names.", overlays.AllContexts())
	hasNatura     = endpoint.Bool("has_natura2000", "true: only parcels whose centroid lies in a Natura 2000 site; false: only others.")
	naturaSite    = endpoint.String("natura2000_site", "Only parcels in the Natura 2000 site of this code.", endpoint.Between(1, 20))
	naturaType    = endpoint.Parsed("natura2000_type", "Only parcels in a site of this type: A birds, B habitats, C both; a site of both is one of each.", overlays.ParseSiteType)
	naturaHabitat = endpoint.Enum("natura2000_habitat", "Only parcels in a site with this tag. Conditions on sites hold for one site together.", overlays.AllHabitats())
)

// overParams are the filters on what lies over a parcel.
var overParams = []endpoint.AnyParam{hasRefs, legalContext, hasNatura, naturaSite, naturaType, naturaHabitat}

// overOf reads them.
func overOf(r *endpoint.Request) overlay.Filter {
	f := overlay.Filter{Context: legalContext.Of(r), Site: naturaSite.Of(r), Type: naturaType.Of(r), Habitat: naturaHabitat.Of(r)}
	for p, to := range map[*endpoint.Param[bool]]**bool{hasRefs: &f.LegalRefs, hasNatura: &f.Natura} {
		if p.Given(r) {
			v := p.Of(r)
			*to = &v
		}
	}
	return f
}

// ofNatura says whether a filter on Natura 2000 is active.
func ofNatura(r *endpoint.Request) bool {
	return hasNatura.Given(r) || naturaSite.Given(r) || naturaType.Given(r) || naturaHabitat.Given(r)
}

// lay leaves of the places those in which parcels may pass by what lies over them, and reads what lies over them.
func (p *plan) lay(ctx context.Context) error {
	if !p.over.Active() {
		return nil
	}
	if p.view.Past() {
		return fault.New(fault.Conflict, "filters on Natura 2000 and on laws are of the present: leave out version, or them")
	}
	o := overlay.Of(p.view.View)
	out, err := o.Outside(ctx, p.over)
	if err != nil {
		return err
	}
	if out != nil {
		var name strings.Builder
		p.over.Name(&name)
		p.absent.rule(name.String(), out)
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
	if at.over == nil || !p.over.Active() {
		return rows
	}
	return keep(rows, func(row int32) bool { return p.over.Passes(at.over, int(t.Rows[row])) })
}
