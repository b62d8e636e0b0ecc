// Package prices makes the artefact of land prices (artefacts/prices): the series of the raw source, and the
// tallies of the KGs. A KG whose file is that of the served artefact is taken over unread.
package prices

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/prices"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/landprice"
)

// recipe names the form of the artefact and the constants of the model that stand in its tallies.
const recipe = "prices-1 " + landprice.Model

// Given are the series of a source. Rows are in the order of the artefact; without any the stage takes over
// those of the served artefact.
type Given struct {
	Attribution string
	Rows        []prices.Row
}

// Stage is the stage of a publication that makes the artefact.
func Stage(g Given) stage.Stage {
	return stage.Stage{Kind: prices.Artefact, Recipe: recipe, Make: g.build}
}

func (g Given) build(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	live, err := served(ctx, c)
	if err != nil {
		return manifest.Object{}, err
	}
	out := prices.Contents{Model: landprice.Model, Attribution: g.Attribution, Rows: g.Rows, KGs: make([]prices.KG, 0, len(c.KGs))}
	if len(g.Rows) == 0 {
		out.Attribution, out.Rows = live.Attribution, live.Rows
	}
	known := make(map[austria.KGCode]*prices.KG, len(live.KGs))
	for i := range live.KGs {
		if live.Model != landprice.Model {
			break
		}
		known[live.KGs[i].Code] = &live.KGs[i]
	}
	one := func(ctx context.Context, i int) (prices.KG, error) { return tally(ctx, c, &c.KGs[i], known) }
	err = stage.InOrder(ctx, len(c.KGs), c.Workers, one, func(_ int, k prices.KG) error {
		out.KGs = append(out.KGs, k)
		return nil
	})
	if err != nil {
		return manifest.Object{}, err
	}
	return write(ctx, c, &out, live.Model != "")
}

// served is the artefact that is served; empty where there is none or it cannot be used: then all is made
// anew.
func served(ctx context.Context, c *stage.Country) (prices.Contents, error) {
	o, ok := c.Live[prices.Artefact]
	if !ok {
		return prices.Contents{}, nil
	}
	b, _, err := store.ReadAll(ctx, c.Store, o.Key, prices.MaxFile, store.GetOptions{Plain: true})
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrTooLarge) {
		return prices.Contents{}, nil
	}
	if err != nil {
		return prices.Contents{}, fmt.Errorf("read %s: %w", o.Key, err)
	}
	live, err := prices.Decode(b)
	if err != nil {
		return prices.Contents{}, nil // of another version, or damaged
	}
	return *live, nil
}

// write stores the artefact; there says that the served one was read, so that the same bytes need no writing.
func write(ctx context.Context, c *stage.Country, out *prices.Contents, there bool) (manifest.Object, error) {
	body, err := prices.Encode(out)
	if err != nil {
		return manifest.Object{}, err
	}
	key := keys.Prices{Name: "land", Sum: keys.Sum(body), Ext: "parts"}
	if live, ok := c.Live[prices.Artefact]; ok && live.Key == key.String() && there {
		return live, nil
	}
	return c.Put(ctx, key, body)
}

// tally reads the parcels of a KG, or takes over what the served artefact says of the same file.
func tally(ctx context.Context, c *stage.Country, k *stage.KG, known map[austria.KGCode]*prices.KG) (prices.KG, error) {
	out := prices.KG{Code: k.Entry.Code, GemeindeCode: k.Register.GemeindeCode}
	sum, err := hex.DecodeString(k.Entry.Forms.KGS.SHA256)
	if err != nil {
		return out, fmt.Errorf("KG %s: %w", k.Entry.Code, err)
	}
	copy(out.File[:], sum)
	if old := known[out.Code]; old != nil && old.File == out.File {
		out.Tally = old.Tally
		return out, nil
	}
	f, err := c.Open(ctx, k)
	if err != nil {
		return out, err
	}
	parcels, err := f.Parcels()
	if err != nil {
		return out, fmt.Errorf("KG %s: %w", out.Code, err)
	}
	for i := range parcels {
		in := prices.InputOf(&parcels[i], f.KG().Typology)
		out.Tally.Add(&in)
	}
	return out, nil
}
