//go:build cgo

package hexgrid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	h3 "github.com/uber/h3-go/v4"

	"mappe/infra/oracles"
	"mappe/shared/geo/geom"
)

// star is a polygon around a position, with a hole, of a radius in degrees.
func star(rnd *rand.Rand, c LatLng, radius float64) geom.Polygon {
	ring := func(scale float64, ccw bool) geom.Ring {
		var r geom.Ring
		n := 12 + rnd.IntN(40) // so that no side comes near the hole
		for i := range n {
			a := 2 * math.Pi * (float64(i) + 0.8*rnd.Float64()) / float64(n)
			d := radius * scale * (0.6 + 0.4*rnd.Float64())
			r = append(r, LatLng{c.Lat + d*math.Sin(a), c.Lng + 1.5*d*math.Cos(a)}.point())
		}
		r.Orient(ccw)
		return r
	}
	return geom.Polygon{ring(1, true), ring(0.3, false)}
}

func h3Polygon(p geom.Polygon) h3.GeoPolygon {
	loop := func(r geom.Ring) (out h3.GeoLoop) {
		for _, v := range r {
			out = append(out, h3.NewLatLng(v.Lat(), v.Lon()))
		}
		return out
	}
	g := h3.GeoPolygon{GeoLoop: loop(p[0])}
	for _, h := range p[1:] {
		g.Holes = append(g.Holes, loop(h))
	}
	return g
}

// closeTo says whether a point lies within two units of the polygon's border.
func closeTo(p geom.Polygon, q geom.Point) bool {
	for _, r := range p {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			if geom.SegmentDistance2(float64(a.X)-float64(q.X), float64(a.Y)-float64(q.Y), float64(b.X)-float64(q.X),
				float64(b.Y)-float64(q.Y)) < 4 {
				return true
			}
		}
	}
	return false
}

func TestPolygonsHaveH3sCells(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 1))
	total := 0
	for n := range oracles.Rounds(t, 40) {
		res := int(n % 13)
		at, radius := inAustria(rnd), (200+600*rnd.Float64())*math.Pow(7, -float64(res)/2)
		if n%3 == 0 {
			at = LatLng{120*rnd.Float64() - 60, 240*rnd.Float64() - 120}
		}
		if n%6 == 0 { // a pentagon and cells that bend
			p, _ := Pentagons(res)
			at, _ = p[1+rnd.IntN(10)].LatLng()
			at.Lng = max(-140, min(140, at.Lng))
		}
		p := star(rnd, at, min(radius, 15))
		got, err := PolygonToCells(geom.MultiPolygon{p}, res, 1<<20)
		if err != nil || !slices.IsSorted(got) {
			t.Fatalf("%v, sorted %v", err, slices.IsSorted(got))
		}
		want, err := h3.PolygonToCellsExperimental(h3Polygon(p), res, h3.ContainmentCenter)
		if err != nil {
			t.Fatal(err)
		}
		total += len(want)
		odd := map[Cell]int{}
		for _, c := range got {
			odd[c]++
		}
		for _, c := range want {
			odd[Cell(c)]--
		}
		for c, k := range odd {
			if centre, _ := c.LatLng(); k != 0 && !closeTo(p, centre.point()) {
				t.Fatalf("%v at resolution %d, %d degrees around %v: %+d", c, res, int(radius), at, k)
			}
		}
	}
	if total < 10000 {
		t.Fatalf("%d cells say little", total)
	}
}
