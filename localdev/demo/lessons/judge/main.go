// The judge program holds a model against made-up scenes that it was not trained from, and prints the tables of docs/landscape.md:
// classes by model and rules and by rules alone, without each layer, the confusion and the reliability of confidences.
//
//	go run ./localdev/demo/lessons/judge [-model FILE] [-set gate] [-word WORD] [-scenes 3]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"mappe/artefacts/classifier"
	"mappe/artefacts/classifier/scenes"
	"mappe/localdev/demo/judged"
	"mappe/localdev/demo/scene"
	"mappe/shared/landscape/forest"
	"mappe/shared/landscape/segment"
)

func main() {
	file := flag.String("model", scenes.File, "file of the model")
	set := flag.String("set", "gate", "set of scenes: tune, gate or sealed")
	word := flag.String("word", "", "word that sealed scenes are derived from")
	first := flag.Int("first", 0, "number of the first scene")
	count := flag.Int("scenes", 3, "scenes of 1 km²")
	flag.Parse()
	if err := run(*file, *set, *word, *first, *count); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func run(file, set, word string, first, count int) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	m, err := classifier.Decode(b)
	if err != nil {
		return err
	}
	model, err := m.OfSegments()
	if err != nil {
		return err
	}
	missing := judged.AllMissing()
	results := make([]judged.Classes, len(missing))
	for n := first; n < first+count; n++ {
		seed, err := scene.Seed(set, word, n)
		if err != nil {
			return err
		}
		s, err := scene.New(scene.Default(seed, 1))
		if err != nil {
			return err
		}
		source := judged.SegmentSource(s, 3-n%2, judged.Bare{})
		for i, l := range missing {
			if err := results[i].Add(context.Background(), s, l.From(source), model); err != nil {
				return err
			}
		}
	}
	print(missing, results)
	return nil
}

func print(missing []judged.Missing, results []judged.Classes) {
	fmt.Println("| missing | objects | right | macro-F1 | right by rules alone | macro-F1 by rules alone | told by the model | calibration error |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for i, r := range results {
		_, e := forest.Reliability(r.Cases, 10)
		fmt.Printf("| %s | %d | %.1f %% | %.3f | %.1f %% | %.3f | %.1f %% | %.3f |\n", missing[i].Name, len(r.Cases),
			100*r.Told.Right(), r.Told.MacroF1(1), 100*r.Rules.Right(),
			r.Rules.MacroF1(1), 100*float64(r.ByModel)/float64(len(r.Cases)), e)
	}
	classes := segment.Learnable()
	fmt.Print("\n| true, told |")
	for _, t := range classes {
		fmt.Printf(" %s |", t)
	}
	fmt.Println(" other | F1 | F1 by rules alone |")
	told, rules := results[0].Told, results[0].Rules
	f1 := func(c judged.Confusion, t segment.Type) float64 {
		for _, s := range c.Scores(1) {
			if s.Type == t {
				return s.F1
			}
		}
		return 0
	}
	for _, t := range classes {
		fmt.Printf("| %s |", t)
		for _, u := range classes {
			fmt.Printf(" %d |", told[[2]segment.Type{t, u}])
		}
		fmt.Printf(" %d | %.2f | %.2f |\n", told[[2]segment.Type{t, segment.Unclassified}], f1(told, t), f1(rules, t))
	}
	fmt.Println("\n| confidence | objects | mean confidence | right |")
	fmt.Println("|---|---|---|---|")
	points, _ := forest.Reliability(results[0].Cases, 10)
	for _, p := range points {
		if p.Cases > 0 {
			fmt.Printf("| %.1f to %.1f | %d | %.3f | %.3f |\n", p.From, p.To, p.Cases, p.Confidence, p.Right)
		}
	}
}
