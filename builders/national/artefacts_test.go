package national

import (
	"errors"
	"slices"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/builders/objects"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
)

// further writes an artefact and gives its name.
func further(t *testing.T, st store.Store, key func(sum string) keys.Key, text string) manifest.Object {
	t.Helper()
	k := key(keys.Sum([]byte(text)))
	if err := objects.Put(t.Context(), st, k, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return objects.Of(k, []byte(text))
}

func natura(sum string) keys.Key {
	return keys.National{Name: "overlay-natura", Sum: sum, Ext: "parts"}
}

func landPrices(sum string) keys.Key { return keys.Prices{Name: "land", Sum: sum, Ext: "parts"} }

// publishWith publishes further artefacts over what is live.
func publishWith(t *testing.T, st store.Store, a manifest.Artefacts) (Published, error) {
	t.Helper()
	return Publish(t.Context(), Publication{Store: st, Artefacts: a, Observer: silent{}})
}

func TestAGenerationNamesFurtherArtefacts(t *testing.T) {
	st, err := dir.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	snap := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 0.05})
	first, err := PublishSnapshots(t.Context(), st, snap)
	if err != nil {
		t.Fatal(err)
	}
	a, b := further(t, st, natura, "overlay"), further(t, st, landPrices, "prices")
	done, err := publishWith(t, st, manifest.Artefacts{"overlay-natura": a})
	if err != nil || !done.Changed || done.Generation == first {
		t.Fatalf("want a new generation, got %+v, %v", done, err)
	}
	if again, err := publishWith(t, st, manifest.Artefacts{"overlay-natura": a}); err != nil || again.Changed {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	if done, err = publishWith(t, st, manifest.Artefacts{"prices-index": b}); err != nil || !done.Changed {
		t.Fatalf("a second kind: %+v, %v", done, err)
	}
	live, err := ReadLive(t.Context(), st)
	if err != nil || live.Pointer.Artefacts["overlay-natura"] != a || live.Pointer.Artefacts["prices-index"] != b {
		t.Errorf("the pointer names %+v, %v", live.Pointer.Artefacts, err)
	}
	l, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := l.ViewOf(t.Context(), first); err != nil || v.Pointer().Artefacts["overlay-natura"].Key != "" {
		t.Errorf("the first generation has artefacts of a later one: %v", err)
	}
}

func TestWhatIsNotInTheStoreIsNotPublished(t *testing.T) {
	st, err := dir.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	snap := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 0.05})
	first, err := PublishSnapshots(t.Context(), st, snap)
	if err != nil {
		t.Fatal(err)
	}
	there := further(t, st, natura, "overlay")
	short, foreign := there, there
	short.Bytes++
	foreign.SHA256 = objects.Sum([]byte("something else"))
	for name, o := range map[string]manifest.Object{
		"absent": objects.Of(natura(keys.Sum([]byte("x"))), []byte("x")), "of another size": short, "of another content": foreign,
		"without a key": {},
	} {
		if done, err := publishWith(t, st, manifest.Artefacts{"overlay-natura": o}); err == nil {
			t.Errorf("%s: %+v", name, done)
		}
	}
	if live, err := ReadLive(t.Context(), st); err != nil || live.Pointer.Generation != first {
		t.Errorf("the pointer moved to %s, %v", live.Pointer.Generation, err)
	}
}

// A check reads the further artefacts, those of a KG among them.
func TestCheckReadsFurtherArtefacts(t *testing.T) {
	st, err := dir.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	snap := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 0.05})
	if _, err := PublishSnapshots(t.Context(), st, snap); err != nil {
		t.Fatal(err)
	}
	a := further(t, st, natura, "overlay")
	cells := further(t, st, func(sum string) keys.Key { return keys.Cells{Code: "99001", Date: "2026-10-01", Sum: sum} }, "cells")
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	m := live.Manifest
	m.Artefacts, m.KGs[0].Artefacts = manifest.Artefacts{"overlay-natura": a}, manifest.Artefacts{"cells": cells}
	p := Publication{Store: st, Observer: silent{}}
	if _, err := p.swap(t.Context(), m, live); err != nil {
		t.Fatal(err)
	}
	check := func() Checked {
		t.Helper()
		c, err := Check(t.Context(), st, func(rowschema.Quality) {})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := check(); len(c.Broken) != 0 {
		t.Errorf("broken: %v", c.Broken)
	}
	for _, o := range []manifest.Object{a, cells} {
		if err := st.Delete(t.Context(), o.Key); err != nil {
			t.Fatal(err)
		}
		if c := check(); !slices.Contains(c.Broken, o.Key) {
			t.Errorf("%s is missing, and that was not noticed: %v", o.Key, c.Broken)
		}
	}
}

// Further artefacts go with the last generation that names them, and not before.
func TestPruneKeepsNamedArtefacts(t *testing.T) {
	root, st, _ := history(t, 40)
	older, newer := further(t, st, natura, "older"), further(t, st, natura, "newer")
	dropped := further(t, st, landPrices, "that nobody ever named")
	cells := further(t, st, func(sum string) keys.Key { return keys.Cells{Code: "99001", Date: "2026-01-01", Sum: sum} }, "cells")
	kept := further(t, st, func(sum string) keys.Key { return keys.CellDict{Sum: sum} }, "dictionary")
	foreign := "cells/notes.txt"
	if _, err := st.Put(t.Context(), foreign, []byte("x"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		age int
		a   manifest.Artefacts
	}{{30, manifest.Artefacts{"overlay-natura": older, "other-dict": kept}}, {20, manifest.Artefacts{"overlay-natura": newer}}, {1,
		manifest.Artefacts{"prices-other": further(t, st, landPrices, "other")}}} {
		if done, err := publishWith(t, st, step.a); err != nil || !done.Changed {
			t.Fatal(done, err)
		}
		settle(t, root, step.age)
	}
	if _, err := Prune(t.Context(), st, PruneOptions{}); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{older.Key: false, newer.Key: true, kept.Key: true, dropped.Key: false, cells.Key: false,
		foreign: true} {
		_, err := st.Head(t.Context(), key)
		if (err == nil) != want || err != nil && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: kept %v, want %v", key, err == nil, want)
		}
	}
}

// An artefact is added to what is served without its sources: everything else stays as it was, and a build keeps it.
func TestAddKeepsWhatIsServed(t *testing.T) {
	st, err := dir.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Add(t.Context(), st, nil, nil); err == nil {
		t.Error("an artefact is added to nothing")
	}
	snap := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 0.05})
	if _, err := PublishSnapshots(t.Context(), st, snap); err != nil {
		t.Fatal(err)
	}
	a, b := further(t, st, natura, "overlay"), further(t, st, landPrices, "prices")
	if _, err := publishWith(t, st, manifest.Artefacts{"overlay-natura": a}); err != nil {
		t.Fatal(err)
	}
	before, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	for _, changed := range []bool{true, false} {
		done, err := Add(t.Context(), st, manifest.Artefacts{"model": b}, nil)
		if err != nil || done.Changed != changed {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	after, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if after.Pointer.Artefacts["model"] != b || after.Pointer.Artefacts["overlay-natura"] != a ||
		after.Pointer.Previous != before.Pointer.Generation {
		t.Errorf("%+v", after.Pointer)
	}
	after.Manifest.Artefacts = before.Manifest.Artefacts
	was, _ := manifest.Encode(before.Manifest)
	is, _ := manifest.Encode(after.Manifest)
	if string(was) != string(is) {
		t.Error("more than the artefact has changed")
	}
	if _, err := publishWith(t, st, manifest.Artefacts{"overlay-natura": b}); err != nil {
		t.Fatal(err)
	}
	if last, err := ReadLive(t.Context(), st); err != nil || last.Pointer.Artefacts["model"] != b {
		t.Errorf("a later build has lost the artefact: %+v, %v", last.Pointer.Artefacts, err)
	}
	gone := b
	gone.Bytes++
	if _, err := Add(t.Context(), st, manifest.Artefacts{"model": gone}, nil); err == nil {
		t.Error("an artefact of another size is added")
	}
}
