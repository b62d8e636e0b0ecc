package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mappe/localdev/server"
	"mappe/localdev/server/web"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

func siteCommand() *cobra.Command {
	var data string
	var chosen background
	c := &cobra.Command{
		Use:   "site --data URL",
		Short: "Bundle the map page and write it and the index page beside the artefacts, for the CDN",
		Long: `Bundle the map page and write it and the index page beside the artefacts, where the CDN serves them. Outside of a
checkout they are the pages that the program was compiled with.

With --background the template's parameter BackgroundOrigin has to name where its tiles come from; the command prints it.

For --data s3://bucket/artefacts the pages go to s3://bucket/site; for any other address, to site/ in it.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			under, err := chosen.parse()
			if err != nil {
				return err
			}
			if err := bundle(c.Context(), c.OutOrStdout(), checkout); err != nil {
				return err
			}
			return publishSite(c.Context(), c.OutOrStdout(), data, server.Bundle{Pages: web.In(checkout), Background: under})
		},
	}
	c.Flags().StringVar(&data, "data", "", "published artefacts: a directory, or s3://bucket/prefix")
	_ = c.MarkFlagRequired("data") // the flag exists: it is declared one line above
	_ = c.MarkFlagDirname("data")
	chosen.flags(c)
	return c
}

// siteAddress is where the site of a store of artefacts lies.
func siteAddress(data string) string {
	data = strings.TrimRight(data, "/")
	if parent, ok := strings.CutSuffix(data, "/artefacts"); ok && parent != "" {
		data = parent
	}
	return data + "/site"
}

// publishSite writes the files of the site, pages last.
func publishSite(ctx context.Context, out io.Writer, data string, pages server.Bundle) error {
	if !pages.Pages.Bundled() {
		return errors.New("the map page is left out of this program: run it in the checkout, or compile one with make program")
	}
	files, err := server.Site(pages)
	if err != nil {
		return err
	}
	address := siteAddress(data)
	st, err := storeurl.Open(address)
	if err != nil {
		return err
	}
	for _, f := range files {
		if _, err := st.Put(ctx, f.Key, f.Body, store.PutOptions{Headers: f.Headers}); err != nil {
			return fmt.Errorf("%s/%s: %w", address, f.Key, err)
		}
		fmt.Fprintf(out, "%s/%s  %d bytes\n", address, f.Key, len(f.Body))
	}
	if origin := pages.Background.Origin(); origin != "" {
		fmt.Fprintf(out, "the map's background needs the template's parameter BackgroundOrigin=%s\n", origin)
	}
	return nil
}
