package national

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"mappe/artefacts/keys"
	"mappe/shared/cloud/pause"
	"mappe/shared/cloud/store"
)

// Publications and prunings keep out of each other's way by objects that are no artefacts:
//
//	maintenance/publishing/{id}          a publication is under way
//	maintenance/published/{generation}   when the generation became current last: the time of the object
//	maintenance/prune                    a pruning is under way
//	maintenance/looked.json              what the last build on this machine saw of its source (see lookedKey)
//
// A publisher writes its mark and then looks for a pruning; a pruning writes its own and then looks for
// publishers, again before every batch it deletes. Whoever comes second sees the other: the pruning stops, the
// publisher waits. Each mark loses its force with time, for a process may be killed.
const (
	publishingFolder = "maintenance/publishing/"
	publishedFolder  = "maintenance/published/"
	pruneKey         = "maintenance/prune"

	// publishingFor is longer than any publication takes.
	publishingFor = time.Hour
	// pruneFor is longer than a batch takes; batchTime bounds it, so that a pruning that was held up deletes
	// nothing after its mark has lost its force.
	pruneFor  = 2 * time.Minute
	batchTime = time.Minute
	waitStep  = time.Second
)

var markHeaders = store.Headers{ContentType: "application/json", CacheControl: store.CacheRevalidate}

// announce marks that a publication begins and waits for a pruning to end; done takes the mark away.
func announce(ctx context.Context, st store.Store, now func() time.Time) (done func(), err error) {
	key := publishingFolder + rand.Text()
	if _, err := st.Put(ctx, key, []byte("{}"), store.PutOptions{Headers: markHeaders}); err != nil {
		return nil, err
	}
	done = func() { _ = st.Delete(context.WithoutCancel(ctx), key) } // a mark that stays loses its force
	for {
		info, err := st.Head(ctx, pruneKey)
		if errors.Is(err, store.ErrNotFound) || err == nil && now().Sub(info.Modified) > pruneFor {
			return done, nil
		}
		if err == nil {
			err = pause.For(ctx, waitStep)
		}
		if err != nil {
			done()
			return nil, err
		}
	}
}

// published notes that a generation is about to become current.
func published(ctx context.Context, st store.Store, generation string) error {
	_, err := st.Put(ctx, publishedFolder+generation, []byte("{}"), store.PutOptions{Headers: markHeaders})
	return err
}

// pruneLock is the mark of a pruning.
type pruneLock struct {
	st   store.Store
	now  func() time.Time
	etag string
	n    int
}

func takeLock(ctx context.Context, st store.Store, now func() time.Time) (*pruneLock, error) {
	l := &pruneLock{st: st, now: now, etag: store.Absent}
	info, err := st.Head(ctx, pruneKey)
	switch {
	case err == nil && now().Sub(info.Modified) <= pruneFor:
		return nil, errors.New("another pruning is under way: wait two minutes if it was stopped")
	case err == nil:
		l.etag = info.ETag
	case !errors.Is(err, store.ErrNotFound):
		return nil, err
	}
	return l, l.write(ctx)
}

// write renews the mark; somebody else's is an error.
func (l *pruneLock) write(ctx context.Context) error {
	l.n++
	info, err := l.st.Put(ctx, pruneKey, fmt.Appendf(nil, `{"id":%q,"batch":%d}`, rand.Text(), l.n),
		store.PutOptions{Headers: markHeaders, IfMatch: l.etag})
	if errors.Is(err, store.ErrPrecondition) {
		return errors.New("another pruning has begun: this one stops")
	}
	l.etag = info.ETag
	return err
}

// renew makes sure that nobody publishes, and that nobody has since the pointer was read.
func (l *pruneLock) renew(ctx context.Context, pointer string) error {
	if err := l.write(ctx); err != nil {
		return err
	}
	for info, err := range l.st.List(ctx, publishingFolder) {
		if err != nil {
			return err
		}
		if l.now().Sub(info.Modified) <= publishingFor {
			return errors.New("a publication is under way: prune again when it is done")
		}
	}
	info, err := l.st.Head(ctx, keys.Current{}.String())
	if err != nil {
		return err
	}
	if info.ETag != pointer {
		return errors.New("another generation was published meanwhile: prune again")
	}
	return nil
}

// release takes the mark away unless it is another's by now; one that stays loses its force.
func (l *pruneLock) release(ctx context.Context) {
	if info, err := l.st.Head(ctx, pruneKey); err == nil && info.ETag == l.etag {
		_ = l.st.Delete(ctx, pruneKey)
	}
}
