package search

import (
	"context"

	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/area"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	kgCode       = params.KG("code", "Only this KG")
	districtName = endpoint.String("district", "Only KGs of districts with this in their name, or of the district with this 3-digit code.",
		endpoint.Between(1, 100), endpoint.Example("599"))
	plz    = endpoint.Parsed("plz", "Only KGs of this postal code. "+area.PLZRule, austria.ParsePLZ, endpoint.Example("5790"))
	kgRows = rowschema.KG.Named("kg",
		"A Katastralgemeinde, drawn as its outline.").With(rowschema.KGProvenance...).With(rowschema.KGOverlays...)
)

func (s *service) kg() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/kg", ID: "search_kg", Tag: tag,
		Summary: "KGs by name, code, municipality, district and postal code",
		Doc: `KGs that pass every filter given, all KGs without one. With q the order is: exact code, name prefix, shortest name, name,
code; else code. Large districts have more than 200 KGs: ask for limit=500 at most and page on. Counts and measures of a KG whose
snapshot is not at hand are null.` + plainDoc + suggestionsDoc,
		Params:  []endpoint.AnyParam{text, kgCode, gemeinde, districtName, plz},
		Answer:  endpoint.Answer{Rows: []*format.RowType{kgRows.RowType}, Meta: suggestionsMeta{}},
		Example: "/api/v1/search/kg?q=Lorfach",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			return s.kgList(ctx, r, v)
		},
	}
}

func (s *service) kgList(ctx context.Context, r *endpoint.Request, v *view.View) (reply.Answer, error) {
	reg := v.Register()
	over := overlayindex.Of(v.View)
	index, err := over.Index(ctx)
	if err != nil {
		return nil, err
	}
	n := s.names.of(reg)
	kgs := reg.KGs()
	var tests []func(*register.KG) bool
	if kgCode.Given(r) {
		tests = append(tests, func(k *register.KG) bool { return k.Code == kgCode.Of(r) })
	}
	if gemeinde.Given(r) {
		tests = append(tests, n.inMunicipality(gemeinde.Of(r)))
	}
	if districtName.Given(r) {
		tests = append(tests, n.inDistrict(districtName.Of(r)))
	}
	if plz.Given(r) {
		in, err := area.InPLZ(reg, plz.Of(r))
		if err != nil {
			return nil, err
		}
		tests = append(tests, in)
	}
	t := table{n: len(kgs), corpus: &n.kgText, name: func(i int) (string, folded) { return kgs[i].Name, n.kgs[i] },
		code: func(i int) string { return string(kgs[i].Code) }}
	found := t.search(r, func(i int) bool {
		for _, passes := range tests {
			if !passes(&kgs[i]) {
				return false
			}
		}
		return true
	})
	a := listing(r, kgRows, len(found.rows), func(item *rowschema.KGRow, i int) {
		item.Register, item.KG = reg, &kgs[found.rows[i]]
		if over.HasKGs() {
			item.Over = overlays.Find(index, item.KG.Code)
		}
	})
	a.Meta = found.meta()
	return a, nil
}
