package build

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"mappe/artefacts/rowschema"
	"mappe/builders/national"
	"mappe/localdev/terminal"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

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
	report, err := national.Check(c.Context(), st, func(q rowschema.Quality) {
		fmt.Fprintf(out, "%s %-24s %-6s %6d parcels, gaps %.1f m², overlaps %.1f m²\n", q.KGCode, q.KGName, q.Verdict, q.Parcels.Served,
			q.Coverage.GapSqm, q.Coverage.OverlapSqm)
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
		return terminal.ErrSilent
	}
	return nil
}
