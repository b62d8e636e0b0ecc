package buffer

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

func square(lon, lat float64, metres float64) geom.MultiPolygon {
	c, _ := geom.PointAt(lon, lat)
	plane := crs.Around(c)
	var r geom.Ring
	for _, s := range [][2]float64{{-.5, -.5}, {.5, -.5}, {.5, .5}, {-.5, .5}} {
		p, _ := plane.Point(s[0]*metres, s[1]*metres)
		r = append(r, p)
	}
	return geom.MultiPolygon{{r}}
}

func TestGrow(t *testing.T) {
	m := square(15.44, 48.24, 100)
	for _, c := range []struct{ metres, want float64 }{
		{10, 100*100 + 4*100*10 + math.Pi*100},
		{-10, 80 * 80},
		{-50.1, 0},
		{0, 100 * 100},
		{1000, 100*100 + 4*100*1000 + math.Pi*1e6},
	} {
		g, err := Grow(m, c.metres)
		if err != nil {
			t.Fatal(err)
		}
		if f := g.Check(); len(f) > 0 {
			t.Errorf("%g m: %v", c.metres, f)
		}
		if got := g.Area(crs.EqualArea); math.Abs(got-c.want) > 0.008*c.want {
			t.Errorf("%g m: want %.0f m², got %.0f", c.metres, c.want, got)
		}
	}
}

func TestGrownHoldsWhatIsNear(t *testing.T) {
	m := square(11.4, 47.24, 60)
	m[0] = append(m[0], square(11.4, 47.24, 20)[0][0])
	m.FixOrder()
	g, err := Grow(m, 25)
	if err != nil {
		t.Fatal(err)
	}
	box := g.Bounds()
	rapid.Check(t, func(t *rapid.T) {
		p := geom.Point{X: rapid.Int32Range(box.MinX-3000, box.MaxX+3000).Draw(t, "x"), Y: rapid.Int32Range(box.MinY-3000, box.MaxY+3000).Draw(t, "y")}
		plane := crs.Around(p)
		d := m.Distance(p, plane.Project)
		if math.Abs(d-25) > 0.3 && g.Contains(p) != (d < 25) {
			t.Fatalf("%v is %.2f m away, inside %v", p, d, g.Contains(p))
		}
	})
}

func TestRefused(t *testing.T) {
	m := square(11.4, 47.24, 60)
	for _, d := range []float64{math.NaN(), math.Inf(1), 100001, -100001} {
		if _, err := Grow(m, d); err == nil {
			t.Errorf("a buffer of %g m is accepted", d)
		}
		if _, err := Disc(m[0][0][0], math.Abs(d)); err == nil {
			t.Errorf("a radius of %g m is accepted", d)
		}
	}
	if g, err := Grow(nil, 10); err != nil || len(g) > 0 {
		t.Errorf("nothing grows to %v, %v", g, err)
	}
	if g, err := Grow(geom.MultiPolygon{{{{X: 1}, {X: 2}}}}, 10); err != nil || len(g) > 0 {
		t.Errorf("a line grows to %v, %v", g, err)
	}
}

func TestDisc(t *testing.T) {
	at, _ := geom.PointAt(16.37, 48.2)
	d, err := Disc(at, 500)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range d[0][0] {
		if got := crs.Distance(at, v); math.Abs(got-500) > 0.02 {
			t.Errorf("want 500 m, got %.3f", got)
		}
	}
	if !d.Contains(at) {
		t.Error("the centre is outside")
	}
}

func BenchmarkGrow(b *testing.B) {
	m := square(15.44, 48.24, 100)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Grow(m, 20); err != nil {
			b.Fatal(err)
		}
	}
}
