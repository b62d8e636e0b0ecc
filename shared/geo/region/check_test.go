package region

import (
	"math"
	"math/rand/v2"
	"testing"

	"mappe/shared/geo/geom"
)

func TestCheckNamesTheCrossing(t *testing.T) {
	for _, c := range []struct {
		name string
		p    geom.Polygon
		want *Crossing
	}{
		{"square", geom.Polygon{ring(0, 0, 10, 0, 10, 10, 0, 10)}, nil},
		{"bow tie", geom.Polygon{ring(0, 0, 10, 10, 10, 0, 0, 30)}, &Crossing{8e-7, 8e-7}},
		{"touching itself at a vertex", geom.Polygon{ring(0, 0, 4, 4, 8, 0, 8, 8, 4, 4, 0, 8)}, nil},
		{"bow tie with equal wings", geom.Polygon{ring(0, 0, 10, 10, 10, 0, 0, 10)}, &Crossing{5e-7, 5e-7}},
		{"bow tie through a vertex", geom.Polygon{ring(0, 0, 5, 5, 10, 10, 10, 0, 5, 5, 0, 10)}, &Crossing{5e-7, 5e-7}},
		{"passing over an edge at a vertex", geom.Polygon{ring(0, 0, 10, 0, 10, 10, 5, 0, 8, -5, 0, -5)}, &Crossing{5e-7, 0}},
		{"touching an edge at a vertex", geom.Polygon{ring(0, 0, 10, 0, 10, 10, 5, 0, 0, 10)}, nil},
		{"hole crossing the exterior", geom.Polygon{ring(0, 0, 10, 0, 10, 10, 0, 10), ring(5, 5, 15, 5, 5, 8)}, &Crossing{10e-7, 7e-7}},
		{"hole outside", geom.Polygon{ring(0, 0, 10, 0, 10, 10, 0, 10), ring(15, 5, 18, 5, 15, 8)}, &Crossing{15e-7, 8e-7}},
		{"running along itself", geom.Polygon{ring(0, 0, 10, 0, 10, 5, 5, 5, 5, 0, 2, 0, 2, -5, 0, -5)}, &Crossing{2e-7, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, ok := Tidy(geom.MultiPolygon{c.p})
			if !ok {
				t.Fatal("no area left")
			}
			got, err := Check(m)
			if err != nil {
				t.Fatal(err)
			}
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("want %v, got %v", c.want, got)
			}
		})
	}
}

// What an independent library calls valid passes, and random rings that pass enclose the area that the
// even-odd rule gives.
func TestCheckAgainstIndependentValidity(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	valid, passed := 0, 0
	for range 20_000 {
		out := make(geom.Ring, 3+r.IntN(5))
		for k := range out {
			out[k] = geom.Point{X: r.Int32N(7), Y: r.Int32N(7)}
		}
		m, ok := Tidy(geom.MultiPolygon{{out}})
		if !ok {
			continue
		}
		c, err := Check(m)
		if err != nil {
			t.Fatal(err)
		}
		if toSF(m).Validate() == nil {
			if valid++; c != nil {
				t.Fatalf("%v is valid, yet a crossing is found at %v", m, *c)
			}
		}
		if c != nil {
			continue
		}
		passed++
		// The signed area of a ring that does not cross itself is the area its even-odd rule covers; count
		// the unit cells' quarters by their middles.
		n := 0
		for x := range 28 {
			for y := range 28 {
				if scaled(m, 1000).Place(geom.Mid{X: int64(2*x+1) * 1000 / 4, Y: int64(2*y+1)*1000/4 + 1}) == geom.Inside {
					n++
				}
			}
		}
		if got, want := float64(n)/16, m[0][0].Area2().Float()/2; math.Abs(got-want) > 2.5 {
			t.Fatalf("%v passed with a signed area of %g, but covers about %g", m, want, got)
		}
	}
	if valid < 1000 || passed <= valid {
		t.Fatalf("the cases are too alike: %d valid, %d passed", valid, passed)
	}
}

func scaled(m geom.MultiPolygon, f int32) geom.MultiPolygon {
	r := make(geom.Ring, len(m[0][0]))
	for i, p := range m[0][0] {
		r[i] = geom.Point{X: p.X * f, Y: p.Y * f}
	}
	return geom.MultiPolygon{{r}}
}

func TestTidyDropsSpikesAndTurnsRings(t *testing.T) {
	m, ok := Tidy(geom.MultiPolygon{{ring(0, 0, 0, 10, 10, 10, 10, 5, 20, 5, 10, 5, 10, 0, 10, 0, 0, 0)}})
	if !ok || len(m[0][0]) != 5 {
		t.Fatalf("want 5 vertices (the foot of the spike stays), got %v", m)
	}
	if a := m[0][0].Area2().Float(); a != 200 {
		t.Errorf("want a counter-clockwise exterior of twice 100, got %g", a)
	}
	if _, ok := Tidy(geom.MultiPolygon{{ring(0, 0, 10, 10, 20, 20)}}); ok { // a spike and nothing else
		t.Error("a line passed as a polygon")
	}
}

// wheel has n narrow teeth that do not cross.
func wheel(n int, inner, outer float64) geom.MultiPolygon {
	r := make(geom.Ring, 0, n)
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		d := inner
		if i%2 == 1 {
			d = outer
		}
		r = append(r, geom.Point{X: 160_000_000 + int32(d*math.Cos(a)), Y: 480_000_000 + int32(d*math.Sin(a))})
	}
	return geom.MultiPolygon{{r}}
}

func BenchmarkCheckHundredThousandVertices(b *testing.B) {
	for _, c := range []struct {
		name string
		m    geom.MultiPolygon
	}{{"outline", wheel(100_000, 9_990_000, 10_000_000)}, {"teeth", wheel(100_000, 5_000_000, 10_000_000)}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				m, _ := Tidy(c.m)
				if _, err := Check(m); err != nil && err != ErrWork {
					b.Fatal(err)
				}
			}
		})
	}
}
