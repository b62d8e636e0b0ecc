package kg

import (
	"math"
	"slices"
	"testing"
)

// A ring has no vertex twice in a row, its last and its first among them; spikes stay, which tidy takes away.
func TestUnrepeat(t *testing.T) {
	a, b, c := pt{X: 0, Y: 0}, pt{X: 4, Y: 0}, pt{X: 4, Y: 4}
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

// A rotation of up to a turn either way is one; anything else is 0.
func TestRotations(t *testing.T) {
	for v, want := range map[float64]float64{0: 0, 45.5: 45.5, 360: 360, -360: -360, 360.1: 0, -361: 0} {
		if got := wrapDegrees(v); got != want {
			t.Errorf("%g: %g, want %g", v, got, want)
		}
	}
	if got := wrapDegrees(math.NaN()); got != 0 {
		t.Errorf("no number: %g", got)
	}
}
