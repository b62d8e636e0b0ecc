package geom_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/geom"
)

// exact is a step of 2^-7 degrees: its multiples are doubles, so that GEOS sees the very lines of the grid.
const exact = 78_125

// scrawl draws a few rings over a small mesh, so that they touch, cross and run along each other often.
func scrawl(r *rand.Rand, step int32) []geom.Ring {
	out := make([]geom.Ring, 1+r.IntN(4))
	for i := range out {
		for range 3 + r.IntN(5) {
			out[i] = append(out[i], geom.Point{X: (300 + r.Int32N(9)) * step, Y: (6200 + r.Int32N(9)) * step})
		}
	}
	return out
}

// holed is a wide polygon with small holes, which touch each other and lie in each other; at times one of
// them is a part.
func holed(r *rand.Rand, step int32) geom.MultiPolygon {
	at := func(x, y int32) geom.Point { return geom.Point{X: (300 + x) * step, Y: (6200 + y) * step} }
	p := geom.Polygon{{at(0, 0), at(8, 0), at(8, 8), at(0, 8)}}
	for range 2 + r.IntN(4) {
		x, y, w := 1+r.Int32N(6), 1+r.Int32N(6), 1+r.Int32N(2)
		p = append(p, geom.Ring{at(x, y-w), at(x-w, y), at(x, y+w), at(x+w, y)})
	}
	if k := len(p) - 1; r.IntN(3) == 0 {
		return geom.MultiPolygon{p[:k], {p[k]}}
	}
	return geom.MultiPolygon{p}
}

// anyShape is a geometry of rings as they come, or of the rings of a valid one put together otherwise.
func anyShape(t *testing.T, r *rand.Rand, step int32) geom.MultiPolygon {
	if r.IntN(4) == 0 {
		return holed(r, step)
	}
	rings := scrawl(r, step)
	if r.IntN(3) > 0 {
		m, err := geom.Rebuild(rings)
		if err != nil {
			t.Fatal(err)
		}
		if r.IntN(2) == 0 {
			return m
		}
		rings = m.Rings()
		r.Shuffle(len(rings), func(i, j int) { rings[i], rings[j] = rings[j], rings[i] })
	}
	var m geom.MultiPolygon
	for i, ring := range rings {
		if i == 0 || r.IntN(3) == 0 {
			m = append(m, geom.Polygon{ring})
		} else {
			m[len(m)-1] = append(m[len(m)-1], ring)
		}
	}
	return m
}

// Validate says what GEOS says, of shapes of every kind of fault and of valid ones with touching rings.
func TestValidateSaysWhatGEOSSays(t *testing.T) {
	seen := map[geom.FaultKind]int{}
	for seed := range oracles.Rounds(t, 1) {
		r := rand.New(rand.NewPCG(seed, 17))
		var shapes []geom.MultiPolygon
		for range 2500 {
			shapes = append(shapes, anyShape(t, r, exact))
		}
		bad := oracles.Invalid(t, shapes)
		for i, m := range shapes {
			f := m.Validate()
			kind := geom.FaultNone
			if f != nil {
				kind = f.Kind
			}
			seen[kind]++
			if why, is := bad[i]; is != (f != nil && kind != geom.FaultUnnoded) {
				t.Errorf("round %d shape %d: GEOS says %q, Validate %v\n%v", seed, i, why, kind, m)
			}
		}
		if t.Failed() {
			return
		}
	}
	for _, k := range []geom.FaultKind{geom.FaultNone, geom.FaultTooFew, geom.FaultUnnoded, geom.FaultPinch, geom.FaultHoleOutside,
		geom.FaultHoleInHole, geom.FaultPartsOverlap, geom.FaultDisconnected, geom.FaultCrossing} {
		if seen[k] == 0 {
			t.Errorf("no shape with %v was tried", k)
		}
	}
}

// What Rebuild makes is valid for GEOS in degrees too, where no mesh holds the lines together, and what
// Validate lets pass as well.
func TestRebuiltShapesAreValidInDegrees(t *testing.T) {
	for seed := range oracles.Rounds(t, 1) {
		r := rand.New(rand.NewPCG(seed, 23))
		var shapes []geom.MultiPolygon
		for len(shapes) < 2500 {
			step := []int32{1, 2, 7, 27, 1009}[r.IntN(5)]
			m := anyShape(t, r, step)
			for _, p := range m {
				for _, q := range p {
					for i := range q { // to 48.4 and 2.3 degrees, where the mesh leaves it
						q[i].X, q[i].Y = q[i].X%50_000+23_396_000, q[i].Y%100_000+488_868_000
					}
				}
			}
			rebuilt, err := geom.Rebuild(m.Rings())
			if err != nil {
				t.Fatal(err)
			}
			if f := rebuilt.Validate(); f != nil {
				t.Fatalf("round %d: rebuilt, and still %v\n%v", seed, f, m)
			}
			shapes = append(shapes, rebuilt)
			if m.Validate() == nil {
				shapes = append(shapes, m)
			}
		}
		for i, why := range oracles.Invalid(t, shapes) {
			t.Errorf("round %d: %s\n%v", seed, why, shapes[i])
		}
		if t.Failed() {
			return
		}
	}
}

// Cases by hand, one of each fault.
func TestValidateNamesTheFault(t *testing.T) {
	box := func(x, y, w int32) geom.Ring {
		return geom.Ring{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + w}, {X: x, Y: y + w}}
	}
	hole := func(x, y, w int32) geom.Ring { r := box(x, y, w); slices.Reverse(r); return r }
	diamond := func(x, y, w int32) geom.Ring {
		return geom.Ring{{X: x, Y: y - w}, {X: x - w, Y: y}, {X: x, Y: y + w}, {X: x + w, Y: y}}
	}
	for name, c := range map[string]struct {
		m    geom.MultiPolygon
		want geom.FaultKind
	}{
		"a square":    {geom.MultiPolygon{{box(0, 0, 10)}}, geom.FaultNone},
		"nothing":     {nil, geom.FaultNone},
		"two corners": {geom.MultiPolygon{{geom.Ring{{X: 1}, {X: 2}, {X: 1}}}}, geom.FaultTooFew},
		"a spike of a line": {geom.MultiPolygon{{geom.Ring{{}, {X: 10}, {X: 10, Y: 10}, {X: 10, Y: 15}, {X: 10, Y: 10},
			{Y: 10}}}}, geom.FaultPinch},
		"a line that doubles back beside itself": {geom.MultiPolygon{{geom.Ring{{}, {X: 10}, {X: 10, Y: 20}, {X: 10, Y: 12}, {Y: 10}}}},
			geom.FaultCrossing},
		"a bow tie": {geom.MultiPolygon{{geom.Ring{{}, {X: 10, Y: 10}, {X: 10}, {Y: 9}}}}, geom.FaultCrossing},
		"a ring that touches itself": {geom.MultiPolygon{{geom.Ring{{}, {X: 10}, {X: 10, Y: 10}, {X: 5}, {Y: 10}}}},
			geom.FaultPinch},
		"a ring that passes a vertex twice": {geom.MultiPolygon{{geom.Ring{{}, {X: 5}, {X: 10}, {X: 10, Y: 10}, {X: 5}, {Y: 10}}}},
			geom.FaultPinch},
		"a hole that touches a corner": {geom.MultiPolygon{{geom.Ring{{}, {X: 5}, {X: 10}, {X: 10, Y: 10}, {Y: 10}},
			diamond(5, 2, 2)}}, geom.FaultNone},
		"a hole that touches a side": {geom.MultiPolygon{{box(0, 0, 10), diamond(5, 2, 2)}}, geom.FaultUnnoded},
		"a hole that shares a side":  {geom.MultiPolygon{{box(0, 0, 10), hole(0, 2, 3)}}, geom.FaultCrossing},
		"a hole that leaves by a corner": {geom.MultiPolygon{{geom.Ring{{}, {X: 5}, {X: 10}, {X: 10, Y: 10}, {Y: 10}},
			geom.Ring{{X: 5}, {X: 4, Y: 5}, {X: 6, Y: -5}}}}, geom.FaultCrossing},
		"a hole outside":   {geom.MultiPolygon{{box(0, 0, 10), hole(20, 0, 3)}}, geom.FaultHoleOutside},
		"a hole in a hole": {geom.MultiPolygon{{box(0, 0, 20), hole(2, 2, 9), hole(4, 4, 2)}}, geom.FaultHoleInHole},
		"a hole that cuts the area in two": {geom.MultiPolygon{{geom.Ring{{}, {X: 5}, {X: 10}, {X: 10, Y: 10}, {X: 5, Y: 10},
			{Y: 10}}, diamond(5, 5, 5)}}, geom.FaultDisconnected},
		"a chain of holes around a piece": {geom.MultiPolygon{{box(0, 0, 40),
			geom.Ring{{X: 10, Y: 20}, {X: 20, Y: 30}, {X: 12, Y: 20}, {X: 20, Y: 10}},
			geom.Ring{{X: 20, Y: 10}, {X: 28, Y: 20}, {X: 20, Y: 30}, {X: 30, Y: 20}}}}, geom.FaultDisconnected},
		"parts that touch in a corner":  {geom.MultiPolygon{{box(0, 0, 10)}, {box(10, 10, 5)}}, geom.FaultNone},
		"parts side by side":            {geom.MultiPolygon{{box(0, 0, 10)}, {box(10, 0, 10)}}, geom.FaultCrossing},
		"a part in another":             {geom.MultiPolygon{{box(0, 0, 10)}, {box(2, 2, 3)}}, geom.FaultPartsOverlap},
		"a part in the hole of another": {geom.MultiPolygon{{box(0, 0, 10), hole(2, 2, 6)}, {box(4, 4, 2)}}, geom.FaultNone},
		"a part that stands twice":      {geom.MultiPolygon{{box(0, 0, 10)}, {box(0, 0, 10)}}, geom.FaultCrossing},
	} {
		kind := geom.FaultNone
		if f := c.m.Validate(); f != nil {
			kind = f.Kind
		}
		if kind != c.want {
			t.Errorf("%s: want %v, got %v", name, c.want, kind)
		}
	}
}
