package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mappe/artefacts/kgdocs"
	"mappe/builders/national"
	"mappe/builders/source/outlines"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

// building is what build and start need to build.
type building struct {
	source, data string
	tiles, cache string
	kgs          []string
	jobs         int
	accept, gaps bool
}

func buildCommand() *cobra.Command {
	var b building
	c := &cobra.Command{
		Use:   "build --source DIR --data DIR",
		Short: "Build artefacts from raw sources, verify them and publish what is not worse",
		Long: `Build every KG of the source into its five forms, verify it against the source and the live build, write the
national artefacts and move the pointer. What was built from the same input before is not built again, so a
run that was killed goes on where it stopped. A KG that fails or would become worse keeps its live snapshot.`,
		Example: `  go run ./localdev build --source .localdev/source --data .localdev/data
  go run ./localdev build --source raw --data s3://bucket/mappe --kg 01004,14168 --jobs 4`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if b.jobs < 1 {
				return fmt.Errorf("--jobs is %d: expected at least 1", b.jobs)
			}
			if c.Flags().Changed("kg") && len(b.kgs) == 0 {
				return errors.New("--kg names no KG: expected codes, for example 01004,14168; leave it out for all")
			}
			if b.cache != "" && b.tiles == "" {
				return errors.New("--cache keeps the tiles of --tiles, which is missing")
			}
			return b.run(c.Context(), os.Stdout)
		},
	}
	f := c.Flags()
	f.StringVar(&b.source, "source", "", "directory of raw sources (builders/source/README.md)")
	f.StringVar(&b.data, "data", "", "where to publish: a directory, or s3://bucket/prefix")
	f.StringSliceVar(&b.kgs, "kg", nil, "build only these KG codes")
	f.IntVar(&b.jobs, "jobs", runtime.NumCPU(), "KGs built at once")
	f.StringVar(&b.tiles, "tiles", "", "read tiles from this URL template with {tileset}, {z}, {x}, {y} instead of the source's folder")
	f.StringVar(&b.cache, "cache", "", "keep tiles of --tiles in this directory and ask for them conditionally")
	f.BoolVar(&b.accept, "accept-losses", false, "publish KGs that are worse than the live ones, after you have looked at their reports")
	f.BoolVar(&b.gaps, "accept-gaps", false, "publish KGs of which the source lacks parts: tiles that are missing or failed to download")
	for _, name := range []string{"source", "data"} {
		_ = c.MarkFlagRequired(name) // the flags exist: they are declared above
		_ = c.MarkFlagDirname(name)
	}
	_ = c.RegisterFlagCompletionFunc("kg", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return completeKGs(b.source, typed)
	})
	return c
}

// completeKGs gives the codes of the source's outlines, each behind the codes that stand in the list already.
func completeKGs(source, typed string) ([]string, cobra.ShellCompDirective) {
	kgs, _, _, err := outlines.Read(os.DirFS(source))
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var codes []string
	for _, k := range kgs {
		if code := string(k.Code); !strings.Contains(before, code+",") {
			codes = append(codes, before+code+"\t"+k.Name)
		}
	}
	return codes, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (b *building) run(ctx context.Context, out *os.File) error {
	var codes []austria.KGCode
	for _, s := range b.kgs {
		code, err := austria.ParseKGCode(strings.TrimSpace(s))
		if err != nil {
			return fmt.Errorf("--kg: %w", err)
		}
		codes = append(codes, code)
	}
	st, err := storeurl.Open(b.data)
	if err != nil {
		return err
	}
	source, err := national.OpenSource(ctx, national.SourceOptions{Dir: b.source, Tiles: b.tiles, Cache: b.cache})
	if err != nil {
		return err
	}
	for _, w := range source.Warnings {
		fmt.Fprintf(out, "warning: %s\n", w)
	}
	undo, err := writable(b.data)
	if err != nil {
		return err
	}
	defer undo() // a build that has written nothing leaves nothing
	jobs := b.jobs
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	summary, err := national.Run(ctx, national.Options{
		Store: st, Source: source, KGs: codes, Jobs: jobs, Accept: b.accept, AcceptGaps: b.gaps, Observer: newObserver(out), Now: time.Now,
	})
	if ctx.Err() != nil {
		done := summary.Count(national.Built) + summary.Count(national.Reused)
		return fmt.Errorf("%w: nothing new is served; what was built of %d KGs is kept, and the same command goes on from there", errCancelled, done)
	}
	if len(summary.Results) > 0 {
		printSummary(out, summary)
	}
	if err != nil {
		return err
	}
	if summary.Count(national.Failed)+summary.Count(national.Refused) > 0 {
		return errSilent
	}
	return nil
}

func verifyCommand() *cobra.Command {
	var data string
	c := &cobra.Command{
		Use:   "verify --data DIR",
		Short: "Check every object of the served generation against its hash and show the quality reports",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			st, err := storeurl.Open(data)
			if err != nil {
				return err
			}
			if err := verifyStore(c, st); err != nil {
				return fmt.Errorf("%s: %w", data, err)
			}
			return nil
		},
	}
	c.Flags().StringVar(&data, "data", "", "published artefacts: a directory, or s3://bucket/prefix")
	_ = c.MarkFlagRequired("data") // the flag exists: it is declared one line above
	_ = c.MarkFlagDirname("data")
	return c
}

func verifyStore(c *cobra.Command, st store.Store) error {
	out := c.OutOrStdout()
	report, err := national.Check(c.Context(), st, func(q kgdocs.Quality) {
		fmt.Fprintf(out, "%s %-24s %-6s %6d parcels, gaps %.1f m², overlaps %.1f m²\n", q.KGCode, q.KGName, q.Verdict, q.Parcels.Served, q.Coverage.GapSqm, q.Coverage.OverlapSqm)
		for _, r := range q.Reasons {
			fmt.Fprintf(out, "      %s: %s\n", r.Verdict, r.Message)
		}
	})
	if err != nil {
		return err
	}
	b, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintln(out, string(b))
	if len(report.Broken) > 0 {
		return errSilent
	}
	return nil
}
