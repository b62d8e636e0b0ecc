package serve

import (
	"os"

	"github.com/spf13/cobra"

	"mappe/localdev/server"
)

func coverageCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "coverage",
		Short: "Compare the endpoints that are served with the specification's list",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			table, err := os.ReadFile("infra/endpoints.tsv")
			if err != nil {
				return err
			}
			node, err := os.ReadFile("localdev/node/served.tsv")
			if err != nil {
				return err
			}
			return server.Coverage(c.OutOrStdout(), table, node)
		},
	}
}
