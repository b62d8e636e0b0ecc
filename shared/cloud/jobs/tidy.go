package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/shared/cloud/ledger"
)

const (
	// tidyEvery is how often a list is put right at most: that reads each job of it.
	tidyEvery = 10 * time.Second
	tidyWidth = 16
)

// orTidy changes a list; where try refuses, the list is put right and try asked once more.
func (q *Queue) orTidy(ctx context.Context, jobType string, try func(*places) error) error {
	for tidied := false; ; tidied = true {
		var refused error
		err := q.change(ctx, jobType, func(p *places) bool {
			refused = try(p)
			return refused == nil
		})
		if err != nil || refused == nil {
			return err
		}
		if tidied {
			return refused
		}
		if changed, err := q.tidy(ctx, jobType); err != nil || !changed {
			return errors.Join(err, refused)
		}
	}
}

// tidy puts the list of a type right by the jobs themselves, and says whether that changed anything. Jobs that
// changed their place less than a minute ago are left alone: their record may be about to be written.
func (q *Queue) tidy(ctx context.Context, jobType string) (changed bool, err error) {
	r, err := q.ledger.Get(ctx, gateKey(jobType))
	if err != nil {
		return false, fmt.Errorf("jobs: gate of %s: %w", jobType, err)
	}
	p, err := readPlaces(r)
	now := q.now()
	if err != nil || now.Sub(time.Unix(0, p.Tidied)) < tidyEvery {
		return false, err
	}
	var old []string
	for id, x := range p.Open {
		if now.Sub(time.Unix(0, x.At)) >= orphaned {
			old = append(old, id)
		}
	}
	found := make([]*place, len(old))
	g, read := errgroup.WithContext(ctx)
	g.SetLimit(tidyWidth)
	for i, id := range old {
		g.Go(func() (err error) { found[i], err = q.truePlace(read, id, p.Open[id]); return err })
	}
	if err := g.Wait(); err != nil {
		return false, err
	}
	for i, id := range old {
		switch x := found[i]; {
		case x == nil:
			delete(p.Open, id)
			changed = true
		case *x != p.Open[id]:
			p.Open[id] = *x
			changed = true
		}
	}
	p.Tidied = now.UnixNano()
	if r.Value, err = json.Marshal(p); err != nil {
		return false, err
	}
	if _, err = q.ledger.Put(ctx, r, r.Version); errors.Is(err, ledger.ErrConflict) {
		return true, nil // others changed it meanwhile: that may be enough
	}
	return changed, err
}

// truePlace is the place that a job has by its record; nil: none.
func (q *Queue) truePlace(ctx context.Context, id string, x place) (*place, error) {
	j, err := q.Get(ctx, id)
	if errors.Is(err, ErrNotFound) || err == nil && j.State.Final() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	x.Running = j.State == Running || x.Running && j.State == Releasing && q.now().Before(j.Until)
	return &x, nil
}
