package landprices

import (
	"context"
	"errors"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var parcelID = params.Parcel("parcel_id", "Parcel", endpoint.Required)

func parcel() endpoint.Endpoint {
	return view.Versioned(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/land_prices/parcel/{parcel_id}", ID: "land_prices_parcel", Tag: tag,
		Summary: "Price of a parcel",
		Doc: `data holds one estimate, made from the parcel's area, shape, land use and buildings and the settlement type of its KG.
404 where the KG has no such parcel. The cadastre does not know when a building was built: building_period may be given.` + caution +
			view.MissingDoc,
		Params: []endpoint.AnyParam{parcelID, year, period, explain},
		Answer: endpoint.Answer{Rows: []*format.RowType{estimate.RowType}, Page: endpoint.Page{None: true}, Meta: parcelMeta{},
			Headers: view.ReadyHeaders},
		Example: "/api/v1/land_prices/parcel/99101-1",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			return onParcels(ctx, []austria.ParcelID{parcelID.Of(r)})
		},
		Serve: parcelPrice,
	})
}

func parcelPrice(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	v, d, err := open(ctx)
	if err != nil {
		return nil, err
	}
	p, _ := landprice.ParsePeriod(period.Of(r))
	l := lookup{v: v, book: d.book, year: year.Of(r), period: p, reasons: explain.Of(r)}
	it, err := l.price(ctx, parcelID.Of(r))
	switch {
	case err != nil:
		return nil, err
	case !l.gaps.Ready():
		a := list(d, nil)
		return l.gaps.Mark(a), nil
	case it.problem != "":
		return nil, fault.New(fault.NotFound, "%s", it.problem)
	}
	it.n = -1
	return l.gaps.Mark(one(d, it)), nil
}

// onParcels is what an answer about parcels depends on: the prices and their KGs.
func onParcels(ctx context.Context, ids []austria.ParcelID) (string, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return "", err
	}
	codes := make([]austria.KGCode, len(ids))
	for i, id := range ids {
		if codes[i] = id.KG; !v.Warm(id.KG) && v.Register().KG(id.KG) != nil {
			return "", nil // partial
		}
	}
	return stateOf(v) + v.Depends(codes), nil
}

// lookup prices parcels of the cadastre.
type lookup struct {
	v       *view.View
	book    *landprice.Book
	year    int
	period  landprice.Period
	reasons bool
	gaps    view.Missing
	code    austria.KGCode // of the file that is open
	file    *kgfile.File   // nil: the KG cannot be read
	unknown bool           // the register does not have the KG
}

// open opens the file of a KG; parcels of one KG that are asked for one after the other share it.
func (l *lookup) open(ctx context.Context, code austria.KGCode) (err error) {
	if l.code == code {
		return nil
	}
	l.code, l.unknown = code, false
	l.file, err = l.v.Read(ctx, code, &l.gaps)
	if errors.Is(err, library.ErrUnknownKG) {
		l.unknown, err = true, nil
	}
	return err
}

// price prices one parcel. A parcel that does not exist or cannot be read is an item with a problem.
func (l *lookup) price(ctx context.Context, id austria.ParcelID) (item, error) {
	it := item{id: id.String(), reasons: l.reasons}
	it.in.Year = l.year
	if err := l.open(ctx, id.KG); err != nil {
		return it, err
	}
	switch {
	case l.unknown:
		it.problem = "KG " + string(id.KG) + " does not exist"
		return it, nil
	case l.file == nil:
		it.problem = "KG " + string(id.KG) + " cannot be read yet"
		return it, nil
	}
	i, ok, err := l.file.ParcelByGNR(id.GNR)
	if err != nil {
		return it, err
	}
	if !ok {
		it.problem = "parcel " + it.id + " does not exist"
		return it, nil
	}
	if it.in, err = parcelInput(l.file, i, l.year, l.period); err != nil {
		return it, err
	}
	it.e = l.book.Estimate(&it.in)
	return it, nil
}
