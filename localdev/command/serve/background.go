package serve

import (
	"github.com/spf13/cobra"

	"mappe/localdev/server"
)

// background is what the flags say of the map under the parcels.
type background struct {
	tiles, credit string
	maxZoom       int
}

func (b *background) flags(c *cobra.Command) {
	c.Flags().StringVar(&b.tiles, "background", "",
		"map under the parcels where the reader wants it: an https address of tiles with {z}, {x} and {y}, or of a WMS with {bbox-epsg-3857}")
	c.Flags().StringVar(&b.credit, "background-credit", "", "whom the background is credited to (default: its host)")
	c.Flags().IntVar(&b.maxZoom, "background-zoom", 19, "highest zoom that there are tiles of the background of")
}

// parse reads them; nil for none.
func (b *background) parse() (*server.Background, error) {
	return server.ParseBackground(b.tiles, b.credit, b.maxZoom)
}
