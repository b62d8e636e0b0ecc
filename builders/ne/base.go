package ne

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/rowschema"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/builders/tiles"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/geo/mvt"
)

// baseRecipe names what decides the vector tiles of the cells beside the containers.
const baseRecipe = "cell tiles 2"

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
func (p *pass) coarse(ctx context.Context, k *stage.KG, rows []ne.LURow, areas []float64) (manifest.Object, error) {
	list, err := ne.CoarseOf(rows, areas, coarseRes)
	if err != nil {
		return manifest.Object{}, err
	}
	body := ne.EncodeCoarse(list)
	return p.c.Put(ctx, keys.CellCoarse{Code: k.Entry.Code, Date: k.Entry.Stichtag, Sum: keys.Sum(body)}, body)
}

// makeBase draws the cells of the country as vector tiles: small zooms have large cells. Beside them it draws the KGs that
// have none.
func makeBase(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	var none manifest.Object
	coarse, err := readCoarse(ctx, c)
	if err != nil {
		return none, err
	}
	ground, err := readGround(ctx, c)
	if err != nil {
		return none, err
	}
	b := tiles.Base{Name: "Cells", Description: "Land statistics of hexagonal cells", Attribution: c.Register.Attribution,
		License: rowschema.LicenseURL, Stichtag: c.Register.Stichtag}
	if err := drawCells(ctx, c.Workers, &b, coarse, ground); err != nil {
		return none, err
	}
	if len(coarse) > 0 {
		drawUnbuilt(&b, c)
	}
	body, err := b.Encode(c.Workers)
	if err != nil || body == nil { // no KG has a cell
		return none, err
	}
	return c.Write(ctx, ne.BaseArtefact, "pmtiles", body)
}

// readCoarse reads the parts of all KGs.
func readCoarse(ctx context.Context, c *stage.Country) (all []ne.Coarse, err error) {
	return all, stage.InOrder(ctx, len(c.KGs), coarseWidth, func(ctx context.Context, i int) ([]ne.Coarse, error) {
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
		all = append(all, list...)
		return nil
	})
}

// readGround reads from the sums of what changed the changed ground by cell; nothing is read where nothing changed.
func readGround(ctx context.Context, c *stage.Country) ([]ne.Ground, error) {
	key := c.Made[ne.SumsArtefact].Key
	if key == "" || !slices.ContainsFunc(c.KGs, func(k stage.KG) bool { return k.Made[ne.ChangesArtefact].Key != "" }) {
		return nil, nil
	}
	b, err := readObject(ctx, c.Store, key)
	if err != nil {
		return nil, err
	}
	f, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	i, ok := f.Find(ne.GroundSection)
	if !ok {
		return nil, nil
	}
	body, err := f.Section(i)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return ne.ParseGround(body)
}

// drawCells draws cells of each resolution with their shares and their changed ground.
func drawCells(ctx context.Context, workers int, b *tiles.Base, coarse []ne.Coarse, ground []ne.Ground) error {
	layer := b.Layer("cells", "Cells by resolution; shares in 1/255 of the cell's area; changed ground and, beside it, the cell's area in m²", zoomsOf[0].from)
	for i := len(zoomsOf) - 1; i >= 0; i-- {
		z := zoomsOf[i]
		changed, err := ne.LiftGround(ground, z.resolution)
		if err != nil {
			return err
		}
		if coarse, err = ne.Lift(coarse, z.resolution); err != nil {
			return err
		}
		coarse = ne.WithGround(coarse, changed)
		cells := coarse
		err = stage.InOrder(ctx, (len(cells)+drawnAtOnce-1)/drawnAtOnce, workers, func(_ context.Context, i int) ([]drawnCell, error) {
			return drawn(cells[i*drawnAtOnce:min((i+1)*drawnAtOnce, len(cells))], changed, z.resolution)
		}, func(_ int, list []drawnCell) error {
			for _, d := range list {
				layer.AreaBetween(z.from, z.to, d.outline, d.attrs...)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// drawnAtOnce cells are drawn by one goroutine at once.
const drawnAtOnce = 1 << 10

// drawnCell is a cell as tiles show it.
type drawnCell struct {
	outline geom.MultiPolygon
	attrs   []mvt.Attr
}

// drawn draws cells of a resolution.
func drawn(coarse []ne.Coarse, changed map[hexgrid.Cell]ne.Ground, resolution int) ([]drawnCell, error) {
	out := make([]drawnCell, len(coarse))
	for i := range coarse {
		outline, err := outlineOf(coarse[i].Cell)
		if err != nil {
			return nil, err
		}
		out[i] = drawnCell{outline, attrsOf(&coarse[i], changed[coarse[i].Cell], resolution)}
	}
	return out, nil
}

// drawUnbuilt draws the outlines of the KGs without cells, and a point in each for its label.
func drawUnbuilt(b *tiles.Base, c *stage.Country) {
	layer := b.Layer("unbuilt", "KGs whose cells are not built", zoomsOf[0].from)
	for i := range c.Register.KGs {
		k := &c.Register.KGs[i]
		if k.Snapshot.Key != "" || len(k.Outline) == 0 {
			continue
		}
		attrs := []mvt.Attr{tiles.Text("kg_code", string(k.Code)), tiles.Text("kg_name", k.Name)}
		layer.Area(zoomsOf[0].from, k.Outline, attrs...)
		if at, ok := k.Outline.Inside(); ok {
			layer.Point(zoomsOf[0].from, at, attrs...)
		}
	}
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

// attrsOf are the attributes of a cell in the tiles; what is 0 is left out.
func attrsOf(c *ne.Coarse, changed ne.Ground, resolution int) []mvt.Attr {
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
	if changed.Confirmed+changed.Candidate == 0 {
		return attrs
	}
	for _, m2 := range []struct {
		name  string
		value uint64
	}{{"confirmed_m2", uint64(changed.Confirmed+5) / 10}, {"candidate_m2", uint64(changed.Candidate+5) / 10}, {"area_m2",
		uint64(area + 0.5)}} {
		if m2.value > 0 {
			attrs = append(attrs, mvt.Attr{Key: m2.name, Value: mvt.Uint(m2.value)})
		}
	}
	return attrs
}
