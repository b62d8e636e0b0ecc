package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"mappe/localdev/demo"
)

func demoCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "demo --out DIR",
		Short: "Write the made-up demo country as raw sources, in the forms real data has",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := demo.Generate(c.Context(), out, demo.Options{})
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%+v\n", s)
			fmt.Fprintf(c.OutOrStdout(), "next: go run ./localdev build --source %s --data DATA\n", out)
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "directory to write into")
	_ = c.MarkFlagRequired("out") // the flag exists: it is declared one line above
	_ = c.MarkFlagDirname("out")
	return c
}
