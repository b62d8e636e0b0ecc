package build

import (
	"fmt"

	"github.com/spf13/cobra"

	"mappe/builders/national"
	"mappe/shared/cloud/store/storeurl"
)

func pruneCommand() *cobra.Command {
	var data string
	var dry bool
	c := &cobra.Command{
		Use:   "prune --data DIR",
		Short: "Delete what belongs to generations that nobody can read any more",
		Long: `Delete manifests, registers and national files of generations that were replaced more than 8 days ago, and files of
exports that are older than 7 days. Dated snapshots are never deleted, nor is anything that the current generation,
a request for a date or a walk through pages begun in the last 7 days needs. A run that is interrupted has deleted
nothing that is needed; run the command again. The command stops when something is being published: run it again
afterwards.`,
		Example: `  go run ./localdev prune --data .localdev/data --dry-run
  go run ./localdev prune --data s3://bucket/mappe`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			st, err := storeurl.Open(data)
			if err != nil {
				return fmt.Errorf("--data: %w", err)
			}
			done, err := national.Prune(c.Context(), st, national.PruneOptions{DryRun: dry})
			if err != nil {
				return fmt.Errorf("prune: %w (%d objects were deleted)", err, done.Deleted)
			}
			verb := "deleted"
			if dry {
				verb = "would delete"
			}
			fmt.Fprintf(c.OutOrStdout(), "%s %d objects, %.1f MB; kept %d generations with %d objects\n", verb, done.Deleted,
				float64(done.Bytes)/1e6, done.Generations, done.Kept)
			return nil
		},
	}
	c.Flags().StringVar(&data, "data", "", "where artefacts are published: a directory, or s3://bucket/prefix")
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would be deleted, and delete nothing")
	_ = c.MarkFlagRequired("data") // the flag exists: it is declared above
	_ = c.MarkFlagDirname("data")
	return c
}
