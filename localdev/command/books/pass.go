package books

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mappe/functions/books/records"
)

func (k *bookkeeping) pass() *cobra.Command {
	c := &cobra.Command{Use: "pass", Short: "Passes: grant, suspend, resume"}
	c.AddCommand(k.grant(), k.status("suspend", "No builds, uploads and reports until resume", records.PassSuspended),
		k.status("resume", "Make a suspended pass active again", records.PassActive))
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
		fmt.Fprintf(out, "project %d, %s/%s: %s %s, %d of %d finals left, %s\n", p.ID, p.Client, p.Slug, pass.Status, until,
			pass.Remaining(), pass.Included+pass.Extra, addons)
		return nil
	})
}
