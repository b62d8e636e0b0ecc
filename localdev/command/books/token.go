package books

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mappe/functions/books/records"
)

func (k *bookkeeping) token() *cobra.Command {
	c := &cobra.Command{Use: "token", Short: "Tokens: rotate, revoke"}
	var keep bool
	rotate := &cobra.Command{
		Use: "rotate PROJECT", Short: "Make a new token, end those before it and print it; it is shown this once", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return k.with(c, func(ctx context.Context, s *records.Records, out io.Writer) error {
				p, err := find(ctx, s, args[0])
				if err != nil {
					return err
				}
				t, text, err := s.RotateToken(ctx, p.ID, keep)
				if err != nil {
					return err
				}
				fmt.Fprintln(out, text)
				fmt.Fprintf(c.ErrOrStderr(), "token %s of project %d, %s/%s; only its hash is kept\n", t.ID, p.ID, p.Client, p.Slug)
				return nil
			})
		},
	}
	rotate.Flags().BoolVar(&keep, "keep", false, "let the tokens before it go on working")
	revoke := &cobra.Command{
		Use: "revoke PROJECT [ID]", Short: "End a token, or all of a project, at once", Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			return k.with(c, func(ctx context.Context, s *records.Records, out io.Writer) error {
				p, err := find(ctx, s, args[0])
				if err != nil {
					return err
				}
				id := ""
				if len(args) == 2 {
					id = args[1]
				}
				err = s.RevokeToken(ctx, p.ID, id)
				if errors.Is(err, records.ErrNotFound) {
					return fmt.Errorf("the project has no token %q: books project list shows them", id)
				}
				if err == nil {
					fmt.Fprintf(out, "done; project %d opens to nobody by it\n", p.ID)
				}
				return err
			})
		},
	}
	c.AddCommand(rotate, revoke)
	return c
}
