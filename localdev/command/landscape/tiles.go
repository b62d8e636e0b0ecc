package landscape

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mappe/builders/landscape/products"
	"mappe/localdev/state"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

func tilesCommand() *cobra.Command {
	var data, address string
	c := &cobra.Command{
		Use:   "tiles",
		Short: "Join the vector tiles of segments and trees of all KGs and publish them",
		Long: `Join the vector tiles of segments and trees of all KGs that have products into one archive, and add it to what is served as
landscape-tiles.`,
		Example: `  go run ./localdev landscape tiles`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			st, err := storeurl.Open(data)
			if err != nil {
				return fmt.Errorf("--data: %w", err)
			}
			if address == "" {
				address = state.Ledger(data)
			}
			l, err := ledgerurl.Open(c.Context(), address)
			if err != nil {
				return fmt.Errorf("ledger: %w", err)
			}
			return errors.Join(joinTiles(c.Context(), st, l, c.OutOrStdout()), l.Close())
		},
	}
	c.Flags().StringVar(&data, "data", ".localdev/data", "published artefacts: a directory or s3://BUCKET; the ledger stands beside them")
	c.Flags().StringVar(&address, "ledger", "", "address of the ledger instead: sqlite:FILE or dynamodb://TABLE?region=REGION")
	_ = c.MarkFlagDirname("data")
	return c
}

// joinTiles publishes the tiles of the KGs that a ledger lists.
func joinTiles(ctx context.Context, st store.Store, l ledger.Ledger, out io.Writer) error {
	entries, err := landprocess.Records{Ledger: l}.Entries(ctx)
	if err != nil {
		return err
	}
	done, err := products.PublishTiles(ctx, st, entries, nil)
	if err != nil {
		return err
	}
	if !done.Changed {
		fmt.Fprintln(out, "the tiles are unchanged")
		return nil
	}
	fmt.Fprintln(out, "the tiles are served")
	return nil
}
