// Package endpoint is the one table of a service's endpoints. An endpoint is declared once, as a Go
// value; parameter parsing with its errors, routing, OpenAPI 3.1, the page to try it and the coverage
// list are derived from it. It knows no data: handlers do. Answers are put on the wire by
// shared/web/reply, rows are written by shared/web/format, errors are shared/web/fault.
//
// An endpoint in one file:
//
//	var (
//		west   = endpoint.Float("west", "Western edge.", endpoint.Required, endpoint.Alias("minlon"), endpoint.Between(-180, 180))
//		buffer = endpoint.Float("buffer", "Widens the box.", endpoint.Unit("m"), endpoint.Between(0, 10000), endpoint.Default("0"))
//		layers = endpoint.EnumList("layers", "What to look for.", []Layer{Parcels, Buildings, KG},
//			endpoint.Alias("layer"), endpoint.Synonym("parcel", "parcels"), endpoint.Default("parcels"))
//		kg     = endpoint.Parsed("kg", "KG code.", austria.ParseKGCode, endpoint.Example("01004"))
//	)
//
//	func bbox(d Deps) endpoint.Endpoint {
//		return endpoint.Endpoint{
//			Method: "GET", Path: "/api/v1/spatial/bbox", ID: "spatial_bbox", Tag: "Spatial",
//			Summary: "Features in a bounding box",
//			Params:  []endpoint.AnyParam{west, south, east, north, buffer, layers},
//			Answer:  endpoint.Answer{Rows: []*format.RowType{rows.Parcel, rows.Building}},
//			Example: "/api/v1/spatial/bbox?west=13.0&south=47.7&east=13.1&north=47.8",
//			Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
//				w := west.Of(r)
//				...
//				return &reply.Rows{Rows: seq, Total: total, Geometry: true}, nil
//			},
//		}
//	}
//
// Endpoints with Answer.Rows get format, fields, crs, limit, offset, cursor, callback, pretty and
// nocache by themselves. Either the handler cuts the page (r.Offset, r.Limit) and gives the total, or it
// gives every match with Total: reply.CountRows and the page is cut for it. A JSON body is declared with
// Body[T]; GeoJSON with ParsedBody and shared/web/jsonin. Path values are parameters named in the
// path: {parcel_id}; a %2F in them arrives as a slash.
//
// A service:
//
//	s := &endpoint.Service{System: "cadastre", Title: "...", Version: version, Endpoints: endpoints,
//		Notice: notice, GeoPackage: gpkg.Form{}, Pin: func(ctx context.Context) (context.Context, reply.Generation, error) {
//			v, err := lib.View(ctx)
//			...
//			return withView(ctx, v), reply.Generation{ID: v.Generation()}, nil
//		}}
//	h, err := s.Handler()
//	mux.Handle("/cadastre/", endpoint.Mount("/cadastre", h))
package endpoint
