package cells

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"mappe/localdev/mirror"
	"mappe/localdev/terminal"
	"mappe/shared/austria"
)

func mirrorCommand() *cobra.Command {
	var o mirror.Options
	var kgs []string
	c := &cobra.Command{
		Use:   "mirror URL DIR",
		Short: "Keep a directory like the cells that a service publishes",
		Long: `Fetch the container of every KG and the dictionaries, hold each to its digests, and keep them in DIR; run it again and only
what changed is fetched. URL is the base of the context service: what stands before /api/v1/ne. A run that was stopped goes on
where it was.`,
		Example: "  go run ./localdev cells mirror http://127.0.0.1:8080/context cells\n  go run ./localdev cells mirror https://data.example/context cells --kg 01004,14168",
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if o.Jobs < 1 || o.Jobs > 32 {
				return fmt.Errorf("--jobs is %d: expected 1 to 32", o.Jobs)
			}
			o.URL, o.Dir = args[0], args[1]
			for _, text := range kgs {
				code, err := austria.ParseKGCode(text)
				if err != nil {
					return fmt.Errorf("--kg is %q: %w", text, err)
				}
				o.KGs = append(o.KGs, code)
			}
			line := terminal.NewLine(os.Stderr)
			o.Progress = func(done, of int, bytes int64) { line.Show("%d of %d KGs, %.1f MB", done, of, float64(bytes)/1e6) }
			start := time.Now()
			r, err := mirror.Run(c.Context(), o)
			line.Clear()
			what := "all"
			if r.Delta {
				what = "what changed"
			}
			if err == nil || r.Fetched > 0 {
				fmt.Fprintf(c.OutOrStdout(), "%d KGs here: %d fetched (%s, %.1f MB), %d kept, %d removed, %s\n",
					r.KGs, r.Fetched, what, float64(r.Bytes)/1e6, r.Kept, r.Removed, time.Since(start).Round(time.Millisecond))
			}
			return err
		},
	}
	c.Flags().StringSliceVar(&kgs, "kg", nil, "only these KGs")
	c.Flags().IntVar(&o.Jobs, "jobs", 4, "containers fetched at once")
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 1 {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c
}
