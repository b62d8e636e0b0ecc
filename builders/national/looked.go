package national

import (
	"context"
	"encoding/json"
	"maps"

	"mappe/artefacts/manifest"
	"mappe/builders/kgbuild"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// lookedKey is what a run remembers of its look at the source (kgbuild.Looked). It is no artefact: without it, or with that of
// another source, the next run reads all tiles.
const lookedKey = "maintenance/looked.json"

// lookedFormat is the version of the document; one of another version is not read.
const lookedFormat = 1

type looked struct {
	Format int                               `json:"format"`
	KGs    map[austria.KGCode]kgbuild.Looked `json:"kgs"`
}

// readLooked reads what the last run remembered; nothing where that cannot be read.
func readLooked(ctx context.Context, st store.Store) map[austria.KGCode]kgbuild.Looked {
	b, err := objects.Read(ctx, st, lookedKey)
	var l looked
	if err != nil || json.Unmarshal(b, &l) != nil || l.Format != lookedFormat {
		return nil
	}
	return l.KGs
}

// keepLooked remembers what this run has seen, beside what is known of KGs of the source that it has not looked at. A run that was
// stopped keeps it too.
func (o *Options) keepLooked(ctx context.Context, was, looks map[austria.KGCode]kgbuild.Looked) error {
	now := map[austria.KGCode]kgbuild.Looked{}
	for _, f := range o.Source.KGs {
		l, seen := looks[f.Code]
		if !seen {
			l = was[f.Code]
		}
		if l.Input != "" {
			now[f.Code] = l
		}
	}
	if maps.Equal(now, was) {
		return nil
	}
	body, err := manifest.Encode(looked{lookedFormat, now})
	if err != nil {
		return err
	}
	_, err = o.Store.Put(context.WithoutCancel(ctx), lookedKey, body, store.PutOptions{Headers: markHeaders})
	return err
}
