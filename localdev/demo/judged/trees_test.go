package judged

import (
	"fmt"
	"math"
	"testing"

	"mappe/localdev/demo/scene"
	"mappe/shared/landscape/canopy"
)

// sceneOf is a scene of 1 km² with so many stems a hectare in its stands; 0: each stand has its own.
func sceneOf(t testing.TB, set string, n int, stems float64) *scene.Scene {
	t.Helper()
	seed, err := scene.Seed(set, "", n)
	if err != nil {
		t.Fatal(err)
	}
	o := scene.Default(seed, 1)
	o.Stems = stems
	s, err := scene.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// found are the trees that the service would give.
func found(list []canopy.Tree) (out []Found) {
	for i := range list {
		if t := &list[i]; !t.Class.Rejected() && t.Likelihood >= 0.35 {
			out = append(out, Found{t.X, t.Y, t.Height, t.Leaf == canopy.Coniferous})
		}
	}
	return out
}

// The trees of scenes that nothing was fitted to are found to the aims of the service, with and without footprints.
func TestTreesOfScenes(t *testing.T) {
	for _, c := range []struct{ stems, least float64 }{{250, 0.80}, {600, 0.68}} {
		for n := range 1 {
			s := sceneOf(t, "gate", n, c.stems)
			for _, footprints := range []bool{true, false} {
				r := OfTrees(s, 2, 3, Inner(s), found(canopy.Find(Layers(s, 2, footprints), s.Bounds(), canopy.Default())))
				t.Logf("%g stems, scene %d, footprints %v: recall %.3f, precision %.3f, F1 %.3f, heights %+.2f m, sd %.2f, leaf type right %.3f of %d", c.stems, n, footprints,
					r.Recall(), r.Precision(), r.F1(), r.Bias, r.SD, float64(r.LeafRight)/float64(r.Matched), r.Truth)
				if r.F1() < c.least || math.Abs(r.Bias) > 0.3 || r.Truth < 1000 {
					t.Errorf("%g stems, scene %d, footprints %v: F1 %.3f, expected at least %.2f; heights %+.2f m, expected at most 0.3",
						c.stems, n, footprints, r.F1(), c.least, r.Bias)
				}
			}
		}
	}
}

// A detector that finds every cell, or nothing, or trees at random, scores what it should.
func TestTheJudge(t *testing.T) {
	s := sceneOf(t, "gate", 5, 250)
	trees, _ := s.Owned(0, 0)
	var perfect, shifted []Found
	for _, x := range trees {
		if x.Stands(2) && x.Height[2] >= 3 && !x.Understorey {
			perfect = append(perfect, Found{x.Apex.X, x.Apex.Y, x.Height[2], x.Species.Conifer()})
			shifted = append(shifted, Found{x.Apex.X + 40, x.Apex.Y, x.Height[2] + 100, false})
		}
	}
	if r := OfTrees(s, 2, 3, Inner(s), perfect); r.F1() < 0.99 || r.Bias != 0 || r.LeafRight != r.Matched {
		t.Errorf("the truth itself: F1 %.3f, heights %g, %d of %d leaf types", r.F1(), r.Bias, r.LeafRight, r.Matched)
	}
	if r := OfTrees(s, 2, 3, Inner(s), shifted); r.Matched != 0 || r.F1() != 0 {
		t.Errorf("trees that do not exist: %d matched", r.Matched)
	}
	if r := OfTrees(s, 2, 3, Inner(s), nil); r.Truth == 0 || r.F1() != 0 || r.Precision() != 0 {
		t.Errorf("nothing: %+v", fmt.Sprint(r.Truth, r.F1()))
	}
	twice := append(append([]Found{}, perfect...), perfect...)
	if r := OfTrees(s, 2, 3, Inner(s), twice); r.Precision() > 0.52 || r.Recall() < 0.99 {
		t.Errorf("each tree twice: precision %.3f, recall %.3f", r.Precision(), r.Recall())
	}
}

// What was felled between two dates is told, and little else.
func TestFelledTrees(t *testing.T) {
	var planted, told, right, standing int
	for n := range 2 {
		s := sceneOf(t, "gate", n, 300)
		before, after := Layers(s, 0, true), Layers(s, 2, true)
		p := canopy.Default()
		p.MinHeight = 5
		var kept [2][]canopy.Tree
		for i, l := range []canopy.Layers{before, after} {
			for _, x := range canopy.Find(l, s.Bounds(), p) {
				if !x.Class.Rejected() && x.Likelihood >= 0.35 {
					kept[i] = append(kept[i], x)
				}
			}
		}
		type at struct{ x, y float64 }
		var gone []at
		trees, _ := s.Owned(0, 0)
		for _, x := range trees {
			if x.Stands(0) && !x.Stands(2) && x.Height[0] >= 4 {
				gone = append(gone, at{x.Apex.X, x.Apex.Y})
				if x.Height[0] >= 8 && !x.Understorey {
					planted++
				}
			}
		}
		used := make([]bool, len(gone))
		for _, c := range canopy.Pairs(kept[0], kept[1], before, after, Inner(s)) {
			if c.Status != canopy.Felled {
				standing++
				continue
			}
			told++
			for i, g := range gone {
				if math.Hypot(c.X-g.x, c.Y-g.y) <= 4 {
					right++
					used[i] = true
					break
				}
			}
		}
	}
	t.Logf("%d trees of 8 m and more felled, %d told, %d of these within 4 m of one; %d stand", planted, told, right, standing)
	if planted < 40 || float64(right) < 0.8*float64(told) || told < planted/2 {
		t.Errorf("%d trees felled, %d told, %d of these right", planted, told, right)
	}
}

func BenchmarkTrees(b *testing.B) {
	s := sceneOf(b, "gate", 0, 400)
	l := Layers(s, 2, true)
	b.ResetTimer()
	n := 0
	for range b.N {
		n = len(canopy.Find(l, s.Bounds(), canopy.Default()))
	}
	b.ReportMetric(float64(n), "trees")
}
