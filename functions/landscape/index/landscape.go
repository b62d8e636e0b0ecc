package index

import (
	"context"
	"slices"
	"strings"

	"mappe/artefacts/landscape"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

const landscapeDoc = `Parcels of the cadastre with what analysis found on them; parcels of KGs that were not analysed stand in the list with processed false,
unless a filter pf_* asks for what only analysis knows. At least one of kg, gemeinde, district, state and bbox says where, and the KGs there are at most 2,000. Order: KG
and number, or pf_sort.`

func (s *service) landscape() endpoint.Endpoint {
	ps := []endpoint.AnyParam{pKG, cGemeinde, cDistrict, cState, cBox, cProcess, pAspect, pTerrain, pTypes, pGreen, pForest, pTrees, pSteep,
		pSort, pDir, pEnrich}
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/parcels/landscape", ID: "landscape_parcels", Tag: tag,
		Summary: "The parcels of an area with terrain and vegetation", Doc: landscapeDoc,
		Params:  slices.Concat(ps, parcelfilter.Params, parcelfilter.OverParams),
		Example: "/api/v1/parcels/landscape?kg=09902&has_buildings=true",
		Answer: endpoint.Answer{Rows: []*format.RowType{surveyRows.RowType, landRows.RowType}, JSONOnly: true,
			Page: endpoint.Page{Default: 100, Max: maxBatch}, Body: landscapeBody{}, Headers: view.ReadyHeaders},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			u, err := s.asked(ctx, r)
			if err != nil {
				return nil, err
			}
			list, err := u.where(r)
			if err != nil {
				return nil, err
			}
			if len(list) > maxBatchKGs {
				return nil, fault.New(fault.TooLarge, "%d KGs lie there: expected at most %d; name a district", len(list), maxBatchKGs)
			}
			return u.filtered(ctx, r, list, maxBatchKGs)
		},
	}
}

// landscapeBody is surveyedBody as a type of its own, which the description of a service names.
type landscapeBody surveyedBody

// where are the KGs that a request names, by code; a fault where it names none.
func (u *survey) where(r *endpoint.Request) ([]hit, error) {
	if !pKG.Given(r) && !cGemeinde.Given(r) && !cDistrict.Given(r) && !cState.Given(r) && !cBox.Given(r) {
		return nil, fault.New(fault.Missing, "nothing says where: expected at least one of %s",
			strings.Join([]string{pKG.Name(), cGemeinde.Name(), cDistrict.Name(), cState.Name(), cBox.Name()}, ", "))
	}
	return u.region(r)
}

// region are the KGs in the area of a request, by code; all where it names none.
func (u *survey) region(r *endpoint.Request) ([]hit, error) {
	tests, err := u.c.conditions(r)
	if err != nil {
		return nil, err
	}
	if pKG.Given(r) {
		e, err := u.c.need(pKG.Of(r))
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(of *landscape.Entry) bool { return of == e })
	}
	list, _ := u.c.passing(tests, landscape.RecordColumns.Find("kg_code"), true, len(u.c.entries))
	return list, nil
}
