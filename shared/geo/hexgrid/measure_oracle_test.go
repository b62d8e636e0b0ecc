//go:build cgo

package hexgrid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	h3 "github.com/uber/h3-go/v4"

	"mappe/infra/oracles"
)

func TestMeasuresAreH3s(t *testing.T) {
	judge := func(c Cell) {
		got, err := c.AreaM2()
		want, _ := h3.CellAreaM2(h3.Cell(c))
		if err != nil || math.Abs(got-want) > 1e-6*want+1e-6 {
			t.Fatalf("%v: %g m², H3 %g, %v", c, got, want, err)
		}
		sides, err := c.SideLengthsM()
		edges, _ := h3.Cell(c).DirectedEdges()
		var lengths []float64
		for _, e := range edges {
			if l, err := h3.EdgeLengthM(e); err == nil && e != 0 {
				lengths = append(lengths, l)
			}
		}
		slices.Sort(sides)
		slices.Sort(lengths)
		if err != nil || !slices.EqualFunc(sides, lengths, func(a, b float64) bool { return math.Abs(a-b) < 1e-6*b+1e-7 }) {
			t.Fatalf("%v: sides %v, H3 %v, %v", c, sides, lengths, err)
		}
	}
	aroundPentagons(t, judge)
	rnd := rand.New(rand.NewPCG(5, 1))
	for range oracles.Rounds(t, 500) {
		for res := range MaxResolution + 1 {
			c, err := LatLngToCell(anywhere(rnd), res)
			if err != nil {
				t.Fatal(err)
			}
			judge(c)
		}
	}
}
