package place

import (
	"context"

	"mappe/functions/core/landprices"
	"mappe/functions/core/states"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	pathGemeinde = params.Gemeinde("code", "The municipality")
	pathBezirk   = params.District("code", "The district")
	pathState    = endpoint.Parsed("code", "State 1 to 9, its name, or AT for all of Austria.", states.ParseOrCountry,
		endpoint.Example("5"))
)

// levelReport are the published prices of an area.
type levelReport struct {
	Code      string                        `json:"code"`
	Name      string                        `json:"name"`
	Level     string                        `json:"level"`
	Year      int                           `json:"year"`
	Statistik *published                    `json:"statistik_austria" doc:"price of building land at the year; null where the area has no series"`
	Published map[string]*published         `json:"published" doc:"prices at the year by name of the series"`
	Series    map[string]map[string]float64 `json:"series" doc:"all published values: name to year to EUR"`
	CAGR      *float64                      `json:"bauland_cagr,omitempty" doc:"annual growth of the municipality's series; null where fewer than two years are published"`
	Trends    map[string]float64            `json:"trends_cagr,omitempty" doc:"annual growth by name of the series"`
}

// The series of each level.
var (
	buildingLand = []landprice.SeriesKind{landprice.BuildingLand, landprice.BuildingLandSince2025}
	housing      = []landprice.SeriesKind{landprice.House, landprice.HousePre1960, landprice.House1960To1990, landprice.HousePost1991,
		landprice.Flat, landprice.FlatPre1960, landprice.Flat1960To1990, landprice.FlatPost1991}
	farmland   = []landprice.SeriesKind{landprice.Arable, landprice.Grassland, landprice.ArableRent, landprice.GrasslandRent}
	bezirkKind = append(append([]landprice.SeriesKind{}, buildingLand...), housing...)
	stateKinds = append(append(append([]landprice.SeriesKind{}, farmland...), buildingLand...), housing...)
)

// levelAsked is the area of a request.
type levelAsked struct {
	level landprice.Level
	code  string
	name  string // "" where the registers do not know it
	place landprice.Place
	kinds []landprice.SeriesKind
	year  int
}

func (a *levelAsked) report(p landprices.Prices) *levelReport {
	r := &levelReport{Code: a.code, Name: a.name, Level: a.level.String(), Year: a.year, Published: map[string]*published{},
		Series: p.Series(a.level, a.code, a.kinds)}
	for _, k := range a.kinds {
		if v := publishedAt(p.Book().Published(k, a.level, a.place, a.year), k, a.year); v != nil {
			r.Published[k.String()] = v
		}
	}
	r.Statistik = r.Published[landprice.BuildingLand.String()]
	trends := p.Trends(a.level, a.code, a.kinds)
	if a.level == landprice.Gemeinde {
		if g, ok := trends[landprice.BuildingLand.String()]; ok {
			r.CAGR = &g
		}
		return r
	}
	r.Trends = trends
	return r
}

// priceLevel describes the endpoint of the prices of one level.
type priceLevel struct {
	path, id, summary, doc string
	code                   endpoint.AnyParam
	example                string                                             // of code
	asked                  func(v *view.View, r *endpoint.Request) levelAsked // what the path names
}

func (p *priceLevel) endpoint() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/" + p.path + "/{code}", ID: p.id, Summary: p.summary,
		Doc: `data {code, name, level, year, statistik_austria {value, year}, published, series {name: {year: value}}, growth}. A year that is not
published is interpolated log-linearly or continued by the growth of the series; method says which. ` +
			p.doc + ` 404 for an area that does not
exist.`,
		Params: []endpoint.AnyParam{p.code, landprices.Year},
		Answer: endpoint.Answer{Body: struct {
			Data levelReport `json:"data"`
			Meta licenceMeta `json:"meta"`
		}{}},
		Example: "/api/v1/land_prices/" + p.path + "/" + p.example,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, prices, err := openPrices(ctx)
			if err != nil {
				return nil, err
			}
			a := p.asked(v, r)
			a.year = landprices.Year.Of(r)
			report := a.report(prices)
			if a.name == "" && len(report.Series) == 0 && len(report.Published) == 0 {
				return nil, notThere(a.level.String(), a.code)
			}
			return priced(prices, report, nil), nil
		},
	}
}

func priceLevels() []endpoint.Endpoint {
	var all []endpoint.Endpoint
	for _, p := range []priceLevel{
		{"gemeinde", "land_prices_gemeinde", "Published prices of a municipality", "Building plots; bauland_cagr is the annual growth.",
			pathGemeinde, "59902",
			func(v *view.View, r *endpoint.Request) levelAsked {
				code := pathGemeinde.Of(r)
				return levelAsked{level: landprice.Gemeinde, code: string(code), name: gemeindeName(v, code),
					place: landprice.PlaceOf(code, "", ""), kinds: buildingLand}
			}},
		{"bezirk", "land_prices_bezirk", "Published prices of a district",
			"Building land, houses and flats by construction period; Vienna (900) is the geometric mean of its districts.", pathBezirk,
			"599",
			func(v *view.View, r *endpoint.Request) levelAsked {
				code := pathBezirk.Of(r)
				return levelAsked{level: landprice.Bezirk, code: string(code), name: bezirkName(v, code),
					place: landprice.PlaceOf("", code, ""), kinds: bezirkKind}
			}},
		{"bundesland", "land_prices_bundesland", "Published prices of a state or of Austria",
			"Arable land and grassland, to buy and to rent; building land, houses and flats where they are published.", pathState, "5",
			func(_ *view.View, r *endpoint.Request) levelAsked {
				if code := pathState.Of(r); code != states.Country {
					return levelAsked{level: landprice.State, code: string(code), name: code.Name(), place: landprice.PlaceOf("", "", code),
						kinds: stateKinds}
				}
				return levelAsked{level: landprice.National, code: landprice.Country, name: "Österreich", kinds: stateKinds}
			}},
	} {
		all = append(all, p.endpoint())
	}
	return all
}

// gemeindeName is a municipality's name, "" where the registers do not know it.
func gemeindeName(v *view.View, code austria.GemeindeCode) string {
	if m := v.Register().Municipality(code); m != nil {
		return m.Name
	}
	for _, c := range v.Register().ByGemeinde(code) {
		return v.Register().KG(c).GemeindeName
	}
	return ""
}

func bezirkName(v *view.View, code austria.DistrictCode) string {
	for _, d := range v.Register().Districts() {
		if d.Code == code {
			return d.Name
		}
	}
	for _, c := range v.Register().ByDistrict(code) {
		return v.Register().KG(c).DistrictName
	}
	return ""
}
