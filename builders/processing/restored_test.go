package processing

import (
	"os"
	"path/filepath"
	"testing"

	"mappe/shared/austria"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/processing"
)

// records opens a ledger file for the rig; the file is closed by done.
func (r *rig) records(t *testing.T, file string) (done func()) {
	t.Helper()
	l, err := sqlite.Open(t.Context(), file, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.ledger = ledger.Ledger(l)
	if r.queue, err = r.NewQueue(l); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The ledger is restored to a time before the work was done, once with the order in it and once from before that, while the artefacts and
// the research repository are of today: the order is carried out again, or asked for again, and changes nothing: the same generation, one
// record in the repository, nothing broken.
func TestDrillTheLedgerIsRestored(t *testing.T) {
	r, dir := newRig(t), t.TempDir()
	copyOf := func(name, from string) string {
		t.Helper()
		b, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	file := filepath.Join(dir, "ledger.db")
	r.records(t, file)()
	before := copyOf("before.db", file)
	done := r.records(t, file)
	id := r.order(t, processing.Process, processing.Order{KG: other}).ID
	done()
	ordered := copyOf("ordered.db", file)
	done = r.records(t, file)
	if j := r.finish(t, id); j.State != jobs.Done {
		t.Fatalf("%+v", j)
	}
	r.archivesIt(t, other)
	done()
	live := r.live(t)

	for name, file := range map[string]string{"with the order": ordered, "from before it": before} {
		done := r.records(t, file)
		if name == "from before it" {
			if _, err := r.queue.Get(t.Context(), id); err == nil {
				t.Fatal("the ledger was not restored")
			}
			id = r.order(t, processing.Process, processing.Order{KG: other}).ID
		}
		j := r.finish(t, id)
		res, err := processing.ReadResult(j)
		if err != nil || j.State != jobs.Done || res.Changed || res.Generation != live.Pointer.Generation {
			t.Errorf("%s: %s %+v %v, want the generation %s unchanged", name, j.State, res, err, live.Pointer.Generation)
		}
		r.archivesIt(t, other)
		if all, err := r.standin.Published(); err != nil || len(all) != 1 {
			t.Errorf("%s: the repository has %d records, %v, want one", name, len(all), err)
		}
		r.whole(t)
		done()
	}
}

// archivesIt finishes the archiving of a KG that its processing has ordered.
func (r *rig) archivesIt(t *testing.T, code austria.KGCode) {
	t.Helper()
	j, err := processing.Find(t.Context(), r.queue, processing.Archive, code)
	if err != nil {
		t.Fatal(err)
	}
	if j = r.finish(t, j.ID); j.State != jobs.Done {
		t.Fatalf("the archiving of %s is %s: %s", code, j.State, j.Error)
	}
}
