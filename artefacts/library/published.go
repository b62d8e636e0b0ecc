package library

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Publication is what the store knows of the snapshots of a KG.
type Publication struct {
	Latest    string    // date of the snapshot that is served
	Snapshots int       // dated snapshots
	At        time.Time // when the served one was published: the time of the KG's list of versions
}

// Published says when and how often a KG was published. It reads the KG's list of versions, about 400 bytes a snapshot,
// and remembers nothing of it. ErrUnknownKG, ErrCold.
func (v *View) Published(ctx context.Context, code austria.KGCode) (Publication, error) {
	k := v.g.register.KG(code)
	if k == nil {
		return Publication{}, fmt.Errorf("KG %s: %w", code, ErrUnknownKG)
	}
	if k.Snapshot.Key == "" {
		return Publication{}, fmt.Errorf("KG %s: %w", code, ErrCold)
	}
	e, err := v.entry(ctx, code)
	if err != nil {
		return Publication{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, v.l.opt.LoadTimeout)
	defer cancel()
	p := Publication{Latest: k.Snapshot.Date, Snapshots: 1}
	if e.versions == "" { // of a builder that wrote no lists
		info, err := store.Stat(ctx, v.l.store, k.Snapshot.Key)
		if errors.Is(err, store.ErrNotFound) {
			return p, nil
		}
		if err != nil {
			return p, storeError(k.Snapshot.Key, err)
		}
		p.At = info.Modified
		return p, nil
	}
	body, info, err := store.ReadAll(ctx, v.l.store, e.versions, maxVersionList, store.GetOptions{Plain: true})
	if err != nil {
		return p, storeError(e.versions, err)
	}
	doc, err := rowschema.ParseVersions(body)
	if err != nil {
		return p, fmt.Errorf("%s: %w: %w", e.versions, ErrDamaged, err)
	}
	p.Latest, p.Snapshots, p.At = doc.Latest, len(doc.Snapshots), info.Modified
	return p, nil
}
