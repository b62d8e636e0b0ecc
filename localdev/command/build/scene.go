package build

import (
	"context"
	"fmt"
	"image/png"
	"io"
	"os"

	"github.com/spf13/cobra"

	"mappe/localdev/demo/scene"
	"mappe/localdev/terminal"
)

// sceneFlags say which landscape is made.
type sceneFlags struct {
	km2, seed, ortho int
	set, word        string
}

// sceneNames are the flags that ask for a landscape.
var sceneNames = [...]string{"scene", "seed", "seed-set", "seed-word", "ortho"}

// maxScene is the largest landscape in km²: 25, the largest area of an analysis.
const maxScene = 25

func (f *sceneFlags) declare(c *cobra.Command) {
	c.Flags().IntVar(&f.km2, "scene", 0, "write a made-up landscape of so many km², 1 to 25, instead of the country")
	c.Flags().IntVar(&f.seed, "seed", 1, "number of the landscape in its set")
	c.Flags().StringVar(&f.set, "seed-set", "tune", "set of landscapes: tune, gate or sealed")
	c.Flags().IntVar(&f.ortho, "ortho", 20, "centimetres of a pixel of the landscape's orthophotos: 20, 50 or 100; 0: none")
	c.Flags().StringVar(&f.word, "seed-word", "", "any word, from which sealed landscapes are derived")
}

// given says whether a landscape is asked for.
func (f *sceneFlags) given(c *cobra.Command) bool {
	for _, name := range sceneNames {
		if c.Flags().Changed(name) {
			return true
		}
	}
	return false
}

// write makes the landscape; a terminal sees each step on one line, a file as lines.
func (f *sceneFlags) write(ctx context.Context, out io.Writer, dir, preview string) error {
	if f.km2 < 1 || f.km2 > maxScene {
		return fmt.Errorf("--scene is %d: expected 1 to %d km²", f.km2, maxScene)
	}
	pixels, ok := map[int]int{0: 0, 20: 5, 50: 2, 100: 1}[f.ortho]
	if !ok {
		return fmt.Errorf("--ortho is %d: expected 20, 50, 100 or 0", f.ortho)
	}
	seed, err := scene.Seed(f.set, f.word, f.seed)
	if err != nil {
		return err
	}
	s, err := scene.New(scene.Default(seed, f.km2))
	if err != nil {
		return err
	}
	line := terminal.NewLine(out)
	w := &scene.Writer{Dir: dir, Pixels: pixels, Progress: func(step string, done, total int) {
		if line.Live {
			line.Show("landscape: %d of %d, %s", done+1, total, step)
		} else {
			fmt.Fprintf(out, "landscape: %d of %d, %s\n", done+1, total, step)
		}
	}}
	err = w.Write(ctx, s)
	line.Clear()
	if err != nil {
		return err
	}
	if preview != "" {
		if err := drawScene(preview, s); err != nil {
			return err
		}
		fmt.Fprintf(out, "picture: %s\n", preview)
	}
	fmt.Fprintf(out, "landscape of %d km² in %s: %d files, %.1f MB; what is known of it is in %s/truth\n", f.km2, dir, w.Files,
		float64(w.Bytes)/1e6, dir)
	return nil
}

// drawScene writes the first date as PNG.
func drawScene(name string, s *scene.Scene) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := png.Encode(file, s.Picture(0)); err != nil {
		_ = file.Close() // the first error is the one to tell
		return err
	}
	return file.Close()
}
