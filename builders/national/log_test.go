package national

import (
	"slices"
	"sync"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/manifest"
	"mappe/builders/objects"
	"mappe/builders/source/sourcetest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

func logOf(t *testing.T, st store.Store) (manifest.Pointer, manifest.Publications) {
	t.Helper()
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	b, err := objects.Read(t.Context(), st, live.Pointer.Publications)
	if err != nil {
		t.Fatal(err)
	}
	log, err := manifest.ParsePublications(b)
	if err != nil {
		t.Fatal(err)
	}
	return live.Pointer, log
}

// The log says which KGs' cells a publication changed: those of the KG itself, and those of neighbours it reaches.
func TestTheLogNamesChangedCells(t *testing.T) {
	st := mem.New()
	far := kgtest.Snapshot(kgtest.Options{Code: "99002", Parcels: 20, Segments: 1, AreaKm2: 0.1})
	publish := func(seed uint64) {
		t.Helper()
		if _, err := PublishSnapshots(t.Context(), st,
			kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 0.1, Seed: seed}), far); err != nil {
			t.Fatal(err)
		}
	}
	publish(1)
	first, log := logOf(t, st)
	if len(log.Entries) != 1 || log.Entries[0].Generation != first.Generation || log.Entries[0].At != first.PublishedAt ||
		len(log.Entries[0].Cells) != 2 {
		t.Fatalf("the first publication: %+v", log)
	}
	publish(2)
	second, log := logOf(t, st)
	got, ok := log.Since(first.PublishedAt)
	if !ok || !slices.Contains(got, austria.KGCode("99001")) || second.PublishedAt <= first.PublishedAt {
		t.Errorf("since the first: %v %v", got, ok)
	}
	// The same snapshots once more: a pass that confirms what the one before has seen, until nothing waits.
	before := second
	for range 5 {
		publish(2)
		again, log := logOf(t, st)
		if again.PublishedAt == before.PublishedAt {
			return
		}
		if got, ok := log.Since(before.PublishedAt); !ok || len(got) == 0 {
			t.Errorf("confirmed: %v %v", got, ok)
		}
		before = again
	}
	t.Error("the same snapshots are published again and again")
}

// Publishers that race are all in the log, in the order in which they won.
func TestTheLogOfARace(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	var wg sync.WaitGroup
	for _, code := range []austria.KGCode{"99001", "99002", "99003"} {
		wg.Go(func() {
			if _, err := build(t, dir, st, Options{KGs: []austria.KGCode{code}}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	p, log := logOf(t, st)
	if n := len(log.Entries); n != 3 || log.Entries[2].Generation != p.Generation || log.Entries[1].Generation != p.Previous {
		t.Errorf("pointer %s after %s, log %+v", p.Generation, p.Previous, log)
	}
	if got, ok := log.Since(log.Entries[0].At); !ok || len(got) < 2 {
		t.Errorf("since the first: %v %v", got, ok)
	}
}

// A log that is lost begins anew; a pruning keeps the one that the pointer names.
func TestTheLogIsLost(t *testing.T) {
	root, st, _ := history(t, 30, 20, 10)
	if _, err := Prune(t.Context(), st, PruneOptions{}); err != nil {
		t.Fatal(err)
	}
	p, log := logOf(t, st)
	if len(log.Entries) == 0 {
		t.Fatal("no entries")
	}
	if err := st.Delete(t.Context(), p.Publications); err != nil {
		t.Fatal(err)
	}
	changing := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 0.05, Seed: 77})
	if _, err := PublishSnapshots(t.Context(), st, changing); err != nil {
		t.Fatal(err)
	}
	if _, log = logOf(t, st); len(log.Entries) != 1 {
		t.Errorf("%s: want a new log, got %+v", root, log)
	}
}
