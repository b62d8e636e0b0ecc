package landprices

import (
	"encoding/json"
	"math"
	"strconv"

	"mappe/shared/landprice"
	"mappe/shared/web/format"
)

// item is a parcel with its estimate, as a row. buf is room for nested values.
type item struct {
	n       int    // number in a batch; -1: not in one
	id      string // parcel id; "" for a described parcel
	where   codes  // of a described parcel, as given
	in      landprice.Input
	e       landprice.Estimate
	problem string // why there is no estimate
	reasons bool   // with the explanation
	buf     [6][]byte
}

// Digits behind the point.
const (
	cents  = 2
	factor = 4
)

func text(name, doc string, get func(*item) string) format.Field[item] {
	return format.Field[item]{Column: format.Column{Name: name, Doc: doc}, Get: func(i *item) format.Value { return format.Text(get(i)) }}
}

func amount(name, unit, doc string, get func(*item) float64) format.Field[item] {
	return format.Field[item]{Column: format.Column{Name: name, Type: format.TypeFloat, Decimals: cents, Unit: unit, Doc: doc},
		Get: func(i *item) format.Value {
			if i.problem != "" {
				return format.Null
			}
			return format.Float(get(i), cents)
		}}
}

// nested is a JSON value that is put together in a room of the item.
func nested(name, doc string, shape any, room int, write func(b []byte, i *item) []byte) format.Field[item] {
	return format.Field[item]{Column: format.Column{Name: name, Type: format.TypeJSON, Shape: shape, Doc: doc, Sparse: true},
		Get: func(i *item) format.Value {
			if i.problem != "" {
				return format.Omit
			}
			i.buf[room] = write(i.buf[room][:0], i)
			if len(i.buf[room]) == 0 {
				return format.Omit
			}
			return format.BorrowedJSON(i.buf[room])
		}}
}

// The shapes of nested values, for the description of the service.
type (
	factorsShape struct {
		Size     float64 `json:"size"`
		Shape    float64 `json:"shape"`
		Typology float64 `json:"typology"`
	}
	intervalShape struct {
		Low   float64 `json:"low_eur_per_sqm"`
		High  float64 `json:"high_eur_per_sqm"`
		Basis string  `json:"basis"`
	}
	alternativeShape struct {
		Class string   `json:"class"`
		Buy   *float64 `json:"buy_eur_per_sqm"`
		Total *float64 `json:"buy_total_eur"`
		Rent  *float64 `json:"rent_eur_per_year"`
	}
	buildingShape struct {
		Footprint  float64  `json:"footprint_area_sqm"`
		Storeys    float64  `json:"story_factor"`
		Living     float64  `json:"living_area_sqm"`
		Price      *float64 `json:"house_price_eur_per_sqm"`
		Source     *string  `json:"house_price_source"`
		Year       *int     `json:"house_price_year"`
		Period     *string  `json:"building_period"`
		Value      *float64 `json:"value_eur"`
		Low        *float64 `json:"low_eur"`
		High       *float64 `json:"high_eur"`
		Confidence string   `json:"confidence"`
	}
)

// estimate is the row of an estimate.
var estimate = format.NewSchema("land_price", "The estimated price of a parcel, with what it rests on.", format.Drawing[item]{},
	format.Fields[item]{
		{Column: format.Column{Name: "item", Type: format.TypeInt, Sparse: true,
			Doc: "Number of the item in the request, from 0; only in a batch."}, Get: func(i *item) format.Value {
			if i.n < 0 {
				return format.Omit
			}
			return format.Int(int64(i.n))
		}},
		{Column: format.Column{Name: "parcel_id", Sparse: true, Doc: "Parcel; absent for a described one."},
			Get: func(i *item) format.Value {
				if i.id == "" {
					return format.Omit
				}
				return format.String(i.id)
			}},
		text("gemeinde_code", "Municipality.", func(i *item) string { return i.in.Place.Gemeinde }),
		{Column: format.Column{Name: "year", Type: format.TypeInt, Doc: "Year of the prices."}, Get: func(i *item) format.Value {
			return format.Int(int64(i.in.Year))
		}},
		{Column: format.Column{Name: "class", Enum: classNames(), Doc: "Price class."}, Get: func(i *item) format.Value {
			return format.Text(i.e.Class.String())
		}},
		{Column: format.Column{Name: "class_basis", Enum: texts(landprice.AllBases()),
			Doc: "What the land use is known from: areas of land use, symbols and codes, or the cell around a point; assumed for a described site of which nothing is said; null for a parcel of which nothing is known."},
			Get: func(i *item) format.Value { return format.Text(i.e.Basis.String()) }},
		amount("area_sqm", "m²", "Area.", func(i *item) float64 { return i.in.AreaSqm }),
		amount("buy_eur_per_sqm", "EUR/m²", "Estimated price; null for the class other and where no series supports one.",
			func(i *item) float64 { return i.e.BuyPerSqm }),
		amount("buy_total_eur", "EUR", "Price of the whole parcel.", func(i *item) float64 { return i.e.BuyTotal }),
		amount("rent_eur_per_ha_year", "EUR/ha/year", "Rent of farmland.", func(i *item) float64 { return i.e.RentPerHa }),
		amount("rent_eur_per_year", "EUR/year", "Rent of the whole parcel.", func(i *item) float64 { return i.e.RentPerYear }),
		{Column: format.Column{Name: "baseline_eur_per_sqm", Type: format.TypeFloat, Decimals: cents, Unit: "EUR/m²",
			Doc: "Published price the estimate starts from, at the year."},
			Get: func(i *item) format.Value {
				if !i.e.Baseline.Known() {
					return format.Null
				}
				return format.Float(i.e.Baseline.EUR, cents)
			}},
		{Column: format.Column{Name: "baseline_source", Enum: levelNames(), Doc: "Area that the baseline is published for."},
			Get: func(i *item) format.Value { return format.Text(i.e.Baseline.Source.String()) }},
		{Column: format.Column{Name: "baseline_year", Type: format.TypeInt,
			Doc: "Newest published year that the baseline rests on; baseline_method says how it was brought to the year."},
			Get: func(i *item) format.Value {
				if !i.e.Baseline.Known() {
					return format.Null
				}
				return format.Int(int64(i.e.Baseline.To))
			}},
		{Column: format.Column{Name: "baseline_method", Enum: []string{"observed", "interpolated", "extrapolated"},
			Doc: "How the baseline was brought to the year."},
			Get: func(i *item) format.Value { return format.Text(i.e.Baseline.Method.String()) }},
		nested("factors", "What the baseline is multiplied with; 1 each where the class has none.", factorsShape{}, 0, appendFactors),
		{Column: format.Column{Name: "calibration", Type: format.TypeFloat, Decimals: factor,
			Doc: "Global factor of building land; 1 for other classes."},
			Get: func(i *item) format.Value {
				if i.problem != "" {
					return format.Null
				}
				return format.Float(i.e.Calibration, factor)
			}},
		{Column: format.Column{Name: "confidence", Enum: []string{"none", "low", "medium", "high"},
			Doc: "How much the estimate is worth; none where there is no price."},
			Get: func(i *item) format.Value { return format.String(i.e.Confidence.String()) }},
		nested("interval", "Where the price per m² is expected, and what that rests on; absent without a price.", intervalShape{}, 1,
			appendInterval),
		nested("building", "Value of the building; absent without a footprint area.", buildingShape{}, 2, appendBuilding),
		{Column: format.Column{Name: "combined_value_eur", Sparse: true, Type: format.TypeFloat, Decimals: cents, Unit: "EUR",
			Doc: "Land and building; absent unless both have a value."}, Get: func(i *item) format.Value {
			if i.problem != "" || math.IsNaN(i.e.Combined) {
				return format.Omit
			}
			return format.Float(i.e.Combined, cents)
		}},
		nested("alternatives", "The price of every class, where class_basis is assumed or cell: the class rests on no statement about the site.", []alternativeShape{}, 4, appendAlternatives),
		nested("notes", "Remarks that a reader of the price needs: that the class is assumed, that a code's class is another than its name suggests, what of the description does not fit together; absent where there are none.", []string{}, 5, appendNotes),
		nested("explanation", "Why the estimate is what it is; with explain=true.", reasons{}, 3, appendReasons),
		{Column: format.Column{Name: "error", Sparse: true, Doc: "Why the item has no estimate; absent when it has one."},
			Get: func(i *item) format.Value {
				if i.problem == "" {
					return format.Omit
				}
				return format.String(i.problem)
			}},
	})

func classNames() []string {
	var out []string
	for _, c := range landprice.AllClasses() {
		out = append(out, c.String())
	}
	return out
}

func levelNames() []string {
	var out []string
	for _, l := range landprice.AllLevels() {
		out = append(out, l.String())
	}
	return out
}

// appendNumber appends a number with at most so many decimals, null for NaN.
func appendNumber(b []byte, v float64, decimals int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, "null"...)
	}
	scale := math.Pow10(decimals)
	return strconv.AppendFloat(b, math.Round(v*scale)/scale, 'f', -1, 64)
}

func appendFactors(b []byte, i *item) []byte {
	f := &i.e.Factors
	b = appendNumber(append(b, `{"size":`...), f.Size, factor)
	b = appendNumber(append(b, `,"shape":`...), f.Shape, factor)
	b = appendNumber(append(b, `,"typology":`...), f.Typology, factor)
	return append(b, '}')
}

func appendInterval(b []byte, i *item) []byte {
	basis := i.e.IntervalBasis(i.in.Year)
	if basis == "" {
		return b
	}
	b = appendNumber(append(b, `{"low_eur_per_sqm":`...), i.e.Interval.Low, cents)
	b = appendNumber(append(b, `,"high_eur_per_sqm":`...), i.e.Interval.High, cents)
	b = strconv.AppendQuote(append(b, `,"basis":`...), basis) // plain letters, colons and figures
	return append(b, '}')
}

func appendBuilding(b []byte, i *item) []byte {
	g := &i.e.Building
	if g.FootprintM2 <= 0 {
		return b
	}
	b = appendNumber(append(b, `{"footprint_area_sqm":`...), g.FootprintM2, cents)
	b = appendNumber(append(b, `,"story_factor":`...), g.Storeys, cents)
	b = appendNumber(append(b, `,"living_area_sqm":`...), g.LivingM2, cents)
	if g.Price.Known() {
		b = appendNumber(append(b, `,"house_price_eur_per_sqm":`...), g.Price.EUR, cents)
		b = append(append(append(b, `,"house_price_source":"`...), g.Price.Source.String()...), '"')
		b = strconv.AppendInt(append(b, `,"house_price_year":`...), int64(g.Price.To), 10)
	} else {
		b = append(b, `,"house_price_eur_per_sqm":null,"house_price_source":null,"house_price_year":null`...)
	}
	if p := g.Period.String(); p != "" {
		b = append(append(append(b, `,"building_period":"`...), p...), '"')
	} else {
		b = append(b, `,"building_period":null`...)
	}
	b = appendNumber(append(b, `,"value_eur":`...), g.Value, cents)
	b = appendNumber(append(b, `,"low_eur":`...), g.Interval.Low, cents)
	b = appendNumber(append(b, `,"high_eur":`...), g.Interval.High, cents)
	b = append(append(append(b, `,"confidence":"`...), g.Confidence.String()...), '"')
	return append(b, '}')
}

func appendAlternatives(b []byte, i *item) []byte {
	for n, a := range i.e.Alternatives {
		b = append(b, "[,"[min(n, 1)])
		b = append(append(append(b, `{"class":"`...), a.Class.String()...), '"')
		b = appendNumber(append(b, `,"buy_eur_per_sqm":`...), a.BuyPerSqm, cents)
		b = appendNumber(append(b, `,"buy_total_eur":`...), a.BuyTotal, cents)
		b = append(appendNumber(append(b, `,"rent_eur_per_year":`...), a.RentPerYear, cents), '}')
	}
	if len(i.e.Alternatives) > 0 {
		b = append(b, ']')
	}
	return b
}

func appendNotes(b []byte, i *item) []byte {
	for n, s := range i.e.Notes(&i.in) {
		b = append(b, "[,"[min(n, 1)])
		j, err := json.Marshal(s)
		if err != nil { // a text always encodes
			continue
		}
		b = append(b, j...)
	}
	if len(b) > 0 {
		b = append(b, ']')
	}
	return b
}

// appendReasons writes the explanation where it was asked for.
func appendReasons(b []byte, i *item) []byte {
	if !i.reasons {
		return b
	}
	j, err := json.Marshal(reasonsOf(i))
	if err != nil { // NaN was left out
		return append(b, "null"...)
	}
	return append(b, j...)
}
