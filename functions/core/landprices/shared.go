package landprices

import (
	"bytes"
	"context"
	"encoding/json"
	"math"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/prices"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// Prices are the published prices of a generation, for services that answer about places and not about parcels.
type Prices struct{ d *data }

// Published says whether the generation has prices.
func Published(v *view.View) bool {
	_, ok := artefact(v)
	return ok
}

// OpenPrices reads the prices of a generation, from memory or with one read.
func OpenPrices(ctx context.Context, v *view.View) (Prices, error) {
	d, err := load(ctx, v)
	return Prices{d}, err
}

// Attribution is whose series they are.
func (p Prices) Attribution() string { return p.d.named() }

// Book holds the series.
func (p Prices) Book() *landprice.Book { return p.d.book }

// Known refuses the code of a municipality that neither the registers nor the series have.
func (p Prices) Known(v *view.View, code austria.GemeindeCode) *fault.Fault {
	return codes{gemeinde: code}.check(v, p.d)
}

// Estimate values a described parcel: a JSON object of the columns of EstimateKind, and the warnings that belong into meta.
func (p Prices) Estimate(in landprice.Input) (json.RawMessage, []string, error) {
	row := estimate.Record()
	row.Item = item{n: -1, in: in, e: p.d.book.Estimate(&in)}
	var body bytes.Buffer
	b := format.NewBuffer(&body)
	defer b.Close()
	format.NewJSON(b, false).Row(row, estimateLayout)
	err := b.Flush()
	var warned []string
	for _, m := range warnings([]item{row.Item}) {
		warned, _ = m.Value.([]string)
	}
	return body.Bytes(), warned, err
}

var estimateLayout = format.NewLayout(nil, estimate.RowType)

// OfParcel values a parcel of a KG's file, by its row: what it was valued from, and the estimate. It is what
// GET /land_prices/parcel answers with.
func (p Prices) OfParcel(f *kgfile.File, row, year int) (in landprice.Input, e landprice.Estimate, err error) {
	in, err = parcelInput(f, row, year, 0)
	if err == nil {
		e = p.d.book.Estimate(&in)
	}
	return in, e, err
}

// parcelInput is what is known of a parcel for its price.
func parcelInput(f *kgfile.File, row, year int, period landprice.Period) (in landprice.Input, err error) {
	parcels, err := f.Parcels()
	if err != nil {
		return in, err
	}
	kg := f.KG()
	in = prices.InputOf(&parcels[row], kg.Typology)
	in.Place, in.Year, in.Period = landprice.PlaceOf(kg.GemeindeCode, "", ""), year, period
	return in, nil
}

// EstimateKind describes the members of an estimate.
var EstimateRow = estimate.RowType

// Year is the parameter of the year of the prices.
var Year = year

// DescribedParams are the parameters of a described parcel but for its place and its area.
func DescribedParams() []endpoint.AnyParam {
	return []endpoint.AnyParam{buildingCount, footprints, compactness, landuseCodes, landuseAreas, typology, footprintArea, period, year}
}

// Described is the described parcel of a request without its place and its area.
func Described(r *endpoint.Request) landprice.Input {
	in := landprice.Input{Described: true, Buildings: buildingCount.Of(r), Footprints: footprints.Of(r), FootprintM2: footprintArea.Of(r),
		Compactness: math.NaN(),
		Use:         landprice.Use{Areas: landuseAreas.Of(r), Codes: landuseCodes.Of(r)}, Year: year.Of(r)}
	if compactness.Given(r) {
		in.Compactness = compactness.Of(r)
	}
	in.Typology, _ = landprice.ParseTypology(typology.Of(r)) // the enum holds no other
	in.Period, _ = landprice.ParsePeriod(period.Of(r))
	return in
}

// Series are the published values of an area: kind to year to EUR.
func (p Prices) Series(l landprice.Level, code string, kinds []landprice.SeriesKind) map[string]map[string]float64 {
	return seriesOf(p.d, l, code, kinds)
}

// Trends are the annual growths of an area's series by kind; kinds with fewer than two published years are left out.
func (p Prices) Trends(l landprice.Level, code string, kinds []landprice.SeriesKind) map[string]float64 {
	out := map[string]float64{}
	for kind, g := range trends(p.d, l, code, kinds) {
		out[kind] = *g
	}
	return out
}
