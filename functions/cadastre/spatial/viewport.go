package spatial

import (
	"context"
	"slices"

	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/rows"
	"mappe/functions/core/spatialquery"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

var withGeometry = endpoint.Bool("geometry", "0 leaves the polygons out.", endpoint.Default("1"))

func viewportParcels() endpoint.Endpoint {
	return viewport(parcels, parcelGeometryOverlaid.RowType, "Parcels on the screen", func(r *endpoint.Request) rows.Source {
		if overlaid(r) {
			return rows.Parcels(choose(withGeometry.Of(r), parcelGeometryOverlaid, parcelBareOverlaid).Record())
		}
		return rows.Parcels(choose(withGeometry.Of(r), parcelGeometryRows, parcelBareRows).Record())
	}, withOverlays)
}

func viewportFootprints() endpoint.Endpoint {
	return viewport(footprints, footprintGeometryRows.RowType, "Building footprints on the screen", func(r *endpoint.Request) rows.Source {
		return rows.Footprints(choose(withGeometry.Of(r), footprintGeometryRows, footprintBareRows).Record())
	})
}

// viewport lists a layer in a box; source draws it as the request wants it, further are parameters of its own.
func viewport(l layer, k *format.RowType, summary string, source func(*endpoint.Request) rows.Source,
	further ...endpoint.AnyParam) endpoint.Endpoint {
	return rows.List(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/spatial/" + string(l), ID: "spatial_" + string(l), Tag: tag,
		Summary: summary,
		Doc: `The ` + string(l) + ` whose interior shares area with the viewport, with their polygons; geometry=0 leaves them out in every form (a
GeoJSON feature then has geometry null).

Order: KG code, order in the snapshot. At most 20,000 rows in one answer.
`,
		Params: slices.Concat(sides.Params(), owners, []endpoint.AnyParam{withGeometry}, further),
		Answer: endpoint.Answer{Rows: []*format.RowType{k}, Beside: view.ReadyMember{},
			Page: endpoint.Page{Default: 100, Max: maxViewport}},
		Example: "/api/v1/spatial/" + string(l) + "?west=13.27&south=47.318&east=13.28&north=47.325&limit=20000",
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		b, err := sides.Of(r)
		if err != nil {
			return nil, err
		}
		q := &spatialquery.Search{Area: spatialquery.Box(b, 0), Filter: parcelfilter.Any, In: owned(r)}
		list, err := q.Plan(ctx, v, []layer{l}, func(spatialquery.Layer) rows.Source { return source(r) })
		if err != nil {
			return nil, err
		}
		list.ReadyBeside = true
		return list, nil
	})
}
