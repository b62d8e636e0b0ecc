package archive

import (
	"errors"
	"testing"
)

// The folder of journals is deleted: the same snapshot is not published a second time, another one is a version of the same record.
func TestDrillTheJournalsAreLost(t *testing.T) {
	r := newHarness(t)
	lose := func() {
		t.Helper()
		for info, err := range r.store.List(t.Context(), "archive/") {
			if err == nil {
				err = r.store.Delete(t.Context(), info.Key)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 2 {
		if err := r.put(t, r.store); err != nil {
			t.Fatal(err)
		}
		r.sound(t, "2026-10-01")
		lose()
	}
	e := r.publish(t, 2, "2027-01-01")
	if err := r.put(t, r.store); err != nil {
		t.Fatal(err)
	}
	all, err := r.standin.Published()
	if err != nil || len(all) != 2 || all[0].Concept != all[1].Concept {
		t.Fatalf("%+v, %v", all, err)
	}
	j, _, err := readJournal(t.Context(), r.store, code)
	if _, ok := j.Find(e.Forms.KGS.SHA256); err != nil || !ok || len(j.Records) != 1 {
		t.Errorf("%+v, %v", j, err)
	}
	lose()
	if _, err := r.archive(r.store).Restore(t.Context(), e); !errors.Is(err, ErrNotArchived) {
		t.Errorf("without a journal it cannot be told what is archived: %v", err)
	}
}
