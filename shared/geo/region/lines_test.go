package region

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

func pathSF(p []geom.Point) sf.Geometry {
	var xy []string
	for _, q := range p {
		xy = append(xy, fmt.Sprintf("%d %d", q.X, q.Y))
	}
	text := "LINESTRING(" + strings.Join(xy, ",") + ")"
	if len(p) == 1 {
		text = "POINT(" + xy[0] + ")"
	}
	g, err := sf.UnmarshalWKT(text, sf.NoValidate{})
	if err != nil {
		panic(err)
	}
	return g
}

// Lines and points overlap what an independent library says that they intersect, borders included.
func TestLinesAgainstIntersects(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	hits := 0
	const rounds = 4000
	for range rounds {
		feature := star(r, 5)
		var paths [][]geom.Point
		want := false
		for range 1 + r.IntN(2) {
			n := 1 + r.IntN(3)
			var path []geom.Point
			for len(path) < n {
				p := geom.Point{X: r.Int32N(16) - 3, Y: r.Int32N(16) - 3}
				if len(path) == 0 || path[len(path)-1] != p {
					path = append(path, p)
				}
			}
			paths = append(paths, path)
			want = want || sf.Intersects(pathSF(path), toSF(feature))
		}
		a := WithLines(nil, paths, 0)
		got := a.Overlaps(feature, feature.Bounds())
		if got != want {
			t.Fatalf("paths %v feature %v: want %v, got %v", paths, feature, want, got)
		}
		if s := a.Side(feature.Bounds()); s == Inside || s == Outside && want {
			t.Fatalf("paths %v feature %v: side %v", paths, feature, s)
		}
		if a.Covers(feature, feature.Bounds()) {
			t.Fatalf("paths %v cover %v", paths, feature)
		}
		for _, p := range feature[0][0] {
			on := false
			for _, path := range paths {
				on = on || sf.Intersects(pathSF(path), pathSF([]geom.Point{p}))
			}
			if got := a.Contains(p); got != on {
				t.Fatalf("paths %v point %v: want %v, got %v", paths, p, on, got)
			}
		}
		hits += b2i(got)
	}
	if hits < rounds/10 || hits > rounds*9/10 {
		t.Fatalf("the cases are too alike: %d of %d", hits, rounds)
	}
}

// With a buffer they reach as far as the ruler says.
func TestLinesWithABuffer(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	at := func() geom.Point {
		return geom.Point{X: 15*geom.Scale + r.Int32N(20000), Y: 48*geom.Scale + r.Int32N(20000)}
	}
	for range 2000 {
		p, q := at(), at()
		l := crs.RulerAt(p)
		d := l.Distance(q)
		corner := geom.Ring{q, {X: q.X + 10, Y: q.Y}, {X: q.X + 10, Y: q.Y + 10}}
		box := geom.MultiPolygon{{corner}}
		nearest := l.ToFeature(box)
		for _, m := range []float64{d * 0.999, d * 1.001, nearest * 1.001, nearest * 0.999} {
			if a := WithLines(nil, [][]geom.Point{{p}}, m); a.Contains(q) != (m >= d) || a.Overlaps(box, box.Bounds()) != (m >= nearest) {
				t.Fatalf("%v to %v: %g m, buffer %g: point %v, feature (%g m) %v", p, q, d, m, a.Contains(q), nearest,
					a.Overlaps(box, box.Bounds()))
			}
		}
	}
}
