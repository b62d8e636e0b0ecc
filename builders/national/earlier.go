package national

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// importAll makes the earlier snapshots of the KGs, as far as they are not in the store.
func (s *Source) importAll(ctx context.Context, st store.Store, facts []kgbuild.Facts) (all kgbuild.Imported, err error) {
	made := make([]kgbuild.Imported, len(facts))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for i := range facts {
		g.Go(func() (err error) {
			made[i], err = kgbuild.Import(ctx, st, s.epochs, &facts[i])
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return kgbuild.Imported{}, err
	}
	for _, m := range made {
		all.Notes, all.Problems = append(all.Notes, m.Notes...), append(all.Problems, m.Problems...)
	}
	return all, nil
}

// addEarlier adds the earlier snapshots of a row's KG to its list of versions. Those that are not earlier than what is
// served are left out: they are no history.
func (p *Publication) addEarlier(ctx context.Context, r *row, notes []keys.Epoch) error {
	if len(notes) == 0 || r.entry.Versions.Key == "" {
		return nil
	}
	b, err := objects.Read(ctx, p.Store, r.entry.Versions.Key)
	if err != nil {
		return err
	}
	v, err := rowschema.ParseVersions(b)
	if err != nil {
		return err
	}
	for _, note := range notes {
		if note.Date >= v.Latest {
			continue
		}
		var n rowschema.Version
		if b, err = objects.Read(ctx, p.Store, note.String()); err != nil {
			return err
		}
		if err := json.Unmarshal(b, &n); err != nil {
			return fmt.Errorf("%s: %w", note, err)
		}
		if v, err = v.WithEarlier(n); err != nil {
			return err
		}
	}
	body, err := manifest.Encode(v)
	if err != nil {
		return err
	}
	key := keys.Versions{Code: r.entry.Code, Sum: keys.Sum(body)}
	if key.String() == r.entry.Versions.Key {
		return nil // it has them all
	}
	r.entry.Versions = objects.Of(key, body)
	return objects.Put(ctx, p.Store, key, body)
}

// byKG sorts notes to their KGs.
func byKG(notes []keys.Epoch) map[austria.KGCode][]keys.Epoch {
	out := map[austria.KGCode][]keys.Epoch{}
	for _, n := range notes {
		out[n.Code] = append(out[n.Code], n)
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b keys.Epoch) int { return strings.Compare(a.String(), b.String()) })
	}
	return out
}
