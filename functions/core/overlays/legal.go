package overlays

import (
	"context"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/overlayindex"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	legalKG       = params.KG("kg", "Only this KG")
	legalGemeinde = params.Gemeinde("gemeinde_code", "Only KGs of this municipality")
	legalContext  = endpoint.Enum("context", "Only laws about this.", overlays.AllContexts())
	legalType     = endpoint.Parsed("type", "listed or boundary_walk: how the law names the parcel.", overlays.ParseListType,
		endpoint.Example("listed"))
	legalLaw  = endpoint.String("law", "Only laws with this in their name, or of this Gesetzesnummer.", endpoint.Between(1, 200))
	legalText = endpoint.String("q", "Only references with this in the name of the law or of the KG, or of this parcel number.",
		endpoint.Between(1, 200))
)

// LegalSearch lists references of laws to parcels; the landscape service has it too.
func LegalSearch() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/legal/search", ID: "legal_search", Tag: tag,
		Summary: "Parcels that laws name",
		Doc: `References that pass every filter given, all without one, by KG, then in the order of the sources. They are what the
laws say: a parcel may be divided or gone since.`,
		Params:  []endpoint.AnyParam{legalKG, legalGemeinde, legalContext, legalType, legalLaw, legalText},
		Answer:  endpoint.Answer{Rows: []*format.RowType{rowschema.Legal.RowType}},
		Example: "/api/v1/legal/search?context=nature_protection",
		Serve:   legalList,
	}
}

func legalList(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	_, o, err := opened(ctx)
	if err != nil {
		return nil, err
	}
	f := overlayindex.LegalFilter{KG: legalKG.Of(r), Gemeinde: legalGemeinde.Of(r), Context: legalContext.Of(r), Law: legalLaw.Of(r),
		Text: legalText.Of(r)}
	if legalType.Given(r) {
		list := legalType.Of(r)
		f.List = &list
	}
	found, err := o.Legal(ctx, f)
	if err != nil {
		return nil, err
	}
	indexes := make([]int, len(found))
	return listing[rowschema.LegalRow]{rowschema.Legal, indexes,
		func(item *rowschema.LegalRow, i int, _ *overlays.Shape) { *item = found[i] }}.page(ctx, r, shapes{}), nil
}
