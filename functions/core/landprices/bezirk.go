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

var (
	pathBezirk      = params.District("district_code", "The district", endpoint.Required)
	bezirkAggregate = endpoint.Bool("aggregate", "Sums over the district's parcels; false leaves by_class, validation and buildings out.",
		endpoint.Default("true"))
)

// member is a municipality of a district.
type member struct {
	Code      austria.GemeindeCode `json:"gemeinde_code"`
	Name      string               `json:"gemeinde_name"`
	Published *price               `json:"statistik_austria,omitempty"`
	Baseline  *baseline            `json:"baseline,omitempty"`
}

var bezirkReport = format.NewSchema("land_prices_bezirk", "The land prices of a district.", format.Drawing[report]{}, format.Fields[report]{
	reportText("district_code", "District.", func(r *report) string { return r.code }),
	reportText("district_name", "Its name.", func(r *report) string { return r.name }),
	yearColumn, publishedColumn, seriesColumn,
	column("trends_cagr", "Annual growth by kind, between -0.04 and 0.18.", map[string]float64{}),
	column("gemeinden", "The municipalities with their published price and the baseline of their estimates, by code.", []member{}),
	parcelsKGsColumn, classColumn, checkColumn, buildingsColumn,
})

func bezirk() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/bezirk/{district_code}", ID: "land_prices_bezirk", Tag: tag,
		Summary: "Prices and values of a district",
		Doc: `data holds one row: the published prices of building land, houses and flats, the municipalities, and the parcels by price
class. Vienna (900) has the geometric mean of the districts 910 to 923 where it has no series of its own. 404 for a district that does
not exist.` + caution,
		Params:  []endpoint.AnyParam{pathBezirk, year, bezirkAggregate},
		Answer:  endpoint.Answer{Rows: []*format.RowType{bezirkReport.RowType}, Page: endpoint.Page{None: true}, Meta: priceMeta{}},
		Example: "/api/v1/land_prices/bezirk/599",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return reportBezirk(ctx, pathBezirk.Of(r), year.Of(r), bezirkAggregate.Of(r))
		},
	}
}

func reportBezirk(ctx context.Context, code austria.DistrictCode, year int, aggregate bool) (reply.Answer, error) {
	v, d, err := open(ctx)
	if err != nil {
		return nil, err
	}
	p := landprice.PlaceOf("", code, "")
	name, members := bezirkMembers(v, d, code, year)
	prices := published(d, landprice.Bezirk, p, year, bezirkKinds)
	if name == "" && len(members) == 0 && len(prices) == 0 {
		return nil, fault.New(fault.NotFound, "district %s does not exist", code)
	}
	r := report{code: string(code), name: name, fields: map[string]any{
		"year": year, "published": prices, "series": seriesOf(d, landprice.Bezirk, string(code), bezirkKinds),
		"trends_cagr": trends(d, landprice.Bezirk, string(code), bezirkKinds), "gemeinden": members,
	}}
	if aggregate {
		r.sum(d, d.within(string(code)), d.book.Published(landprice.BuildingLand, landprice.Bezirk, p, year), year)
	}
	return answer(d, bezirkReport, r), nil
}

// sum adds what the parcels of the areas are worth, beside a published price.
func (r *report) sum(d *data, areas []area, own landprice.Baseline, year int) {
	sums := d.value(areas, year)
	r.fields["kg_count"], r.fields["by_class"], r.fields["validation"] = kgCount(areas), byClass(&sums), checkOf(own, sums.Bauland())
	if b := buildingsOf(&sums); b != nil {
		r.fields["buildings"] = b
	}
}

// trends are the growths by kind; kinds without one are left out.
func trends(d *data, l landprice.Level, code string, kinds []landprice.SeriesKind) map[string]*float64 {
	out := map[string]*float64{}
	for _, k := range kinds {
		if g := growth(d, l, code, k); g != nil {
			out[k.String()] = g
		}
	}
	return out
}

// bezirkMembers are the district's name and municipalities, by rising code.
func bezirkMembers(v *view.View, d *data, code austria.DistrictCode, year int) (name string, list []member) {
	list = []member{}
	for _, b := range v.Register().Districts() {
		if b.Code == code {
			name = b.Name
		}
	}
	add := func(g austria.GemeindeCode, gemeinde, district string) {
		if name == "" {
			name = district
		}
		for i := range list {
			if list[i].Code == g {
				return
			}
		}
		p := landprice.PlaceOf(g, "", "")
		list = append(list, member{g, gemeinde, priceOf(d.book.Published(landprice.BuildingLand, landprice.Gemeinde, p, year),
			landprice.BuildingLand.Unit()), baselineOf(d.book.Building(p, year))})
	}
	for _, m := range v.Register().Municipalities() {
		if m.Code.District() == code {
			add(m.Code, m.Name, m.DistrictName)
		}
	}
	kgs := v.Register().KGs()
	for i := range kgs {
		if k := &kgs[i]; k.GemeindeCode.District() == code {
			add(k.GemeindeCode, k.GemeindeName, k.DistrictName)
		}
	}
	sortMembers(list)
	return name, list
}
