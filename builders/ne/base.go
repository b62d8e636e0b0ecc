package ne

import (
	"context"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgdocs"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/builders/stage"
	"mappe/builders/tiles"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/geo/mvt"
)

// baseRecipe names what decides the vector tiles of the cells beside the containers.
const baseRecipe = "cell tiles 1"

// coarseRes is the resolution of the parts that are kept of each KG.
const coarseRes = 9

// coarseWidth is how many parts are read at once: they are small, and waiting is what they take.
const coarseWidth = 16

// zoomsOf are the zooms at which cells of a resolution are drawn.
var zoomsOf = []struct {
	resolution int
	from, to   uint8
}{{7, 8, 9}, {8, 10, 11}, {coarseRes, 12, tiles.BaseMaxZoom}}

// coarse writes a KG's parts of cells of a lower resolution.
func (p *pass) coarse(ctx context.Context, k *stage.KG, rows []ne.LURow) (manifest.Object, error) {
	list, err := ne.CoarseOf(rows, coarseRes)
	if err != nil {
		return manifest.Object{}, err
	}
	body := ne.EncodeCoarse(list)
	return p.c.Put(ctx, keys.CellCoarse{Code: k.Entry.Code, Date: k.Entry.Stichtag, Sum: keys.Sum(body)}, body)
}

// makeBase draws the cells of the country as vector tiles: small zooms have large cells.
func makeBase(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	var none manifest.Object
	var parts []ne.Coarse
	err := stage.InOrder(ctx, len(c.KGs), coarseWidth, func(ctx context.Context, i int) ([]ne.Coarse, error) {
		key := c.KGs[i].Made[ne.CoarseArtefact].Key
		b, err := readObject(ctx, c.Store, key)
		if err != nil {
			return nil, err
		}
		list, err := ne.ParseCoarse(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		return list, nil
	}, func(_ int, list []ne.Coarse) error {
		parts = append(parts, list...)
		return nil
	})
	if err != nil {
		return none, err
	}
	b := tiles.Base{Name: "Cells", Description: "Land statistics of hexagonal cells", Attribution: c.Register.Attribution, License: kgdocs.LicenseURL, Stichtag: c.Register.Stichtag}
	layer := b.Layer("cells", "Cells by resolution; shares in 1/255 of the cell's area", zoomsOf[0].from)
	for i := len(zoomsOf) - 1; i >= 0; i-- {
		z := zoomsOf[i]
		if parts, err = ne.Lift(parts, z.resolution); err != nil {
			return none, err
		}
		for k := range parts {
			outline, err := outlineOf(parts[k].Cell)
			if err != nil {
				return none, err
			}
			layer.AreaBetween(z.from, z.to, outline, attrsOf(&parts[k], z.resolution)...)
		}
	}
	body, err := b.Encode(c.Workers)
	if err != nil || body == nil { // no KG has a cell
		return none, err
	}
	return c.Write(ctx, ne.BaseArtefact, "pmtiles", body)
}

// outlineOf is the border of a cell.
func outlineOf(c hexgrid.Cell) (geom.MultiPolygon, error) {
	border, err := c.Boundary()
	if err != nil {
		return nil, err
	}
	r := make(geom.Ring, 0, len(border))
	for _, v := range border {
		p, ok := geom.PointAt(v.Lng, v.Lat)
		if !ok {
			return nil, fmt.Errorf("cell %s lies outside the world", c)
		}
		r = append(r, p)
	}
	return geom.MultiPolygon{{r}}, nil
}

// attrsOf are the attributes of a cell in the tiles; a share of 0 is left out.
func attrsOf(c *ne.Coarse, resolution int) []mvt.Attr {
	area := ne.CellArea(c.Cell)
	attrs := []mvt.Attr{tiles.Text("cell", c.Cell.String()), {Key: "res", Value: mvt.Uint(uint64(resolution))}}
	share := func(name string, m2 float64) {
		if v := min(255, int(m2/area*255+0.5)); v > 0 {
			attrs = append(attrs, mvt.Attr{Key: name, Value: mvt.Uint(uint64(v))})
		}
	}
	share("cov", c.Cov)
	share("land", c.Land)
	share("str_cover", c.Str)
	for i, use := range ne.Uses {
		share(use, c.Use[i])
	}
	return attrs
}
