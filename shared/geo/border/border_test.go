package border

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"mappe/shared/geo/geom"
)

// Metres east and north of a place in Salzburg as a position; a degree there has 111,170 m to the north and 75,560 m to the
// east, which is right to 1e-3.
func at(x, y float64) geom.Point {
	p, _ := geom.PointAt(13.27+x/75_560, 47.32+y/111_170)
	return p
}

func ring(xy ...float64) geom.Ring {
	var r geom.Ring
	for i := 0; i < len(xy); i += 2 {
		r = append(r, at(xy[i], xy[i+1]))
	}
	return r
}

func TestShared(t *testing.T) {
	square := geom.MultiPolygon{{ring(0, 0, 100, 0, 100, 100, 0, 100)}}
	for name, c := range map[string]struct {
		other geom.MultiPolygon
		want  float64
	}{
		"a whole side":         {geom.MultiPolygon{{ring(100, 0, 200, 0, 200, 100, 100, 100)}}, 100},
		"half a side":          {geom.MultiPolygon{{ring(100, 50, 200, 50, 200, 150, 100, 150)}}, 50},
		"a side with a vertex": {geom.MultiPolygon{{ring(100, 0, 200, 0, 200, 100, 100, 100, 100, 40)}}, 100},
		"a corner":             {geom.MultiPolygon{{ring(100, 100, 200, 100, 200, 200, 100, 200)}}, 0},
		"crossing borders":     {geom.MultiPolygon{{ring(50, 50, 150, 60, 150, 160, 50, 150)}}, 0},
		"3 cm apart":           {geom.MultiPolygon{{ring(100.03, 0, 200, 0, 200, 100, 100.03, 100)}}, 100},
		"20 cm apart":          {geom.MultiPolygon{{ring(100.2, 0, 200, 0, 200, 100, 100.2, 100)}}, 0},
		"two parts on one side": {geom.MultiPolygon{{ring(100, 0, 110, 0, 110, 30, 100, 30)}, {ring(100, 60, 110, 60, 110, 80, 100, 80)}},
			50},
		"around it": {geom.MultiPolygon{{ring(-10, -10, 110, -10, 110, 110, -10, 110), ring(0, 0, 0, 100, 100, 100, 100, 0)}},
			400},
		"the same, twice over it": {geom.MultiPolygon{{ring(100, 0, 200, 0, 200, 100, 100, 100)},
			{ring(100, 20, 150, 20, 150, 40, 100, 40)}}, 100},
		"nothing": {nil, 0},
	} {
		a := Of(square, 0.05)
		if got := a.Shared(c.other); math.Abs(got-c.want) > 0.3 {
			t.Errorf("%s: %.2f m, expected %g m", name, got, c.want)
		}
	}
	if got := Of(nil, 0.05).Shared(square); got != 0 {
		t.Errorf("nothing shares %g m", got)
	}
}

// A border that is cut anywhere is shared as long from either side, and together the pieces share all of it.
func TestPiecesShareTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "n")
		var xy, right []float64
		x := 0.0
		for i := range n { // a border from south to north
			x = rapid.Float64Range(-20, 20).Draw(t, "x")
			xy = append(xy, x, float64(i)*30)
		}
		length := 0.0
		for i := 2; i < len(xy); i += 2 {
			length += math.Hypot(xy[i]-xy[i-2], xy[i+1]-xy[i-1])
		}
		left := append(append([]float64{}, xy...), -200, xy[len(xy)-1], -200, 0)
		right = append(append([]float64{}, xy...), 200, xy[len(xy)-1], 200, 0)
		l, r := geom.MultiPolygon{{ring(left...)}}, geom.MultiPolygon{{ring(right...)}}
		here, there := Of(l, 0.05).Shared(r), Of(r, 0.05).Shared(l)
		if math.Abs(here-there) > 0.2 || math.Abs(here-length) > 0.002*length+0.3 {
			t.Fatalf("shared %.2f and %.2f m of %.2f m", here, there, length)
		}
	})
}
