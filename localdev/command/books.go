package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mappe/functions/books/records"
)

// bookkeeping is what the operator's commands share.
type bookkeeping struct{ data, ledger string }

func booksCommand() *cobra.Command {
	var k bookkeeping
	c := &cobra.Command{
		Use: "books", Short: "Clients, projects, passes and tokens of the book service",
		Long: `What the studio keeps and no caller of the service can change: who its clients are, which projects they
have, what a project's pass is worth, and the tokens that open it.

A project is named by its number or as client/project.`,
		Example: `  localdev books client add demo --name "Demo House"
  localdev books project add demo atlas --title "The Atlas"
  localdev books pass grant demo/atlas --builds 3 --customer "Mira Example" --expires 2027-12-31 --addon index
  localdev books token rotate demo/atlas`,
	}
	c.PersistentFlags().StringVar(&k.data, "data", ".localdev/data", "published artefacts; the ledger stands beside them")
	c.PersistentFlags().StringVar(&k.ledger, "ledger", "", "address of the ledger instead: sqlite:FILE or dynamodb://TABLE?region=REGION")
	c.AddCommand(k.client(), k.project(), k.pass(), k.token())
	return c
}

// with opens the records for one command.
func (k *bookkeeping) with(c *cobra.Command, do func(ctx context.Context, s *records.Records, out io.Writer) error) error {
	address := k.ledger
	if address == "" {
		address = workLedger(k.data)
	}
	s, err := openRecordsAt(c.Context(), address)
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
		Use: "add CLIENT SLUG --title TITLE", Short: "Make a project and print its token, which is shown this once", Args: cobra.ExactArgs(2),
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
			fmt.Fprintf(w, "%d\t%s/%s\t%s\t%s\t%d of %d\t%s\t%s\t%s\n", p.ID, p.Client, p.Slug, p.Title, status, pass.Remaining(), pass.Included+pass.Extra,
				strings.Join(pass.Addons, ", "), expires, strings.Join(p.Tokens, ", "))
		}
	}
	return w.Flush()
}

func (k *bookkeeping) pass() *cobra.Command {
	c := &cobra.Command{Use: "pass", Short: "Passes: grant, suspend, resume"}
	c.AddCommand(k.grant(), k.status("suspend", "No builds, uploads and reports until resume", records.PassSuspended), k.status("resume", "Make a suspended pass active again", records.PassActive))
	return c
}

func (k *bookkeeping) grant() *cobra.Command {
	var builds, extra int
	var customer, expires string
	var addons, without []string
	c := &cobra.Command{
		Use: "grant PROJECT", Short: "Give a project a pass, or change the one it has", Args: cobra.ExactArgs(1),
		Long: "Give a project a pass, or change the one it has: what no flag names stays as it is. --builds sets the finals that come with the pass, --extra adds to those beside (a negative number takes unused ones away).",
	}
	f := c.Flags()
	f.IntVar(&builds, "builds", 0, "finals that come with the pass")
	f.IntVar(&extra, "extra", 0, "finals to add")
	f.StringVar(&customer, "customer", "", "name of the customer")
	f.StringVar(&expires, "expires", "", "2027-12-31 (to the end of that day, UTC), an RFC 3339 time, or never")
	f.StringArrayVar(&addons, "addon", nil, "an add-on to grant: index; may be repeated")
	f.StringArrayVar(&without, "no-addon", nil, "an add-on to take away")
	c.RunE = func(c *cobra.Command, args []string) error {
		g := records.Grant{Extra: extra, Addons: addons, Without: without}
		if f.Changed("builds") {
			g.Included = &builds
		}
		if f.Changed("customer") {
			g.Customer = &customer
		}
		if f.Changed("expires") {
			at, err := expiry(expires)
			if err != nil {
				return err
			}
			g.Expires = &at
		}
		return k.change(c, args[0], g)
	}
	return c
}

// expiry reads when a pass ends.
func expiry(text string) (time.Time, error) {
	if text == "never" {
		return time.Time{}, nil
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.AddDate(0, 0, 1), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("--expires %s: want a day such as 2027-12-31, a time such as 2027-12-31T12:00:00Z, or never", text)
	}
	return at, nil
}

func (k *bookkeeping) status(use, short string, to records.PassStatus) *cobra.Command {
	return &cobra.Command{
		Use: use + " PROJECT", Short: short, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return k.change(c, args[0], records.Grant{Status: &to}) },
	}
}

func (k *bookkeeping) change(c *cobra.Command, project string, g records.Grant) error {
	return k.with(c, func(ctx context.Context, s *records.Records, out io.Writer) error {
		p, err := find(ctx, s, project)
		if err != nil {
			return err
		}
		pass, err := s.GrantPass(ctx, p.ID, g)
		if err != nil {
			return err
		}
		until := "for ever"
		if !pass.Expires.IsZero() {
			until = "until " + pass.Expires.Format(time.RFC3339)
		}
		addons := "no add-ons"
		if len(pass.Addons) > 0 {
			addons = "add-ons " + strings.Join(pass.Addons, ", ")
		}
		fmt.Fprintf(out, "project %d, %s/%s: %s %s, %d of %d finals left, %s\n", p.ID, p.Client, p.Slug, pass.Status, until, pass.Remaining(), pass.Included+pass.Extra, addons)
		return nil
	})
}

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
