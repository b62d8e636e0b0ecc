package index

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFirst holds the selection against a stable sort of all: many equal keys, missing ones, some left out.
func TestFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 2000 {
		n, most, up := rng.IntN(400), rng.IntN(90), rng.IntN(2) == 0
		keys, out := make([]float64, n), make([]bool, n)
		for i := range keys {
			keys[i] = float64(rng.IntN(1 + rng.IntN(300)))
			if rng.IntN(8) == 0 {
				keys[i] = math.NaN()
			}
			out[i] = rng.IntN(5) == 0
		}
		var want []int32
		for i := range keys {
			if !out[i] {
				want = append(want, int32(i))
			}
		}
		slices.SortStableFunc(want, func(a, b int32) int {
			x, y := keys[a], keys[b]
			switch {
			case math.IsNaN(x) && math.IsNaN(y):
				return 0
			case math.IsNaN(x):
				return 1
			case math.IsNaN(y):
				return -1
			case up:
				return cmp.Compare(x, y)
			}
			return cmp.Compare(y, x)
		})
		got, total := first(n, most, func(i int) (float64, bool) { return keys[i], !out[i] }, numbers(up))
		if all := want; total != len(all) {
			t.Fatalf("round %d: %d in all; expected %d", round, total, len(all))
		}
		if want = want[:min(most, len(want))]; !slices.Equal(got, want) {
			t.Fatalf("round %d, the first %d of %d, rising %v: %v; expected %v", round, most, n, up, got, want)
		}
	}
}

func TestFirstTexts(t *testing.T) {
	names := []string{"b", "", "a", "b", "c", ""}
	for _, c := range []struct {
		up   bool
		want []int32
	}{{true, []int32{2, 0, 3, 4, 1, 5}}, {false, []int32{4, 0, 3, 2, 1, 5}}} {
		got, _ := first(len(names), len(names), func(i int) (string, bool) { return names[i], true }, texts(c.up))
		if !slices.Equal(got, c.want) {
			t.Errorf("rising %v: %v; expected %v", c.up, got, c.want)
		}
	}
}
