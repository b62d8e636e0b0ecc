package jobs_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
)

// notified is a harness whose notifications are kept.
func notified(t *testing.T, k jobs.Definition, fail *error) (harness, *[]string) {
	var told []string
	return newHarness(t, k, func(o *jobs.Options) {
		o.Notify = func(_ context.Context, j jobs.Job) error {
			if *fail != nil {
				return *fail
			}
			told = append(told, j.ID)
			return nil
		}
	}), &told
}

func (r harness) expectWake(t *testing.T, told *[]string, want ...string) {
	t.Helper()
	*told = nil
	n, err := r.Wake(t.Context())
	if err != nil || n != len(want) || !slices.Equal(*told, want) {
		t.Errorf("wake: want %v, got %v, %d, %v", want, *told, n, err)
	}
}

func TestAWorkerIsNotified(t *testing.T) {
	var fail error
	r, told := notified(t, jobs.Definition{Run: succeed}, &fail)
	j := r.enqueue(t, "01004")
	if !slices.Equal(*told, []string{j.ID}) {
		t.Errorf("want one notification, got %v", *told)
	}
	if _, created, err := r.Enqueue(t.Context(), "build", "01004", nil); created || err != nil || len(*told) != 2 {
		t.Errorf("enqueued again while it waits: want a reminder, got %v, %v, %v", created, err, *told)
	}
	fail = errors.New("throttled")
	lost, created, err := r.Enqueue(t.Context(), "build", "01005", nil)
	if !created || !errors.Is(err, fail) || lost.ID == "" {
		t.Errorf("want the job and the error, got %+v, %v, %v", lost, created, err)
	}
	fail = nil
	r.expectWake(t, told, j.ID, lost.ID)
	for _, id := range []string{j.ID, lost.ID} {
		if err := r.RunOne(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	r.expectWake(t, told)
}

func TestWakeFindsWhatWaits(t *testing.T) {
	var fail error
	attempts := 0
	r, told := notified(t, jobs.Definition{Backoff: time.Minute, Run: func(context.Context, *jobs.Work) ([]byte, error) {
		if attempts++; attempts == 1 {
			return nil, errors.New("inner")
		}
		return nil, nil
	}}, &fail)
	j := r.enqueue(t, "01004")
	if err := r.RunOne(t.Context(), j.ID); !errors.Is(err, jobs.ErrAgain) {
		t.Fatal(err)
	}
	r.expectWake(t, told)
	r.clock.Advance(time.Minute)
	r.expectWake(t, told, j.ID)
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	r.expectWake(t, told)
}

// TestEntriesWithoutAJobAreDropped: a process may die between the two writes of Enqueue, or between the
// last two of a job.
func TestEntriesWithoutAJobAreDropped(t *testing.T) {
	var fail error
	r, told := notified(t, jobs.Definition{Run: succeed}, &fail)
	j := r.enqueue(t, "01004")
	entries, err := r.ledger.Query(t.Context(), ledger.Query{Partition: "jobs-open/build", Limit: 10})
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	if err := r.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	again := ledger.Record{Key: entries[0].Key, Value: entries[0].Value} // as if it had not been removed
	never := ledger.Record{Key: entries[0].Key, Value: []byte("not a number")}
	never.Key.Sort = never.Key.Sort[:len(never.Key.Sort)-1] + "7"
	strange := ledger.Record{Key: ledger.Key{Partition: "jobs-open/build", Sort: "strange"}}
	for _, e := range []ledger.Record{again, never, strange} {
		if _, err := r.ledger.Put(t.Context(), e, ledger.Any); err != nil {
			t.Fatal(err)
		}
	}
	r.expectWake(t, told)
	if n := r.open(t); n != 1 {
		t.Errorf("want the young one kept, got %d entries", n)
	}
	r.clock.Advance(2 * time.Minute)
	r.expectWake(t, told)
	if n := r.open(t); n != 0 {
		t.Errorf("want none left, got %d", n)
	}
}
