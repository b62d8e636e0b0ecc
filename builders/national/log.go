package national

import (
	"context"
	"errors"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// publicationsName is the kind in the key of a log of publications.
const publicationsName = "publications"

// log writes the log of publications with the one that is about to be, and names it in its pointer. Who loses the race
// for the pointer begins anew with the winner's log.
func (p *Publication) log(ctx context.Context, next *manifest.Pointer, m manifest.Manifest, live Live) error {
	before, err := readLog(ctx, p.Store, live.Pointer.Publications)
	if err != nil {
		return err
	}
	now := time.Now
	if p.Now != nil {
		now = p.Now
	}
	log := before.Next(now(), next.Generation, changedCells(&live.Manifest, &m))
	next.PublishedAt = log.Entries[len(log.Entries)-1].At
	body, err := manifest.Encode(log)
	if err != nil {
		return err
	}
	key := keys.National{Name: publicationsName, Sum: keys.Sum(body), Ext: "json"}
	next.Publications = key.String()
	return objects.Put(ctx, p.Store, key, body)
}

// readLog reads a log; where no log exists, or it is lost or damaged, a new one begins: who asks for more than it
// knows is given everything.
func readLog(ctx context.Context, st store.Store, key string) (manifest.Publications, error) {
	if key == "" {
		return manifest.Publications{}, nil
	}
	b, err := objects.Read(ctx, st, key)
	if errors.Is(err, store.ErrNotFound) {
		return manifest.Publications{}, nil
	}
	if err != nil {
		return manifest.Publications{}, err
	}
	log, err := manifest.ParsePublications(b)
	if err != nil {
		return manifest.Publications{}, nil
	}
	return log, nil
}

// changedCells are the KGs whose cells, or what is known of their changes, differ between two generations, in rising
// order; those that only one of them has are among them.
func changedCells(was, now *manifest.Manifest) []austria.KGCode {
	var out []austria.KGCode
	i := 0
	for j := 0; i < len(was.KGs) || j < len(now.KGs); {
		switch {
		case j == len(now.KGs) || i < len(was.KGs) && was.KGs[i].Code < now.KGs[j].Code:
			out = append(out, was.KGs[i].Code)
			i++
		case i == len(was.KGs) || now.KGs[j].Code < was.KGs[i].Code:
			out = append(out, now.KGs[j].Code)
			j++
		default:
			if !sameCells(was.KGs[i].Artefacts, now.KGs[j].Artefacts) {
				out = append(out, now.KGs[j].Code)
			}
			i, j = i+1, j+1
		}
	}
	return out
}

func sameCells(a, b manifest.Artefacts) bool {
	return a[ne.KGArtefact].Key == b[ne.KGArtefact].Key && a[ne.ChangesArtefact].Key == b[ne.ChangesArtefact].Key
}
