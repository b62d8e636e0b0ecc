// Package books is the commands of the book service: its operator's, and a press without the service.
package books

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mappe/functions/books/records"
	"mappe/localdev/state"
)

// bookkeeping is what the operator's commands share.
type bookkeeping struct{ data, ledger string }

// Commands are the commands of the family.
func Commands() []*cobra.Command { return []*cobra.Command{pressCommand(), booksCommand()} }

func booksCommand() *cobra.Command {
	var k bookkeeping
	c := &cobra.Command{
		Use: "books", Short: "Clients, projects, passes and tokens of the book service",
		Long: `What the studio keeps and no caller of the service can change: who its clients are, which projects they
have, what a project's pass is worth, and the tokens that open it.

A project is named by its number or as client/project.`,
		Example: `  go run ./localdev books client add demo --name "Demo House"
  go run ./localdev books project add demo atlas --title "The Atlas"
  go run ./localdev books pass grant demo/atlas --builds 3 --customer "Mira Example" --expires 2027-12-31 --addon index
  go run ./localdev books token rotate demo/atlas`,
	}
	c.PersistentFlags().StringVar(&k.data, "data", ".localdev/data", "published artefacts; the ledger stands beside them")
	c.PersistentFlags().StringVar(&k.ledger, "ledger", "", "address of the ledger instead: sqlite:FILE or dynamodb://TABLE?region=REGION")
	c.AddCommand(k.client(), k.project(), k.pass(), k.token(), k.strays())
	return c
}

// with opens the records for one command.
func (k *bookkeeping) with(c *cobra.Command, do func(ctx context.Context, s *records.Records, out io.Writer) error) error {
	address := k.ledger
	if address == "" {
		address = state.Ledger(k.data)
	}
	s, err := state.OpenBookRecords(c.Context(), address)
	if err != nil {
		return err
	}
	defer s.Close()
	return do(c.Context(), s.Records, c.OutOrStdout())
}

// find is the project of an argument: 7 or client/project.
func find(ctx context.Context, s *records.Records, name string) (records.Project, error) {
	p, err := records.Project{}, records.ErrNotFound
	if client, slug, ok := strings.Cut(name, "/"); ok {
		p, err = s.FindProject(ctx, client, slug)
	} else if id, bad := strconv.ParseInt(name, 10, 64); bad == nil {
		p, err = s.Project(ctx, id)
	}
	if errors.Is(err, records.ErrNotFound) {
		return p, fmt.Errorf("there is no project %q: want its number or client/project; books project list shows them", name)
	}
	return p, err
}
