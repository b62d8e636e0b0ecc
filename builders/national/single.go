package national

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"mappe/artefacts/manifest"
	"mappe/shared/cloud/pause"
	"mappe/shared/cloud/store"
)

// Add publishes further artefacts of the country, which stand in the store already, beside what is served: no source is read and
// nothing is built. They stay served until others of their kinds are added. now dates the publication; nil: time.Now.
func Add(ctx context.Context, st store.Store, artefacts manifest.Artefacts, now func() time.Time) (Published, error) {
	p := Publication{Store: st, Artefacts: artefacts, Observer: silent{}, Now: now}
	if err := p.present(ctx); err != nil {
		return Published{}, err
	}
	for attempt := range swapAttempts {
		if attempt > 0 {
			if err := pause.For(ctx, rand.N(time.Duration(attempt)*swapPause)); err != nil {
				return Published{}, err
			}
		}
		live, err := ReadLive(ctx, st)
		if err != nil {
			return Published{}, err
		}
		if live.etag == store.Absent {
			return Published{}, errors.New("nothing is published yet: build a country first")
		}
		now, err := p.add(ctx, live)
		if errors.Is(err, store.ErrPrecondition) {
			continue
		}
		if err == nil {
			err = syncLatest(ctx, st, p.Observer, now)
		}
		return Published{Generation: now.Pointer.Generation, Changed: now.Pointer.Generation != live.Pointer.Generation}, err
	}
	return Published{}, fmt.Errorf("the pointer was swapped by others %d times in a row: try again", swapAttempts)
}

// add publishes the live generation with the artefacts added.
func (p *Publication) add(ctx context.Context, live Live) (Live, error) {
	announced, err := announce(ctx, p.Store, time.Now)
	if err != nil {
		return live, err
	}
	defer announced()
	m := live.Manifest
	m.Artefacts = m.Artefacts.With(p.Artefacts)
	return p.swap(ctx, m, live)
}
