package geom

import (
	"math"
	"math/rand/v2"
	"testing"
)

// spiky is a ring of n corners around a place, of radii that jump.
func spiky(r *rand.Rand, x, y, size float64, n int) Ring {
	var ring Ring
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		d := size * (0.3 + 0.7*r.Float64())
		ring = append(ring, Point{X: int32(x + d*cos), Y: int32(y + d*sin)})
	}
	return ring
}

func onGrid(p Point) (x, y float64) { return float64(p.X), float64(p.Y) }

// Strip by strip the area is that of all pairs: of rings with holes, in parts, with long edges across all strips, and where
// one holds the other.
func TestCommonByStrips(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	wide := MultiPolygon{{Ring{{X: -9000, Y: -5}, {X: 9000, Y: -5}, {X: 9000, Y: 5}, {X: -9000, Y: 5}}}}
	for round := range 12 {
		a := MultiPolygon{{spiky(r, 0, 0, 5000, 700), spiky(r, 0, 0, 1200, 90)}, {spiky(r, 8000, 1000, 900, 120)}}
		b := MultiPolygon{{spiky(r, float64(round*400), 700, 4000, 500)}}
		for _, pair := range [][2]MultiPolygon{{a, b}, {b, a}, {a, a}, {a, wide}, {b, {{spiky(r, 0, 0, 90_000, 300)}}}} {
			ca, cb := NewCover(pair[0], onGrid), NewCover(pair[1], onGrid)
			work := int64(1 << 40)
			got, ok := ca.CommonWithin(cb, &work)
			want := ca.Common(cb)
			if !ok || math.Abs(got-want) > 1e-9*max(1, ca.Area()+cb.Area()) || want == 0 {
				t.Fatalf("round %d: %v, %v, want %v", round, got, ok, want)
			}
		}
	}
}

// Many small ones against one of many edges, which is laid out once.
func TestCommonOfManySmallOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	large := NewCover(MultiPolygon{{spiky(r, 0, 0, 50_000, 3000), spiky(r, 0, 0, 12_000, 90)}, {comb(-80_000, -80_000, 400, 50, 30_000)}},
		onGrid)
	work := int64(1 << 40)
	sum := 0.0
	for range 600 {
		x, y := r.Float64()*160_000-90_000, r.Float64()*140_000-80_000
		small := NewCover(MultiPolygon{{spiky(r, x, y, 100+r.Float64()*4000, 3+r.IntN(100))}}, onGrid)
		got, ok := small.CommonWithin(large, &work)
		want := small.Common(large)
		if !ok || math.Abs(got-want) > 1e-9*max(1, small.Area()) {
			t.Fatalf("at %.0f, %.0f: %v %v, want %v", x, y, ok, got, want)
		}
		sum += want
	}
	if sum == 0 {
		t.Error("nothing was shared")
	}
}

// comb has teeth of a width that stand as far apart as they are wide.
func comb(x, y int32, teeth int, width, height int32) Ring {
	ring := Ring{{X: x, Y: y}, {X: x + int32(2*teeth)*width, Y: y}}
	for i := int32(teeth) - 1; i >= 0; i-- {
		left := x + 2*i*width
		ring = append(ring, Point{X: left + width, Y: y + height}, Point{X: left, Y: y + height}, Point{X: left, Y: y + 1})
		if i > 0 {
			ring = append(ring, Point{X: left - width, Y: y + 1})
		}
	}
	return ring
}

// BenchmarkCommonOfAComb is what 1,000 parcels share with a comb of 2,000 teeth.
func BenchmarkCommonOfAComb(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 9))
	var small []*Cover
	for range 1000 {
		small = append(small, NewCover(MultiPolygon{{spiky(r, r.Float64()*400_000, 10_000+r.Float64()*380_000, 3000, 12)}}, onGrid))
	}
	for b.Loop() {
		large, work := NewCover(MultiPolygon{{comb(0, 0, 2000, 100, 400_000)}}, onGrid), int64(1<<40)
		for _, c := range small {
			c.CommonWithin(large, &work)
		}
		b.ReportMetric(float64(1<<40-work), "looked-at")
	}
}

// Work that does not last is told, and rings without length cost nothing.
func TestCommonBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	a, b := NewCover(MultiPolygon{{spiky(r, 0, 0, 5000, 900)}}, onGrid), NewCover(MultiPolygon{{spiky(r, 100, 0, 5000, 900)}}, onGrid)
	for _, most := range []int64{0, 1, 500} {
		work := most
		if _, ok := a.CommonWithin(b, &work); ok {
			t.Errorf("%d pairs lasted", most)
		}
	}
	work := int64(1e6)
	if _, ok := a.CommonWithin(b, &work); !ok || work > 1e6-1000 || work < 1e6-900*900/2 {
		t.Errorf("%v, left %d", ok, work)
	}
	var none Cover
	work = 1
	if got, ok := none.CommonWithin(a, &work); got != 0 || !ok || work != 1 {
		t.Errorf("nothing in common: %v %v %d", got, ok, work)
	}
}
