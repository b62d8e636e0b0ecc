package national

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// The files below latest/ are copies of the served snapshots under names that stay, so that a glob over a
// folder reads each KG once. They follow the pointer: a publication brings them up to it when it has moved
// the pointer, and the next one finishes what a killed one has left. Each file is replaced whole; while a
// publication is at it, some KGs are of the generation before.

// latestFormat is the version of the index.
const latestFormat = 1

// latestWidth is how many files are copied at once: the largest GeoPackage has some 60 MB.
const latestWidth = 4

// latestIndex is latest/index.json: what the files are.
type latestIndex struct {
	Format     int                             `json:"format"`
	Generation string                          `json:"generation"` // that all files are of
	Files      map[austria.KGCode][]latestFile `json:"files"`      // in the order of keys.LatestForms
}

type latestFile struct {
	Key string `json:"key"`
	Of  string `json:"of"` // key of the immutable object with the same bytes
}

// latestOf lists the files of a generation.
func latestOf(m *manifest.Manifest, generation string) latestIndex {
	x := latestIndex{Format: latestFormat, Generation: generation, Files: make(map[austria.KGCode][]latestFile, len(m.KGs))}
	for _, e := range m.KGs {
		objects := map[keys.Form]manifest.Object{keys.GeoParquet: e.Forms.GeoParquet, keys.GeoJSON: e.Forms.GeoJSON,
			keys.GeoPackage: e.Forms.GeoPackage, keys.PMTiles: e.Forms.PMTiles,
			keys.CellsGeoParquet: e.Artefacts[ne.TableArtefact]}
		for _, f := range keys.LatestForms() {
			if objects[f].Key == "" { // of a generation without cells
				continue
			}
			x.Files[e.Code] = append(x.Files[e.Code], latestFile{keys.Latest{Code: e.Code, Form: f, District: e.District}.String(),
				objects[f].Key})
		}
	}
	return x
}

func readLatest(ctx context.Context, st store.Store) (latestIndex, string, error) {
	b, info, err := store.ReadAll(ctx, st, keys.LatestIndex{}.String(), objects.Max, store.GetOptions{})
	if errors.Is(err, store.ErrNotFound) {
		return latestIndex{}, store.Absent, nil
	}
	if err != nil {
		return latestIndex{}, "", err
	}
	var x latestIndex
	if err := json.Unmarshal(b, &x); err != nil || x.Format != latestFormat {
		return latestIndex{}, info.ETag, nil // it is written anew
	}
	return x, info.ETag, nil
}

// syncLatest brings the files below latest/ up to the pointer. live is what the caller knows of it.
func syncLatest(ctx context.Context, st store.Store, o Observer, live Live) error {
	dirty := map[austria.KGCode]bool{} // written here while another publisher was at it too
	for range swapAttempts {
		x, etag, err := readLatest(ctx, st)
		if err != nil {
			return err
		}
		if x.Generation == live.Pointer.Generation && len(dirty) == 0 {
			if err := lostLatest(ctx, st, x, dirty); err != nil || len(dirty) == 0 {
				return err
			}
		}
		o.Phase("latest")
		want := latestOf(&live.Manifest, live.Pointer.Generation)
		if err := copyLatest(ctx, st, x, want, dirty); err != nil {
			return err
		}
		body, err := manifest.Encode(want)
		if err != nil {
			return err
		}
		opt := objects.Options(keys.LatestIndex{})
		opt.IfMatch = etag
		_, err = st.Put(ctx, keys.LatestIndex{}.String(), body, opt)
		if err != nil && !errors.Is(err, store.ErrPrecondition) {
			return err
		}
		done := err == nil
		if done {
			clear(dirty)
		}
		if live, err = readLive(ctx, st, live); err != nil { // another generation may be served by now
			return err
		}
		if done && live.Pointer.Generation == want.Generation {
			return nil
		}
	}
	return fmt.Errorf("latest/ was written by others %d times in a row: run the build again", swapAttempts)
}

// lostLatest notes the KGs of which a file is not there any more.
func lostLatest(ctx context.Context, st store.Store, x latestIndex, lost map[austria.KGCode]bool) error {
	there := map[string]bool{}
	for info, err := range st.List(ctx, "latest/") {
		if err != nil {
			return err
		}
		there[info.Key] = true
	}
	for code, files := range x.Files {
		if slices.ContainsFunc(files, func(f latestFile) bool { return !there[f.Key] }) {
			lost[code] = true
		}
	}
	return nil
}

// copyLatest writes the files that are not what is wanted, and takes away those of KGs that are not served.
func copyLatest(ctx context.Context, st store.Store, have, want latestIndex, dirty map[austria.KGCode]bool) error {
	var todo []latestFile
	touched := map[austria.KGCode]bool{}
	for _, code := range slices.Sorted(maps.Keys(want.Files)) {
		for _, f := range want.Files[code] {
			if !slices.Contains(have.Files[code], f) || dirty[code] {
				todo = append(todo, f)
				touched[code] = true
			}
		}
	}
	maps.Copy(dirty, touched)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(latestWidth)
	for _, f := range todo {
		g.Go(func() error { return copyObject(ctx, st, f) })
	}
	for _, code := range slices.Sorted(maps.Keys(have.Files)) {
		if len(want.Files[code]) == 0 {
			dirty[code] = true // it may come back by another publisher
		}
		for _, f := range have.Files[code] {
			// A KG that went to another district has left a file behind.
			if !slices.ContainsFunc(want.Files[code], func(w latestFile) bool { return w.Key == f.Key }) {
				g.Go(func() error { return st.Delete(ctx, f.Key) })
			}
		}
	}
	return g.Wait()
}

func copyObject(ctx context.Context, st store.Store, f latestFile) error {
	key, err := keys.Parse(f.Key)
	if err != nil {
		return err
	}
	if c, ok := st.(store.Copier); ok {
		if _, err := c.Copy(ctx, f.Of, f.Key, objects.Options(key)); err != nil {
			return fmt.Errorf("copy %s to %s: %w", f.Of, f.Key, err)
		}
		return nil
	}
	b, err := objects.Read(ctx, st, f.Of)
	if err != nil {
		return err
	}
	return objects.Put(ctx, st, key, b)
}
