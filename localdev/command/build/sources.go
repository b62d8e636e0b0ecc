package build

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mappe/builders/source/inventory"
	"mappe/localdev/terminal"
)

func sourcesCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "sources DIR",
		Short: "Say what a folder of raw sources holds, what is missing and where it is published",
		Long: `Look into a folder of raw sources and say which files a build reads, what each of them adds, what is missing, who
publishes it under which name and licence, and which files are of another date than the data. Nothing is built
and nothing is written. The exit code is 1 when a build could not begin.`,
		Example: `  go run ./localdev sources raw
  go run ./localdev sources raw --json`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(c *cobra.Command, args []string) error {
			v, err := inventory.Take(c.Context(), args[0])
			if err != nil {
				return err
			}
			if asJSON {
				e := json.NewEncoder(c.OutOrStdout())
				e.SetEscapeHTML(false)
				e.SetIndent("", "  ")
				err = e.Encode(v)
			} else {
				_, err = io.WriteString(c.OutOrStdout(), describe(v))
			}
			if err == nil && !v.Ready {
				return terminal.ErrSilent
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "write the answer as JSON")
	return c
}

// describe tells an inventory to a person: what is read first, then what is not, then what is missing.
func describe(v inventory.Inventory) string {
	var b strings.Builder
	for _, part := range []struct {
		title  string
		states []inventory.State
	}{
		{"What a build reads:", []inventory.State{inventory.Read, inventory.Unreadable}},
		{"There, but not read:", []inventory.State{inventory.NotRead}},
		{"Missing:", []inventory.State{inventory.Missing}},
	} {
		title := part.title
		for _, s := range part.states {
			for _, i := range v.Items {
				if i.State != s {
					continue
				}
				if title != "" {
					fmt.Fprintf(&b, "%s\n", title)
					title = ""
				}
				describeItem(&b, i)
			}
		}
		if title == "" {
			b.WriteString("\n")
		}
	}
	if v.Ready {
		fmt.Fprintf(&b, "A build can begin. The date of the data is %s.\n", v.Stichtag)
		return b.String()
	}
	b.WriteString("A build cannot begin:\n")
	for _, l := range v.Lacks {
		fmt.Fprintf(&b, "  - %s\n", l)
	}
	return b.String()
}

func describeItem(b *strings.Builder, i inventory.Item) {
	name := cmp.Or(i.Path, i.Expected)
	if i.State == inventory.Missing && i.Needed {
		name += " (needed)"
	}
	if i.State == inventory.Unreadable {
		name += " (cannot be read)"
	}
	if i.Date != "" {
		name += ", " + i.Date
	}
	fmt.Fprintf(b, "  %s\n      adds: %s\n", name, i.Adds)
	for _, h := range i.Holds {
		fmt.Fprintf(b, "      holds: %s\n", h)
	}
	for _, n := range i.Notes {
		fmt.Fprintf(b, "      note: %s\n", n)
	}
	if p := i.Published; p != nil && i.State == inventory.Missing {
		fmt.Fprintf(b, "      published: %s: %s; %s\n", p.Publisher, p.Entry, p.Licence)
	}
}
