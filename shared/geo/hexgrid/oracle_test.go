//go:build cgo

package hexgrid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	h3 "github.com/uber/h3-go/v4"

	"mappe/infra/oracles"
)

// The judge is uber/h3-go, H3's own C behind cgo.

func h3Of(p LatLng) h3.LatLng { return h3.NewLatLng(p.Lat, p.Lng) }

// anywhere is a position spread evenly over the sphere.
func anywhere(rnd *rand.Rand) LatLng {
	return LatLng{math.Asin(2*rnd.Float64()-1) / radian, 360*rnd.Float64() - 180}
}

// inAustria is a position in the box around the country.
func inAustria(rnd *rand.Rand) LatLng {
	return LatLng{46.3 + 2.8*rnd.Float64(), 9.5 + 7.7*rnd.Float64()}
}

// judgeCell compares everything about one cell but its neighbours.
func judgeCell(t *testing.T, c Cell) {
	t.Helper()
	j := h3.Cell(c)
	if !c.IsValid() || !j.IsValid() || c.IsPentagon() != j.IsPentagon() || c.String() != j.String() ||
		c.Resolution() != j.Resolution() || c.BaseCell() != j.BaseCellNumber() {
		t.Fatalf("%v: valid, pentagon, resolution or base cell differ", c)
	}
	got, err := c.LatLng()
	want, _ := j.LatLng()
	if err != nil || !near(got, want) {
		t.Fatalf("%v: centre %v, H3 %v, %v", c, got, want, err)
	}
	border, err := c.Boundary()
	judge, _ := j.Boundary()
	if err != nil || !slices.EqualFunc(border, judge, near) {
		t.Fatalf("%v: boundary\n%v, H3\n%v, %v", c, border, judge, err)
	}
}

// near says whether two positions are within 1e-9 radians.
func near(a LatLng, b h3.LatLng) bool {
	u, v := a.vec(), LatLng{b.Lat, b.Lng}.vec()
	return math.Abs(u.x-v.x) < 1e-9 && math.Abs(u.y-v.y) < 1e-9 && math.Abs(u.z-v.z) < 1e-9
}

// judgePosition compares the cell of a position and everything about it.
func judgePosition(t *testing.T, p LatLng, res int) {
	t.Helper()
	got, err := LatLngToCell(p, res)
	if want, _ := h3.LatLngToCell(h3Of(p), res); err != nil || got != Cell(want) {
		t.Fatalf("%v at %d: %v, H3 %v, %v", p, res, got, want, err)
	}
	judgeCell(t, got)
}

func TestPositionsHaveH3sCells(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	seen := 0
	for n := range oracles.Rounds(t, 2000) {
		for res := range MaxResolution + 1 {
			p := anywhere(rnd)
			if n%2 == 0 && res >= 7 && res <= 12 {
				p = inAustria(rnd)
			}
			judgePosition(t, p, res)
			seen++
		}
	}
	t.Logf("%d positions", seen)
}

func TestCoarseCellsAreH3s(t *testing.T) {
	finest := 3
	if oracles.Soak(t) > 0 {
		finest = 5
	}
	for base := range BaseCells() {
		for res := range finest + 1 {
			for c := range base.Children(res) {
				judgeCell(t, c)
			}
		}
	}
}

// All cells of resolution 7 in the box around Austria, and for each a position in it at the finer ones.
func TestAustriaIsH3s(t *testing.T) {
	rnd := rand.New(rand.NewPCG(10, 1))
	seen := 0
	for d := range cellOf(0, 15, 0).Children(7) { // of 823,543, of which the box has a twentieth
		p, _ := d.LatLng()
		if p.Lat < 46.3 || p.Lat > 49.1 || p.Lng < 9.5 || p.Lng > 17.2 {
			continue
		}
		seen++
		judgeCell(t, d)
		if rnd.IntN(8) > 0 && oracles.Soak(t) == 0 {
			continue
		}
		judgeDisk(t, d, 1)
		for res := 8; res <= 12; res++ {
			q := LatLng{p.Lat + 0.01*(rnd.Float64()-0.5), p.Lng + 0.01*(rnd.Float64()-0.5)}
			judgePosition(t, q, res)
		}
	}
	if seen < 30000 {
		t.Errorf("%d cells are not all of Austria", seen)
	}
}

// aroundPentagons yields cells up to four steps from each pentagon of each resolution.
func aroundPentagons(t *testing.T, yield func(Cell)) {
	for res := range MaxResolution + 1 {
		pentagons, err := Pentagons(res)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pentagons {
			disk, err := h3.Cell(p).GridDisk(4)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range disk {
				yield(Cell(c))
			}
		}
	}
}

func TestCellsAroundPentagonsAreH3s(t *testing.T) {
	aroundPentagons(t, func(c Cell) {
		judgeCell(t, c)
		p, _ := c.LatLng()
		if got, err := LatLngToCell(p, c.Resolution()); err != nil || got != c {
			t.Fatalf("the centre of %v lies in %v, %v", c, got, err)
		}
	})
}

// judgeDisk compares the rings of a disk as sets.
func judgeDisk(t *testing.T, c Cell, k int) {
	t.Helper()
	got, err := c.GridDiskDistances(k)
	want, _ := h3.Cell(c).GridDiskDistances(k)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %d steps: %d rings, H3 %d, %v", c, k, len(got), len(want), err)
	}
	for n := range want {
		var judge []Cell
		for _, w := range want[n] {
			if w != 0 { // h3-go leaves a gap beside a pentagon
				judge = append(judge, Cell(w))
			}
		}
		mine := slices.Sorted(slices.Values(got[n]))
		slices.Sort(judge)
		if !slices.Equal(mine, judge) {
			t.Fatalf("%v: ring %d is\n%v, H3\n%v", c, n, mine, judge)
		}
	}
}

func TestDisksAreH3s(t *testing.T) {
	aroundPentagons(t, func(c Cell) { judgeDisk(t, c, 2) })
	for base := range BaseCells() {
		for res := range 3 {
			for c := range base.Children(res) {
				judgeDisk(t, c, 2)
			}
		}
	}
	rnd := rand.New(rand.NewPCG(2, 1))
	for n := range oracles.Rounds(t, 300) {
		for res := range MaxResolution + 1 {
			p := anywhere(rnd)
			if n%2 == 0 {
				p = inAustria(rnd)
			}
			c, err := LatLngToCell(p, res)
			if err != nil {
				t.Fatal(err)
			}
			judgeDisk(t, c, int(n%7))
		}
	}
}

// Positions a hair beside a cell's border, so that rounding is tried where it decides: a thousandth to a
// hundred-thousandth of the cell's size, which at resolution 15 is a thousand times the error of a float.
func TestPositionsAtBordersHaveH3sCells(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	for range oracles.Rounds(t, 300) {
		for res := range MaxResolution + 1 {
			c, err := LatLngToCell(anywhere(rnd), res)
			if err != nil {
				t.Fatal(err)
			}
			border, _ := c.Boundary()
			for k, b := range border {
				n, f := border[(k+1)%len(border)], rnd.Float64()
				off := math.Copysign(math.Pow(10, -5+2*rnd.Float64()), rnd.Float64()-0.5)
				dx, dy := n.Lat-b.Lat, n.Lng-b.Lng
				p := LatLng{b.Lat + f*dx - off*dy, b.Lng + f*dy + off*dx}
				got, err := LatLngToCell(p, res)
				want, _ := h3.LatLngToCell(h3Of(p), res)
				if err != nil || got != Cell(want) {
					t.Fatalf("%v at %d: %v, H3 %v, %v", p, res, got, want, err)
				}
			}
		}
	}
}

// Random bits, and valid cells with a bit changed.
func TestValidityIsH3s(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 1))
	valid := 0
	for range oracles.Rounds(t, 20000) {
		c, err := LatLngToCell(anywhere(rnd), rnd.IntN(16))
		if err != nil {
			t.Fatal(err)
		}
		if rnd.IntN(4) == 0 {
			p, _ := Pentagons(rnd.IntN(16))
			c = p[rnd.IntN(12)]
		}
		for _, c := range []Cell{c, c ^ 1<<rnd.IntN(64), c ^ 1<<rnd.IntN(64) ^ 1<<rnd.IntN(64), Cell(rnd.Uint64())} {
			if got, want := c.IsValid(), h3.Cell(c).IsValid(); got != want {
				t.Fatalf("%x: valid %v, H3 %v", uint64(c), got, want)
			} else if got {
				valid++
			}
		}
	}
	if valid < 30000 {
		t.Errorf("%d valid cells", valid)
	}
}
