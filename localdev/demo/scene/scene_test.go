package scene

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"mappe/shared/geo/raster"
)

// made is a scene of a set's seed, altered.
func made(t testing.TB, set string, n, km2 int, alter func(*Options)) *Scene {
	t.Helper()
	seed, err := Seed(set, "", n)
	if err != nil {
		t.Fatal(err)
	}
	o := Default(seed, km2)
	if alter != nil {
		alter(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func digest(grids ...*raster.Grid) string {
	h := sha256.New()
	for _, g := range grids {
		b := make([]byte, 0, 4*len(g.Z))
		for _, z := range g.Z {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(z))
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// The same arguments give the same bytes, whatever the machine and the number of processors.
func TestBytesStayTheSame(t *testing.T) {
	const want, trees = "29a8fc4fbc237572", "9e688218a76a3850"
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := made(t, "gate", 1, 1, nil)
	var got []*raster.Grid
	for date := range Dates {
		dtm, dsm := s.Scan(0, 0, date)
		got = append(got, dtm, dsm)
	}
	if d := digest(got...); d != want {
		t.Errorf("digest of the six models %s, recorded %s", d, want)
	}
	h := sha256.Sum256(s.treeTable())
	if d := hex.EncodeToString(h[:8]); d != trees {
		t.Errorf("digest of the trees %s, recorded %s", d, trees)
	}
}

// A tile that is computed alone equals the tile of a larger scene.
func TestTilesDoNotDependOnTheScene(t *testing.T) {
	all := made(t, "gate", 2, 4, nil)
	alone := made(t, "gate", 2, 1, func(o *Options) {
		o.East, o.North = o.East+1, o.North+1
		o.Survey = all.Options().Survey
	})
	for date := range Dates {
		a, b := all.Tile(1, 1, date), alone.Tile(0, 0, date)
		if digest(a.DTM, a.DSM, a.Ground, a.Surface) != digest(b.DTM, b.DSM, b.Ground, b.Surface) {
			t.Errorf("date %s: the models differ", Dates[date])
		}
		if !slices.Equal(a.Classes, b.Classes) || !slices.Equal(a.Trees, b.Trees) {
			t.Errorf("date %s: classes or trees differ", Dates[date])
		}
	}
	if other, _ := made(t, "gate", 3, 1, nil).Scan(0, 0, 0); digest(other) == digest(all.Tile(0, 0, 0).DTM) {
		t.Error("another seed gives the same scene")
	}
}

// What a neighbour computes of a thing on the border fits: truth surfaces have no steps between tiles that the inner cells lack.
func TestTilesFit(t *testing.T) {
	s := made(t, "gate", 4, 2, nil)
	a, b := s.Tile(0, 0, 0), s.Tile(1, 0, 0)
	step, inner := 0.0, 0.0
	for r := range Side {
		step += math.Abs(float64(b.Ground.Z[r*Side] - a.Ground.Z[r*Side+Side-1]))
		inner += math.Abs(float64(b.Ground.Z[r*Side+1] - b.Ground.Z[r*Side]))
	}
	if step > 1.5*inner+1 {
		t.Errorf("heights differ by %.3f m across the border of tiles, %.3f beside it", step/Side, inner/Side)
	}
}

func TestSeeds(t *testing.T) {
	a, _ := Seed("tune", "", 1)
	b, _ := Seed("gate", "", 1)
	c, _ := Seed("sealed", "one", 1)
	d, _ := Seed("sealed", "two", 1)
	if a == b || b == c || c == d {
		t.Error("seeds of different sets are the same")
	}
	if _, err := Seed("sealed", "", 1); err == nil {
		t.Error("a sealed seed without a word")
	}
	if _, err := Seed("other", "", 1); err == nil {
		t.Error("a seed of no set")
	}
}

func TestOptionsOutOfBounds(t *testing.T) {
	for name, alter := range map[string]func(*Options){
		"no tile":            func(o *Options) { o.Cols = 0 },
		"too many":           func(o *Options) { o.Cols, o.Rows = 11, 11 },
		"outside of Europe":  func(o *Options) { o.East = 100 },
		"more than woodland": func(o *Options) { o.Forest = 1.1 },
		"too few trees":      func(o *Options) { o.Stems = 10 },
		"relief":             func(o *Options) { o.Relief = 2000 },
		"changes":            func(o *Options) { o.Events = 31 },
		"shift":              func(o *Options) { o.Survey.Shift[1].X = math.NaN() },
	} {
		o := Default(1, 1)
		alter(&o)
		if _, err := New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, c := range [][3]int{{1, 1, 1}, {2, 2, 1}, {4, 2, 2}, {6, 3, 2}, {25, 5, 5}, {7, 7, 1}} {
		if cols, rows := Box(c[0]); cols != c[1] || rows != c[2] {
			t.Errorf("%d km²: %d x %d", c[0], cols, rows)
		}
	}
}

// Drawn numbers have the moments they should have, and the functions that stand for those of the processor are right.
func TestNumbers(t *testing.T) {
	d := dice(7)
	n, sum, square := 200_000, 0.0, 0.0
	for range n {
		v := d.normal()
		sum, square = sum+v, square+v*v
	}
	if mean, sd := sum/float64(n), math.Sqrt(square/float64(n)); math.Abs(mean) > 0.01 || math.Abs(sd-1) > 0.01 {
		t.Errorf("normal numbers: mean %.4f, standard deviation %.4f", mean, sd)
	}
	for x := 0.01; x < 40; x *= 1.37 {
		if e := math.Abs(power(x, 1.7)/math.Pow(x, 1.7) - 1); e > 1e-11 {
			t.Errorf("%g to the power 1.7 is off by %g", x, e)
		}
		if e := math.Abs(cosine(x) - math.Cos(2*math.Pi*x)); e > 1e-10 {
			t.Errorf("cosine of %g turns is off by %g", x, e)
		}
		ax, ay := direction(x)
		if math.Abs(length(ax, ay)-1) > 1e-12 {
			t.Errorf("a direction of length %g", length(ax, ay))
		}
	}
}

// Bent coordinates and places are inverses.
func TestBentCoordinates(t *testing.T) {
	for n := range 20 {
		s := made(t, "gate", n, 1, nil)
		d := dice(n)
		for range 50 {
			x, y := 4550e3+d.between(0, 1000), 2700e3+d.between(0, 1000)
			u, v := s.layout.uv(x, y)
			if px, py := s.layout.xy(u, v); math.Hypot(px-x, py-y) > 1e-3 {
				t.Fatalf("seed %d: %g m off at %g, %g", n, math.Hypot(px-x, py-y), x, y)
			}
		}
	}
}

// Many ask one scene at once, more tiles than it keeps, and each gets what one who asks alone gets.
func TestManyAskAtOnce(t *testing.T) {
	bare := func(o *Options) { o.Forest = 0.05 }
	s, alone := made(t, "gate", 23, 2, bare), made(t, "gate", 23, 2, bare)
	var wait sync.WaitGroup
	for n := range 4 {
		wait.Go(func() {
			a, _ := s.Owned(n%2, 0)
			b := s.around(n%2, 0)
			if len(a) == 0 || len(b.trees) < len(a) {
				t.Errorf("tile %d: %d trees, with its surroundings %d", n%2, len(a), len(b.trees))
			}
		})
	}
	wait.Wait()
	for n := range 2 {
		a, _ := s.Owned(n, 0)
		b, _ := alone.Owned(n, 0)
		if !slices.EqualFunc(a, b, func(x, y Tree) bool { return x.ID == y.ID && x.Height == y.Height && x.Apex == y.Apex }) {
			t.Errorf("tile %d has other trees", n)
		}
	}
}
