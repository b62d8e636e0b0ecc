package national

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/landscape"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rasters"
	"mappe/builders/objects"
	rasterbuild "mappe/builders/rasters"
	"mappe/shared/cloud/store"
)

// What a pruning keeps.
const (
	// Kept is how long a generation is kept after another took its place: a cursor lives 7 days, and a reader
	// may hold a generation a little longer than it is served.
	Kept = 8 * 24 * time.Hour
	// KeptExports is how long the file of an export is kept: its job tells of it for 7 days after its end, which comes
	// a little after the file.
	KeptExports = 7*24*time.Hour + time.Hour
	// doubtful is how long before the newest generation that is older than Kept others are kept too: of two
	// publishers that raced only one won, and the marks of both stand.
	doubtful = 24 * time.Hour
	// pruneBatch is how many objects are deleted between two looks at who else is at work.
	pruneBatch = 100
)

// PruneOptions are what a pruning may be told.
type PruneOptions struct {
	DryRun bool // count, delete nothing
	Now    func() time.Time
}

// Pruned says what a pruning did.
type Pruned struct {
	Generations int   `json:"generations"` // kept
	Kept        int   `json:"kept"`        // objects of the kinds that are pruned
	Deleted     int   `json:"deleted"`
	Bytes       int64 `json:"bytes"` // of the deleted objects
}

// Prune deletes what belongs to nobody any more: generations that nobody can read, and the files of exports that are
// older than KeptExports.
//
// Of generations it deletes manifests with their parts, registers, national artefacts, prices, cells, landscape and the tiles
// of rasters that no index names any more: newer ones took their place.
// Dated snapshots, what was made of them and their lists are never deleted. Objects of generations that are younger
// than Kept stay whatever they belong to: a build may be about to publish them.
//
// It works beside builds and readers, and not beside publications: who publishes waits until a batch is
// deleted (see exclusive). A pruning that is killed has deleted nothing that is needed; the next goes on.
func Prune(ctx context.Context, st store.Store, o PruneOptions) (Pruned, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	p := pruning{st: st, now: o.Now, horizon: o.Now().Add(-Kept)}
	if o.DryRun {
		return p.plan(ctx)
	}
	lock, err := takeLock(ctx, st, o.Now)
	if err != nil {
		return Pruned{}, err
	}
	defer lock.release(context.WithoutCancel(ctx))
	done, err := p.plan(ctx)
	if err != nil {
		return done, err
	}
	done.Deleted, done.Bytes = 0, 0
	for batch := range slices.Chunk(p.doomed, pruneBatch) {
		if err := lock.renew(ctx, p.pointer); err != nil {
			return done, err
		}
		if err := done.delete(ctx, st, batch); err != nil {
			return done, err
		}
	}
	return done, nil
}

// delete takes one batch away, in the time that the mark of the pruning holds.
func (d *Pruned) delete(ctx context.Context, st store.Store, batch []store.Info) error {
	ctx, cancel := context.WithTimeout(ctx, batchTime)
	defer cancel()
	for _, info := range batch {
		if err := st.Delete(ctx, info.Key); err != nil {
			return err
		}
		d.Deleted++
		d.Bytes += info.Size
	}
	return nil
}

// pruning is one run.
type pruning struct {
	st      store.Store
	now     func() time.Time
	horizon time.Time
	pointer string          // ETag of the pointer that the plan was made from
	needed  map[string]bool // keys
	doomed  []store.Info    // in the order of deletion
}

// plan finds out what is needed, all of it before anything is deleted.
func (p *pruning) plan(ctx context.Context) (Pruned, error) {
	var done Pruned
	live, err := ReadLive(ctx, p.st)
	if err != nil {
		return done, err
	}
	if live.etag == store.Absent {
		return done, errors.New("nothing is published there")
	}
	p.pointer, p.needed = live.etag, map[string]bool{live.Pointer.Publications: true}
	generations, err := p.generations(ctx, live)
	if err != nil {
		return done, err
	}
	done.Generations = len(generations)
	for _, key := range generations {
		if err := p.need(ctx, key); err != nil {
			return done, err
		}
	}
	for _, folder := range prunedFolders {
		for info, err := range p.st.List(ctx, folder) {
			if err != nil {
				return done, err
			}
			k, err := keys.Parse(info.Key)
			if err != nil || !prunable(k) {
				continue
			}
			horizon := p.horizon
			if _, ok := k.(keys.Export); ok {
				horizon = p.now().Add(-KeptExports)
			}
			if p.needed[info.Key] || !info.Modified.Before(horizon) {
				done.Kept++
				continue
			}
			p.doomed = append(p.doomed, info)
			done.Deleted++
			done.Bytes += info.Size
		}
	}
	return done, nil
}

// prunedFolders hold what belongs to generations. The manifests stand first: a generation is gone as a whole
// before a part of it is.
var prunedFolders = []string{"manifests/", "national/", "register/", "prices/", "cells/", "landscape/", "rasters/", "exports/"}

// prunable says whether objects of this kind belong to generations, or to jobs. What is of no known kind stays.
func prunable(k keys.Key) bool {
	switch k.(type) {
	case keys.Manifest, keys.ManifestPart, keys.Register, keys.National, keys.Prices, keys.CellDict, keys.Cells, keys.CellChanges,
		keys.Landscape, keys.Raster, keys.Export:
		return true
	}
	return false
}

// generations are the keys of the manifests to keep: that of the pointer, those that were current within Kept,
// and those that may have been.
func (p *pruning) generations(ctx context.Context, live Live) ([]string, error) {
	type candidate struct {
		key string
		at  time.Time // when it became current last, or a little before
	}
	marks := map[string]time.Time{}
	for info, err := range p.st.List(ctx, publishedFolder) {
		if err != nil {
			return nil, err
		}
		marks[info.Key[len(publishedFolder):]] = info.Modified
	}
	var all []candidate
	for info, err := range p.st.List(ctx, "manifests/") {
		if err != nil {
			return nil, err
		}
		if k, err := keys.Parse(info.Key); err == nil {
			if m, ok := k.(keys.Manifest); ok {
				c := candidate{info.Key, info.Modified}
				if at := marks[m.Generation]; at.After(c.at) {
					c.at = at
				}
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(a, b candidate) int { return b.at.Compare(a.at) })
	out := []string{live.Pointer.Manifest}
	var before time.Time // when the generation that was current at the horizon became so
	for _, c := range all {
		if c.at.Before(p.horizon) && before.IsZero() {
			before = c.at
		}
		if c.key != live.Pointer.Manifest && (before.IsZero() || before.Sub(c.at) <= doubtful) {
			out = append(out, c.key)
		}
	}
	return out, nil
}

// need marks every object that a manifest, or a part of one, names in whatever member.
func (p *pruning) need(ctx context.Context, key string) error {
	if p.needed[key] {
		return nil
	}
	p.needed[key] = true
	body, err := objects.Read(ctx, p.st, key)
	if err != nil {
		return err
	}
	var doc any
	if err := json.Unmarshal(body, &doc); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return p.walk(ctx, doc)
}

func (p *pruning) walk(ctx context.Context, v any) error {
	switch v := v.(type) {
	case map[string]any:
		for _, m := range v {
			if err := p.walk(ctx, m); err != nil {
				return err
			}
		}
	case []any:
		for _, m := range v {
			if err := p.walk(ctx, m); err != nil {
				return err
			}
		}
	case string:
		k, err := keys.Parse(v)
		if err != nil {
			return nil
		}
		if _, ok := k.(keys.ManifestPart); ok {
			return p.need(ctx, v)
		}
		if n, ok := k.(keys.National); ok && n.Name == rasters.Artefact && !p.needed[v] {
			p.needed[v] = true
			return p.needTiles(ctx, v)
		}
		if n, ok := k.(keys.National); ok && n.Name == landscape.Artefact && !p.needed[v] {
			p.needed[v] = true
			return p.needFiles(ctx, v)
		}
		p.needed[v] = true
	}
	return nil
}

// needTiles marks the tiles that an index of rasters names.
func (p *pruning) needTiles(ctx context.Context, key string) error {
	layers, err := rasterbuild.ReadIndex(ctx, p.st, manifest.Object{Key: key})
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	for _, l := range layers {
		for _, t := range l.Tiles {
			p.needed[t.Key] = true
		}
	}
	return nil
}

// needFiles marks the files of KGs that a search index names.
func (p *pruning) needFiles(ctx context.Context, key string) error {
	b, err := objects.Read(ctx, p.st, key)
	if err != nil {
		return err
	}
	entries, err := landscape.ReadEntries(b)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	for i := range entries {
		if f := entries[i].File; f != "" {
			p.needed[f] = true
		}
	}
	return nil
}
