package geom_test

import (
	"math/rand/v2"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/geom"
)

// GEOS finds every union valid, of areas over a mesh that touch and overlap in all ways.
func TestDissolvedIsValidForGEOS(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for _, step := range []int32{exact, 1, 10_000} {
		var shapes []geom.MultiPolygon
		for range 300 {
			var in []geom.MultiPolygon
			for range 1 + r.IntN(5) {
				m, err := geom.Rebuild(scrawl(r, step))
				if err != nil {
					t.Fatal(err)
				}
				in = append(in, m)
			}
			m, err := geom.Dissolve(in, step/16)
			if err != nil {
				t.Fatal(err)
			}
			if f := m.Validate(); f != nil {
				t.Fatalf("%v in %v of %v", f, m, in)
			}
			shapes = append(shapes, m)
		}
		for i, why := range oracles.Invalid(t, shapes) {
			t.Errorf("step %d: %s: %v", step, why, shapes[i])
		}
	}
}
