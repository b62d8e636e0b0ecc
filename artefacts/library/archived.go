package library

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"mappe/artefacts/archive"
	"mappe/artefacts/keys"
	"mappe/shared/cloud/store"
)

// archivedFor is how long the list of what is archived is taken to be the newest.
const archivedFor = 5 * time.Second

// archived is the list as it was last read: at most some 2 MB.
type archived struct {
	mu      sync.Mutex
	list    archive.Manifest
	etag    string
	at      time.Time // of the object
	checked time.Time
}

// Archived is the list of what is in the research repository, and when it last grew; an empty one and the zero time where
// nothing is. It is no part of a generation.
func (l *Library) Archived(ctx context.Context) (archive.Manifest, time.Time, error) {
	a := &l.archived
	a.mu.Lock()
	defer a.mu.Unlock()
	now := l.opt.Now()
	if !a.checked.IsZero() && now.Sub(a.checked) < archivedFor && !now.Before(a.checked) {
		return a.list, a.at, nil
	}
	ctx, cancel := context.WithTimeout(ctx, l.opt.LoadTimeout)
	defer cancel()
	key := keys.ArchiveManifest{}.String()
	b, info, err := store.ReadAll(ctx, l.store, key, archive.MaxManifest, store.GetOptions{IfNoneMatch: a.etag})
	switch {
	case errors.Is(err, store.ErrNotModified):
	case errors.Is(err, store.ErrNotFound):
		a.list, a.etag, a.at = archive.Manifest{Format: archive.Format}, "", time.Time{}
	case err != nil:
		return archive.Manifest{}, time.Time{}, storeError(key, err)
	default:
		list, err := archive.ParseManifest(b)
		if err != nil {
			return archive.Manifest{}, time.Time{}, fmt.Errorf("%s: %w: %w", key, ErrDamaged, err)
		}
		a.list, a.etag, a.at = list, info.ETag, info.Modified
	}
	a.checked = now
	return a.list, a.at, nil
}
