// Command trees holds the search for single trees beside the methods that foresters use most, on made-up square kilometres with known
// trees: local maxima of the canopy model in a fixed or a growing window (lmf) and crowns grown from them (Dalponte and Coomes 2016), by
// the formulae that the R package lidR documents, written anew here. Both are judged alike (localdev/demo/judged).
//
//	go run ./infra/bench/trees
//	go run ./infra/bench/trees -set sealed -word mine -scenes 4
package main

import (
	"flag"
	"fmt"
	"math"
	"os"

	"mappe/infra/bench/cputime"
	"mappe/localdev/demo/judged"
	"mappe/localdev/demo/scene"
	"mappe/shared/landscape/canopy"
)

func main() {
	set := flag.String("set", "gate", "set of the scenes: tune, gate or sealed")
	word := flag.String("word", "", "word that sealed scenes are drawn from")
	scenes := flag.Int("scenes", 2, "scenes of each density")
	flag.Parse()
	if err := run(*set, *word, *scenes); err != nil {
		fmt.Fprintln(os.Stderr, "trees:", err)
		os.Exit(1)
	}
}

// least is the height that trees count from, metres.
const least = 3

// method is a way to find trees in the layers of a date.
type method struct {
	name string
	find func(l canopy.Layers, s *scene.Scene) []tree
}

// tree is a found tree with the area of its crown, m².
type tree struct {
	judged.Found
	crown float64
}

// methods are the service's own, and the peers' with the windows that their documentation shows.
func methods() []method {
	return []method{
		{"Mappe, /v2/trees", own},
		{"lmf 3 m, dalponte2016", peer(func(float64) float64 { return 3 })},
		{"lmf 5 m, dalponte2016", peer(func(float64) float64 { return 5 })},
		{"lmf 0.1 h + 3 m, dalponte2016", peer(func(h float64) float64 { return 0.1*h + 3 })},
		{"lmf 0.07 h + 2 m, dalponte2016", peer(func(h float64) float64 { return 0.07*h + 2 })},
	}
}

func own(l canopy.Layers, s *scene.Scene) (out []tree) {
	for _, t := range canopy.Find(l, s.Bounds(), canopy.Default()) {
		if !t.Class.Rejected() && t.Likelihood >= 0.35 {
			out = append(out, tree{judged.Found{X: t.X, Y: t.Y, Height: t.Height, Conifer: t.Leaf == canopy.Coniferous}, t.CrownArea})
		}
	}
	return out
}

// tally sums over scenes.
type tally struct {
	truth, found, matched int
	bias                  float64 // of heights, sum over pairs
	crowns, areas         float64 // of pairs: sum of found less true crown areas, of true ones
	seconds               float64
}

func run(set, word string, scenes int) error {
	fmt.Println("| trees a hectare | method | recall | precision | F1 | heights, mean | crown areas, all pairs | CPU s a km² |\n|---|---|---|---|---|---|---|---|")
	for _, stems := range []float64{250, 600} {
		sums := make([]tally, len(methods()))
		for n := range scenes {
			seed, err := scene.Seed(set, word, n)
			if err != nil {
				return err
			}
			o := scene.Default(seed, 1)
			o.Stems = stems
			s, err := scene.New(o)
			if err != nil {
				return err
			}
			layers := judged.Layers(s, 2, true)
			for i, m := range methods() {
				sums[i].add(s, layers, m)
			}
		}
		for i, m := range methods() {
			t := &sums[i]
			fmt.Printf("| %g | %s | %.3f | %.3f | %.3f | %+.2f m | %+.0f %% | %.2f |\n", stems, m.name, ratio(t.matched, t.truth),
				ratio(t.matched, t.found),
				2*float64(t.matched)/float64(t.truth+t.found), t.bias/float64(max(t.matched, 1)), 100*t.crowns/math.Max(t.areas, 1),
				t.seconds/float64(scenes))
		}
	}
	return nil
}

func ratio(a, b int) float64 { return float64(a) / float64(max(b, 1)) }

// add finds the trees of a scene and holds them to the truth.
func (t *tally) add(s *scene.Scene, l canopy.Layers, m method) {
	began := cputime.Used()
	list := m.find(l, s)
	t.seconds += (cputime.Used() - began).Seconds()
	found := make([]judged.Found, len(list))
	for i := range list {
		found[i] = list[i].Found
	}
	r := judged.OfTrees(s, 2, least, judged.Inner(s), found)
	t.truth, t.found, t.matched = t.truth+r.Truth, t.found+r.Found, t.matched+r.Matched
	t.bias += r.Bias * float64(r.Matched)
	for _, p := range r.Pairs {
		area := math.Pi * p.Tree.Radius[2] * p.Tree.Radius[2]
		t.crowns, t.areas = t.crowns+list[p.Found].crown-area, t.areas+area
	}
}
