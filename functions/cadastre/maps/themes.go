package maps

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
)

// The themes: layers that colour the ground below the parcels, of their own and no part of the whole. Beside these there is one of the
// cells for each of the choices (cells.go).
const (
	relief layer = "relief"
	prices layer = "prices"
)

// themes are all of them in drawing order.
var themes = func() []described {
	list := []described{
		{layer: relief, title: "Relief", abstract: "Shade of the terrain, with light from the north-west.", zoom: 4, until: 18},
		{layer: prices, title: "Land prices", abstract: "Estimated prices of parcels in €/m² from a scale of about 1:12,000 on (as Web " +
			"Mercator counts), below it what building land costs in the municipality. Hatched by how sure they are.", zoom: farZoom},
	}
	for _, c := range choices {
		list = append(list, c.described())
	}
	return list
}()

// listed are the layers beside the whole in drawing order.
func listed() []described { return slices.Concat(all, lying, themes) }

// tiled says whether a layer is drawn from the vector tiles of the country.
func (l layer) tiled() bool {
	return l == prices || slices.ContainsFunc(all, func(d described) bool { return d.layer == l })
}

// prepare reads what a theme is drawn from.
func (d *drawing) prepare(ctx context.Context, l layer) (err error) {
	switch {
	case l.over():
		d.outlines[l], err = d.picture.outlines(ctx, l)
	case l == relief:
		d.ground, err = d.picture.terrain(ctx, d.zoom)
	case l == prices:
		d.priced, err = d.price(ctx)
	case l.cells() && d.cells == nil:
		d.cells, err = d.picture.hexagons(ctx, d.zoom)
	}
	return err
}

// themesAt are what the themes tell of a point, the uppermost first. The gaps are those of toldAt.
func themesAt(ctx context.Context, at geom.Point, q question, gaps *view.Missing) (list []told, err error) {
	var hexagon *hexagon
	for _, d := range slices.Backward(themes) {
		if !slices.Contains(q.layers, d.layer) {
			continue
		}
		var t *told
		switch {
		case d.layer == relief:
			t, err = terrainAt(ctx, at, q.in)
		case d.layer == prices:
			t, err = priceAt(ctx, at, q, gaps)
		default:
			if hexagon == nil {
				hexagon, err = hexagonAt(ctx, at, q.zoom())
			}
			switch {
			case err != nil:
			case hexagon.cell == 0: // the KGs that may have it and are not built
				err = unbuiltAt(ctx, at, gaps)
			default:
				t = hexagon.told(d.layer, q.in)
			}
		}
		if err != nil {
			return nil, err
		}
		if t != nil {
			list = append(list, *t)
		}
	}
	return list, nil
}

// credits are whom to name for the themes that have sources of their own.
func credits(ctx context.Context) (map[layer]string, error) {
	out := map[layer]string{}
	a, err := view.ArchiveOf(ctx, reliefArtefact)
	if err != nil {
		return nil, err
	}
	if a != nil {
		raw, err := a.Metadata()
		var m struct{ Attribution string }
		if err == nil {
			err = json.Unmarshal(raw, &m)
		}
		if err != nil {
			return nil, generation.Fault(ctx, fmt.Errorf("the metadata of the relief cannot be read: %w", err))
		}
		out[relief] = m.Attribution
	}
	_, p, ok, err := openPrices(ctx)
	if ok {
		out[prices] = p.Attribution()
	}
	return out, err
}

// allCredits are the country's credit and those of the themes, each once.
func (w *writer) allCredits() string {
	list := []string{w.credit}
	for _, d := range themes {
		if c := w.credits[d.layer]; c != "" && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return strings.Join(list, "; ")
}

// put adds a value to what is told.
func (t *told) put(name string, v any) {
	if t.at == nil {
		t.at = map[string]any{}
	}
	t.names, t.at[name] = append(t.names, name), v
}

// theme says whether a layer is one of the themes.
func (l layer) theme() bool { return l == relief || l == prices || l.cells() }

// cells says whether a layer shows the cells.
func (l layer) cells() bool { return strings.HasPrefix(string(l), cellsPrefix) }
