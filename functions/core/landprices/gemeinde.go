package landprices

import (
	"context"

	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var pathGemeinde = params.Gemeinde("gemeinde_code", "The municipality", endpoint.Required)

// statistics is the published price of building land at the year.
var statistics = column("statistik_austria", "Published price of building land at the year; absent where the municipality has no series.",
	price{})

var gemeindeReport = format.NewSchema("land_prices_gemeinde", "The land prices of a municipality.", format.Drawing[report]{},
	format.Fields[report]{
		reportText("gemeinde_code", "Municipality.", func(r *report) string { return r.code }),
		reportText("gemeinde_name", "Its name.", func(r *report) string { return r.name }),
		yearColumn, statistics,
		column("baseline", "Price of building land that estimates start from, with its source.", baseline{}),
		column("bauland_cagr", "Annual growth of the municipality's series, between -0.04 and 0.18; absent where fewer than two years are published.", 0.0),
		seriesColumn, parcelsKGsColumn, classColumn, checkColumn, buildingsColumn,
	})

// baseline is the baseline of building land.
type baseline struct {
	EUR    *float64 `json:"eur_per_sqm"`
	Source string   `json:"source"`
	Code   string   `json:"code"`
	Year   int      `json:"year"`
	How    string   `json:"how"`
}

func baselineOf(b landprice.Baseline) *baseline {
	if !b.Known() {
		return nil
	}
	return &baseline{known(b.EUR, cents), b.Source.String(), b.Code, b.To, yearly(b.Value)}
}

func gemeinde() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/gemeinde/{gemeinde_code}", ID: "land_prices_gemeinde", Tag: tag,
		Summary: "Prices and values of a municipality",
		Doc:     `data holds one row: the published series, and the municipality's parcels by price class with their values. 404 for a municipality that does not exist.` + caution,
		Params:  []endpoint.AnyParam{pathGemeinde, year},
		Answer:  endpoint.Answer{Rows: []*format.RowType{gemeindeReport.RowType}, Page: endpoint.Page{None: true}, Meta: priceMeta{}},
		Example: "/api/v1/land_prices/gemeinde/59902",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return reportGemeinde(ctx, pathGemeinde.Of(r), year.Of(r))
		},
	}
}

func reportGemeinde(ctx context.Context, code austria.GemeindeCode, year int) (reply.Answer, error) {
	v, d, err := open(ctx)
	if err != nil {
		return nil, err
	}
	areas := d.within(string(code))
	name := gemeindeName(v, code)
	if name == "" && len(areas) == 0 && len(seriesOf(d, landprice.Gemeinde, string(code), gemeindeKinds)) == 0 {
		return nil, fault.New(fault.NotFound, "municipality %s does not exist", code)
	}
	p := landprice.PlaceOf(code, "", "")
	own := d.book.Published(landprice.BuildingLand, landprice.Gemeinde, p, year)
	sums := d.value(areas, year)
	r := report{code: string(code), name: name, fields: map[string]any{
		"year": year, "series": seriesOf(d, landprice.Gemeinde, string(code), gemeindeKinds),
		"kg_count": kgCount(areas), "by_class": byClass(&sums), "validation": checkOf(own, sums.Bauland()),
	}}
	if own.Known() {
		r.fields["statistik_austria"] = priceOf(own, landprice.BuildingLand.Unit())
	}
	if b := baselineOf(d.book.Building(p, year)); b != nil {
		r.fields["baseline"] = b
	}
	if g := growth(d, landprice.Gemeinde, string(code), landprice.BuildingLand); g != nil {
		r.fields["bauland_cagr"] = g
	}
	if b := buildingsOf(&sums); b != nil {
		r.fields["buildings"] = b
	}
	return answer(d, gemeindeReport, r), nil
}

// gemeindeName is a municipality's name, "" where the registers do not know it.
func gemeindeName(v *view.View, code austria.GemeindeCode) string {
	if m := v.Register().Municipality(code); m != nil {
		return m.Name
	}
	all := v.Register().KGs()
	for i := range all {
		if all[i].GemeindeCode == code {
			return all[i].GemeindeName
		}
	}
	return ""
}
