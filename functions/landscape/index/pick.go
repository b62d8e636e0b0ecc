package index

import (
	"cmp"
	"context"
	"slices"

	"mappe/artefacts/landscape"
	"mappe/functions/core/states"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
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
func here(r *endpoint.Request) (func(e *landscape.Entry) bool, error) {
	var tests []func(e *landscape.Entry) bool
	if qBox.Given(r) {
		box := qBox.Of(r).Grid()
		tests = append(tests, func(e *landscape.Entry) bool { return e.BBox.Intersects(box) })
	}
	if qState.Given(r) {
		code, err := stateOf(qState.Of(r))
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(e *landscape.Entry) bool { return e.StateCode == code })
	}
	if qDistrict.Given(r) {
		code := string(qDistrict.Of(r))
		tests = append(tests, func(e *landscape.Entry) bool { return e.DistrictCode == code })
	}
	if qGemeinde.Given(r) {
		code := string(qGemeinde.Of(r))
		tests = append(tests, func(e *landscape.Entry) bool { return e.GemeindeCode == code })
	}
	return func(e *landscape.Entry) bool {
		return !slices.ContainsFunc(tests, func(t func(*landscape.Entry) bool) bool { return !t(e) })
	}, nil
}

// stateOf is the code of a state by its code or its name in any spelling.
func stateOf(text string) (string, error) {
	s, err := states.Parse(text)
	if err != nil {
		return "", fault.BadValue("state", text, err.Error())
	}
	return string(s), nil
}

func area() func(*service, context.Context, *country, *endpoint.Request) (reply.Answer, error) {
	return func(_ *service, _ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
		in, err := here(r)
		if err != nil {
			return nil, err
		}
		return hits(r, kgRows, c.pick(r, in)), nil
	}
}
