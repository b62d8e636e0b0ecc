package landprices

import (
	"cmp"
	"context"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/prices"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/fault"
)

// data are the series and the tallies of the municipalities. It is shared by requests and never changed.
type data struct {
	book        *landprice.Book
	attribution string
	areas       []area // municipalities, rising
}

// area is a municipality with the sum of its KGs.
type area struct {
	code  austria.GemeindeCode
	kgs   int
	tally landprice.Tally
}

func (a *area) place() landprice.Place { return landprice.PlaceOf(a.code, "", "") }

// kgBytes and rowBytes are what a tally and a published value take in memory, about.
const (
	areaBytes = 320
	rowBytes  = 48
)

var decoder = library.Decoder[*data]{Limit: prices.MaxFile, Decode: func(body []byte) (*data, int64, error) {
	c, err := prices.Decode(body)
	if err != nil {
		return nil, 0, err
	}
	if c.Model != landprice.Model { // tallies of another model: the builder makes them anew
		c.KGs = nil
	}
	book, err := prices.Book(c.Rows)
	if err != nil {
		return nil, 0, err
	}
	d := &data{book: book, attribution: c.Attribution, areas: municipalities(c.KGs)}
	return d, int64(len(d.areas)*areaBytes + len(c.Rows)*rowBytes), nil
}}

// municipalities sums the tallies.
func municipalities(kgs []prices.KG) []area {
	at := map[austria.GemeindeCode]int{}
	var out []area
	for i := range kgs {
		n, ok := at[kgs[i].GemeindeCode]
		if !ok {
			n = len(out)
			at[kgs[i].GemeindeCode] = n
			out = append(out, area{code: kgs[i].GemeindeCode})
		}
		out[n].kgs++
		out[n].tally.Merge(&kgs[i].Tally)
	}
	slices.SortFunc(out, func(a, b area) int { return cmp.Compare(a.code, b.code) })
	return out
}

func artefact(v *view.View) (keys.Key, bool) { return v.Artefact(prices.Artefact) }

// load gives the prices of the generation.
func load(ctx context.Context, v *view.View) (*data, error) {
	key, ok := artefact(v)
	if !ok {
		return nil, fault.New(fault.Unavailable, "land prices are not published in this generation of the data")
	}
	d, err := library.Get(ctx, v.View, key, decoder)
	return d, generation.FaultOf(ctx, "the land prices", err)
}

// open is the view of a request and its prices.
func open(ctx context.Context) (*view.View, *data, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, nil, err
	}
	d, err := load(ctx, v)
	return v, d, err
}

// within are the municipalities whose codes begin alike; they stand together.
func (d *data) within(prefix string) []area {
	from, _ := slices.BinarySearchFunc(d.areas, prefix, func(a area, p string) int { return cmp.Compare(string(a.code), p) })
	to := from
	for to < len(d.areas) && len(d.areas[to].code) >= len(prefix) && string(d.areas[to].code[:len(prefix)]) == prefix {
		to++
	}
	return d.areas[from:to]
}

// value is what areas are worth in a year.
func (d *data) value(areas []area, year int) landprice.AreaValue {
	var a landprice.AreaValue
	for i := range areas {
		d.book.AddValue(&a, &areas[i].tally, areas[i].place(), year)
	}
	return a
}
