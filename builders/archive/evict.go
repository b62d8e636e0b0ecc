package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mappe/artefacts/availability"
	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Budget is what the served snapshots may take in the store, unless something else is set: 12 GB.
const Budget int64 = 12_000_000_000

// Eviction keeps the served snapshots within a budget: whole KGs are deleted, the least recently used first, until the rest
// fits. Only what is archived is deleted, so that a request brings it back; only the forms that are read by functions and
// downloaded (.kgs, GeoParquet, GeoJSON, GeoPackage): the tiles of a KG are what every publication merges.
type Eviction struct {
	Store  store.Store
	Budget int64
	// Used is when a KG was last used; the zero time, or nil: when its snapshot was stored.
	Used func(austria.KGCode) time.Time
}

// Evicted is what an eviction did.
type Evicted struct {
	KGs    []austria.KGCode `json:"kgs"`
	Bytes  int64            `json:"bytes"`  // deleted
	Left   int64            `json:"left"`   // of the served snapshots in the store
	Locked int              `json:"locked"` // KGs that could not be evicted because they are not archived
}

// present is a KG whose snapshot is in the store.
type present struct {
	entry   manifest.Entry
	bytes   int64
	used    time.Time
	objects []string
}

// Run evicts from a generation.
func (v Eviction) Run(ctx context.Context, served []manifest.Entry) (Evicted, error) {
	var done Evicted
	all, err := v.present(ctx, served)
	if err != nil {
		return done, err
	}
	for _, p := range all {
		done.Left += p.bytes
	}
	slices.SortFunc(all, func(a, b present) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.entry.Code, b.entry.Code)) })
	var out []present
	left := done.Left
	for _, p := range all {
		if left <= v.Budget {
			break
		}
		j, _, err := readJournal(ctx, v.Store, p.entry.Code)
		if err != nil {
			return done, err
		}
		if _, archived := j.Find(p.entry.Forms.KGS.SHA256); !archived {
			done.Locked++
			continue
		}
		out = append(out, p)
		left -= p.bytes
	}
	if len(out) == 0 {
		return done, nil
	}
	gone := make([]availability.Evicted, len(out))
	for i, p := range out {
		gone[i] = availability.Evicted{Code: p.entry.Code, Sum: p.entry.Forms.KGS.SHA256, Bytes: p.bytes,
			Stichtag: p.entry.Stichtag}
	}
	// The index comes first: who reads it knows of each object that is gone.
	if err := changeIndex(ctx, v.Store, func(x availability.Index) availability.Index { return x.With(gone...) }); err != nil {
		return done, err
	}
	for _, p := range out {
		for _, key := range p.objects {
			if err := v.Store.Delete(ctx, key); err != nil {
				return done, fmt.Errorf("delete %s: %w", key, err)
			}
		}
		done.KGs = append(done.KGs, p.entry.Code)
		done.Bytes += p.bytes
		done.Left -= p.bytes
	}
	return done, nil
}

// present lists the KGs of the generation that have an evictable object in the store. What the store has says the store.
func (v Eviction) present(ctx context.Context, served []manifest.Entry) ([]present, error) {
	of := map[string]int{}
	all := make([]present, len(served))
	for i, e := range served {
		all[i].entry = e
		for _, o := range e.Forms.Evictable() {
			of[o.Key] = i
		}
	}
	for info, err := range v.Store.List(ctx, "kg/") {
		if err != nil {
			return nil, err
		}
		if i, ok := of[info.Key]; ok {
			p := &all[i]
			p.bytes += info.Size
			p.objects = append(p.objects, info.Key)
			if info.Modified.After(p.used) {
				p.used = info.Modified
			}
		}
	}
	all = slices.DeleteFunc(all, func(p present) bool { return len(p.objects) == 0 })
	if v.Used != nil {
		for i := range all {
			if at := v.Used(all[i].entry.Code); at.After(all[i].used) {
				all[i].used = at
			}
		}
	}
	return all, nil
}

// changeIndex rewrites the index; others may write it meanwhile.
func changeIndex(ctx context.Context, st store.Store, change func(availability.Index) availability.Index) error {
	key := keys.Availability{}
	for range listAttempts {
		x, etag := availability.Index{Format: availability.Format}, store.Absent
		b, info, err := store.ReadAll(ctx, st, key.String(), availability.MaxBytes, store.GetOptions{})
		switch {
		case err == nil:
			etag = info.ETag
			if x, err = availability.Parse(b); err != nil {
				return err
			}
		case !errors.Is(err, store.ErrNotFound):
			return fmt.Errorf("read %s: %w", key, err)
		}
		next := change(x)
		if slices.Equal(next.KGs, x.KGs) {
			return nil
		}
		if _, err = replace(ctx, st, key, next, etag); !errors.Is(err, store.ErrPrecondition) {
			return err
		}
	}
	return fmt.Errorf("%s was written by others %d times in a row", key, listAttempts)
}

// Back is Bring for those who do not ask how much it was.
func (a Archive) Back(ctx context.Context, e manifest.Entry) error {
	_, err := a.Bring(ctx, e)
	return err
}

// Bring is Restore, and takes the KG out of the index when all of its snapshot is there.
func (a Archive) Bring(ctx context.Context, e manifest.Entry) (restored int, err error) {
	if restored, err = a.Restore(ctx, e); err != nil {
		return restored, err
	}
	return restored, changeIndex(ctx, a.Store, func(x availability.Index) availability.Index { return x.Without(e.Code) })
}
