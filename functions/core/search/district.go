package search

import (
	"context"

	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/area"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	state        = area.State("state", "Only this state", endpoint.Example("Salzburg"))
	districtCode = params.District("code", "The KGs of this district")
)

// districtKGRow is a KG of a district, with what the district has.
type districtKGRow struct {
	rowschema.KGRow
	kgs int
}

// districtKGRows are the KGs of a district; every row carries the number of all.
var districtKGRows = format.LiftSchema(rowschema.KG.Only("kg_code", "kg_name", "gemeinde_code", "gemeinde_name", "district_code",
	"district_name", "state_code", "state_name",
	"parcel_count", "building_count", "total_area_sqm"), func(r *districtKGRow) *rowschema.KGRow { return &r.KGRow }).
	Named("district_kg", "A KG of the district, drawn as its outline.").
	With(format.Field[districtKGRow]{Column: format.Column{Name: "kg_count", Type: format.TypeInt, Doc: "KGs of the district."},
		Get: func(r *districtKGRow) format.Value { return format.Int(int64(r.kgs)) }})

func (s *service) district() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/district", ID: "search_district", Tag: tag,
		Summary: "Districts of a state, KGs of a district, districts by name",
		Doc: `Three modes: state lists the districts of a state, code the KGs of a district, q searches the names of districts (in a
state, where state is given too). Rows carry kg_count, the number of KGs of the district. Names are not unique: districts 322 and 325
have one name and are two rows, told apart by district_code. With q the order is: exact code, name prefix, shortest name, name, code;
else code.` + suggestionsDoc,
		Params:  []endpoint.AnyParam{text, state, districtCode},
		Answer:  endpoint.Answer{Rows: []*format.RowType{rowschema.District.RowType, districtKGRows.RowType}, Meta: suggestionsMeta{}},
		Example: "/api/v1/search/district?q=Lorfachtal",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			return s.districtList(r, v.Register())
		},
	}
}

func (s *service) districtList(r *endpoint.Request, reg *register.Register) (reply.Answer, error) {
	switch {
	case districtCode.Given(r) && (text.Given(r) || state.Given(r)):
		return nil, districtCode.Clash(r, "code alone: it lists the KGs of one district, q and state list districts")
	case districtCode.Given(r):
		kgs := reg.ByDistrict(districtCode.Of(r))
		return listing(r, districtKGRows, len(kgs), func(item *districtKGRow, i int) {
			item.Register, item.KG, item.kgs = reg, reg.KG(kgs[i]), len(kgs)
		}), nil
	case !text.Given(r) && !state.Given(r):
		return nil, fault.New(fault.Missing, "nothing is searched for: expected one of q, state, code")
	}
	n := s.names.of(reg)
	all := n.districts
	t := table{n: len(all), corpus: &n.districtText, name: func(i int) (string, folded) { return all[i].Name, all[i].name },
		code: func(i int) string { return string(all[i].Code) }}
	found := t.search(r, func(i int) bool { return !state.Given(r) || all[i].State == state.Of(r) })
	a := listing(r, rowschema.District, len(found.rows), func(item *rowschema.DistrictRow, i int) {
		d := &all[found.rows[i]]
		item.D, item.KGs = &d.District, d.kgs
	})
	a.Meta = found.meta()
	return a, nil
}
