package index

import (
	"cmp"
	"context"
	"slices"

	"mappe/artefacts/landscape"
	place "mappe/functions/core/area"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
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

// order sorts hits by a number: rising, or the greatest first; those without stand last, and those alike by code.
func order(list []hit, up bool, of func(*hit) float64) []hit {
	keys := make([]sortKey, len(list))
	for i := range list {
		keys[i] = sortKey{of(&list[i]), int32(i)}
	}
	slices.SortFunc(keys, func(a, b sortKey) int { return cmp.Or(compare(a.value, b.value, up), int(a.at-b.at)) })
	return permuted(list, func(i int) int32 { return keys[i].at })
}

// sortKey is what a hit is sorted by, and its place before: numbers are moved, not hits.
type sortKey struct {
	value float64
	at    int32
}

func permuted(list []hit, from func(i int) int32) []hit {
	out := make([]hit, len(list))
	for i := range out {
		out[i] = list[from(i)]
	}
	return out
}

// orderText sorts hits by a text; those without stand last, and those alike by code.
func orderText(list []hit, up bool, of func(*hit) string) []hit {
	at := make([]int32, len(list))
	for i := range at {
		at[i] = int32(i)
	}
	slices.SortFunc(at, func(a, b int32) int {
		x, y := of(&list[a]), of(&list[b])
		c := cmp.Compare(x, y)
		switch {
		case x == "" || y == "":
			c = cmp.Compare(flagOf(x == ""), flagOf(y == ""))
		case !up:
			c = -c
		}
		return cmp.Or(c, int(a-b))
	})
	return permuted(list, func(i int) int32 { return at[i] })
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
