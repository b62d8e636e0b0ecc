package national

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/builders/objects"
	"mappe/shared/cloud/store"
)

// Generation is one whose manifest is in the store.
type Generation struct {
	ID      string    `json:"generation"`
	Since   time.Time `json:"since"` // when it became current last, as far as is known
	Served  bool      `json:"served"`
	Former  bool      `json:"former"` // it was current before the one that is served
	Release string    `json:"stichtag"`
	KGs     int       `json:"kg_count"` // with a snapshot
}

// Generations are those that can be served again, the newest first: pruning keeps them for Kept.
func Generations(ctx context.Context, st store.Store) ([]Generation, error) {
	live, err := ReadLive(ctx, st)
	if err != nil {
		return nil, err
	}
	marks := map[string]time.Time{}
	for info, err := range st.List(ctx, publishedFolder) {
		if err != nil {
			return nil, err
		}
		marks[strings.TrimPrefix(info.Key, publishedFolder)] = info.Modified
	}
	var out []Generation
	for info, err := range st.List(ctx, "manifests/") {
		if err != nil {
			return nil, err
		}
		k, err := keys.Parse(info.Key)
		m, ok := k.(keys.Manifest)
		if err != nil || !ok {
			continue
		}
		b, err := objects.Read(ctx, st, info.Key)
		if err != nil {
			return nil, err
		}
		of, err := manifest.ParseManifest(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", info.Key, err)
		}
		g := Generation{ID: m.Generation, Since: info.Modified, Served: m.Generation == live.Pointer.Generation,
			Former:  m.Generation == live.Pointer.Previous,
			Release: of.Stichtag, KGs: of.KGCount}
		if at := marks[g.ID]; at.After(g.Since) {
			g.Since = at
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Generation) int { return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(a.ID, b.ID)) })
	return out, nil
}

// ErrIncomplete is the error of a generation of which objects are missing.
var ErrIncomplete = errors.New("objects of the generation are missing")

// Rollback serves an earlier generation again: "" takes the one before the one that is served. It looks first for every object that
// the served generation does not have, too; what was evicted comes back when it is asked for. Publications that follow stand on what
// is served then. o is told of the steps; nil: nobody is.
func Rollback(ctx context.Context, st store.Store, generation string, o Observer) (Published, error) {
	if o == nil {
		o = silent{}
	}
	live, err := ReadLive(ctx, st)
	if err != nil {
		return Published{}, err
	}
	done := Published{Generation: live.Pointer.Generation}
	if generation == "" {
		generation = live.Pointer.Previous
	}
	switch generation {
	case "":
		return done, errors.New("nothing was served before this generation")
	case live.Pointer.Generation:
		return done, nil
	}
	announced, err := announce(ctx, st, time.Now)
	if err != nil {
		return done, err
	}
	defer announced()
	o.Phase("check")
	m, err := readManifest(ctx, st, generation)
	if err != nil {
		return done, err
	}
	if err := whole(ctx, st, &m, &live.Manifest); err != nil {
		return done, err
	}
	p := Publication{Store: st, Observer: o}
	now, err := p.swap(ctx, m, live)
	if errors.Is(err, store.ErrPrecondition) {
		return done, errors.New("something else was published meanwhile: look at what is served now, and try again")
	}
	if err != nil {
		return done, err
	}
	done.Generation, done.Changed = now.Pointer.Generation, true
	if err := syncLatest(ctx, st, o, now); err != nil {
		return done, fmt.Errorf("generation %s is served, the files below latest/ are not all of it: %w", done.Generation, err)
	}
	return done, nil
}

func readManifest(ctx context.Context, st store.Store, generation string) (m manifest.Manifest, err error) {
	b, err := objects.Read(ctx, st, keys.Manifest{Generation: generation}.String())
	if errors.Is(err, store.ErrNotFound) {
		return m, fmt.Errorf("generation %s is not in the store: it never was, or it was pruned", generation)
	}
	if err != nil {
		return m, err
	}
	if m, err = manifest.ParseManifest(b); err != nil {
		return m, fmt.Errorf("generation %s: %w", generation, err)
	}
	return m, joinParts(ctx, st, &m)
}

// whole says whether all objects of a manifest are there that the live one does not name.
func whole(ctx context.Context, st store.Store, m, live *manifest.Manifest) error {
	evicted, err := readEvicted(ctx, st)
	if err != nil {
		return err
	}
	has := map[string]bool{}
	for _, o := range objectsOf(live, nil) {
		has[o.Key] = true
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(partWidth)
	for _, o := range objectsOf(m, func(e *manifest.Entry) bool { return evicted.Has(e.Code, e.Forms.KGS.SHA256) }) {
		if has[o.Key] {
			continue
		}
		has[o.Key] = true
		g.Go(func() error {
			info, err := store.Stat(ctx, st, o.Key)
			if errors.Is(err, store.ErrNotFound) {
				return fmt.Errorf("%w: %s", ErrIncomplete, o.Key)
			}
			if err == nil && o.Bytes > 0 && info.Size != o.Bytes {
				return fmt.Errorf("%w: %s has %d bytes, not %d", ErrIncomplete, o.Key, info.Size, o.Bytes)
			}
			return err
		})
	}
	return g.Wait()
}

// objectsOf are the objects that a manifest names; of KGs that were evicted those that stay.
func objectsOf(m *manifest.Manifest, evicted func(*manifest.Entry) bool) (out []manifest.Object) {
	out = m.National()
	for i := range m.KGs {
		e := &m.KGs[i]
		gone := map[string]bool{}
		if evicted != nil && evicted(e) {
			for _, o := range e.Forms.Evictable() {
				gone[o.Key] = true
			}
		}
		for _, o := range slices.Concat(e.Forms.All(), []manifest.Object{e.Versions, e.Quality}, e.Artefacts.All()) {
			if o.Key != "" && !gone[o.Key] {
				out = append(out, o)
			}
		}
	}
	return slices.DeleteFunc(out, func(o manifest.Object) bool { return o.Key == "" })
}
