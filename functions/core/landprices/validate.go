package landprices

import (
	"context"
	"math"
	"slices"

	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var (
	resultLimit = endpoint.Int("limit", "Municipalities that are listed, the first by code; the summary is of all.",
		endpoint.Between(1, 5000), endpoint.Default("500"))
	minParcels = endpoint.Int("min_parcels_per_gemeinde", "Municipalities with fewer parcels of building land are left out.",
		endpoint.Between(1, 1_000_000), endpoint.Default("8"))
)

// result is a municipality: the model beside the published price.
type result struct {
	code           string
	n              int
	sa, pred, over float64
}

var results = format.NewSchema("land_price_validation", "A municipality: predicted beside published price of building land.",
	format.Drawing[result]{}, format.Fields[result]{
		{Column: format.Column{Name: "gemeinde_code", Doc: "Municipality."}, Get: func(r *result) format.Value {
			return format.String(r.code)
		}},
		{Column: format.Column{Name: "n", Type: format.TypeInt, Doc: "Parcels of building land."}, Get: func(r *result) format.Value {
			return format.Int(int64(r.n))
		}},
		{Column: format.Column{Name: "sa_eur_per_sqm", Type: format.TypeFloat, Decimals: cents, Unit: "EUR/m²",
			Doc: "Published price at the year."}, Get: func(r *result) format.Value { return format.Float(r.sa, cents) }},
		{Column: format.Column{Name: "predicted_eur_per_sqm", Type: format.TypeFloat, Decimals: cents, Unit: "EUR/m²",
			Doc: "Geometric mean of the estimates."}, Get: func(r *result) format.Value { return format.Float(r.pred, cents) }},
		{Column: format.Column{Name: "ratio_pred_over_sa", Type: format.TypeFloat, Decimals: factor, Doc: "Predicted by published."},
			Get: func(r *result) format.Value { return format.Float(r.over, factor) }},
	})

// verdict is the summary of a validation; null where no municipality was checked.
type verdict struct {
	Median  *float64 `json:"median_ratio"`
	Mean    *float64 `json:"mean_ratio"`
	Within  *float64 `json:"pct_within_15pct"`
	Quarter *float64 `json:"pct_within_25pct"`
	Half    *float64 `json:"pct_within_50pct"`
	Checked int      `json:"gemeinden_checked"`
}

type verdictMeta struct {
	reply.CommonMeta
	priceMeta
}

func validate() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/validate", ID: "land_prices_validate", Tag: tag,
		Summary: "The model compared with the published prices",
		Doc: `{summary, results[], meta}: for every municipality with a published series and enough parcels of building land, the geometric mean
of the estimates of these parcels by the published price at the year. The summary is of all of them; results lists the first, by code.
Other formats hold the results alone.`,
		Params: []endpoint.AnyParam{resultLimit, minParcels, year},
		Answer: endpoint.Answer{Rows: []*format.RowType{results.RowType}, Page: endpoint.Page{None: true}, Body: struct {
			Summary verdict        `json:"summary"`
			Results []endpoint.Row `json:"results"`
			Meta    verdictMeta    `json:"meta"`
		}{}},
		Example: "/api/v1/land_prices/validate",
		Depends: onArtefact,
		Serve:   validation,
	}
}

func validation(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	_, d, err := open(ctx)
	if err != nil {
		return nil, err
	}
	all := compare(d, year.Of(r), minParcels.Of(r))
	shown := all[:min(len(all), resultLimit.Of(r))]
	rows := func(yield func(format.Row, error) bool) {
		row := results.Record()
		for i := range shown {
			row.Item = shown[i]
			if !yield(row, nil) {
				return
			}
		}
	}
	if r.Format != format.FormJSON {
		return &reply.Rows{Total: len(shown), Rows: rows}, nil
	}
	return &reply.Stream{Meta: d.sources(), Write: func(j *format.JSON, l *format.Layout) error {
		j.Member("summary", judge(all))
		j.Key("results")
		return j.Rows(rows, l)
	}}, nil
}

// compare predicts every municipality that has a published series, by rising code.
func compare(d *data, year, least int) []result {
	var out []result
	for i := range d.areas {
		a := &d.areas[i]
		own := d.book.Published(landprice.BuildingLand, landprice.Gemeinde, a.place(), year)
		if !own.Known() || a.tally.Of(landprice.Built).Parcels+a.tally.Of(landprice.Zoned).Parcels < least {
			continue
		}
		sums := d.value(d.areas[i:i+1], year)
		land := sums.Bauland()
		out = append(out, result{string(a.code), land.Parcels, own.EUR, land.Geomean(), land.Geomean() / own.EUR})
	}
	return out
}

// judge sums the ratios up.
func judge(all []result) verdict {
	v := verdict{Checked: len(all)}
	if len(all) == 0 {
		return v
	}
	ratios := make([]float64, len(all))
	sum := 0.0
	var within [3]int
	for i, r := range all {
		ratios[i] = r.over
		sum += r.over
		for k, bound := range []float64{0.15, 0.25, 0.50} {
			if math.Abs(r.over-1) <= bound+1e-9 { // 0.85 - 1 is a little more than 0.15 away
				within[k]++
			}
		}
	}
	slices.Sort(ratios)
	n := len(ratios)
	pct := func(k int) *float64 { return known(100*float64(within[k])/float64(n), cents) }
	v.Median, v.Mean = known((ratios[(n-1)/2]+ratios[n/2])/2, factor), known(sum/float64(n), factor)
	v.Within, v.Quarter, v.Half = pct(0), pct(1), pct(2)
	return v
}
