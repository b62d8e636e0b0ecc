package index

import (
	"cmp"
	"context"
	"slices"

	"mappe/artefacts/landscape"
	place "mappe/functions/core/area"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// pick are the KGs that pass, by code.
func (c *country) pick(r *endpoint.Request, passes func(e *landscape.Entry) bool) []hit {
	only := qProcessed.Of(r)
	var out []hit
	for i := range c.entries {
		if e := &c.entries[i]; (!only || e.Processed) && passes(e) {
			out = append(out, hit{e: e})
		}
	}
	return out
}

// ordered is a thing among others: what it is ordered by, and its place among them.
type ordered[K any] struct {
	key K
	at  int32
}

// first are the places of the first most of n things, in their order, and how many there are: things of which key says no are
// none, those alike stand as before. What stands behind the first most is never sorted.
func first[K any](n, most int, key func(i int) (K, bool), compare func(a, b K) int) (places []int32, total int) {
	order := func(a, b ordered[K]) int { return cmp.Or(compare(a.key, b.key), int(a.at-b.at)) }
	most = min(most, n)
	kept := make([]ordered[K], 0, min(n, 2*most+64))
	cut := false // kept[most-1] is the last that counts, once it was cut
	var last K
	for i := range n {
		k, ok := key(i)
		if !ok {
			continue
		}
		total++
		if cut && compare(k, last) >= 0 {
			continue
		}
		if kept = append(kept, ordered[K]{k, int32(i)}); len(kept) == cap(kept) && len(kept) > most {
			slices.SortFunc(kept, order)
			kept = kept[:most]
			if most == 0 {
				continue
			}
			cut, last = true, kept[most-1].key
		}
	}
	slices.SortFunc(kept, order)
	places = make([]int32, min(most, len(kept)))
	for i := range places {
		places[i] = kept[i].at
	}
	return places, total
}

// order sorts hits by a number: rising, or the greatest first; those without stand last, and those alike by code.
func order(list []hit, up bool, of func(*hit) float64) []hit {
	return firstHits(list, len(list), up, of)
}

// firstHits are the first most of hits by a number.
func firstHits(list []hit, most int, up bool, of func(*hit) float64) []hit {
	places, _ := first(len(list), most, func(i int) (float64, bool) { return of(&list[i]), true }, numbers(up))
	out := make([]hit, len(places))
	for i, at := range places {
		out[i] = list[at]
	}
	return out
}

// ranks is the page of hits by a number.
func ranks(r *endpoint.Request, s *format.Schema[hit], list []hit, up bool, of func(*hit) float64) reply.Answer {
	return someHits(r, s, len(list), firstHits(list, r.Offset+r.Limit, up, of))
}

// numbers is the order of numbers: rising, or the greatest first; NaN last.
func numbers(up bool) func(a, b float64) int {
	return func(a, b float64) int { return compare(a, b, up) }
}

// texts is the order of texts; the empty one last.
func texts(up bool) func(a, b string) int {
	return func(a, b string) int {
		c := cmp.Compare(a, b)
		switch {
		case a == "" || b == "":
			return cmp.Compare(flagOf(a == ""), flagOf(b == ""))
		case !up:
			return -c
		}
		return c
	}
}

func compare(x, y float64, up bool) int {
	switch {
	case x != x || y != y:
		return cmp.Compare(flagOf(x != x), flagOf(y != y))
	case up:
		return cmp.Compare(x, y)
	}
	return cmp.Compare(y, x)
}

func flagOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// here says which KGs lie in the area that a request names.
func (c *country) here(r *endpoint.Request) (func(e *landscape.Entry) bool, error) {
	var tests []func(e *landscape.Entry) bool
	if qBox.Given(r) {
		box := qBox.Of(r).Grid()
		tests = append(tests, func(e *landscape.Entry) bool { return e.BBox.Intersects(box) })
	}
	in, err := c.within(r, qState, qDistrict, qGemeinde)
	if err != nil {
		return nil, err
	}
	tests = append(tests, in)
	return func(e *landscape.Entry) bool {
		return !slices.ContainsFunc(tests, func(t func(*landscape.Entry) bool) bool { return !t(e) })
	}, nil
}

// within says which KGs lie in the state, the district and the municipality that a request names. A nil country knows no
// names: then they are not looked up.
func (c *country) within(r *endpoint.Request, state *endpoint.Param[austria.StateCode], district, gemeinde *endpoint.Param[string]) (test,
	error) {
	if c == nil {
		return func(*landscape.Entry) bool { return true }, nil
	}
	in, err := place.Districts.Choose(r, district, len(c.entries), func(i int) (string, string) {
		return c.entries[i].DistrictCode, c.entries[i].DistrictName
	})
	if err != nil {
		return nil, err
	}
	of, err := place.Municipalities.Choose(r, gemeinde, len(c.entries), func(i int) (string, string) {
		return c.entries[i].GemeindeCode, c.entries[i].GemeindeName
	})
	return func(e *landscape.Entry) bool {
		return (!state.Given(r) || e.StateCode == string(state.Of(r))) && in.Has(e.DistrictCode) && of.Has(e.GemeindeCode)
	}, err
}

func area() func(*service, context.Context, *country, *endpoint.Request) (reply.Answer, error) {
	return func(_ *service, _ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
		in, err := c.here(r)
		if err != nil {
			return nil, err
		}
		return hits(r, kgRows, c.pick(r, in)), nil
	}
}
