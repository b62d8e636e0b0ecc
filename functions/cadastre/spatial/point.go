package spatial

import (
	"context"
	"slices"

	"mappe/functions/core/overlayindex"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

func pointGet() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/spatial/point", ID: "spatial_point", Tag: tag,
		Summary: "Features around a point, nearest first",
		Doc: `The features of the asked layers up to radius metres from the point, across KG borders.

Order: distance_m, then layer as asked, KG code, order in the snapshot. distance_m is measured to the nearest place of the
feature, 0 inside it. radius=0 gives the features at the point. landuse, min_area, max_area and has_buildings choose parcels only.
Plain JSON rows of parcels and KGs carry geometry unless attrs_only=true; rows of address points carry lon and lat. More than
2,000,000 matches are refused.
` + view.MissingDoc,
		Params: slices.Concat(position.Params(), []endpoint.AnyParam{radius, layers}, owners, parcelfilter.Params,
			[]endpoint.AnyParam{attrsOnly}),
		Answer:  endpoint.Answer{Rows: nearKinds, Meta: view.GapsMeta{}, Headers: view.ReadyHeaders},
		Example: "/api/v1/spatial/point?lon=13.2742&lat=47.3208&radius=50&layers=parcels,buildings",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			p, err := preparePoint(ctx, r)
			if err != nil {
				return "", err
			}
			r.Memo = p
			over, err := overlayindex.Depends(ctx, p.n.v.View, p.codes)
			return p.n.v.Depends(p.codes) + over, err
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p, err := preparePoint(ctx, r)
			if err != nil {
				return nil, err
			}
			n := p.n
			found, err := n.around(ctx, p.at, p.codes, nil)
			if err != nil {
				return nil, err
			}
			total := len(found)
			found, next, err := n.page(found, r)
			if err != nil {
				return nil, err
			}
			if len(found) < total {
				found = slices.Clone(found) // the rest need not be held while the page is written
			}
			drawn := ranking{point: attrsOnly.Of(r), plain: plainForm(r)}.of(n)
			kinds := make([]*format.RowType, len(drawn.Layers))
			for i := range drawn.Layers {
				kinds[i] = drawn.Layers[i].Source.RowType()
			}
			return n.gaps.Mark(&reply.Rows{
				Rows: drawn.Rows(ctx, found), Total: total, Place: next, RowTypes: kinds, Geometry: !attrsOnly.Of(r),
			}), nil
		},
	}
}

// preparedPoint is what a request about a point asks for, found out for its ETag and used for its answer.
type preparedPoint struct {
	n     *near
	at    geom.Point
	codes []austria.KGCode
}

func preparePoint(ctx context.Context, r *endpoint.Request) (*preparedPoint, error) {
	if p, ok := r.Memo.(*preparedPoint); ok {
		return p, nil
	}
	at, err := position.Of(r)
	if err != nil {
		return nil, err
	}
	f, err := parcelfilter.Of(r)
	if err != nil {
		return nil, err
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	n := &near{v: v, radius: radius.Of(r), layers: layers.Of(r), filter: f, in: owned(r), budget: maxNear}
	codes, err := n.reach(at)
	return &preparedPoint{n, at, codes}, err
}
