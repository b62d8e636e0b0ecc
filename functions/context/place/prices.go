package place

import (
	"context"
	"encoding/json"
	"slices"

	"mappe/functions/core/cells"
	"mappe/functions/core/landprices"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	priceArea     = area.With(endpoint.Required)
	priceGemeinde = params.Gemeinde("gemeinde_code", "The municipality, from which district and state follow", endpoint.Required)
)

// ground is what the description of estimates at a point says of sites whose land use is not given.
const ground = ` Without land use and buildings the class is that of the land uses in the cell around the point (class_basis cell), else it is assumed
(class_basis assumed): confidence is low, notes and meta.warnings say so, and alternatives has the price of every class.`

const caution = `

An estimate is no appraisal: it is a published mean of the area, adjusted by size, shape and settlement type; interval says how far
true prices lie from it and on what that rests. The year is interpolated or extrapolated where it is not published.`

// placeOf is where prices are looked up.
func placeOf(code austria.GemeindeCode) landprice.Place {
	return landprice.PlaceOf(registered(code), "", "")
}

// estimateBody is an answer of one estimate.
type estimateBody struct {
	Data endpoint.Row `json:"data"`
	Meta estimateMeta `json:"meta"`
}

type estimateMeta struct {
	licenceMeta
	Warnings []string `json:"warnings,omitempty" doc:"that the class of the estimate is assumed"`
}

// pricedPoint is the shape of the price at a point.
type pricedPoint struct {
	Municipality *gemeinde    `json:"municipality"`
	Estimate     endpoint.Row `json:"estimate"`
}

func pricePoint() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/point", ID: "land_prices_point",
		Summary: "Price of a described parcel at a point",
		Doc: `data {municipality, estimate}: the municipality that holds the point, and the estimate for a parcel there of the area and
kind that the parameters describe. Outside Austria both are null.` + ground + caution,
		Params: slices.Concat(position.Params(), []endpoint.AnyParam{priceArea}, landprices.DescribedParams()),
		Answer: endpoint.Answer{Rows: []*format.RowType{landprices.EstimateRow}, Page: endpoint.Page{None: true}, JSONOnly: true,
			Body: struct {
				Data pricedPoint  `json:"data"`
				Meta estimateMeta `json:"meta"`
			}{}},
		Example: "/api/v1/land_prices/point?lon=13.2742&lat=47.3208&area_sqm=800&building_count=1",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			at, err := position.Of(r)
			if err != nil {
				return nil, err
			}
			v, o, err := sources(ctx)
			if err != nil {
				return nil, err
			}
			prices, err := landprices.OpenPrices(ctx, v)
			if err != nil {
				return nil, err
			}
			g, _, err := gemeindeAt(ctx, v, o, at)
			if err != nil {
				return nil, err
			}
			body := struct {
				Municipality *gemeinde       `json:"municipality"`
				Estimate     json.RawMessage `json:"estimate"`
			}{Municipality: g}
			in := landprices.Described(r)
			in.AreaSqm = priceArea.Of(r)
			if f := landprices.Contradiction(&in); f != nil {
				return nil, f
			}
			var warned []string
			if g != nil {
				in.Place = placeOf(g.Code)
				if in.Ground, err = groundAt(ctx, v, at); err != nil {
					return nil, err
				}
				if body.Estimate, warned, err = prices.Estimate(in); err != nil {
					return nil, err
				}
			}
			return priced(prices, body, warned), nil
		},
	}
}

func pricePredict() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/predict", ID: "land_prices_predict",
		Summary: "Price of a described parcel in a municipality",
		Doc: `data is the estimate: a pure function of the parameters and the published series. A municipality that the registers and the series do not
have is 400. Without land use and buildings nothing decides the class: it is wald by the rule, with class_basis assumed, confidence low, a warning,
the price of every class in alternatives and an interval over them.` + caution,
		Params: slices.Concat([]endpoint.AnyParam{priceGemeinde, priceArea}, landprices.DescribedParams()),
		Answer: endpoint.Answer{Rows: []*format.RowType{landprices.EstimateRow}, Page: endpoint.Page{None: true}, JSONOnly: true,
			Body: estimateBody{}},
		Example: "/api/v1/land_prices/predict?gemeinde_code=59902&area_sqm=800&building_count=1&typology=suburban",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, prices, err := openPrices(ctx)
			if err != nil {
				return nil, err
			}
			if f := prices.Known(v, priceGemeinde.Of(r)); f != nil {
				return nil, f
			}
			in := landprices.Described(r)
			in.Place, in.AreaSqm = placeOf(priceGemeinde.Of(r)), priceArea.Of(r)
			if f := landprices.Contradiction(&in); f != nil {
				return nil, f
			}
			e, warned, err := prices.Estimate(in)
			if err != nil {
				return nil, err
			}
			return priced(prices, e, warned), nil
		},
	}
}

func openPrices(ctx context.Context) (*view.View, landprices.Prices, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, landprices.Prices{}, err
	}
	p, err := landprices.OpenPrices(ctx, v)
	return v, p, err
}

// priced is an answer of prices, which names whose series they are; warned are the warnings of meta.
func priced(p landprices.Prices, body any, warned []string) *reply.Stream {
	a := data(body)
	a.Attribution = p.Attribution()
	if warned != nil {
		a.Meta = append(a.Meta, reply.Member{Name: "warnings", Value: warned})
	}
	return a
}

// groundAt is the land use of the cell around a point; nil where it is not known.
func groundAt(ctx context.Context, v *view.View, at geom.Point) (*landprice.Ground, error) {
	use, err := cells.LandUse(ctx, v.View, at)
	return (*landprice.Ground)(use), err
}

func (q *question) landPrice(ctx context.Context) (any, string, error) {
	switch {
	case !(q.area > 0):
		return nil, "area_sqm is not given", nil
	case !landprices.Published(q.v):
		return nil, notPublished, nil
	case q.gemeinde == nil:
		return nil, "the municipality is not known", nil
	}
	prices, err := landprices.OpenPrices(ctx, q.v)
	if err != nil {
		return nil, "", err
	}
	in := q.opt.price
	in.Place, in.AreaSqm = placeOf(q.gemeinde.Code), q.area
	if f := landprices.Contradiction(&in); f != nil { // a batch has areas of its points
		return nil, f.Message, nil
	}
	if in.Ground, err = groundAt(ctx, q.v, q.at); err != nil {
		return nil, "", err
	}
	q.attribution[landPriceBlock] = prices.Attribution()
	e, warned, err := prices.Estimate(in)
	q.warnings = append(q.warnings, warned...)
	return e, "", err
}

// published is a published price at a year.
type published struct {
	Value  float64 `json:"value"`
	Year   int     `json:"year"`
	Unit   string  `json:"unit"`
	Method string  `json:"method" doc:"observed, interpolated or extrapolated"`
	From   int     `json:"from_year" doc:"published years that the value rests on"`
	To     int     `json:"to_year"`
}

func publishedAt(b landprice.Baseline, k landprice.SeriesKind, year int) *published {
	if !b.Known() {
		return nil
	}
	return &published{*cents(b.EUR), year, k.Unit(), b.Method.String(), b.From, b.To}
}

func cents(v float64) *float64 {
	v = float64(int64(v*100+0.5)) / 100
	return &v
}

// notThere is the fault of a path that names no area.
func notThere(what string, code any) error {
	return fault.New(fault.NotFound, "%s %v does not exist", what, code)
}
