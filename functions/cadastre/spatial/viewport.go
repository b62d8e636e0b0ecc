package spatial

import (
	"context"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var withGeometry = endpoint.Bool("geometry", "0 leaves the polygons out.", endpoint.Default("1"))

func (s *service) viewportParcels() endpoint.Endpoint {
	return s.viewport(parcels, parcelGeometryKind, "Parcels on the screen")
}

func (s *service) viewportFootprints() endpoint.Endpoint {
	return s.viewport(footprints, footprintGeometryKind, "Building footprints on the screen")
}

func (s *service) viewport(l layer, k *format.Kind, summary string) endpoint.Endpoint {
	asks := areaQuery{
		layers: func(*endpoint.Request) []layer { return []layer{l} },
		look: func(r *endpoint.Request) look {
			if withGeometry.Of(r) {
				return look{parcel: parcelGeometryKind, footprint: footprintGeometryKind}
			}
			return look{parcel: parcelBareKind, footprint: footprintBareKind}
		},
		search: func(r *endpoint.Request) (*search, error) {
			b, err := boxOf(r)
			return &search{area: grownArea(b, 0), rel: intersects, filter: noFilter}, err
		},
	}
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/spatial/" + string(l), ID: "spatial_" + string(l), Tag: tag,
		Summary: summary,
		Doc: `The ` + string(l) + ` whose interior shares area with the viewport, with their polygons; geometry=0 leaves them out in every form (a
GeoJSON feature then has geometry null).

Order: KG code, order in the snapshot. At most 20,000 rows in one answer.
` + gapsDoc,
		Params:  []endpoint.AnyParam{west, south, east, north, withGeometry},
		Answer:  endpoint.Answer{Rows: []*format.Kind{k}, Meta: GapsMeta{}, Beside: readyMember{}, Headers: readyHeaders, Page: endpoint.Page{Default: 100, Max: maxViewport}},
		Example: "/api/v1/spatial/" + string(l) + "?west=13.27&south=47.318&east=13.28&north=47.325&limit=20000",
		Depends: s.depends(asks),
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			a, err := s.areaAnswer(ctx, r, asks)
			if err != nil {
				return nil, err
			}
			a.Members = append(a.Members, reply.Member{Name: "ready", Value: a.Meta[0].Value})
			return a, nil
		},
	}
}
