package landprices

import (
	"context"

	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// route is an endpoint of the family.
type route struct {
	Method  string `json:"method"`
	Path    string `json:"path"`
	Summary string `json:"summary"`
}

// seriesKind describes a kind of series.
type seriesKind struct {
	Kind string `json:"kind"`
	Unit string `json:"unit"`
	Doc  string `json:"description"`
}

var statsReport = format.NewSchema("land_prices_stats", "The price model.", format.Drawing[report]{}, format.Fields[report]{
	column("documentation", "The rules of the model, one sentence each.", []string{}),
	column("calibration", "Global factor of building land.", 0.0),
	column("factors", "The factors of size, shape and typology, and the storeys.", map[string]any{}),
	column("sources", "Who published the series, and what kinds there are.", map[string]any{}),
	column("endpoints", "The endpoints.", []route{}),
	column("bauland_cagr_by_state", "State → annual growth of building land; states with fewer than two published years are left out.",
		map[string]float64{}),
	column("agri_cagr_by_state", "State → kind → annual growth of farmland and its rent.", map[string]map[string]float64{}),
	column("latest_source_year", "Newest published year that the model reads; absent without series.", 0),
})

// rules are the documentation of the model.
var rules = []string{
	"Class: buildings or footprints give bauland_built; else areas of land use decide, without areas symbols: codes 40-47, 91, 51, 62 bauland_zoned; 50, 52-55, 58, 61 ackerland; 56, 57 gruenland; traffic, water, rock and similar other (no price); otherwise wald. Codes of the table of 2012 that the rule does not name follow their meaning.",
	"Building land: baseline of the municipality (else district, state, country) at the year × calibration × size × shape × typology.",
	"Size: (area / 600 m²)^-0.15 between 0.70 and 1.20. Shape: 1 + 0.15 × compactness. Typology: urban 1.30, suburban 1.08, rural_settled 0.92, rural_agrarian 0.78.",
	"Year: a published year as it is, gaps log-linearly, outside the series the log-linear growth of the series between -4 and +18 percent a year, else that of the state.",
	"Farmland: the state's price of arable land or grassland, and its rent. Forest: the geometric mean of an indicative range.",
	"Buildings: footprint area × storeys (urban 2.4, suburban 1.7, rural_settled 1.4, rural_agrarian 1.2) × house price of the district and construction period, without period the geometric mean over the periods. Vienna (900) is the geometric mean of the districts 910 to 923.",
	"Values of the statistics office's method of 2025 are not joined with the series before; they are shown and not used.",
}

func stats() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/stats", ID: "land_prices_stats", Tag: tag,
		Summary: "The price model: rules, constants, sources, growth",
		Doc:     "data holds one row.",
		Answer:  endpoint.Answer{Rows: []*format.RowType{statsReport.RowType}, Page: endpoint.Page{None: true}, Meta: priceMeta{}},
		Example: "/api/v1/land_prices/stats",
		Depends: onArtefact,
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			_, d, err := open(ctx)
			if err != nil {
				return nil, err
			}
			return answer(d, statsReport, describe(d)), nil
		},
	}
}

var farmland = []landprice.SeriesKind{landprice.Arable, landprice.Grassland, landprice.ArableRent, landprice.GrasslandRent}

func describe(d *data) report {
	bauland, agri := map[string]*float64{}, map[string]map[string]*float64{}
	for _, s := range austria.AllStates() {
		if g := growth(d, landprice.State, string(s), landprice.BuildingLand); g != nil {
			bauland[string(s)] = g
		}
		agri[string(s)] = trends(d, landprice.State, string(s), farmland)
	}
	typologies, storeys := map[string]float64{}, map[string]float64{}
	for _, t := range landprice.AllTypologies() {
		typologies[t.String()], storeys[t.String()] = t.Factor(), t.Storeys()
	}
	var kinds []seriesKind
	for _, k := range landprice.AllSeriesKinds() {
		kinds = append(kinds, seriesKind{k.String(), k.Unit(), k.Doc()})
	}
	r := report{fields: map[string]any{
		"documentation": rules, "calibration": landprice.Calibration,
		"factors":   map[string]any{"reference_lot_sqm": 600, "typology": typologies, "story_factor": storeys},
		"sources":   map[string]any{"attribution": d.named(), "series": d.book.Len(), "kinds": kinds},
		"endpoints": routes(), "bauland_cagr_by_state": bauland, "agri_cagr_by_state": agri,
	}}
	if n := d.book.Latest(); n > 0 {
		r.fields["latest_source_year"] = n
	}
	return r
}

// routes are the endpoints of the family; stats itself is the first.
func routes() []route {
	list := []route{{"GET", "/api/v1/land_prices/stats", "The price model: rules, constants, sources, growth"}}
	for _, e := range []endpoint.Endpoint{parcel(), gemeinde(), bezirk(), bundesland(), predict(), batch(), batchPost(), validate()} {
		list = append(list, route{e.Method, e.Path, e.Summary})
	}
	return list
}
