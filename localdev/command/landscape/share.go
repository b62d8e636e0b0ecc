// Package landscape is the operator's commands of the landscape service: names of shared results, training of the model of segments.
package landscape

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/localdev/state"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store/storeurl"
)

// Commands are the commands of this package.
func Commands() []*cobra.Command {
	c := &cobra.Command{Use: "landscape",
		Short: "The landscape service: names of shared results, training of the model of segments, analysis of KGs"}
	c.AddCommand(shareCommand(), trainCommand(), processCommand(), tilesCommand(), tablesCommand())
	return []*cobra.Command{c}
}

// open gives the tasks that the flags name, and closes their ledger afterwards.
type open func(ctx context.Context, use func(*tasks.Desk) error) error

func shareCommand() *cobra.Command {
	var data, address, files string
	c := &cobra.Command{Use: "share", Short: "Shared results: list, rename"}
	c.PersistentFlags().StringVar(&data, "data", ".localdev/data", "published artefacts; the ledger and the results stand beside them")
	c.PersistentFlags().StringVar(&address, "ledger", "", "address of the ledger instead: sqlite:FILE or dynamodb://TABLE?region=REGION")
	c.PersistentFlags().StringVar(&files, "shares", "", "address of the results instead: a directory or s3://BUCKET/shares")
	with := func(ctx context.Context, use func(*tasks.Desk) error) error {
		if address == "" {
			address = state.Ledger(data)
		}
		if files == "" {
			files = state.Shares(data)
		}
		s, err := storeurl.Open(files)
		if err != nil {
			return fmt.Errorf("--shares: %w", err)
		}
		l, err := ledgerurl.Open(ctx, address)
		if err != nil {
			return fmt.Errorf("ledger of the shares: %w", err)
		}
		return errors.Join(use(&tasks.Desk{Place: tasks.Place{Ledger: l, Files: s}}), l.Close())
	}
	c.AddCommand(list(with), rename(with))
	return c
}

func rename(with open) *cobra.Command {
	return &cobra.Command{
		Use: "rename OLD NEW", Short: "Give a result a name: it is listed and kept from then on, and the old name leads to it",
		Args:    cobra.ExactArgs(2),
		Example: "  go run ./localdev landscape share rename auto-0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11 lorfach-terrain",
		RunE: func(c *cobra.Command, args []string) error {
			return with(c.Context(), func(d *tasks.Desk) error {
				from, err := d.ShareName(c.Context(), args[0])
				if err != nil {
					return err
				}
				h, err := d.Shares().Rename(c.Context(), from, args[1])
				switch {
				case errors.Is(err, shares.ErrNotFound):
					return fmt.Errorf("there is no share %q, or its week is over", args[0])
				case err != nil:
					return err
				}
				fmt.Fprintf(c.OutOrStdout(), "%s is %s now: %s, %d bytes\n", args[0], h.Name, h.Kind, h.Bytes)
				return nil
			})
		},
	}
}

func list(with open) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the results that are listed, the newest first", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return with(c.Context(), func(d *tasks.Desk) error {
				all, err := d.Shares().List(c.Context())
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "NAME\tKIND\tBYTES\tCREATED\tEXPIRES")
				for _, h := range all {
					expires := "never"
					if !h.Expires.IsZero() {
						expires = h.Expires.Format(time.RFC3339)
					}
					fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", h.Name, h.Kind, h.Bytes, h.Created.Format(time.RFC3339), expires)
				}
				return w.Flush()
			})
		},
	}
}
