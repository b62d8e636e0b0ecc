// Package cells is the commands about cells: a mirror of what a service publishes, and the operator's tokens of those who
// report on them.
package cells

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mappe/functions/context/contrib/observers"
	"mappe/localdev/state"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgerurl"
)

// maxDays bounds how long a token holds.
const maxDays = 3650

// Commands are the commands of this package.
func Commands() []*cobra.Command {
	c := &cobra.Command{Use: "cells", Aliases: []string{"ne"},
		Short: "Land statistics of cells: mirror them, and tokens of those who report on them"}
	c.AddCommand(mirrorCommand(), tokenCommand())
	return []*cobra.Command{c}
}

// open gives the records of the ledger that the flags name, and closes it afterwards.
type open func(ctx context.Context, use func(*observers.Records) error) error

func tokenCommand() *cobra.Command {
	var address, data string
	c := &cobra.Command{Use: "token", Short: "Contributor tokens: grant, list, revoke"}
	c.PersistentFlags().StringVar(&data, "data", ".localdev/data", "published artefacts; the ledger stands beside them")
	c.PersistentFlags().StringVar(&address, "ledger", "", "address of the ledger instead: sqlite:FILE or dynamodb://TABLE?region=REGION")
	with := func(ctx context.Context, use func(*observers.Records) error) error {
		at := address
		if at == "" {
			at = state.Ledger(data)
		}
		l, err := ledgerurl.Open(ctx, at)
		if err != nil {
			return fmt.Errorf("ledger of the tokens: %w", err)
		}
		return errors.Join(use(observers.New(l, nil)), l.Close())
	}
	c.AddCommand(grant(with), list(with), revoke(with))
	return c
}

func grant(with open) *cobra.Command {
	var observer string
	var days int
	c := &cobra.Command{
		Use: "grant --observer NAME", Short: "Make a token and print it; it is shown this once", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := observers.CheckObserver(observer); err != nil {
				return fmt.Errorf("--observer: want %w", err)
			}
			if days < 1 || days > maxDays {
				return fmt.Errorf("--days: want 1 to %d", maxDays)
			}
			return with(c.Context(), func(r *observers.Records) error {
				t, text, err := r.Grant(c.Context(), observer, time.Duration(days)*24*time.Hour)
				if err != nil {
					return err
				}
				fmt.Fprintln(c.OutOrStdout(), text)
				fmt.Fprintf(c.ErrOrStderr(), "token %s for %s, until %s; only its hash is kept\n", t.ID, t.Observer,
					t.Expires.Format(time.DateOnly))
				return nil
			})
		},
	}
	c.Flags().StringVar(&observer, "observer", "", "who reports with it: lower-case letters, digits, hyphens, dots, underscores")
	c.Flags().IntVar(&days, "days", 365, "how long it holds")
	_ = c.MarkFlagRequired("observer") // the flag exists: it is declared above
	return c
}

func list(with open) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the tokens, without their texts", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return with(c.Context(), func(r *observers.Records) error {
				all, err := r.Tokens(c.Context())
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tOBSERVER\tMADE\tEXPIRES\tREVOKED")
				for _, t := range all {
					revoked := ""
					if !t.Revoked.IsZero() {
						revoked = t.Revoked.Format(time.RFC3339)
					}
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", t.ID, t.Observer, t.Created.Format(time.RFC3339), t.Expires.Format(time.RFC3339),
						revoked)
				}
				return w.Flush()
			})
		},
	}
}

func revoke(with open) *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "End a token at once", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return with(c.Context(), func(r *observers.Records) error {
				err := r.Revoke(c.Context(), args[0])
				if errors.Is(err, ledger.ErrNotFound) {
					return fmt.Errorf("there is no token %q: list shows them", args[0])
				}
				if err == nil {
					fmt.Fprintf(c.OutOrStdout(), "token %s is revoked\n", args[0])
				}
				return err
			})
		},
	}
}
