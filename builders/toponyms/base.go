package toponyms

import (
	"context"
	"fmt"

	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/artefacts/toponyms"
	"mappe/builders/stage"
	"mappe/builders/tiles"
	"mappe/shared/geo/mvt"
)

// zooms are the lowest zooms that show the names of a layer.
var zooms = map[toponyms.Layer]uint8{
	toponyms.Siedlung: 12, toponyms.Gebiet: 10, toponyms.Gelaende: 12, toponyms.Gletscher: 11, toponyms.Gewaesser: 13,
	toponyms.Sonstige: 14, toponyms.Ried: 14,
}

// writeBase writes the names as a layer of the base map beside the artefact.
func writeBase(ctx context.Context, c *stage.Country, country *toponyms.Country) error {
	b := tiles.Base{Name: "Names", Description: "Geographical names", Attribution: country.Attribution, License: rowschema.LicenseURL,
		Stichtag: country.Stichtag}
	layer := b.Layer("name", "Geographical names", 10)
	for i := range country.Names {
		n := &country.Names[i]
		height := mvt.Attr{Key: "elevation_m"}
		if n.Elevation != toponyms.NoElevation {
			height.Value = mvt.Int(int64(n.Elevation))
		}
		layer.Point(zooms[n.Layer], n.At, tiles.Text("layer", n.Layer.String()), tiles.Text("name", n.Name),
			tiles.Text("f_name", n.Feature), height)
	}
	body, err := b.Encode(c.Workers)
	if err != nil || body == nil {
		return err
	}
	var o manifest.Object
	if o, err = c.Write(ctx, toponyms.BaseArtefact, "pmtiles", body); err != nil {
		return fmt.Errorf("tiles of the names: %w", err)
	}
	c.Note(toponyms.BaseArtefact, o)
	return nil
}
