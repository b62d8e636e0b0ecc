package kg

import (
	"slices"
	"testing"
)

// A ring has no vertex twice in a row, its last and its first among them; spikes stay, which tidy takes away.
func TestUnrepeat(t *testing.T) {
	a, b, c := pt{0, 0}, pt{4, 0}, pt{4, 4}
	for _, r := range []struct{ in, want []pt }{
		{[]pt{a, b, c}, []pt{a, b, c}},
		{[]pt{a, a, b, b, b, c}, []pt{a, b, c}},
		{[]pt{a, b, c, a}, []pt{a, b, c}},
		{[]pt{a, b, c, a, a}, []pt{a, b, c}},
		{[]pt{a, b, c, b}, []pt{a, b, c, b}},
		{[]pt{a, a, a}, []pt{a}},
		{nil, nil},
	} {
		if got := unrepeat(slices.Clone(r.in)); !slices.Equal(got, r.want) {
			t.Errorf("%v: %v, want %v", r.in, got, r.want)
		}
	}
}
