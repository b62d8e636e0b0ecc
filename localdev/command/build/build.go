// Package build is the commands that make artefacts: demo, sources, build, verify, prune, rollback and restore.
package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mappe/artefacts/manifest"
	"mappe/builders/archive"
	"mappe/builders/kgbuild"
	"mappe/builders/national"
	"mappe/builders/source/outlines"
	"mappe/builders/source/table"
	"mappe/localdev/state"
	"mappe/localdev/terminal"
	"mappe/shared/austria"
	"mappe/shared/cloud/memlimit"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

// Commands are the commands of the family.
func Commands() []*cobra.Command {
	return []*cobra.Command{demoCommand(), sourcesCommand(), rastersCommand(), buildCommand(), verifyCommand(), pruneCommand(),
		rollbackCommand(), restoreCommand()}
}

// Options are what a build is made of.
type Options struct {
	Source, Data string   // directory of raw sources; where to publish: a directory, or s3://bucket/prefix
	Tiles, Cache string   // URL template of tiles and the directory that keeps them; "": those of Source
	KGs          []string // codes; none: all
	Jobs         int      // KGs built at once; 0: one for each processor
	AcceptLosses bool     // publish KGs that are worse than the live ones
	AcceptGaps   bool     // publish KGs of which the source lacks parts
	Rehash       bool     // read all tiles of the source, also those of files that look as they did
}

func buildCommand() *cobra.Command {
	var o Options
	c := &cobra.Command{
		Use:   "build --source DIR --data DIR",
		Short: "Build artefacts from raw sources, verify them and publish what is not worse",
		Long: `Build every KG of the source into its five forms, verify it against the source and the live build, write the
national artefacts and move the pointer. What was built from the same input before is not built again, so a
run that was killed goes on where it stopped. A KG that fails or would become worse keeps its live snapshot.

On Linux a file of the source is taken for unchanged, and not read, while its size, inode, modification time and
inode change time are those of the last build. --rehash reads all files.

The build keeps its heap below 1.5 GiB, or three quarters of the memory of the machine or container where that is
less: a soft limit, above which it becomes slower and goes on. GOMEMLIMIT sets another one, for example
GOMEMLIMIT=4GiB or GOMEMLIMIT=off.`,
		Example: `  go run ./localdev build --source .localdev/source --data .localdev/data
  go run ./localdev build --source raw --data s3://bucket/mappe --kg 01004,14168 --jobs 4`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Jobs < 1 {
				return fmt.Errorf("--jobs is %d: expected at least 1", o.Jobs)
			}
			if c.Flags().Changed("kg") && len(o.KGs) == 0 {
				return errors.New("--kg names no KG: expected codes, for example 01004,14168; leave it out for all")
			}
			if o.Cache != "" && o.Tiles == "" {
				return errors.New("--cache keeps the tiles of --tiles, which is missing")
			}
			return Run(c.Context(), os.Stdout, o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Source, "source", "", "directory of raw sources (builders/source/README.md)")
	f.StringVar(&o.Data, "data", "", "where to publish: a directory, or s3://bucket/prefix")
	f.StringSliceVar(&o.KGs, "kg", nil, "build only these KG codes")
	f.IntVar(&o.Jobs, "jobs", runtime.NumCPU(), "KGs built at once")
	f.StringVar(&o.Tiles, "tiles", "", "read tiles from this URL template with {tileset}, {z}, {x}, {y} instead of the source's folder")
	f.StringVar(&o.Cache, "cache", "", "keep tiles of --tiles in this directory and ask for them conditionally")
	f.BoolVar(&o.AcceptLosses, "accept-losses", false,
		"publish KGs that are worse than the live ones, after you have looked at their reports")
	f.BoolVar(&o.AcceptGaps, "accept-gaps", false,
		"publish KGs of which the source lacks parts: tiles that are missing or failed to download")
	f.BoolVar(&o.Rehash, "rehash", false,
		"read all files of the source, also those that look as they did at the last build")
	for _, name := range []string{"source", "data"} {
		_ = c.MarkFlagRequired(name) // the flags exist: they are declared above
		_ = c.MarkFlagDirname(name)
	}
	_ = c.RegisterFlagCompletionFunc("kg", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return completeKGs(o.Source, typed)
	})
	return c
}

// completeKGs gives the codes of the source's outlines, each behind the codes that stand in the list already.
func completeKGs(source, typed string) ([]string, cobra.ShellCompDirective) {
	kgs, _, _, err := outlines.Read(os.DirFS(source))
	if err != nil || len(kgs) == 0 { // boundaries of the country take longer than a person waits for a list
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

// maxMemory is the soft limit of a build in bytes, in which one of the whole country has room: names, community map and
// overlays of national size take 1,330 MB and 153 core seconds under it, 2,302 MB and 131 s without one (go run
// ./infra/bench/overlays).
const maxMemory = 1536 << 20

// Run builds, shows how far it is and prints the summary. terminal.ErrSilent says that a KG failed or was refused,
// which the summary names; terminal.ErrCancelled that the context ended.
func Run(ctx context.Context, out *os.File, o Options) error {
	codes, err := parseCodes(o.KGs)
	if err != nil {
		return err
	}
	defer memlimit.Machine(maxMemory)()
	st, err := storeurl.Open(o.Data)
	if err != nil {
		return err
	}
	source, err := national.OpenSource(ctx, national.SourceOptions{Dir: o.Source, Tiles: o.Tiles, Cache: o.Cache})
	if err != nil {
		return err
	}
	defer source.Close() // read only
	for _, w := range source.Warnings {
		fmt.Fprintf(out, "warning: %s\n", w)
	}
	undo, err := state.Writable(o.Data)
	if err != nil {
		return err
	}
	defer undo() // a build that has written nothing leaves nothing
	jobs := o.Jobs
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	restore, err := restoring(st)
	if err != nil {
		return err
	}
	summary, err := national.Run(ctx, national.Options{
		Store: st, Source: source, KGs: codes, Jobs: jobs, Accept: o.AcceptLosses, AcceptGaps: o.AcceptGaps, Rehash: o.Rehash,
		Restore: restore, Observer: newObserver(out), Now: time.Now,
	})
	if ctx.Err() != nil {
		done := summary.Count(kgbuild.Built) + summary.Count(kgbuild.Reused)
		return fmt.Errorf("%w: nothing new is served; what was built of %d KGs is kept, and the same command goes on from there",
			terminal.ErrCancelled, done)
	}
	for _, w := range summary.Warnings {
		fmt.Fprintf(out, "warning: %s\n", w)
	}
	if len(summary.Results) > 0 {
		printSummary(out, summary)
		printMapProblems(out, source.MapProblems())
	}
	if err != nil {
		return err
	}
	if summary.Count(kgbuild.Failed)+summary.Count(kgbuild.Refused) > 0 {
		return terminal.ErrSilent
	}
	return nil
}

// restoring brings evicted snapshots back from the research repository that the environment names; nil where it names none.
func restoring(st store.Store) (func(context.Context, manifest.Entry) error, error) {
	a, err := archive.FromEnvironment(st, os.Getenv)
	if err != nil || a == nil {
		return nil, err
	}
	return a.Back, nil
}

// shownProblems bounds how many features are named; all are counted.
const shownProblems = 5

// printMapProblems names features of the map that are missing in the build because they could not be read.
func printMapProblems(out io.Writer, p table.Problems) {
	for _, q := range p.First[:min(len(p.First), shownProblems)] {
		fmt.Fprintf(out, "warning: %s\n", q.Error())
	}
	if more := p.Total - shownProblems; more > 0 {
		fmt.Fprintf(out, "warning: and %d more features like these were left out\n", more)
	}
}

// parseCodes reads the codes of --kg.
func parseCodes(texts []string) ([]austria.KGCode, error) {
	var codes []austria.KGCode
	for _, text := range texts {
		code, err := austria.ParseKGCode(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("--kg: %w", err)
		}
		codes = append(codes, code)
	}
	return codes, nil
}
