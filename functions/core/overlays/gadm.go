package overlays

import (
	"context"
	"slices"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var gid = params.Gemeinde("gid", "Only this municipality")

// GADM lists municipalities under the legacy names; the context service has it too.
func GADM() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/gadm", ID: "search_gadm", Tag: tag,
		Summary: "Municipalities under the legacy names",
		Doc: `The project's own municipality polygons under the field names of GADM, for clients that know those; no GADM data is
shipped, whose licence is non-commercial. Prefer /search/municipalities. Rows in the order of the code. contains_lon and contains_lat
are exact: one municipality at most holds a point.` + plainDoc,
		Params:  append([]endpoint.AnyParam{name, gid}, holding.Params()...),
		Answer:  endpoint.Answer{Rows: []*format.RowType{rowschema.GADM.RowType}},
		Example: "/api/v1/search/gadm?gid=59902",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, o, err := opened(ctx)
			if err != nil {
				return nil, err
			}
			p, err := holding.Of(r)
			if err != nil {
				return nil, err
			}
			rows, err := o.Municipalities(ctx)
			if err != nil {
				return nil, err
			}
			from := shapes{o, overlays.MunicipalityShapes, geographic(r)}
			found, err := from.among(ctx, len(rows), p, holding.Given(r))
			if err != nil {
				return nil, err
			}
			passes := named(r)
			found = slices.DeleteFunc(found, func(i int) bool {
				return !passes(rows[i].Name) || gid.Given(r) && rows[i].Code != gid.Of(r)
			})
			return listing[rowschema.GADMRow]{rowschema.GADM, found, func(item *rowschema.GADMRow, i int, s *overlays.Shape) {
				item.M, item.Shape, item.Register = &rows[found[i]], s, v.Register()
			}}.page(ctx, r, from), nil
		},
	}
}
