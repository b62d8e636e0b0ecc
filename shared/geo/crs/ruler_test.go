package crs

import (
	"math"
	"math/rand/v2"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"

	"mappe/shared/geo/geom"
)

func TestDistanceInMetres(t *testing.T) {
	vienna := geom.Point{X: 163_738_000, Y: 482_082_000}
	for _, c := range []struct {
		name string
		to   geom.Point
		want float64 // geodesic on WGS84 (Vincenty)
	}{
		{"0.01 degrees north", geom.Point{X: 163_738_000, Y: 482_182_000}, 1111.9},
		{"0.01 degrees east", geom.Point{X: 163_838_000, Y: 482_082_000}, 743.5},
		{"the same point", vienna, 0},
	} {
		l := RulerAt(vienna)
		if got := l.Distance(c.to); math.Abs(got-c.want) > 0.3 {
			t.Errorf("%s: want %.1f m, got %.2f m", c.name, c.want, got)
		}
	}
	// Against Vincenty's inverse formula over up to 70 km.
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		p := geom.Point{X: 95_000_000 + r.Int32N(75_000_000), Y: 464_000_000 + r.Int32N(25_000_000)}
		q := geom.Point{X: p.X + r.Int32N(12_000_000) - 6_000_000, Y: p.Y + r.Int32N(10_000_000) - 5_000_000}
		want := vincenty(p, q)
		l := RulerAt(p)
		if got := l.Distance(q); math.Abs(got-want) > 3e-7*want+0.001 {
			t.Fatalf("%v to %v: want %.3f m, got %.3f m", p, q, want, got)
		}
	}
}

// vincenty is the inverse geodesic on WGS84.
func vincenty(p, q geom.Point) float64 {
	const f = 1 / 298.257223563
	b := wgs84.a * (1 - f)
	L := (q.Lon() - p.Lon()) * math.Pi / 180
	u1 := math.Atan((1 - f) * math.Tan(p.Lat()*math.Pi/180))
	u2 := math.Atan((1 - f) * math.Tan(q.Lat()*math.Pi/180))
	s1, c1 := math.Sincos(u1)
	s2, c2 := math.Sincos(u2)
	lam := L
	for range 50 {
		sl, cl := math.Sincos(lam)
		ss := math.Hypot(c2*sl, c1*s2-s1*c2*cl)
		if ss == 0 {
			return 0
		}
		cs := s1*s2 + c1*c2*cl
		sig := math.Atan2(ss, cs)
		sa := c1 * c2 * sl / ss
		ca2 := 1 - sa*sa
		c2m := cs - 2*s1*s2/ca2
		C := f / 16 * ca2 * (4 + f*(4-3*ca2))
		last := lam
		lam = L + (1-C)*f*sa*(sig+C*ss*(c2m+C*cs*(-1+2*c2m*c2m)))
		if math.Abs(lam-last) < 1e-12 {
			u := ca2 * (wgs84.a*wgs84.a - b*b) / (b * b)
			A := 1 + u/16384*(4096+u*(-768+u*(320-175*u)))
			B := u / 1024 * (256 + u*(-128+u*(74-47*u)))
			ds := B * ss * (c2m + B/4*(cs*(-1+2*c2m*c2m)-B/6*c2m*(-3+4*ss*ss)*(-3+4*c2m*c2m)))
			return b * A * (sig - ds)
		}
	}
	return math.NaN()
}

// ToFeature and NearBorder hold against another library's distance in the ruler's plane.
func TestToFeatureAgainstSimplefeatures(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	inside := 0
	for range 2000 {
		at := geom.Point{X: 130_000_000 + r.Int32N(20_000), Y: 477_000_000 + r.Int32N(20_000)}
		l := RulerAt(at)
		n := 3 + r.IntN(30)
		var ring geom.Ring
		var xy []float64
		for k := range n {
			s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			d := 12_000 * (0.3 + 0.7*r.Float64())
			p := geom.Point{X: 130_010_000 + int32(d*c), Y: 477_010_000 + int32(d*s)}
			x, y := l.Offset(p)
			ring, xy = append(ring, p), append(xy, x, y)
		}
		shape := sf.NewPolygon([]sf.LineString{sf.NewLineStringXY(append(xy, xy[0], xy[1])...)})
		if shape.Validate() != nil {
			continue
		}
		want, _ := sf.Distance(shape.AsGeometry(), sf.NewPointXY(0, 0).AsGeometry())
		m := geom.MultiPolygon{{ring}}
		got := l.ToFeature(m)
		if math.Abs(got-want) > 1e-6*(1+want) {
			t.Fatalf("%v to %v: want %.7f m, got %.7f m", at, m, want, got)
		}
		if got == 0 {
			inside++
		} else if !l.NearBorder(m, got+1e-6) || l.NearBorder(m, got-1e-6) {
			t.Fatalf("%v is %.7f m from the border of %v, NearBorder says otherwise", at, got, m)
		}
	}
	if inside < 100 || inside > 1900 {
		t.Fatalf("the cases are too alike: %d inside", inside)
	}
}

// A scale is the ruler near its position.
func TestScaleIsTheRulerNearby(t *testing.T) {
	p := geom.Point{X: 163_738_000, Y: 482_082_000}
	l, s := RulerAt(p), ScaleAt(p)
	for _, d := range []geom.Point{{X: 1000}, {Y: 1000}, {X: -700, Y: 300}} {
		x, y := l.Offset(geom.Point{X: p.X + d.X, Y: p.Y + d.Y})
		if wx, wy := s.X*float64(d.X), s.Y*float64(d.Y); math.Abs(x-wx) > 1e-4 || math.Abs(y-wy) > 1e-4 {
			t.Errorf("%v: ruler %.6f %.6f m, scale %.6f %.6f m", d, x, y, wx, wy)
		}
	}
}

func TestGrowCoversTheDistance(t *testing.T) {
	b := geom.Box{MinX: 160_000_000, MinY: 480_000_000, MaxX: 160_100_000, MaxY: 480_050_000}
	for _, m := range []float64{1, 100, 5000, 50000} {
		g := Grow(b, m)
		for _, c := range []struct{ from, to geom.Point }{
			{geom.Point{X: b.MaxX, Y: b.MaxY}, geom.Point{X: g.MaxX, Y: b.MaxY}},
			{geom.Point{X: b.MaxX, Y: b.MaxY}, geom.Point{X: b.MaxX, Y: g.MaxY}},
			{geom.Point{X: b.MinX, Y: b.MinY}, geom.Point{X: b.MinX, Y: g.MinY}},
		} {
			l := RulerAt(c.from)
			if d := l.Distance(c.to); d < m || d > m*1.04+0.1 {
				t.Errorf("grown by %g m: side is %.2f m away", m, d)
			}
		}
	}
}

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
		l := RulerAt(at())
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
