package library

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/availability"
	"mappe/artefacts/keys"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

const (
	// presentFor is how long an object that was seen in the store is taken to be there.
	presentFor = time.Minute
	// askWidth is how many objects are asked for at once.
	askWidth = 64
	// askEach is how many KGs are asked for one by one. Beyond it the index of evicted files is read, and the store is
	// asked for what that names: an answer that counts the rows of a thousand KGs without reading them takes one request.
	askEach = 8
)

// presence remembers which objects were seen in the store. What the data of a generation is and what of it
// is in the store are two things: an object that was evicted or lost changes no generation, so the store
// itself is asked, or its index of evicted files.
type presence struct {
	mu   sync.Mutex
	seen map[string]time.Time
	lost map[string]bool // objects that a read has not found, until one is seen

	indexMu sync.Mutex // held while the index is read: others wait for it
	index   *availability.Index
	etag    string
	at      time.Time // of the last look
}

func (p *presence) note(now time.Time, keys ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil || len(p.seen) > 1<<16 {
		p.seen = map[string]time.Time{}
	}
	for _, k := range keys {
		p.seen[k] = now
		delete(p.lost, k)
	}
}

// lose notes that an object was not found.
func (p *presence) lose(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost == nil || len(p.lost) > 1<<16 {
		p.lost = map[string]bool{}
	}
	p.lost[key] = true
	delete(p.seen, key)
}

// wasLost says whether an object was not found when it was read last.
func (p *presence) wasLost(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost[key]
}

func (p *presence) fresh(now time.Time, key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.seen[key]
	return ok && now.Sub(at) < presentFor
}

// Missing are those of the KGs whose snapshot cannot be read, in the order given: none was ever made, or its
// object is not in the store. It reads no snapshot. What it saw it takes to be there for a minute. Of more than askEach
// KGs that it has not seen it assumes the files to be there that were not evicted: one that was lost is known as soon as it
// was read. One whose object was found damaged is missing, too.
func (v *View) Missing(ctx context.Context, codes []austria.KGCode) ([]austria.KGCode, error) {
	missing, err := v.Unread(ctx, codes)
	for _, c := range missing {
		if !v.Damaged(c) {
			v.l.warmUp(c)
		}
	}
	return missing, err
}

// Unread is Missing for who only lists: nothing is asked to be loaded.
func (v *View) Unread(ctx context.Context, codes []austria.KGCode) ([]austria.KGCode, error) {
	var missing []austria.KGCode
	var unsure []austria.KGCode
	now := v.l.opt.Now()
	for _, c := range codes {
		switch k := v.g.register.KG(c); {
		case k == nil || k.Snapshot.Key == "" || v.damaged(k):
			missing = append(missing, c)
		case v.l.present.fresh(now, k.Snapshot.Key) || v.l.cache.has(name{k.Snapshot.Key, whole}):
		default:
			unsure = append(unsure, c)
		}
	}
	if len(unsure) == 0 {
		return missing, nil
	}
	if len(unsure) > askEach {
		evicted, err := v.evicted(ctx, now)
		if err != nil {
			return nil, err
		}
		if evicted != nil {
			unsure = slices.DeleteFunc(unsure, func(c austria.KGCode) bool {
				return !v.l.present.wasLost(v.g.register.KG(c).Snapshot.Key) &&
					!evicted.Has(c, hex.EncodeToString(v.g.register.KG(c).Snapshot.SHA256[:]))
			})
		}
	}
	there, err := v.there(ctx, unsure)
	if err != nil {
		return nil, err
	}
	gone := map[austria.KGCode]bool{}
	for i, ok := range there {
		if ok {
			v.l.present.note(now, v.g.register.KG(unsure[i]).Snapshot.Key)
		} else {
			gone[unsure[i]] = true
		}
	}
	missing = missing[:0]
	for _, c := range codes {
		if k := v.g.register.KG(c); k == nil || k.Snapshot.Key == "" || gone[c] || v.Damaged(c) {
			missing = append(missing, c)
		}
	}
	return missing, nil
}

// Damaged says whether the snapshot of a KG was found damaged when it was read last.
func (v *View) Damaged(code austria.KGCode) bool {
	k := v.g.register.KG(code)
	return k != nil && k.Snapshot.Key != "" && v.damaged(k)
}

// damaged is Damaged for a KG with a snapshot.
func (v *View) damaged(k *register.KG) bool { return v.l.cache.isDamaged(name{k.Snapshot.Key, whole}) }

// there says of each KG whether the store has its snapshot.
func (v *View) there(ctx context.Context, codes []austria.KGCode) ([]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, v.l.opt.LoadTimeout)
	defer cancel()
	out := make([]bool, len(codes))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(askWidth)
	for i, c := range codes {
		g.Go(func() error {
			_, err := store.Stat(ctx, v.l.store, v.g.register.KG(c).Snapshot.Key)
			if out[i] = err == nil; err == nil || errors.Is(err, store.ErrNotFound) {
				return nil
			}
			return storeError(v.g.register.KG(c).Snapshot.Key, err)
		})
	}
	return out, g.Wait()
}

// evicted is the index of evicted files, as it was a minute ago at most. A store without one has evicted nothing; nil is
// an index that cannot be read.
func (v *View) evicted(ctx context.Context, now time.Time) (*availability.Index, error) {
	p := &v.l.present
	p.indexMu.Lock()
	defer p.indexMu.Unlock()
	if !p.at.IsZero() && now.Sub(p.at) < presentFor {
		return p.index, nil
	}
	ctx, cancel := context.WithTimeout(ctx, v.l.opt.LoadTimeout)
	defer cancel()
	key := keys.Availability{}.String()
	b, info, err := store.ReadAll(ctx, v.l.store, key, availability.MaxBytes, store.GetOptions{IfNoneMatch: p.etag})
	switch {
	case errors.Is(err, store.ErrNotModified):
	case errors.Is(err, store.ErrNotFound):
		p.index, p.etag = &availability.Index{}, ""
	case err != nil:
		return nil, storeError(key, err)
	default:
		x, err := availability.Parse(b)
		if p.index, p.etag = &x, info.ETag; err != nil {
			v.l.opt.Log.Error("the index of evicted snapshots cannot be read", "key", key, "error", err)
			p.index = nil
		}
	}
	p.at = now
	return p.index, nil
}
