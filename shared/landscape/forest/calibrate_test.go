package forest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// guesses are cases whose probability of being right is a curve of their share.
func guesses(seed uint64, n int, curve func(float64) float64) []Case {
	rng := rand.New(rand.NewPCG(seed, 5))
	out := make([]Case, n)
	for i := range out {
		s := rng.Float64()
		out[i] = Case{s, rng.Float64() < curve(s)}
	}
	return out
}

// Shares that promise too little or too much become probabilities that hold on other cases.
func TestIsotonic(t *testing.T) {
	for name, curve := range map[string]func(float64) float64{
		"modest":   math.Sqrt,
		"boastful": func(s float64) float64 { return s * s },
		"flat":     func(float64) float64 { return 0.6 },
		"a step": func(s float64) float64 {
			if s < 0.4 {
				return 0.2
			}
			return 0.9
		},
	} {
		c, err := Isotonic(guesses(1, 20000, curve), 100)
		if err != nil || c.Check() != nil {
			t.Fatal(name, err, c.Check())
		}
		fresh := guesses(2, 20000, curve)
		_, before := Reliability(fresh, 10)
		for i := range fresh {
			fresh[i].Share = c.At(fresh[i].Share)
		}
		_, after := Reliability(fresh, 10)
		if after > 0.03 || before < 0.05 {
			t.Errorf("%s: expected error %.3f, %.3f before", name, after, before)
		}
	}
}

// The pooled curve is the nearest of all rising ones: no other set of levels on a small sample has a smaller squared error.
func TestIsotonicIsNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 40 {
		cases := make([]Case, 6)
		for i := range cases {
			cases[i] = Case{float64(i) / 6, rng.IntN(2) == 0}
		}
		c, err := Isotonic(cases, 1)
		if err != nil {
			t.Fatal(err)
		}
		level := func(s float64) float64 { // of its pool, not on the line between pools
			sum := 0
			for _, k := range c {
				if sum += k.Cases; s < float64(sum)/6-1e-9 {
					return k.Right
				}
			}
			return c[len(c)-1].Right
		}
		got := 0.0
		for _, x := range cases {
			got += squared(x, level(x.Share))
		}
		levels := []float64{0, 0.2, 0.25, 1.0 / 3, 0.4, 0.5, 0.6, 2.0 / 3, 0.75, 0.8, 1}
		best := math.Inf(1)
		var try func(i, from int, sum float64)
		try = func(i, from int, sum float64) {
			if i == len(cases) {
				best = min(best, sum)
				return
			}
			for k := from; k < len(levels); k++ {
				try(i+1, k, sum+squared(cases[i], levels[k]))
			}
		}
		try(0, 0, 0)
		if got > best+1e-9 {
			t.Fatalf("%v: squared error %g, the best is %g: %v", cases, got, best, c)
		}
	}
}

func squared(c Case, p float64) float64 {
	if c.Right {
		p = 1 - p
	}
	return p * p
}

func TestReliability(t *testing.T) {
	points, expected := Reliability([]Case{{0.1, false}, {0.1, true}, {0.9, true}, {1, true}, {math.NaN(), true}}, 2)
	if len(points) != 2 || points[0].Cases != 2 || points[0].Right != 0.5 || points[1].Confidence != 0.95 || points[1].Right != 1 {
		t.Errorf("%+v", points)
	}
	if want := (2*0.4 + 2*0.05) / 4; math.Abs(expected-want) > 1e-12 {
		t.Errorf("expected error %g, expected %g", expected, want)
	}
	if _, err := Isotonic(nil, 1); err == nil {
		t.Error("nothing was calibrated")
	}
	c := Curve{{0.2, 0.3, 5}, {0.6, 0.9, 5}}
	if c.At(0) != 0.3 || c.At(1) != 0.9 || math.Abs(c.At(0.4)-0.6) > 1e-12 || !math.IsNaN(c.At(math.NaN())) {
		t.Errorf("%g %g %g", c.At(0), c.At(1), c.At(0.4))
	}
}
