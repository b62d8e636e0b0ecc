// Package smoke is the command that asks a deployment some requests and says what is well.
package smoke

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"mappe/localdev/smoke"
	"mappe/localdev/terminal"
)

// Commands are the commands of the family.
func Commands() []*cobra.Command { return []*cobra.Command{command()} }

func command() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "smoke URL",
		Short: "Ask a deployment some requests of every service and say in one table what is well",
		Long: `Ask a deployment, or a server of this machine, some forty requests of every service, which only read, and say in one table
what is well, what failed and why, and how long each took. What is asked for is learned from the answers: a KG with data, a parcel
of it, where it lies. What a deployment does not have, an index of the landscape or payments, is skipped. The command fails where a
check does.`,
		Example: "  go run ./localdev smoke http://127.0.0.1:8080\n  go run ./localdev smoke https://maps.example --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			out := c.OutOrStdout()
			o := smoke.Options{}
			if !asJSON {
				fmt.Fprintf(out, "%-8s %-10s %-38s %6s %9s  %s\n", "", "service", "check", "status", "ms", "path")
				o.Tell = func(r smoke.Result) {
					fmt.Fprintf(out, "%-8s %-10s %-38s %6d %9.1f  %s\n", r.State, r.Service, r.Check, r.Status, r.MS, r.Path)
					if r.Says != "" {
						fmt.Fprintf(out, "         %s\n", r.Says)
					}
				}
			}
			results, err := smoke.Run(c.Context(), args[0], o)
			if err != nil {
				return err
			}
			if asJSON {
				e := json.NewEncoder(out)
				e.SetIndent("", " ")
				if err := e.Encode(results); err != nil {
					return err
				}
			} else {
				summary(c, results)
			}
			if !smoke.IsWell(results) {
				return terminal.ErrSilent
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the results as JSON")
	return c
}

func summary(c *cobra.Command, results []smoke.Result) {
	n := map[smoke.State]int{}
	for _, r := range results {
		n[r.State]++
	}
	fmt.Fprintf(c.OutOrStdout(), "%d checks: %d well, %d failed, %d skipped\n", len(results), n[smoke.Well], n[smoke.Failed],
		n[smoke.Skipped])
}
