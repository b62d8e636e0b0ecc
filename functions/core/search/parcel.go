package search

import (
	"context"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/functions/core/lineage"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
)

var (
	parcelID = params.Parcel("id", "Only this parcel")
	status   = endpoint.Parsed("status", "Only parcels of this status: G (boundary held in the boundary cadastre) or E.",
		austria.ParseStatus, endpoint.Example("G"))
)

func parcel() endpoint.Endpoint {
	return rows.List(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/parcel", ID: "search_parcel", Tag: tag,
		Summary: "Parcels by id, KG, status, area, buildings and land use",
		Doc: `Parcels that pass every filter given; one at least is required. Order: KG code, order in the snapshot (along the
map). Without id and kg every KG is looked into, which is refused with 413 in a country of more than 2,048 KGs.` + plainDoc + lineage.Doc,
		Params:  slices.Concat([]endpoint.AnyParam{parcelID, kg, status}, parcelfilter.Params),
		Answer:  endpoint.Answer{Rows: []*format.RowType{parcelRows.RowType}, Meta: lineage.GoneMeta{}},
		Example: "/api/v1/search/parcel?kg=99101&min_area=8010",
	}, filtered)
}

func filtered(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
	if !parcelID.Given(r) && !kg.Given(r) && !status.Given(r) && !parcelfilter.Given(r) {
		return nil, fault.New(fault.Missing,
			"no filter is given: expected one at least of id, kg, status, min_area, max_area, has_buildings, landuse")
	}
	f, err := parcelfilter.Of(r)
	if err != nil {
		return nil, err
	}
	var codes []austria.KGCode
	if id := parcelID.Of(r); parcelID.Given(r) {
		codes = append(codes, id.KG)
		if kg.Given(r) && kg.Of(r) != id.KG { // no parcel is in two KGs
			codes = nil
		}
	} else if codes, err = asked(v, r); err != nil {
		return nil, err
	}
	want := status.Of(r)
	passes := func(p *kgfile.Parcel) bool {
		return (want == austria.StatusUnknown || p.Status == want) && f.Passes(p)
	}
	match := rows.Where((*kgfile.File).Parcels, passes)
	if parcelID.Given(r) {
		match = one(parcelID.Of(r).GNR, passes)
	}
	layer := rows.Layer{Source: rows.Parcels(parcelRows.Record()), Match: match}
	if !parcelID.Given(r) && !status.Given(r) && !parcelfilter.Given(r) {
		layer.Match, layer.Count = nil, counted(v, func(k *register.KG) int { return k.ParcelCount })
	}
	q, err := over(ctx, v, codes, layer)
	if err != nil {
		return nil, err
	}
	q.NoGeometry = plain(r)
	if parcelID.Given(r) && len(codes) > 0 {
		q.Meta, err = goneMeta(ctx, v, parcelID.Of(r))
	}
	return q, err
}

// one matches the parcel of a number where it passes.
func one(n austria.GNR, passes func(*kgfile.Parcel) bool) rows.Match {
	return func(_ *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
		i, ok, err := f.ParcelByGNR(n)
		if err != nil || !ok {
			return found, err
		}
		table, err := f.Parcels()
		if err == nil && passes(&table[i]) {
			found = append(found, int32(i))
		}
		return found, err
	}
}
