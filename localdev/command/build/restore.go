package build

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"mappe/builders/archive"
	"mappe/builders/national"
	"mappe/shared/austria"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store/storeurl"
)

func restoreCommand() *cobra.Command {
	var data string
	c := &cobra.Command{
		Use:   "restore KG... --data DIR",
		Short: "Bring the served snapshots of KGs back from the research repository",
		Long: `Bring the served snapshots of KGs back into the store that were evicted from it or lost, from the research repository that
MAPPE_REPOSITORY names. What is there, as long as it was, stays; nothing is published. A request that touches an evicted KG has the
same done by a server; a build does it by itself for the KGs that it needs.`,
		Example: `  go run ./localdev restore 99101 99102 --data .localdev/data
  MAPPE_REPOSITORY=https://zenodo.org go run ./localdev restore 99101 --data s3://bucket/artefacts`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			st, err := storeurl.Open(data)
			if err != nil {
				return fmt.Errorf("--data: %w", err)
			}
			a, err := archive.FromEnvironment(st, os.Getenv)
			if err == nil && a == nil {
				err = fmt.Errorf("restore: %s names no research repository; a running server brings a KG back when a request touches it", repository.EnvAddress)
			}
			if err != nil {
				return err
			}
			return restore(c, a, args)
		},
	}
	c.Flags().StringVar(&data, "data", "", "published artefacts: a directory, or s3://bucket/prefix")
	_ = c.MarkFlagRequired("data") // the flag exists: it is declared one line above
	_ = c.MarkFlagDirname("data")
	return c
}

func restore(c *cobra.Command, a *archive.Archive, codes []string) error {
	live, err := national.ReadLive(c.Context(), a.Store)
	if err != nil {
		return err
	}
	for _, text := range codes {
		code, err := austria.ParseKGCode(text)
		if err != nil {
			return err
		}
		e, ok := live.Manifest.Find(code)
		if !ok {
			return fmt.Errorf("KG %s is not in generation %s", code, live.Pointer.Generation)
		}
		n, err := a.Bring(c.Context(), e)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "KG %s: %d files of %s brought back\n", code, n, e.Snapshot)
	}
	return nil
}
