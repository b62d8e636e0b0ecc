package build

import (
	"fmt"

	"github.com/spf13/cobra"

	"mappe/builders/national"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

func rollbackCommand() *cobra.Command {
	var data, to string
	var list bool
	c := &cobra.Command{
		Use:   "rollback --data DIR",
		Short: "Serve an earlier generation again",
		Long: `Serve the generation that was served before the present one, or the one that --to names; --list shows those that there are: prune keeps
them for 8 days. Every object of it that the present one does not share is looked for first, so that nothing is served that is not
whole. Servers and functions follow within seconds. Running it again without --to goes back to the newer one. A build that follows
publishes its KGs over what is served then: stop the schedule of rebuilds first, or mend the source.`,
		Example: "  go run ./localdev rollback --data .localdev/data --list\n  go run ./localdev rollback --data s3://bucket/mappe",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			st, err := storeurl.Open(data)
			if err != nil {
				return fmt.Errorf("--data: %w", err)
			}
			if list {
				return listGenerations(c, st)
			}
			done, err := national.Rollback(c.Context(), st, to, nil)
			if err != nil {
				return fmt.Errorf("%s: %w", data, err)
			}
			verb := "is served already"
			if done.Changed {
				verb = "is served again"
			}
			fmt.Fprintf(c.OutOrStdout(), "generation %s %s\n", done.Generation, verb)
			return nil
		},
	}
	c.Flags().StringVar(&data, "data", "", "where artefacts are published: a directory, or s3://bucket/prefix")
	c.Flags().StringVar(&to, "to", "", "generation to serve (default: the one before the present one)")
	c.Flags().BoolVar(&list, "list", false, "list the generations that there are, and change nothing")
	_ = c.MarkFlagRequired("data") // the flag exists: it is declared above
	_ = c.MarkFlagDirname("data")
	return c
}

func listGenerations(c *cobra.Command, st store.Store) error {
	all, err := national.Generations(c.Context(), st)
	if err != nil {
		return err
	}
	for _, g := range all {
		note := ""
		switch {
		case g.Served:
			note = "served"
		case g.Former:
			note = "before it"
		}
		fmt.Fprintf(c.OutOrStdout(), "%s  since %s  data of %s, %d KGs  %s\n", g.ID, g.Since.UTC().Format("2006-01-02 15:04:05"), g.Release,
			g.KGs, note)
	}
	return nil
}
