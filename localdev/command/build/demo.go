package build

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mappe/localdev/demo"
	"mappe/localdev/terminal"
)

func demoCommand() *cobra.Command {
	var out, preview string
	var unsourced bool
	var landscape sceneFlags
	c := &cobra.Command{
		Use:   "demo --out DIR",
		Short: "Write the made-up demo country as raw sources, in the forms real data has",
		Long: `Write the made-up demo country as raw sources, in the forms real data has.

With --scene a made-up landscape of so many km² is written instead: terrain and surface of three dates as laser scans
measure them, pictures from above, and in truth/ what is known of it: trees, classes, and the changes between the dates.`,
		Example: `  go run ./localdev demo --out .localdev/source
  go run ./localdev demo --scene 4 --seed 7 --out scene`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if landscape.given(c) {
				return landscape.write(c.Context(), c.OutOrStdout(), out, preview)
			}
			if err := writeDemo(c.Context(), c.OutOrStdout(), out, demo.Options{Unsourced: unsourced}); err != nil {
				return err
			}
			if preview != "" {
				if err := demo.PreviewFile(preview, demo.WholeCountry(1600)); err != nil {
					return err
				}
				fmt.Fprintf(c.OutOrStdout(), "picture: %s\n", preview)
			}
			fmt.Fprintf(c.OutOrStdout(), "next: %s build --source %s --data DATA\n", terminal.CommandLine(), out)
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "directory to write into")
	c.Flags().StringVar(&preview, "preview", "", "draw the country, or the landscape at its first date, into this PNG file as well")
	c.Flags().BoolVar(&unsourced, "unsourced", false, "add KG "+demo.UnsourcedKG+", which has an outline and no parcels: what "+
		"answers say of a KG that nothing builds")
	landscape.declare(c)
	_ = c.MarkFlagRequired("out") // the flags exist: they are declared above
	_ = c.MarkFlagDirname("out")
	_ = c.MarkFlagFilename("preview", "png")
	return c
}

// Demo writes the country and says what it holds; a terminal sees each step.
func Demo(ctx context.Context, out io.Writer, dir string) error {
	return writeDemo(ctx, out, dir, demo.Options{})
}

func writeDemo(ctx context.Context, out io.Writer, dir string, opt demo.Options) error {
	line := terminal.NewLine(out)
	if line.Live {
		opt.Progress = func(step string, done, total int) {
			line.Show("demo country: %d of %d, %s", done+1, total, step)
		}
	} else {
		fmt.Fprintf(out, "demo country: writing its raw sources into %s\n", dir)
	}
	s, err := demo.Generate(ctx, dir, opt)
	line.Clear()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "demo country in %s: %d municipalities, %d KGs, %d parcels, %d footprints, %d addresses; %d tiles, %d files, %.1f MB\n",
		dir, s.Gemeinden, s.KGs, s.Parcels, s.Footprints, s.Addresses, s.Tiles, s.Files, float64(s.Bytes)/1e6)
	return nil
}
