package library

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

const (
	// presentFor is how long an object that was seen in the store is taken to be there.
	presentFor = time.Minute
	// askWidth is how many objects are asked for at once: an answer that counts the rows of a thousand KGs
	// without reading them waits for some 16 round trips.
	askWidth = 64
)

// presence remembers which objects were seen in the store. What the data of a generation is and what of it
// is in the store are two things: an object that was evicted or lost changes no generation, so the store
// itself is asked.
type presence struct {
	mu   sync.Mutex
	seen map[string]time.Time
}

func (p *presence) note(now time.Time, keys ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil || len(p.seen) > 1<<16 {
		p.seen = map[string]time.Time{}
	}
	for _, k := range keys {
		p.seen[k] = now
	}
}

func (p *presence) fresh(now time.Time, key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.seen[key]
	return ok && now.Sub(at) < presentFor
}

// Missing are those of the KGs whose snapshot cannot be read, in the order given: none was ever made, or its
// object is not in the store. It reads no snapshot. What it saw it takes to be there for a minute.
func (v *View) Missing(ctx context.Context, codes []austria.KGCode) ([]austria.KGCode, error) {
	var missing []austria.KGCode
	var unsure []austria.KGCode
	now := v.l.opt.Now()
	for _, c := range codes {
		switch k := v.g.register.KG(c); {
		case k == nil || k.Snapshot.Key == "":
			missing = append(missing, c)
		case v.l.present.fresh(now, k.Snapshot.Key) || v.l.cache.has(name{k.Snapshot.Key, whole}):
		default:
			unsure = append(unsure, c)
		}
	}
	if len(unsure) == 0 {
		return missing, nil
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
		if k := v.g.register.KG(c); k == nil || k.Snapshot.Key == "" || gone[c] {
			v.l.warmUp(c)
			missing = append(missing, c)
		}
	}
	return missing, nil
}

// there says of each KG whether the store has its snapshot.
func (v *View) there(ctx context.Context, codes []austria.KGCode) ([]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, v.l.opt.LoadTimeout)
	defer cancel()
	out := make([]bool, len(codes))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(askWidth)
	for i, c := range codes {
		g.Go(func() error {
			_, err := v.l.store.Head(ctx, v.g.register.KG(c).Snapshot.Key)
			if out[i] = err == nil; err == nil || errors.Is(err, store.ErrNotFound) {
				return nil
			}
			return storeError(v.g.register.KG(c).Snapshot.Key, err)
		})
	}
	return out, g.Wait()
}
