package tasks

import (
	"context"
	"errors"
	"path"
	"strings"
	"testing"

	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/web/fault"
)

// twice is a ledger of which another has the writes until it is closed: as it was put back to that time.
type twice struct {
	ledger.Ledger
	past ledger.Ledger // nil: no more
}

func (l *twice) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	v, err := l.Ledger.Put(ctx, r, was)
	if err == nil && l.past != nil {
		_, err = l.past.Put(ctx, r, ledger.Any)
	}
	return v, err
}

func (l *twice) Delete(ctx context.Context, k ledger.Key, was int64) error {
	err := l.Ledger.Delete(ctx, k, was)
	if err == nil && l.past != nil {
		err = l.past.Delete(ctx, k, ledger.Any)
	}
	return err
}

// over opens desk and worker over a ledger.
func over(t *testing.T, d *Desk, w *Works, l ledger.Ledger) {
	t.Helper()
	w.Place.Ledger, d.Place.Ledger = l, l
	var err error
	if d.Queue, err = w.NewQueue(); err != nil {
		t.Fatal(err)
	}
}

// The ledger is put back to before a task was asked for, and to before it was done, the results of today beside it. The same question is
// answered again, the same task does its work again, in an object of its own: none of an earlier answer is written over; and what no
// record names goes with its week.
func TestDrillTheLedgerOfTasksIsRestored(t *testing.T) {
	for _, asked := range []bool{true, false} {
		d, w, c := answering(t)
		d.secret = nil
		past := sqlitetest.Open(t, sqlite.Options{Now: c.now})
		l := &twice{w.Place.Ledger, past}
		if !asked {
			l.past = nil
		}
		over(t, d, w, l)
		first := ask(t, d, "mine-0001")
		l.past = nil
		if err := d.Queue.RunOne(t.Context(), first.job.ID); err != nil {
			t.Fatal(err)
		}
		expect(t, d, "mine-0001", Done)
		had := objects(t, w)

		d.secret = nil
		over(t, d, w, past)
		c.at = c.at.Add(1)
		if !asked {
			if _, err := d.Find(t.Context(), "mine-0001"); !errors.Is(err, ErrNotFound) {
				t.Errorf("an id of a later time: %v", err)
			}
		}
		second := ask(t, d, "mine-0001")
		if asked != (second.job.ID == first.job.ID) {
			t.Errorf("asked before %t: jobs %s and %s", asked, first.job.ID, second.job.ID)
		}
		c.at = c.at.Add(1e9)
		if err := d.Queue.RunOne(t.Context(), second.job.ID); err != nil {
			t.Fatal(err)
		}
		got := expect(t, d, "mine-0001", Done)
		if _, err := d.Result(t.Context(), got, false); err != nil {
			t.Error(err)
		}
		if all := objects(t, w); len(all) != len(had)+1 {
			t.Errorf("asked before %t: objects %v, before %v", asked, all, had)
		}
	}
}

func objects(t *testing.T, w *Works) (keys []string) {
	t.Helper()
	for info, err := range w.Place.Files.List(t.Context(), "auto/") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// The object of a result is deleted: who asks for it is told so, and the question is answered anew when it is asked again.
func TestDrillAResultIsLost(t *testing.T) {
	d, w, _ := answering(t)
	a := ask(t, d, "")
	if err := d.Queue.RunOne(t.Context(), a.job.ID); err != nil {
		t.Fatal(err)
	}
	for _, key := range objects(t, w) {
		if !strings.HasPrefix(path.Base(key), a.job.ID) {
			t.Errorf("an object of another task: %s", key)
		}
		if err := w.Place.Files.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	var f *fault.Fault
	if _, err := d.Result(t.Context(), expect(t, d, a.job.ID, Done), false); !errors.As(err, &f) || f.Code != fault.NotFound ||
		!strings.Contains(f.Message, "ask again") {
		t.Errorf("%v", err)
	}
	again := ask(t, d, "")
	if again.job.ID == a.job.ID || again.job.State != jobs.Queued {
		t.Errorf("asked again it is %s, %s", again.job.ID, again.job.State)
	}
}
