package search

import (
	"context"
	"slices"

	"mappe/artefacts/rowschema"
	"mappe/functions/core/area"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// listMode is the closed set of list=.
type listMode string

var (
	municipalityID  = params.Gemeinde("id", "Only this municipality")
	municipalityBez = area.District("district", "Only municipalities of this district")
	holding         = params.At("contains_lon", "contains_lat", "of a point: only the municipality that holds it")
	list            = endpoint.Enum("list",
		"all: every municipality that passes the other filters, in one answer where limit is not given.", []listMode{"all"})
	municipalityRows = rowschema.Municipality
)

func (s *service) municipalities() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/municipalities", ID: "search_municipalities", Tag: tag,
		Summary: "Municipalities by name, code, state, district and place",
		Doc: `Municipalities that pass every filter given; one at least is required. list=all is a filter that all pass, and the default
limit is not applied to it. With q the order is: exact code, name prefix, shortest name, name, code; else code. contains_lon and
contains_lat choose the municipality whose true outline holds the point, exactly one on a shared border; in a generation without
overlays the simplified outline decides, and within a few metres of a border the neighbour may be given. Rows are drawn simplified,
within 10 m; /search/gadm draws the true outline.` + plainDoc + suggestionsDoc,
		Params: slices.Concat([]endpoint.AnyParam{text, municipalityID, state, municipalityBez}, holding.Params(),
			[]endpoint.AnyParam{list}),
		Answer:  endpoint.Answer{Rows: []*format.RowType{municipalityRows.RowType}, Meta: suggestionsMeta{}},
		Example: "/api/v1/search/municipalities?id=59902",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			return s.municipalityList(ctx, r, v)
		},
	}
}

func (s *service) municipalityList(ctx context.Context, r *endpoint.Request, v *view.View) (reply.Answer, error) {
	reg := v.Register()
	at, err := containing(ctx, r, v)
	if err != nil {
		return nil, err
	}
	if !text.Given(r) && !municipalityID.Given(r) && !state.Given(r) && !municipalityBez.Given(r) && !holding.Given(r) && !list.Given(r) {
		return nil, fault.New(fault.Missing,
			"no filter is given: expected one at least of q, id, state, district, contains_lon with contains_lat, list=all")
	}
	districts, err := area.Districts.Among(reg, r, municipalityBez)
	if err != nil {
		return nil, err
	}
	n := s.names.of(reg)
	all := n.municipalities
	t := table{n: len(all), corpus: &n.municipalityText, name: func(i int) (string, folded) { return all[i].Name, all[i].name },
		code: func(i int) string { return string(all[i].Code) }}
	found := t.search(r, func(i int) bool {
		m := &all[i].Municipality
		return (!municipalityID.Given(r) || m.Code == municipalityID.Of(r)) &&
			(!state.Given(r) || m.State() == state.Of(r)) &&
			districts.Has(string(m.DistrictCode)) &&
			(!holding.Given(r) || m.Code == at)
	})
	whole := list.Given(r) && r.Whole(len(found.rows))
	a := listing(r, municipalityRows, len(found.rows), func(item *rowschema.MunicipalityRow, i int) {
		item.Register, item.M = reg, &all[found.rows[i]].Municipality
	})
	if whole {
		a.Limit = r.Limit
	}
	a.Meta = found.meta()
	return a, nil
}

// containing is the municipality that holds the point asked for, "" where none does or no point is given.
func containing(ctx context.Context, r *endpoint.Request, v *view.View) (austria.GemeindeCode, error) {
	if !holding.Given(r) {
		return "", nil
	}
	p, err := holding.Of(r)
	if err != nil {
		return "", err
	}
	switch m, known, err := overlayindex.Of(v.View).Here(p).Municipality(ctx); {
	case err != nil:
		return "", err
	case m != nil:
		return m.Code, nil
	case known:
		return "", nil
	}
	if m := v.Register().MunicipalityAt(p); m != nil {
		return m.Code, nil
	}
	return "", nil
}
