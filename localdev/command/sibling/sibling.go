// Package sibling is the command that checks the contract of sibling services.
package sibling

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"mappe/localdev/siblingcheck"
	"mappe/localdev/terminal"
)

// Commands are the commands of the family.
func Commands() []*cobra.Command { return []*cobra.Command{checkCommand()} }

var fiveDigits = regexp.MustCompile(`^[0-9]{5}$`)

func checkCommand() *cobra.Command {
	var o siblingcheck.Options
	c := &cobra.Command{
		Use:   "sibling-check URL",
		Short: "Ask a service whether it keeps the contract of sibling services, and say what it does wrong",
		Long: `Ask a service whether it keeps the contract of sibling services (llm.txt?section=integration of the cadastre), and say
in plain words what breaks which rule. URL is the base of the service: what stands before /llm/. Some twenty requests are sent,
which only read. The command fails where a rule is broken.`,
		Example: "  go run ./localdev sibling-check http://127.0.0.1:8080/cadastre\n  go run ./localdev sibling-check https://data.example/noise --kg 01004",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if o.KG != "" && !fiveDigits.MatchString(o.KG) {
				return fmt.Errorf("--kg is %q: expected 5 digits, for example 01004", o.KG)
			}
			report, err := siblingcheck.Check(c.Context(), args[0], o)
			if err != nil {
				return err
			}
			fmt.Fprint(c.OutOrStdout(), report)
			if !report.Good() {
				return terminal.ErrSilent
			}
			return nil
		},
	}
	c.Flags().StringVar(&o.KG, "kg", "", "a KG with data (default: the first that the service says it covers)")
	return c
}
