package rows_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

var (
	kg      = endpoint.Parsed("kg", "Code of the KG.", austria.ParseKGCode, endpoint.Required, endpoint.Example("88801"))
	minArea = endpoint.Float("min_area", "Only parcels of at least this area.", endpoint.AtLeast(0), endpoint.Unit("m²"),
		endpoint.Default("0"))

	listed = rowschema.Parcel.Named("parcel", "A parcel of the KG.").Only("parcel_id", "kg_code", "gnr", "area_sqm", "lon", "lat")
)

func parcelsOfKG() endpoint.Endpoint {
	return rows.List(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg/parcels", ID: "kg_parcels", Tag: "KG",
		Summary: "The parcels of a KG",
		Doc:     "The parcels of one KG that are large enough, in the order of the snapshot.",
		Params:  []endpoint.AnyParam{kg, minArea},
		Answer:  endpoint.Answer{Rows: []*format.RowType{listed.RowType}},
		Example: "/api/v1/kg/parcels?kg=88801&min_area=8010",
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		least := minArea.Of(r)
		return rows.Over(ctx, v, []austria.KGCode{kg.Of(r)}, rows.Layer{
			Source: rows.Parcels(listed.Record()),
			Match:  rows.Where((*kgfile.File).Parcels, func(p *kgfile.Parcel) bool { return p.AreaSqm >= least }),
		})
	})
}

// An endpoint that lists rows of KGs: all forms, fields, pages, version=, gaps and ETags come with it.
func ExampleList() {
	store, _ := fixture.World() // a made-up country in memory
	lib, _ := fixture.Open(store)
	service := endpoint.Service{Endpoints: []endpoint.Endpoint{parcelsOfKG()}, Pin: generation.Pin(lib), Repin: generation.Repin(lib)}
	h, _ := service.Handler()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/api/v1/kg/parcels?kg=88801&min_area=8014&limit=2&format=ndjson&fields=parcel_id,area_sqm",
		nil))
	fmt.Print(w.Body)
	// Output:
	// {"parcel_id":"88801-14","area_sqm":8014}
	// {"parcel_id":"88801-15","area_sqm":8015}
}
