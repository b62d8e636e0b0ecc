package books

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mappe/functions/books/records"
)

func (k *bookkeeping) client() *cobra.Command {
	c := &cobra.Command{Use: "client", Short: "Clients: add, list"}
	var name string
	add := &cobra.Command{
		Use: "add SLUG --name NAME", Short: "Make a client", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return k.with(c, func(ctx context.Context, s *records.Records, out io.Writer) error {
				_, err := s.AddClient(ctx, args[0], name)
				if errors.Is(err, records.ErrExists) {
					return fmt.Errorf("there is a client %q already", args[0])
				}
				if err == nil {
					fmt.Fprintf(out, "client %s\n", args[0])
				}
				return err
			})
		},
	}
	add.Flags().StringVar(&name, "name", "", "name for people")
	list := &cobra.Command{
		Use: "list", Short: "List the clients", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return k.with(c, func(ctx context.Context, s *records.Records, out io.Writer) error {
				all, err := s.Clients(ctx)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "CLIENT\tNAME\tMADE")
				for _, one := range all {
					fmt.Fprintf(w, "%s\t%s\t%s\n", one.Slug, one.Name, one.Created.Format(time.DateOnly))
				}
				return w.Flush()
			})
		},
	}
	c.AddCommand(add, list)
	return c
}

func (k *bookkeeping) project() *cobra.Command {
	c := &cobra.Command{Use: "project", Short: "Projects: add, list"}
	var title string
	add := &cobra.Command{
		Use: "add CLIENT SLUG --title TITLE", Short: "Make a project and print its token, which is shown this once",
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			return k.with(c, func(ctx context.Context, s *records.Records, out io.Writer) error {
				p, err := s.AddProject(ctx, args[0], args[1], title)
				switch {
				case errors.Is(err, records.ErrExists):
					return fmt.Errorf("the client %q has a project %q already", args[0], args[1])
				case errors.Is(err, records.ErrNotFound):
					return fmt.Errorf("there is no client %q: books client add makes one", args[0])
				case err != nil:
					return err
				}
				_, text, err := s.RotateToken(ctx, p.ID, false)
				if err != nil {
					return err
				}
				fmt.Fprintln(out, text)
				fmt.Fprintf(c.ErrOrStderr(), "project %d, %s/%s; only the hash of its token is kept. It has no pass yet: books pass grant %d\n", p.ID, p.Client, p.Slug, p.ID)
				return nil
			})
		},
	}
	add.Flags().StringVar(&title, "title", "", "title for people")
	list := &cobra.Command{
		Use: "list [CLIENT]", Short: "List projects with their passes", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return k.with(c, func(ctx context.Context, s *records.Records, out io.Writer) error {
				return listProjects(ctx, s, out, args)
			})
		},
	}
	c.AddCommand(add, list)
	return c
}

func listProjects(ctx context.Context, s *records.Records, out io.Writer, clients []string) error {
	if len(clients) == 0 {
		all, err := s.Clients(ctx)
		if err != nil {
			return err
		}
		for _, c := range all {
			clients = append(clients, c.Slug)
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tPROJECT\tTITLE\tPASS\tFINALS LEFT\tADD-ONS\tEXPIRES\tTOKENS")
	for _, c := range clients {
		all, err := s.Projects(ctx, c)
		if err != nil {
			return err
		}
		for _, p := range all {
			d, err := s.Account(ctx, p.ID)
			if err != nil {
				return err
			}
			pass := d.Pass
			status, expires := string(pass.Status), ""
			switch {
			case !pass.Exists():
				status = "none"
			case pass.Status == records.PassActive && !pass.Live(s.Now()):
				status = "expired"
			}
			if !pass.Expires.IsZero() {
				expires = pass.Expires.Format(time.RFC3339)
			}
			fmt.Fprintf(w, "%d\t%s/%s\t%s\t%s\t%d of %d\t%s\t%s\t%s\n", p.ID, p.Client, p.Slug, p.Title, status, pass.Remaining(),
				pass.Included+pass.Extra,
				strings.Join(pass.Addons, ", "), expires, strings.Join(p.Tokens, ", "))
		}
	}
	return w.Flush()
}
