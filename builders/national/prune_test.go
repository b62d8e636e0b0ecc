package national

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
)

// history publishes a generation for each age in days, the oldest first; the files are as old as that. Each
// has another snapshot of KG 99001, of a date of its own, beside one of 99002 that never changes.
func history(t *testing.T, ages ...int) (root string, st store.Store, generations []string) {
	t.Helper()
	root = t.TempDir()
	st, err := dir.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	for i, age := range ages {
		changing := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 0.05, Seed: uint64(i)})
		changing.Build.Stichtag = fmt.Sprintf("2026-%02d-01", i+1)
		same := kgtest.Snapshot(kgtest.Options{Code: "99002", Parcels: 20, Segments: 1, AreaKm2: 0.05})
		g, err := PublishSnapshots(t.Context(), st, changing, same)
		if err != nil {
			t.Fatal(err)
		}
		generations = append(generations, g)
		settle(t, root, age)
	}
	return root, st, generations
}

// settle makes every file that is not dated yet as many days old.
func settle(t *testing.T, root string, days int) {
	t.Helper()
	at := time.Now().Add(-time.Duration(days) * 24 * time.Hour)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil || time.Since(info.ModTime()) > time.Hour {
			return err
		}
		return os.Chtimes(path, at, at)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// clone copies a store with the dates of its files, by links: a store of files does not write into a file, it puts another in its place.
func clone(t *testing.T, root string) store.Store {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.Join(to, strings.TrimPrefix(path, root))
		if d.IsDir() {
			return os.MkdirAll(name, 0o755)
		}
		return os.Link(path, name)
	})
	if err != nil {
		t.Fatal(err)
	}
	st, err := dir.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func list(t *testing.T, st store.Store) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for info, err := range st.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		all[info.Key] = true
	}
	return all
}

// readable opens a generation as a function does, all KGs and all dates of it.
func readable(t *testing.T, st store.Store, generation string, dates ...string) error {
	t.Helper()
	l, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		return err
	}
	v, err := l.ViewOf(t.Context(), generation)
	if err != nil {
		return err
	}
	for _, code := range []austria.KGCode{"99001", "99002"} {
		if _, err := v.KG(t.Context(), code); err != nil {
			return err
		}
	}
	for _, date := range dates {
		f, err := v.KGAt(t.Context(), "99001", date)
		if err != nil {
			return err
		}
		if got := f.Build().Stichtag; got != date {
			return fmt.Errorf("asked for %s, got %s", date, got)
		}
	}
	return nil
}

// What a reader of the last days, a dated version or a cursor needs stays; the rest goes, and goes once.
func TestPruneKeepsWhatCanBeRead(t *testing.T) {
	_, st, g := history(t, 40, 20, 6, 1)
	before := list(t, st)
	dry, err := Prune(t.Context(), st, PruneOptions{DryRun: true})
	if err != nil || len(list(t, st)) != len(before) {
		t.Fatalf("a dry run deleted something: %+v, %v", dry, err)
	}
	done, err := Prune(t.Context(), st, PruneOptions{})
	if err != nil || done != dry || done.Generations != 3 || done.Deleted == 0 {
		t.Fatalf("done %+v, the dry run said %+v, %v", done, dry, err)
	}
	// The generation of 20 days ago was current until 6 days ago.
	for i, kept := range []bool{false, true, true, true} {
		dates := []string{"2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01"}[:i+1]
		switch err := readable(t, st, g[i], dates...); {
		case kept && err != nil:
			t.Errorf("generation %d: %v", i, err)
		case !kept && !errors.Is(err, library.ErrGone):
			t.Errorf("generation %d: want ErrGone, got %v", i, err)
		}
	}
	after := list(t, st)
	for key := range before {
		k, err := keys.Parse(key)
		if _, snapshot := k.(keys.Snapshot); (err != nil || snapshot) && !after[key] && !strings.HasPrefix(key, "maintenance/") {
			t.Errorf("%s was deleted", key)
		}
	}
	if done, err = Prune(t.Context(), st, PruneOptions{}); err != nil || done.Deleted != 0 {
		t.Errorf("a second pruning: %+v, %v", done, err)
	}
	if after[pruneKey] {
		t.Error("the mark of the pruning stayed")
	}
}

// What was current until two days ago stays, however old it is, when older data is published again.
func TestPruneKeepsWhatWasReplaced(t *testing.T) {
	root, st, g := history(t, 60, 40)
	same := kgtest.Snapshot(kgtest.Options{Code: "99002", Parcels: 20, Segments: 1, AreaKm2: 0.05})
	first := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 0.05})
	first.Build.Stichtag = "2026-01-01"
	if _, err := PublishSnapshots(t.Context(), st, first, same); err != nil {
		t.Fatal(err)
	}
	settle(t, root, 2)
	if _, err := Prune(t.Context(), st, PruneOptions{}); err != nil {
		t.Fatal(err)
	}
	// The second was current until two days ago.
	if err := readable(t, st, g[1]); err != nil {
		t.Errorf("the generation before: %v", err)
	}
}

// failing fails the n-th deletion, before it or after.
type failing struct {
	store.Store
	at    int
	after bool
}

func (f *failing) Delete(ctx context.Context, key string) error {
	if strings.HasPrefix(key, "maintenance/") {
		return f.Store.Delete(ctx, key)
	}
	if f.at--; f.at == 0 {
		if f.after {
			_ = f.Store.Delete(ctx, key)
		}
		return errors.New("killed")
	}
	return f.Store.Delete(ctx, key)
}

// Stopped at any deletion, a pruning has taken nothing that is needed, and the next one finishes the work.
func TestPruneStoppedAnywhere(t *testing.T) {
	root, st, g := history(t, 40, 20, 6, 1)
	all, err := Prune(t.Context(), st, PruneOptions{DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= all.Deleted; n += 2 {
		for _, after := range []bool{false, true} {
			st := clone(t, root)
			if _, err := Prune(t.Context(), &failing{st, n, after}, PruneOptions{}); err == nil {
				t.Fatalf("deletion %d: want an error", n)
			}
			for _, id := range g[1:] {
				if err := readable(t, st, id, "2026-01-01"); err != nil {
					t.Errorf("deletion %d, done %v: %v", n, after, err)
				}
			}
			done, err := Prune(t.Context(), st, PruneOptions{})
			if left := all.Deleted - n; err != nil || done.Deleted < left || done.Deleted > left+1 {
				t.Errorf("deletion %d, done %v: then %+v, %v", n, after, done, err)
			}
		}
	}
}

// A pruning gives way to a publication, and a publication waits for a batch to end.
func TestPruneAndPublishDoNotMeet(t *testing.T) {
	_, st, _ := history(t, 40, 20, 1)
	done, err := announce(t.Context(), st, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := Prune(t.Context(), st, PruneOptions{}); err == nil || !strings.Contains(err.Error(), "a publication is under way") ||
		p.Deleted != 0 {
		t.Errorf("beside a publication: %+v, %v", p, err)
	}
	done()

	lock, err := takeLock(t.Context(), st, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Prune(t.Context(), st, PruneOptions{}); err == nil || !strings.Contains(err.Error(), "another pruning") {
		t.Errorf("beside a pruning: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := announce(ctx, st, time.Now); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a publication beside a pruning: want it to wait, got %v", err)
	}
	for key := range list(t, st) {
		if strings.HasPrefix(key, publishingFolder) {
			t.Errorf("%s stayed", key)
		}
	}
	// The mark of a pruning that was killed loses its force.
	late := func() time.Time { return time.Now().Add(pruneFor + time.Second) }
	if done, err := announce(t.Context(), st, late); err != nil {
		t.Error(err)
	} else {
		done()
	}
	if _, err := takeLock(t.Context(), st, late); err != nil {
		t.Errorf("a lock that was left: %v", err)
	}
	if err := lock.write(t.Context()); err == nil {
		t.Error("a pruning goes on under another's mark")
	}
}

func TestPruneOfAnEmptyStore(t *testing.T) {
	st, err := dir.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Prune(t.Context(), st, PruneOptions{}); err == nil || !strings.Contains(err.Error(), "nothing is published") {
		t.Errorf("got %v", err)
	}
}

// The file of an export is kept for as long as its job can be asked for, and goes soon after.
func TestPruneDeletesOldExports(t *testing.T) {
	root, st, _ := history(t, 0)
	ages := map[string]time.Duration{
		"exports/export-0-1-1/cadastre-2026-10-01.gpkg":    KeptExports + time.Minute,
		"exports/export-0-2-1/cadastre-2026-10-01.geojson": KeptExports - time.Minute,
		"exports/unknown.txt":                              100 * 24 * time.Hour,
	}
	for key, age := range ages {
		if _, err := st.Put(t.Context(), key, []byte("x"), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(root, filepath.FromSlash(key)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	before := len(list(t, st))
	done, err := Prune(t.Context(), st, PruneOptions{})
	if err != nil || done.Deleted != 1 || done.Bytes != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	left := list(t, st)
	if left["exports/export-0-1-1/cadastre-2026-10-01.gpkg"] || !left["exports/unknown.txt"] || before-len(left) > 1 {
		t.Errorf("of %d objects %d are left", before, len(left))
	}
}
