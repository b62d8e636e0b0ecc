package kgbuild

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/kgfile"
	"mappe/shared/cloud/store"
)

// ErrNotAtHand: the snapshot that is served is not in the store, and nobody could bring it back.
var ErrNotAtHand = errors.New("the served snapshot is not in the store")

// live is the snapshot that is served, to compare the build with it; nil where nothing is served, and where losses are accepted and the
// snapshot is not at hand. One that was evicted is brought back.
func (t *Task) live(ctx context.Context) (*kgfile.Snapshot, error) {
	s, err := snapshotOf(ctx, t.Store, t.Live)
	if err == nil || t.Live == nil {
		return s, err
	}
	key := t.Live.Forms.KGS.Key
	why := error(nil)
	if errors.Is(err, store.ErrNotFound) && t.Restore != nil {
		if why = t.Restore(ctx, *t.Live); why == nil {
			if s, err = snapshotOf(ctx, t.Store, t.Live); err == nil {
				return s, nil
			}
		}
	}
	lost, damaged := errors.Is(err, store.ErrNotFound), errors.Is(err, errDamaged)
	switch {
	case (lost || damaged) && t.Accept:
		return nil, nil
	case lost && why != nil:
		return nil, fmt.Errorf("%w (%s), and the research repository did not give it (%w); %s", ErrNotAtHand, key, why, t.instead())
	case lost:
		return nil, fmt.Errorf("%w (%s): bring it back with `restore %s`; %s", ErrNotAtHand, key, t.Facts.Code, t.instead())
	case damaged:
		return nil, fmt.Errorf("the served snapshot is damaged (%w): delete %s, then bring it back with `restore %s`; %s", err, key,
			t.Facts.Code, t.instead())
	}
	return nil, err
}

// instead is what else an operator can do.
func (t *Task) instead() string {
	return "or build with --accept-losses, which compares with nothing. What is served of the KG stays as it is"
}
