package landscape

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mappe/artefacts/classifier"
	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/builders/landscape"
	"mappe/builders/national"
	"mappe/builders/objects"
	"mappe/functions/landscape/classes"
	"mappe/functions/landscape/segment"
	"mappe/localdev/terminal"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

// training is what the command is asked for.
type training struct {
	data, column string
	options      landscape.Options
	force        bool
	out          io.Writer
}

func trainCommand() *cobra.Command {
	t := training{options: landscape.Default()}
	c := &cobra.Command{
		Use:   "train LABELS.gpkg",
		Short: "Train the model of segments from polygons of known types, and publish it where it is better",
		Long: `Train the model that tells the types of segments from polygons of known types.

The land around the polygons is divided into segments by the newest rasters that are published. A segment most of which lies in polygons of one
type is a sample of it; the GeoPackage of /segment with corrected types is such a file. Polygons of types that are told by rules alone (mast,
wall, wind_turbine, ...) teach nothing.

Cross-validation in space says how good the new model is: squares of 250 m are cut into five parts, and each part is told by a forest that was
trained from the other four. Where that is better than the present model on the same segments (by the mean of the F1 of the types), or with
--force, the new model is published: /segment answers with it from then on, builds keep it.`,
		Example: `  go run ./localdev landscape train corrected.gpkg
  go run ./localdev landscape train survey.gpkg --column land_type --force`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"gpkg"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(c *cobra.Command, args []string) error {
			st, err := storeurl.Open(t.data)
			if err != nil {
				return fmt.Errorf("--data: %w", err)
			}
			t.out = c.OutOrStdout()
			return t.run(c.Context(), st, args[0])
		},
	}
	c.Flags().StringVar(&t.data, "data", ".localdev/data", "published artefacts: a directory or s3://BUCKET")
	c.Flags().StringVar(&t.column, "column", "type", "column of the file with the names of types")
	c.Flags().IntVar(&t.options.Trees, "trees", t.options.Trees, "trees of the forest")
	c.Flags().Uint64Var(&t.options.Seed, "seed", t.options.Seed, "number that chance is drawn from: the same gives the same model")
	c.Flags().BoolVar(&t.force, "force", false, "publish the new model though it is not better")
	_ = c.MarkFlagDirname("data")
	return c
}

// run trains from a file and publishes what came of it.
func (t *training) run(ctx context.Context, st store.Store, file string) error {
	labels, err := readLabels(ctx, file, t.column)
	if err != nil {
		return err
	}
	lib, err := library.Open(ctx, st, library.Options{})
	if err != nil {
		return err
	}
	s, err := t.samples(ctx, lib, labels, filepath.Base(file))
	if err != nil {
		return err
	}
	v, err := lib.View(ctx)
	if err != nil {
		return err
	}
	present, warning, err := classes.Of(ctx, v)
	if err != nil {
		return err
	}
	if warning != "" {
		fmt.Fprintln(t.out, warning)
	}
	verdict, err := t.validate(ctx, s, present)
	if err != nil {
		return err
	}
	fmt.Fprintln(t.out, verdict)
	printScore(t.out, &verdict.New)
	if !verdict.Better() && !t.force {
		fmt.Fprintln(t.out, "the present model stays: pass --force to publish the new one all the same")
		return nil
	}
	return t.publish(ctx, st, s)
}

// samples divides the land around labels.
func (t *training) samples(ctx context.Context, lib *library.Library, labels []label, name string) (*landscape.Samples, error) {
	s := &landscape.Samples{Source: fmt.Sprintf("segments labelled in %s", name)}
	line := terminal.NewLine(t.out)
	defer line.Clear()
	passed := 0
	all := groups(labels)
	for i, g := range all {
		line.Show("dividing land into segments: %d of %d squares", i, len(all))
		boxes, m2 := ground(g)
		land, err := segment.Objects(ctx, lib, boxes, m2)
		if err != nil {
			return nil, err
		}
		passed += teach(s, land, g)
	}
	line.Clear()
	fmt.Fprintf(t.out, "%d polygons, %d segments of types that a model learns, %d of others\n", len(labels), len(s.Labels), passed)
	return s, nil
}

func (t *training) validate(ctx context.Context, s *landscape.Samples, present *classifier.OfSegments) (*landscape.Verdict, error) {
	o := t.options
	line := terminal.NewLine(t.out)
	defer line.Clear()
	o.Progress = func(done, total int) { line.Show("cross-validation: %d of %d trees", done, total) }
	var model *classifier.Model
	if present != nil {
		model = present.Model
	}
	return landscape.Validate(ctx, s, o, model)
}

// publish trains from all samples and makes the model the newest.
func (t *training) publish(ctx context.Context, st store.Store, s *landscape.Samples) error {
	o := t.options
	line := terminal.NewLine(t.out)
	o.Progress = func(done, total int) { line.Show("training: %d of %d trees", done, total) }
	trained, err := landscape.Train(ctx, s, o)
	line.Clear()
	if err != nil {
		return err
	}
	body, err := trained.Encode()
	if err != nil {
		return err
	}
	key := keys.National{Name: classifier.TrainedArtefact, Sum: keys.Sum(body), Ext: "parts"}
	if err := objects.Put(ctx, st, key, body); err != nil {
		return err
	}
	done, err := national.Add(ctx, st, manifest.Artefacts{classifier.TrainedArtefact: objects.Of(key, body)}, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "model %s, %.1f MB, is served with generation %s: out of the bag %.1f %% right, expected calibration error %.3f\n", key.Sum, float64(len(body))/1e6,
		done.Generation, 100*trained.Header.OutOfBag.Accuracy, trained.Header.Calibration.Error)
	return nil
}

// printScore is a table of the types.
func printScore(out io.Writer, s *classifier.Score) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "type\tsegments\tfound\tright of those told\t")
	for y, name := range classifier.ClassNames() {
		truth, told := 0, 0
		for k := range s.Confusion {
			truth += s.Confusion[y][k]
			told += s.Confusion[k][y]
		}
		if truth == 0 {
			continue
		}
		right := float64(s.Confusion[y][y])
		fmt.Fprintf(w, "%s\t%d\t%.1f %%\t%.1f %%\t\n", name, truth, 100*right/float64(truth), 100*right/float64(max(told, 1)))
	}
	w.Flush()
}
