// Package prices makes the artefact of land prices (artefacts/prices): the series of the raw source, and the
// tallies of the KGs. A KG whose file is that of the served artefact is taken over unread.
package prices

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
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
func Stage(g Given) stage.Stage { return stage.Reading(prices.Artefact, recipe, g.begin) }

// reader tallies the KGs whose tallies the served artefact has not.
type reader struct {
	c     *stage.Country
	out   prices.Contents
	at    map[austria.KGCode]int        // place in out.KGs
	known map[austria.KGCode]*prices.KG // of the served artefact
	there bool                          // it was read
}

func (g Given) begin(ctx context.Context, c *stage.Country) (stage.Reader, error) {
	live, err := served(ctx, c)
	if err != nil {
		return nil, err
	}
	r := &reader{c: c, known: make(map[austria.KGCode]*prices.KG, len(live.KGs)), there: live.Model != "",
		at:  make(map[austria.KGCode]int, len(c.KGs)),
		out: prices.Contents{Model: landprice.Model, Attribution: g.Attribution, Rows: g.Rows, KGs: make([]prices.KG, len(c.KGs))}}
	if len(g.Rows) == 0 {
		r.out.Attribution, r.out.Rows = live.Attribution, live.Rows
	}
	for i := range live.KGs {
		if live.Model != landprice.Model {
			break
		}
		r.known[live.KGs[i].Code] = &live.KGs[i]
	}
	for i := range c.KGs {
		k, out := &c.KGs[i], &r.out.KGs[i]
		r.at[k.Entry.Code] = i
		out.Code, out.GemeindeCode = k.Entry.Code, k.Register.GemeindeCode
		sum, err := hex.DecodeString(k.Entry.Forms.KGS.SHA256)
		if err != nil {
			return nil, fmt.Errorf("KG %s: %w", k.Entry.Code, err)
		}
		copy(out.File[:], sum)
	}
	return r, nil
}

// of is the row of a KG. It looks into no other row, which others may be at.
func (r *reader) of(k *stage.KG) *prices.KG { return &r.out.KGs[r.at[k.Entry.Code]] }

// Wants implements stage.Reader: what the served artefact says of the same file is taken over.
func (r *reader) Wants(_ context.Context, k *stage.KG) (bool, error) {
	out := r.of(k)
	old := r.known[out.Code]
	if old == nil || old.File != out.File {
		return true, nil
	}
	out.Tally = old.Tally
	return false, nil
}

// Take implements stage.Reader.
func (r *reader) Take(_ context.Context, k *stage.KG, f *kgfile.File) error {
	parcels, err := f.Parcels()
	if err != nil {
		return err
	}
	out := r.of(k)
	for i := range parcels {
		in := prices.InputOf(&parcels[i], f.KG().Typology)
		out.Tally.Add(&in)
	}
	return nil
}

// Finish implements stage.Reader.
func (r *reader) Finish(ctx context.Context) (manifest.Object, error) {
	return write(ctx, r.c, &r.out, r.there)
}

// Close implements stage.Reader.
func (r *reader) Close() {}

// served is the artefact that is served; empty if no artefact is served or it cannot be used: then all is made
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
