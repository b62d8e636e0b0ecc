package library

import (
	"context"
	"slices"
	"sync"
	"time"

	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/warmup"
)

// Unbuilt are the KGs of a generation that have no snapshot, by rising code. It is made once for a generation and a state
// of the failed warm-ups, and shared by all requests: callers must not change it.
type Unbuilt struct {
	Coming  []austria.KGCode // are loaded when a request asks for them
	Staying []austria.KGCode // nothing loads them, or their last build failed
}

// Has says whether a KG has no snapshot, and whether it is loaded when a request asks for it.
func (u *Unbuilt) Has(code austria.KGCode) (coming, unbuilt bool) {
	if _, ok := slices.BinarySearch(u.Coming, code); ok {
		return true, true
	}
	_, ok := slices.BinarySearch(u.Staying, code)
	return false, ok
}

// Len is the number of KGs without a snapshot.
func (u *Unbuilt) Len() int { return len(u.Coming) + len(u.Staying) }

// unbuiltList remembers the list of a generation.
type unbuiltList struct {
	mu      sync.Mutex // held while the list is made: others wait for it
	list    *Unbuilt
	version uint64 // of the failures that it was made from
	until   time.Time
}

// Unbuilt are the KGs without a snapshot.
func (v *View) Unbuilt(ctx context.Context) *Unbuilt {
	kgs, version := v.l.failed(ctx)
	now := v.l.opt.Now()
	u := &v.g.unbuilt
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.list == nil || u.version != version || !now.Before(u.until) {
		u.list, u.version = unbuiltOf(v.g.register, v.l.Builds(), kgs, now), version
		u.until = now.Add(presentFor) // failures end with time
	}
	return u.list
}

func unbuiltOf(reg *register.Register, builds bool, failed warmup.Failures, now time.Time) *Unbuilt {
	u := &Unbuilt{}
	for i := range reg.KGs() {
		k := &reg.KGs()[i]
		switch {
		case k.Snapshot.Key != "":
		case builds && !failed.Has(k.Code, now):
			u.Coming = append(u.Coming, k.Code)
		default:
			u.Staying = append(u.Staying, k.Code)
		}
	}
	return u
}

// Ask has a KG loaded where somebody loads KGs; it returns at once.
func (v *View) Ask(code austria.KGCode) { v.l.warmUp(code) }
