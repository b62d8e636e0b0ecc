package register

import (
	"math"
	"math/rand/v2"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/geom"
)

// A KG between two brooks: its border runs back beside itself, a few metres apart, so that leaving out
// vertices makes it cross itself.
func meander(r *rand.Rand) geom.MultiPolygon {
	var out, back geom.Ring
	for i := range int32(60) {
		y := int32(900 * math.Sin(float64(i)/2+r.Float64()))
		out = append(out, geom.Point{X: 158_000_000 + i*700, Y: 480_000_000 + y})
		back = append(geom.Ring{{X: 158_000_000 + i*700, Y: 480_000_000 + y + 20 + r.Int32N(1500)}}, back...)
	}
	m, err := geom.Rebuild([]geom.Ring{append(out, back...)})
	if err != nil {
		panic(err)
	}
	return m
}

func TestSimplifiedOutlinesAreValid(t *testing.T) {
	for seed := range oracles.Rounds(t, 1) {
		r := rand.New(rand.NewPCG(seed, 3))
		var shapes []geom.MultiPolygon
		mended := 0
		for range 300 {
			m := meander(r)
			s := Simplify(m, 10)
			if s.Vertices() >= m.Vertices() {
				t.Errorf("%d vertices of %d are left", s.Vertices(), m.Vertices())
			}
			if len(s) > len(m) {
				mended++
			}
			shapes = append(shapes, s)
		}
		if mended == 0 {
			t.Error("no outline had to be mended")
		}
		for i, why := range oracles.Invalid(t, shapes) {
			t.Errorf("outline %d: %s", i, why)
		}
	}
}
