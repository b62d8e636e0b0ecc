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

	mu    sync.Mutex
	parts map[string]*Unbuilt
}

// keptParts bounds the parts of a list that are remembered.
const keptParts = 256

// Part is a part of the list that many requests ask for: the KGs of a state, those a protected area comes near. It is made
// once for its name, of the KGs that choose gives, by rising code. Others that ask for it meanwhile may make it too.
func (u *Unbuilt) Part(name string, choose func() []austria.KGCode) *Unbuilt {
	u.mu.Lock()
	p := u.parts[name]
	u.mu.Unlock()
	if p != nil {
		return p
	}
	p = &Unbuilt{}
	for _, code := range choose() {
		if coming, ok := u.Has(code); ok && coming {
			p.Coming = append(p.Coming, code)
		} else if ok {
			p.Staying = append(p.Staying, code)
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.parts == nil || len(u.parts) >= keptParts {
		u.parts = map[string]*Unbuilt{}
	}
	u.parts[name] = p
	return p
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
