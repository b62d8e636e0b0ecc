package landprices

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"mappe/functions/core/states"
	"mappe/functions/core/view"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// The bounds of what a parcel may be said to be.
const (
	maxArea  = 1e9 // m²
	maxCount = 1_000_000
)

var (
	gemeindeCode = params.Gemeinde("gemeinde_code", "The municipality, from which district and state follow")
	bezirkCode   = params.District("bezirk_code", "The district, from which the state follows, where the municipality is not known")
	stateCode    = endpoint.Parsed("state_code", "State by digit or name, where nothing nearer is known.", states.Parse,
		endpoint.Example("5"))
	areaSqm = endpoint.Float("area_sqm", "Area of the parcel.", endpoint.Required, endpoint.Between(0.01, maxArea),
		endpoint.Unit("m²"), endpoint.Example("800"))
	buildingCount = endpoint.Int("building_count", "Address points on the parcel.", endpoint.Between(0, maxCount), endpoint.Default("0"))
	footprints    = endpoint.Int("footprint_count", "Building footprints on the parcel.", endpoint.Between(0, maxCount),
		endpoint.Default("0"))
	compactness  = endpoint.Float("compactness", "Compactness of the parcel: 1 circle, 0.785 square.", endpoint.Between(0, 1))
	landuseCodes = endpoint.Parsed("landuse_codes",
		"Comma list of land-use codes or abbreviations. Without them, areas and buildings the class of a described parcel is assumed, and says so.", landprice.ParseCodes, endpoint.Example("52,48"))
	landuseAreas = endpoint.Parsed("landuse_areas", "Areas of land use, code:m² with commas between; they decide before landuse_codes.",
		parseAreas, endpoint.Example("48:5000,56:1200"))
	typology      = endpoint.Enum("typology", "Settlement type around the parcel.", typologyNames)
	footprintArea = endpoint.Float("footprint_area_sqm", "Area of the footprints; with it the buildings are valued.",
		endpoint.Between(0, maxArea), endpoint.Unit("m²"))
	period = endpoint.Enum("building_period", "Construction period of the building.", periodNames)
)

// The words of the closed sets.
var (
	typologyNames = texts(landprice.AllTypologies())
	periodNames   = texts(landprice.AllPeriods())
)

func texts[T interface{ String() string }](all []T) []string {
	out := make([]string, len(all))
	for i, t := range all {
		out[i] = t.String()
	}
	return out
}

// parseAreas reads NS:m2,NS:m2.
func parseAreas(s string) ([]landprice.CodeArea, error) {
	items := strings.Split(s, ",")
	if len(items) > 64 {
		return nil, errors.New("at most 64 areas, code:m²")
	}
	out := make([]landprice.CodeArea, len(items))
	for i, it := range items {
		code, area, _ := strings.Cut(it, ":")
		set, err := landprice.ParseCodes(code)
		sqm, bad := strconv.ParseFloat(area, 64)
		if err != nil || bad != nil || set.Len() != 1 || !(sqm >= 0 && sqm <= maxArea) {
			return nil, errors.New("land-use codes with their areas in m², for example 48:5000,56:1200")
		}
		out[i] = landprice.CodeArea{Code: set.Codes()[0], Sqm: sqm}
	}
	return out, nil
}

// described are the parameters of a described parcel.
var described = []endpoint.AnyParam{gemeindeCode, bezirkCode, stateCode, areaSqm, buildingCount, footprints, compactness, landuseCodes,
	landuseAreas, typology, footprintArea, period}

func predict() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/predict", ID: "land_prices_predict", Tag: tag,
		Summary: "Price of a parcel described by parameters",
		Doc: `data holds one estimate. It is a pure function of the parameters and the published series; nothing of the cadastre is
read. One of gemeinde_code, bezirk_code and state_code is required; the nearest one given counts. A code that the registers and the series do not
have is 400.` + assumption + caution,
		Params:  slices.Concat(described, []endpoint.AnyParam{year, explain}),
		Answer:  endpoint.Answer{Rows: []*format.RowType{estimate.RowType}, Page: endpoint.Page{None: true}, Meta: priceMeta{}},
		Example: "/api/v1/land_prices/predict?gemeinde_code=59902&area_sqm=800&building_count=1&typology=suburban",
		Depends: onArtefact,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if !gemeindeCode.Given(r) && !bezirkCode.Given(r) && !stateCode.Given(r) {
				return nil, fault.New(fault.Missing, "no place is named: expected one of gemeinde_code, bezirk_code, state_code")
			}
			v, d, err := open(ctx)
			if err != nil {
				return nil, err
			}
			where := codes{gemeindeCode.Of(r), bezirkCode.Of(r), stateCode.Of(r)}
			if f := where.check(v, d); f != nil {
				return nil, f
			}
			it := item{n: -1, in: inputOf(r, where), reasons: explain.Of(r)}
			if f := Contradiction(&it.in); f != nil {
				return nil, f
			}
			it.e = d.book.Estimate(&it.in)
			return one(d, it), nil
		},
	}
}

// inputOf is the described parcel of a request.
func inputOf(r *endpoint.Request, where codes) landprice.Input {
	in := Described(r)
	in.Place, in.AreaSqm = where.place(), areaSqm.Of(r)
	return in
}

// one is the answer of a single estimate.
func one(d *data, it item) *reply.Rows { return list(d, []item{it}) }

// list is the answer of estimates, in their order.
func list(d *data, items []item) *reply.Rows {
	return &reply.Rows{Total: len(items), Meta: append(d.sources(), warnings(items)...), Rows: func(yield func(format.Row, error) bool) {
		row := estimate.Record()
		for i := range items {
			room := row.Item.buf
			row.Item = items[i]
			row.Item.buf = room
			if !yield(row, nil) {
				return
			}
		}
	}}
}

// sources are the members of meta that name the series.
func (d *data) sources() []reply.Member {
	return []reply.Member{{Name: "price_series", Value: d.named()}, {Name: "latest_source_year", Value: d.book.Latest()}}
}

// named says whose series they are.
func (d *data) named() string {
	if d.attribution == "" && d.book.Len() == 0 {
		return "no series are loaded"
	}
	return d.attribution
}

// priceMeta is the shape of meta, for the description of the service.
type priceMeta struct {
	Series   string   `json:"price_series"`
	Latest   int      `json:"latest_source_year"`
	Warnings []string `json:"warnings,omitempty" doc:"that the class of an estimate is assumed"`
}

// parcelMeta is that of answers about parcels of the cadastre.
type parcelMeta struct {
	view.GapsMeta
	priceMeta
}
