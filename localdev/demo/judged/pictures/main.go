// Command pictures draws what the landscape service finds in a made-up square kilometre beside its truth, for docs/landscape.md:
// slopes beside those of gdaldem, changes, objects and trees, the calibration curve of the classifier; and prints the
// figures that stand beside them.
//
//	go run ./localdev/demo/judged/pictures -out docs/img
//	go run ./localdev/demo/judged/pictures -out pictures -set sealed -word mine
//
// The scene is of a set that nothing was fitted to. gdaldem is asked where it is installed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"mappe/localdev/demo/scene"
)

func main() {
	out := flag.String("out", filepath.Join("docs", "img"), "folder of the pictures")
	var of chosen
	flag.StringVar(&of.set, "set", "gate", "set of the scenes: tune, gate or sealed")
	flag.StringVar(&of.word, "word", "", "word that sealed scenes are drawn from")
	flag.IntVar(&of.first, "scene", 3, "number of the scene that is drawn")
	flag.IntVar(&of.scenes, "scenes", 4, "scenes that the calibration curve is of, from that one on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := pictures(ctx, *out, &of); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// chosen are consecutive scenes of a set.
type chosen struct {
	set, word     string
	first, scenes int
}

// pictures makes all pictures of the first of some scenes, and the calibration curve of all of them.
func pictures(ctx context.Context, out string, of *chosen) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	made := make([]*scene.Scene, of.scenes)
	for i := range made {
		seed, err := scene.Seed(of.set, of.word, of.first+i)
		if err != nil {
			return err
		}
		if made[i], err = scene.New(scene.Default(seed, 1)); err != nil {
			return err
		}
	}
	b := &board{out: out, scene: made[0], west: 300, north: 250, zoom: 1}
	for _, step := range []func(context.Context) error{b.slopes, b.changes} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := b.objects(ctx, made); err != nil {
		return err
	}
	b.west, b.north, b.zoom = 340, 560, 3
	return b.trees(ctx)
}
