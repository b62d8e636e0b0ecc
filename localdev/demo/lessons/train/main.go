// The train program trains the model of the demo country from made-up scenes and writes it to artefacts/classifier/scenes, from which
// the demo country and the worlds of tests have it: minutes that nobody waits for twice. It is run anew when the figures of segments,
// the scenes or the training change; a test says so.
//
//	go run ./localdev/demo/lessons/train [-scenes 14] [-trees 60] [-samples FILE]
package main

import (
	"context"
	"encoding/gob"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"mappe/artefacts/classifier/scenes"
	"mappe/builders/landscape"
	"mappe/localdev/demo/lessons"
)

func main() {
	count := flag.Int("scenes", lessons.Scenes, "made-up scenes of 1 km² to train from")
	o := lessons.Options()
	flag.IntVar(&o.Trees, "trees", o.Trees, "trees of the forest")
	flag.IntVar(&o.Depth, "depth", o.Depth, "splits from the root to a leaf, at most")
	flag.IntVar(&o.Leaf, "leaf", o.Leaf, "objects in a leaf, at least")
	kept := flag.String("samples", "", "file that keeps the objects of the scenes for another run")
	out := flag.String("out", scenes.File, "file of the model")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *count, o, *kept, *out); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, count int, o landscape.Options, kept, out string) error {
	s, err := samples(ctx, count, kept)
	if err != nil {
		return err
	}
	t, err := landscape.Train(ctx, s, o)
	if err != nil {
		return err
	}
	b, err := t.Encode()
	if err != nil {
		return err
	}
	h := t.Header
	fmt.Printf("%d objects, %d nodes, %d bytes; out of the bag %.3f right, macro-F1 %.3f, expected calibration error %.3f\n",
		h.Data.Rows, len(t.Forest.Nodes), len(b),
		h.OutOfBag.Accuracy, h.OutOfBag.MacroF1, h.Calibration.Error)
	return os.WriteFile(out, b, 0o644)
}

// samples takes the objects of scenes, or those that were kept.
func samples(ctx context.Context, count int, kept string) (*landscape.Samples, error) {
	if kept != "" {
		if f, err := os.Open(kept); err == nil {
			defer f.Close() // read only
			s := &landscape.Samples{}
			return s, gob.NewDecoder(f).Decode(s)
		}
	}
	s, err := lessons.Take(ctx, count, func(done, total int) { fmt.Printf("scene %d of %d\n", done, total) })
	if err != nil || kept == "" {
		return s, err
	}
	f, err := os.Create(kept)
	if err != nil {
		return nil, err
	}
	if err := gob.NewEncoder(f).Encode(s); err != nil {
		return nil, err
	}
	return s, f.Close()
}
