package library

import (
	"context"
	"sync"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/warmup"
)

// failures remembers which warm-ups failed.
type failures struct {
	mu   sync.Mutex // held while they are read: others wait for it
	kgs  warmup.Failures
	etag string
	at   time.Time // of the last look
	// version counts the changes.
	version uint64
}

// Warming says whether a KG that cannot be read is being made warm: somebody makes KGs warm, and the KG's last build has
// not failed. One that failed is tried again an hour or a week later; until then repeating a request does not help.
func (v *View) Warming(ctx context.Context, code austria.KGCode) bool {
	if !v.l.Warms() || v.l.opt.RestoreOnly && !v.Warm(code) {
		return false
	}
	failed, _ := v.l.failed(ctx)
	return !failed.Has(code, v.l.opt.Now())
}

// failed are the failures, as they were a moment ago, and a number that changes with them. Where they cannot be read
// those of the last look hold.
func (l *Library) failed(ctx context.Context) (warmup.Failures, uint64) {
	if !l.Warms() {
		return nil, 0
	}
	f := &l.failures
	f.mu.Lock()
	defer f.mu.Unlock()
	now := l.opt.Now()
	if !f.at.IsZero() && now.Sub(f.at) < l.opt.Refresh {
		return f.kgs, f.version
	}
	ctx, cancel := context.WithTimeout(ctx, l.opt.LoadTimeout)
	defer cancel()
	kgs, etag, changed, err := warmup.ReadFailures(ctx, l.store, f.etag)
	switch {
	case err != nil:
		l.opt.Log.Warn("the failed warm-ups cannot be read", "error", err)
	case changed:
		f.kgs, f.etag = kgs, etag
		f.version++
	}
	f.at = now
	return f.kgs, f.version
}
