package demo

import (
	"math"
	"testing"

	"mappe/shared/geo/crs"
)

// A line of an orthophoto lies, to 3 µm, where the transformation of each of its pixels puts it.
func TestLinesOfFlights(t *testing.T) {
	const x, y = -61_234.5, 243_210.5
	line := make([][2]float64, 1001)
	inLAEA(line, x, y)
	for i := range line {
		e, n := crs.LAEA.Forward(crs.GaussKruegerMid.Inverse(x+float64(i), y))
		if d := math.Hypot(line[i][0]-e, line[i][1]-n); !(d < 3e-6) {
			t.Fatalf("pixel %d lies %g m beside its place", i, d)
		}
	}
}
