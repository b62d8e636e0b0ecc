package landprices

import (
	"cmp"
	"context"
	"slices"

	"mappe/functions/core/states"
	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

func sortMembers(list []member) {
	slices.SortFunc(list, func(a, b member) int { return cmp.Compare(a.Code, b.Code) })
}

var (
	pathState = endpoint.Parsed("state_code", "State 1 to 9, its name, or AT for all of Austria.", states.ParseOrCountry,
		endpoint.Required, endpoint.Example("5"))
	stateAggregate = endpoint.Bool("aggregate", "Adds by_class and buildings: sums over the parcels.", endpoint.Default("false"))
)

var bundeslandReport = format.NewSchema("land_prices_bundesland", "The land prices of a state or of Austria.", format.Drawing[report]{},
	format.Fields[report]{
		reportText("state_code", "State, or AT.", func(r *report) string { return r.code }),
		reportText("state_name", "Its name.", func(r *report) string { return r.name }),
		yearColumn, publishedColumn, seriesColumn,
		column("trends_cagr", "Annual growth by kind, between -0.04 and 0.18.", map[string]float64{}),
		column("literature", "Indicative figures at the year, by kind, where they are not published.", map[string]price{}),
		parcelsKGsColumn, classColumn, checkColumn, buildingsColumn,
	})

func bundesland() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/bundesland/{state_code}", ID: "land_prices_bundesland", Tag: tag,
		Summary: "Prices and values of a state",
		Doc:     `data holds one row: the published prices of building land, farmland, houses and flats and their growth; aggregate=true adds the parcels by price class.` + caution,
		Params:  []endpoint.AnyParam{pathState, year, stateAggregate},
		Answer:  endpoint.Answer{Rows: []*format.RowType{bundeslandReport.RowType}, Page: endpoint.Page{None: true}, Meta: priceMeta{}},
		Example: "/api/v1/land_prices/bundesland/5",
		Depends: onArtefact,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return reportState(ctx, pathState.Of(r), year.Of(r), stateAggregate.Of(r))
		},
	}
}

func reportState(ctx context.Context, code austria.StateCode, year int, aggregate bool) (reply.Answer, error) {
	_, d, err := open(ctx)
	if err != nil {
		return nil, err
	}
	level, name, prefix, p := landprice.State, code.Name(), string(code), landprice.PlaceOf("", "", code)
	if code == states.Country {
		level, name, prefix, p = landprice.National, "Österreich", "", landprice.Place{}
	}
	r := report{code: string(code), name: name, fields: map[string]any{
		"year": year, "published": published(d, level, p, year, stateKinds), "series": seriesOf(d, level, string(code), stateKinds),
		"trends_cagr": trends(d, level, string(code), stateKinds), "literature": published(d, landprice.LiteratureState, p, year,
			stateKinds),
	}}
	if aggregate {
		r.sum(d, d.within(prefix), d.book.Published(landprice.BuildingLand, level, p, year), year)
	}
	return answer(d, bundeslandReport, r), nil
}
