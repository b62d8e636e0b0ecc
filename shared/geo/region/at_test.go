package region

import (
	"math/rand/v2"
	"testing"

	"mappe/shared/geo/geom"
)

// TestAtIsDistanceZero holds At to ToFeature on rings of few, coarse coordinates, so that positions
// fall on corners and edges often.
func TestAtIsDistanceZero(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	in, out := 0, 0
	for range 20_000 {
		step := int32(1 + rnd.IntN(40_000))
		at := func() geom.Point {
			return geom.Point{X: 130_000_000 + step*int32(rnd.IntN(6)), Y: 477_000_000 + step*int32(rnd.IntN(6))}
		}
		m := make(geom.MultiPolygon, 1+rnd.IntN(2))
		for i := range m {
			r := make(geom.Ring, rnd.IntN(6))
			for j := range r {
				r[j] = at()
			}
			m[i] = geom.Polygon{r}
		}
		l := PlaneAt(at())
		want := l.ToFeature(m) == 0
		if got := l.At(m); got != want {
			t.Fatalf("At of %v at %v is %v, ToFeature is %v", m, l.at, got, l.ToFeature(m))
		}
		if want {
			in++
		} else {
			out++
		}
	}
	if in < 1000 || out < 1000 {
		t.Fatalf("%d positions in or on a feature, %d outside: expected many of both", in, out)
	}
}
