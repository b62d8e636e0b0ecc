package landprices

import (
	"cmp"
	"context"
	"math"
	"slices"

	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// maxItems bounds a batch.
const maxItems = 1000

var (
	parcelIDs = endpoint.ParsedList("parcel_ids", "Comma list of parcel ids, 1 to 1000.", austria.ParseParcelID, endpoint.Required,
		endpoint.Between(1, maxItems), endpoint.Example("99101-1,99101-2"))
	batchExplain = explain.With(endpoint.Default("false"))
)

const batchDoc = `data holds one row an item, in the order of the request, and summary their sums. An item without an estimate has error
in its row and counts in summary.errors. explain=true adds the explanation to every row.`

// batchBeside is what stands beside data, for the description of the service.
type batchBeside struct {
	Summary summary `json:"summary"`
}

// summary are the sums of a batch.
type summary struct {
	Parcels int      `json:"parcel_count"`
	Priced  int      `json:"priced_count"`
	Geomean *float64 `json:"geomean_buy_eur_per_sqm"`
	Value   float64  `json:"total_value_eur"`
	Rent    float64  `json:"total_rent_eur_per_year"`
	Errors  int      `json:"errors"`
}

func batch() endpoint.Endpoint {
	return view.Versioned(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/batch", ID: "land_prices_batch", Tag: tag,
		Summary: "Prices of up to 1,000 parcels",
		Doc:     batchDoc + caution + view.MissingDoc,
		Params:  []endpoint.AnyParam{parcelIDs, year, batchExplain},
		Answer:  batchAnswer(),
		Example: "/api/v1/land_prices/batch?parcel_ids=99101-1,99101-2",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) { return onParcels(ctx, parcelIDs.Of(r)) },
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return priceParcels(ctx, parcelIDs.Of(r), year.Of(r), batchExplain.Of(r))
		},
	})
}

func batchAnswer() endpoint.Answer {
	return endpoint.Answer{Rows: []*format.RowType{estimate.RowType}, Page: endpoint.Page{None: true}, Meta: parcelMeta{},
		Beside: batchBeside{}, Headers: view.ReadyHeaders}
}

func batchPost() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/land_prices/batch", ID: "land_prices_batch_post", Tag: tag,
		Summary: "Prices of up to 1,000 parcels or described parcels",
		Doc: batchDoc +
			` The body names parcels (parcel_ids) or describes them (inputs, with the members of predict; year is that of all).` +
			assumption + caution + view.MissingDoc,
		Params:      []endpoint.AnyParam{year, batchExplain},
		Body:        batchIn,
		Answer:      batchAnswer(),
		Example:     "/api/v1/land_prices/batch",
		ExampleBody: `{"year":2024,"inputs":[{"gemeinde_code":"59902","area_sqm":800,"building_count":1,"typology":"suburban"}]}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := batchIn.Of(r)
			if b.ids != nil {
				return priceParcels(ctx, b.ids, year.Of(r), batchExplain.Of(r))
			}
			return priceInputs(ctx, b.items, year.Of(r), batchExplain.Of(r))
		},
	}
}

// priceInputs prices described parcels.
func priceInputs(ctx context.Context, items []item, year int, reasons bool) (reply.Answer, error) {
	v, d, err := open(ctx)
	if err != nil {
		return nil, err
	}
	for i := range items {
		it := &items[i]
		it.in.Year, it.reasons = year, reasons
		if it.problem == "" {
			it.problem = it.refused(v, d)
		}
		if it.problem == "" {
			it.e = d.book.Estimate(&it.in)
		}
	}
	a := list(d, items)
	a.Members = []reply.Member{{Name: "summary", Value: summarise(items)}}
	var none view.Missing
	return none.Mark(a), nil
}

// refused says what of a described parcel cannot be; "" where nothing is.
func (i *item) refused(v *view.View, d *data) string {
	f := i.where.check(v, d)
	if f == nil {
		f = Contradiction(&i.in)
	}
	if f == nil {
		return ""
	}
	return f.Message
}

// priceParcels prices parcels of the cadastre, KG by KG, and answers in the order of the ids.
func priceParcels(ctx context.Context, ids []austria.ParcelID, year int, reasons bool) (reply.Answer, error) {
	v, d, err := open(ctx)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ids[a].KG, ids[b].KG) })
	var codes []austria.KGCode
	for _, i := range order {
		if n := len(codes); (n == 0 || codes[n-1] != ids[i].KG) && v.Register().KG(ids[i].KG) != nil {
			codes = append(codes, ids[i].KG)
		}
	}
	l := lookup{v: v, book: d.book, year: year, reasons: reasons}
	ahead := v.Ahead(codes)
	items := make([]item, len(ids))
	for _, i := range order {
		if ids[i].KG != l.code && v.Register().KG(ids[i].KG) != nil {
			ahead.Next(ctx)
		}
		if items[i], err = l.price(ctx, ids[i]); err != nil {
			return nil, err
		}
		items[i].n = i
	}
	a := list(d, items)
	a.Members = []reply.Member{{Name: "summary", Value: summarise(items)}}
	return l.gaps.Mark(a), nil
}

// summarise sums a batch.
func summarise(items []item) summary {
	s := summary{Parcels: len(items)}
	logs := 0.0
	for i := range items {
		e := &items[i].e
		if items[i].problem != "" {
			s.Errors++
			continue
		}
		if e.BuyPerSqm > 0 {
			s.Priced++
			logs += math.Log(e.BuyPerSqm)
			s.Value += e.BuyTotal
		}
		if e.RentPerYear > 0 {
			s.Rent += e.RentPerYear
		}
	}
	if s.Priced > 0 {
		s.Geomean = known(math.Exp(logs/float64(s.Priced)), cents)
	}
	s.Value, s.Rent = *known(s.Value, cents), *known(s.Rent, cents)
	return s
}
