package workfeed

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mappe/localdev/state"
	"mappe/shared/cloud/ledger"
)

func tokenCommand() *cobra.Command {
	var address, data string
	c := &cobra.Command{Use: "work-token", Short: "Tokens that let completions be recorded in the work feed: add, list, revoke"}
	c.PersistentFlags().StringVar(&data, "data", ".localdev/data", "published artefacts; the ledger stands beside them")
	c.PersistentFlags().StringVar(&address, "ledger", "", "address of the ledger instead: sqlite:FILE or dynamodb://TABLE?region=REGION")
	open := func(c *cobra.Command) (state.WorkLog, error) {
		if address != "" {
			return state.OpenWorkLog(c.Context(), address)
		}
		return state.OpenWorkLog(c.Context(), state.Ledger(data))
	}
	c.AddCommand(tokenAdd(open), tokenList(open), tokenRevoke(open))
	return c
}

type opener func(*cobra.Command) (state.WorkLog, error)

func tokenAdd(open opener) *cobra.Command {
	var name string
	var boards []string
	c := &cobra.Command{
		Use: "add --name NAME", Short: "Make a token and print it; it is shown this once", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if name = strings.TrimSpace(name); name == "" || len(name) > 100 {
				return errors.New("--name: want 1 to 100 characters that say who bears the token")
			}
			l, err := open(c)
			if err != nil {
				return err
			}
			defer l.Close()
			t, text, err := l.AddToken(c.Context(), name, boards)
			if err != nil {
				return err
			}
			fmt.Fprintln(c.OutOrStdout(), text)
			fmt.Fprintf(c.ErrOrStderr(), "token %s for %s; only its hash is kept. Use it as $%s or --token of work-poll.\n", t.ID, t.Name,
				tokenVariable)
			return nil
		},
	}
	c.Flags().StringVar(&name, "name", "", "who bears it")
	c.Flags().StringArrayVar(&boards, "board", nil, "a board it may write, whole name; may be repeated; none: every board")
	_ = c.MarkFlagRequired("name") // the flag exists: it is declared above
	return c
}

func tokenList(open opener) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the tokens, without their texts", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := open(c)
			if err != nil {
				return err
			}
			defer l.Close()
			all, err := l.Tokens(c.Context())
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "ID\tNAME\tBOARDS\tMADE\tREVOKED")
			for _, t := range all {
				boards, revoked := "every", ""
				if len(t.Boards) > 0 {
					boards = strings.Join(t.Boards, ", ")
				}
				if !t.Revoked.IsZero() {
					revoked = t.Revoked.Format(time.RFC3339)
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", t.ID, t.Name, boards, t.Created.Format(time.RFC3339), revoked)
			}
			return w.Flush()
		},
	}
}

func tokenRevoke(open opener) *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "End a token at once", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			l, err := open(c)
			if err != nil {
				return err
			}
			defer l.Close()
			err = l.RevokeToken(c.Context(), args[0])
			if errors.Is(err, ledger.ErrNotFound) {
				return fmt.Errorf("there is no token %q: list shows them", args[0])
			}
			if err == nil {
				fmt.Fprintf(c.OutOrStdout(), "token %s is revoked\n", args[0])
			}
			return err
		},
	}
}
