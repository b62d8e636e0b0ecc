package overlays

import (
	"context"

	"mappe/artefacts/kgdocs"
	"mappe/artefacts/overlays"
	"mappe/functions/overlay"
	"mappe/functions/view"
	"mappe/shared/austria"
	"mappe/shared/spelling"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
	"strings"
)

var (
	legalKG       = endpoint.Parsed("kg", "Only this KG: its code, padded or not.", austria.ParseKGCode, endpoint.Example("99101"))
	legalGemeinde = endpoint.Parsed("gemeinde_code", "Only KGs of this municipality.", austria.ParseGemeindeCode, endpoint.Example("59902"))
	legalContext  = endpoint.Enum("context", "Only laws about this.", overlays.AllContexts())
	legalType     = endpoint.Parsed("type", "listed or boundary_walk: how the law names the parcel.", overlays.ParseListType, endpoint.Example("listed"))
	legalLaw      = endpoint.String("law", "Only laws with this in their name, or of this Gesetzesnummer.", endpoint.Between(1, 200))
	legalText     = endpoint.String("q", "Only references with this in the name of the law or of the KG, or of this parcel number.", endpoint.Between(1, 200))
)

func legalSearch() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/legal/search", ID: "legal_search", Tag: tag,
		Summary: "Parcels that laws name",
		Doc: `References that pass every filter given, all without one, by KG, then in the order of the sources. They are what the
laws say: a parcel may be divided or gone since.`,
		Params:  []endpoint.AnyParam{legalKG, legalGemeinde, legalContext, legalType, legalLaw, legalText},
		Answer:  endpoint.Answer{Rows: []*format.Kind{kgdocs.Legal.Kind}},
		Example: "/api/v1/legal/search?context=nature_protection",
		Serve:   legalList,
	}
}

func legalList(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	v, o, err := opened(ctx)
	if err != nil {
		return nil, err
	}
	laws, err := o.Laws(ctx)
	if err != nil {
		return nil, err
	}
	pass := make([]bool, len(laws))
	for i := range laws {
		pass[i] = lawPasses(r, &laws[i])
	}
	var found []kgdocs.LegalRow
	for _, code := range legalKGs(r, v, o) {
		refs, err := o.Refs(ctx, code, len(laws))
		if err != nil {
			return nil, err
		}
		kg := ""
		if k := v.Register().KG(code); k != nil {
			kg = k.Name
		}
		for i := range refs {
			if ref := &refs[i]; pass[ref.Law] && refPasses(r, ref, kg, &laws[ref.Law]) {
				found = append(found, kgdocs.LegalRow{KG: code, Name: kg, Ref: ref, Law: &laws[ref.Law]})
			}
		}
	}
	indexes := make([]int, len(found))
	return page(ctx, r, shapes{}, kgdocs.Legal, indexes, func(item *kgdocs.LegalRow, i int, _ *overlays.Shape) { *item = found[i] }), nil
}

// legalKGs are the KGs to look into: those that laws name, of the KG or municipality asked for.
func legalKGs(r *endpoint.Request, v *view.View, o *overlay.Overlays) (codes []austria.KGCode) {
	for _, code := range o.KGsWithRefs() {
		k := v.Register().KG(code)
		if (!legalKG.Given(r) || code == legalKG.Of(r)) && (!legalGemeinde.Given(r) || k != nil && k.GemeindeCode == legalGemeinde.Of(r)) {
			codes = append(codes, code)
		}
	}
	return codes
}

func lawPasses(r *endpoint.Request, l *overlays.Law) bool {
	return (!legalContext.Given(r) || l.Context == legalContext.Of(r)) &&
		(!legalLaw.Given(r) || l.Number == legalLaw.Of(r) || holds(l.Name, legalLaw.Of(r)))
}

func refPasses(r *endpoint.Request, ref *overlays.Ref, kg string, l *overlays.Law) bool {
	q := legalText.Of(r)
	return (!legalType.Given(r) || ref.List == legalType.Of(r)) &&
		(!legalText.Given(r) || string(ref.GNR) == q || holds(l.Name, q) || holds(kg, q))
}

func holds(name, part string) bool {
	return strings.Contains(spelling.Fold(name), spelling.Fold(part))
}
