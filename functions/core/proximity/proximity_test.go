package proximity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mappe/artefacts/library"
	"mappe/artefacts/proximity"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

func open(t testing.TB, c *proximity.Country) (*Nearby, *library.View, *storetest.Counting) {
	t.Helper()
	s := fixture.Store(t)
	if err := fixture.AddMap(s, c); err != nil {
		t.Fatal(err)
	}
	counting := &storetest.Counting{Store: s}
	v := fixture.View(t, counting)
	n, err := Of(t.Context(), v)
	if err != nil || n == nil {
		t.Fatal(n, err)
	}
	return n, v, counting
}

var _ store.Store = &storetest.Counting{}

// spread are features over a degree, so thin that the nearest is often some cells away.
func spread(n int) *proximity.Country {
	r := rand.New(rand.NewPCG(5, 6))
	c := &proximity.Country{}
	at := func() geom.Point {
		return geom.Point{X: 148_000_000 + r.Int32N(10_000_000), Y: 475_000_000 + r.Int32N(10_000_000)}
	}
	for range n {
		p := at()
		c.Lines = append(c.Lines, proximity.Line{Class: proximity.Class(r.IntN(27)),
			Vertices: []geom.Point{p, {X: p.X + r.Int32N(200_000), Y: p.Y + r.Int32N(200_000)}}})
		c.Points = append(c.Points, proximity.Point{Class: proximity.Class(30 + r.IntN(12)), At: at(), Population: -1})
	}
	return c
}

// One cell of osm-nearest, and in generations without it the search over rings of cells, finds what a look at every feature
// finds.
func TestSearchBesideAllFeatures(t *testing.T) {
	for _, n := range []int{3, 40, 400, 6000, -3, -40, -400} {
		c := spread(max(n, -n))
		near, _, _ := open(t, c)
		if n < 0 {
			near.nearest = nil
		}
		r := rand.New(rand.NewPCG(7, 8))
		for range 150 {
			p := geom.Point{X: 147_000_000 + r.Int32N(12_000_000), Y: 474_000_000 + r.Int32N(12_000_000)}
			s, err := near.At(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			ruler := crs.RulerAt(p)
			for name, x := range map[string]struct {
				proximity.Search
				got proximity.Hit
			}{
				"road": {proximity.Roads, s.Road}, "major": {proximity.Majors, s.MajorRoad}, "rail": {proximity.Rails, s.Rail},
				"water": {proximity.Waters, s.Water},
				"stop":  {proximity.Stops, s.Stop}, "station": {proximity.Stations, s.Station},
				"settlement": {proximity.Places, s.Settlement},
			} {
				want := math.Inf(1)
				for i := range c.Lines {
					if l := &c.Lines[i]; x.Set.Has(l.Class) {
						want = min(want, math.Sqrt(ruler.ToEdge2(l.Vertices[0], l.Vertices[1])))
					}
				}
				for i := range c.Points {
					if x.Set.Has(c.Points[i].Class) {
						want = min(want, ruler.Distance(c.Points[i].At))
					}
				}
				if want > x.Reach {
					want = math.Inf(1)
				}
				if got := x.got.Metres; !(math.Abs(got-want) < 1e-6) && got != want {
					t.Fatalf("%d features, %s of %v: want %.3f m, got %.3f m", n, name, p, want, got)
				}
			}
		}
	}
}

// The weights are those of the specification; what is not found counts as far.
func TestRemoteness(t *testing.T) {
	hit := func(m float64) proximity.Hit { return proximity.Hit{Metres: m} }
	none := proximity.None()
	for _, c := range []struct {
		s    Surroundings
		want float64
	}{
		{Surroundings{Road: hit(0), MajorRoad: hit(0), Stop: hit(0), Settlement: hit(0)}, 0},
		{Surroundings{Road: none, MajorRoad: none, Stop: none, Settlement: none}, 100},
		{Surroundings{Road: hit(2500), MajorRoad: hit(0), Stop: hit(0), Settlement: hit(0)}, 15},
		{Surroundings{Road: hit(0), MajorRoad: hit(20_000), Stop: hit(0), Settlement: hit(0)}, 15},
		{Surroundings{Road: hit(0), MajorRoad: hit(0), Stop: hit(5000), Settlement: hit(0)}, 15},
		{Surroundings{Road: hit(0), MajorRoad: hit(0), Stop: hit(0), Settlement: hit(30_000)}, 25},
	} {
		if got := c.s.Remoteness(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: want %g, got %g", c.s, c.want, got)
		}
	}
	if s := (Surroundings{Road: hit(17.8)}); !s.OnParcel(1000) || s.OnParcel(990) { // √(1000/π) is 17.84
		t.Error("road_on_parcel: want it from 996 m² on")
	}
}

// Boxes that divide a box give its features, each once.
func TestFeaturesOnce(t *testing.T) {
	n, _, _ := open(t, spread(400))
	box := geom.Box{MinX: 149_500_000, MinY: 478_500_000, MaxX: 150_500_000, MaxY: 479_500_000}
	all, err := n.In(t.Context(), box, ^proximity.Set(0))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, f := range all {
		key := fmt.Sprint(f.Point)
		if f.Line != nil {
			key = fmt.Sprint(*f.Line)
		}
		seen[key]++
	}
	for key, times := range seen {
		if times > 1 {
			t.Errorf("%s stands %d times", key, times)
		}
	}
	want := 0
	for _, l := range spread(400).Lines {
		if geom.Ring(l.Vertices).Bounds().Intersects(box) {
			want++
		}
	}
	for _, p := range spread(400).Points {
		if box.Contains(p.At) {
			want++
		}
	}
	if len(all) != want || want < 5 {
		t.Errorf("want %d features, got %d", want, len(all))
	}
}
