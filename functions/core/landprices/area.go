package landprices

import (
	"encoding/json"
	"strconv"

	"mappe/shared/landprice"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// price is a published price at a year.
type price struct {
	EUR    *float64 `json:"eur"`
	Unit   string   `json:"unit"`
	Method string   `json:"method"`
	From   int      `json:"from_year"`
	To     int      `json:"to_year"`
	Parts  int      `json:"mean_of_series,omitempty"`
}

func priceOf(b landprice.Baseline, unit string) *price {
	if !b.Known() {
		return nil
	}
	return &price{known(b.EUR, cents), unit, b.Method.String(), b.From, b.To, b.Parts}
}

// published are the prices of an area by kind; kinds without a series are left out.
func published(d *data, l landprice.Level, p landprice.Place, year int, kinds []landprice.SeriesKind) map[string]*price {
	out := map[string]*price{}
	for _, k := range kinds {
		if v := priceOf(d.book.Published(k, l, p, year), k.Unit()); v != nil {
			out[k.String()] = v
		}
	}
	return out
}

// seriesOf are the published values of an area: kind → year → EUR.
func seriesOf(d *data, l landprice.Level, code string, kinds []landprice.SeriesKind) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for _, k := range kinds {
		s := d.book.Series(landprice.Key{Level: l, Code: code, Kind: k})
		if s.Empty() {
			continue
		}
		years := map[string]float64{}
		for _, p := range s.Points() {
			years[strconv.Itoa(p.Year)] = p.EUR
		}
		out[k.String()] = years
	}
	return out
}

// growth is the annual growth of a series; nil where fewer than two years are published.
func growth(d *data, l landprice.Level, code string, k landprice.SeriesKind) *float64 {
	g, ok := d.book.Series(landprice.Key{Level: l, Code: code, Kind: k}).Growth()
	if !ok {
		return nil
	}
	return known(g, 6)
}

// The kinds that are published at each level.
var (
	gemeindeKinds = []landprice.SeriesKind{landprice.BuildingLand, landprice.BuildingLandSince2025}
	housing       = []landprice.SeriesKind{landprice.House, landprice.HousePre1960, landprice.House1960To1990, landprice.HousePost1991,
		landprice.Flat, landprice.FlatPre1960, landprice.Flat1960To1990, landprice.FlatPost1991}
	bezirkKinds = append(append([]landprice.SeriesKind{}, gemeindeKinds...), housing...)
	stateKinds  = landprice.AllSeriesKinds()
)

// classValue is what the parcels of a class are worth together.
type classValue struct {
	Parcels int      `json:"parcel_count"`
	Area    float64  `json:"total_area_sqm"`
	Priced  int      `json:"priced_count"`
	Value   *float64 `json:"total_value_eur"`
	Mean    *float64 `json:"mean_buy_eur_per_sqm"`
	Geomean *float64 `json:"geomean_buy_eur_per_sqm"`
	Rent    *float64 `json:"rent_total_eur_per_year"`
}

// byClass are the classes that have parcels.
func byClass(a *landprice.AreaValue) map[string]classValue {
	out := map[string]classValue{}
	for _, c := range landprice.AllClasses() {
		v := a.Of(c)
		if v.Parcels == 0 {
			continue
		}
		row := classValue{Parcels: v.Parcels, Area: *known(v.AreaSqm, cents), Priced: v.Priced, Mean: known(v.Mean(), cents),
			Geomean: known(v.Geomean(), cents)}
		if v.Priced > 0 {
			row.Value = known(v.Value, cents)
		}
		if v.RentedSqm > 0 {
			row.Rent = known(v.RentTotal, cents)
		}
		out[c.String()] = row
	}
	return out
}

// check compares the model with what is published for an area.
type check struct {
	Published *float64 `json:"sa_bauland_eur_per_sqm"`
	Predicted *float64 `json:"predicted_geomean_eur_per_sqm"`
	Minus     *float64 `json:"predicted_minus_sa_pct"`
	Parcels   int      `json:"parcels"`
}

func checkOf(b landprice.Baseline, v landprice.ClassValue) check {
	c := check{Predicted: known(v.Geomean(), cents), Parcels: v.Priced}
	if b.Known() {
		c.Published = known(b.EUR, cents)
		c.Minus = known(100*(v.Geomean()/b.EUR-1), cents)
	}
	return c
}

// buildings are what stands in an area.
type buildings struct {
	Footprint float64  `json:"total_footprint_area_sqm"`
	Value     *float64 `json:"total_value_eur"`
	Valued    float64  `json:"valued_footprint_area_sqm"`
}

// buildingsOf is nil where nothing stands.
func buildingsOf(a *landprice.AreaValue) *buildings {
	if a.FootprintSqm == 0 {
		return nil
	}
	b := &buildings{Footprint: *known(a.FootprintSqm, cents), Valued: *known(a.BuiltSqm, cents)}
	if a.BuiltSqm > 0 {
		b.Value = known(a.BuildingValue, cents)
	}
	return b
}

// report is the row of an area. Members that the level does not have are nil and left out.
type report struct {
	code, name string
	fields     map[string]any
}

// column is a nested column of a report.
func column(name, doc string, shape any) format.Field[report] {
	return format.Field[report]{Column: format.Column{Name: name, Type: format.TypeJSON, Shape: shape, Doc: doc, Sparse: true},
		Get: func(r *report) format.Value {
			v, ok := r.fields[name]
			if !ok {
				return format.Omit
			}
			b, err := json.Marshal(v)
			if err != nil { // NaN was left out
				return format.Null
			}
			return format.RawJSON(string(b))
		}}
}

func reportText(name, doc string, get func(*report) string) format.Field[report] {
	return format.Field[report]{Column: format.Column{Name: name, Doc: doc}, Get: func(r *report) format.Value {
		return format.Text(get(r))
	}}
}

// The columns that reports share.
var (
	yearColumn  = column("year", "Year of the prices.", 0)
	classColumn = column("by_class",
		"Price class → parcels, area, value, mean and geometric mean of the prices, rent. Values are of priced_count parcels.",
		map[string]classValue{})
	checkColumn     = column("validation", "The model beside the published price of building land.", check{})
	buildingsColumn = column("buildings", "Buildings and their value at the mean over construction periods; absent where nothing stands.",
		buildings{})
	publishedColumn  = column("published", "Published prices at the year, by kind.", map[string]price{})
	seriesColumn     = column("series", "All published values: kind → year → EUR.", map[string]map[string]float64{})
	parcelsKGsColumn = column("kg_count", "KGs that the sums are of: those with a snapshot.", 0)
)

// answer is the answer of one report.
func answer(d *data, schema *format.Schema[report], r report) *reply.Rows {
	return &reply.Rows{Total: 1, Meta: d.sources(), Rows: func(yield func(format.Row, error) bool) {
		row := schema.Record()
		row.Item = r
		yield(row, nil)
	}}
}

// kgCount counts the KGs of areas.
func kgCount(areas []area) int {
	n := 0
	for i := range areas {
		n += areas[i].kgs
	}
	return n
}
