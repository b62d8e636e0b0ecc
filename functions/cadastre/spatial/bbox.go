package spatial

import (
	"context"
	"slices"

	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/rows"
	"mappe/functions/core/spatialquery"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
)

func bbox() endpoint.Endpoint {
	return rows.List(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/spatial/bbox", ID: "spatial_bbox", Tag: tag,
		Summary: "Parcels, address points and KGs in a box",
		Doc: `The features of the asked layers that lie in the box, grown by buffer metres on every side.

Order: layer as asked, KG code, order in the snapshot. With relation=intersects (default) a parcel matches when its interior
shares area with the box, touching is not enough; with relation=within no part of it may lie outside. Address points match when
the box holds them; KGs match by their bounding box. landuse, min_area, max_area and has_buildings choose parcels only.
Plain JSON rows of parcels carry geometry unless attrs_only=true; rows of address points carry lon and lat.
`,
		Params: slices.Concat(sides.Params(), []endpoint.AnyParam{buffer, layers, rel}, owners, parcelfilter.Params,
			[]endpoint.AnyParam{attrsOnly}),
		Answer:  endpoint.Answer{Rows: listedKinds},
		Example: "/api/v1/spatial/bbox?west=13.27&south=47.318&east=13.28&north=47.325&limit=10",
	}, areaList(inBox))
}

// areaList asks for what lies in an area.
func areaList(find func(*endpoint.Request) (*spatialquery.Search, error)) rows.Prepare {
	return func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		q, err := find(r)
		if err != nil {
			return nil, err
		}
		q.In = owned(r)
		list, err := q.Plan(ctx, v, layers.Of(r), func(l spatialquery.Layer) rows.Source { return sourceOf(r, l) })
		if err != nil {
			return nil, err
		}
		list.NoGeometry = attrsOnly.Of(r)
		return list, nil
	}
}

// inBox is the search of a box.
func inBox(r *endpoint.Request) (*spatialquery.Search, error) {
	b, err := sides.Of(r)
	if err != nil {
		return nil, err
	}
	f, err := parcelfilter.Of(r)
	if err != nil {
		return nil, err
	}
	return &spatialquery.Search{Area: spatialquery.Box(b, buffer.Of(r)), Within: rel.Of(r) == within, Filter: f}, nil
}
