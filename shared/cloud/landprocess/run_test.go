package landprocess

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
)

// A pass has the KG that is asked for alone, failures that are due, the queue, then the nearest: each once, and not those that failed
// for good, that rest, or that another worker has.
func TestDue(t *testing.T) {
	r := &row{n: 10, done: map[austria.KGCode]bool{code(9): true}}
	s := &State{Mode: Running, Single: code(8), Queue: codes(7, 3), Ended: 10, Last: code(0),
		Now: &Current{KG: code(1), Owner: "w", Until: begun.Add(time.Minute)},
		Retry: []Retry{{KG: code(5), After: 10, Attempt: 2}, {KG: code(6), After: 11, Attempt: 1},
			{KG: code(4), Not: begun.Add(time.Second)}},
		Failed: []Failure{{KG: code(2)}}}
	want := []Job{{code(8), 1}, {code(5), 3}, {code(7), 1}, {code(3), 1}, {code(0), 1}}
	if got := s.Due(begun, r.nearest, 100); !slices.Equal(got, want) {
		t.Errorf("want %v, got %v", want, got)
	}
	if got := s.Due(begun, r.nearest, 2); !slices.Equal(got, want[:2]) {
		t.Errorf("two: %v", got)
	}
	s.Mode = Paused
	if got := s.Due(begun, r.nearest, 100); !slices.Equal(got, want[:1]) {
		t.Errorf("paused: %v", got)
	}
	s = &State{Mode: Running, Retry: []Retry{{KG: code(6), After: 11, Attempt: 1}}}
	if got := s.Due(begun, (&row{}).nearest, 100); !slices.Equal(got, []Job{{code(6), 2}}) {
		t.Errorf("nothing else is left: %v", got)
	}
}

// A pass is planned and ended once, a run that is over does not begin again, and another one waits for the end of its lease.
func TestPassesComeOnce(t *testing.T) {
	none := (&row{}).nearest
	s := &State{Mode: Running, Queue: codes(1)}
	muster := func(name string, pass int, now time.Time) error {
		_, err := s.Muster(name, pass, now, none)
		return err
	}
	if err := muster("a", 1, begun); err != nil {
		t.Fatal(err)
	}
	if err := muster("a", 1, begun); !errors.Is(err, ErrPast) {
		t.Errorf("the same pass again: %v", err)
	}
	if err := muster("b", 1, begun); !errors.Is(err, ErrBusy) {
		t.Errorf("another run: %v", err)
	}
	if _, err := s.Take("w", begun, none); !errors.Is(err, ErrBusy) {
		t.Errorf("the worker that does one after the other: %v", err)
	}
	for range 2 {
		if next, err := s.Continue("a", 1, begun, none); next != 2 || err != nil || s.Run.Idle != 1 {
			t.Errorf("%d, %v, %+v", next, err, s.Run)
		}
	}
	if err := muster("a", 2, begun); err != nil {
		t.Fatal(err)
	}
	if next, err := s.Continue("a", 1, begun, none); next != 0 || err != nil || s.Run.Over {
		t.Errorf("the end of an earlier pass comes late: %d, %v, %+v", next, err, s.Run)
	}
	s.Queue = nil
	if next, err := s.Continue("a", 2, begun, none); next != 0 || err != nil || !s.Run.Over {
		t.Errorf("%d, %v, %+v", next, err, s.Run)
	}
	for _, pass := range []int{1, 3} {
		if err := muster("a", pass, begun); !errors.Is(err, ErrPast) {
			t.Errorf("pass %d of a run that is over: %v", pass, err)
		}
	}
	if err := muster("b", 1, begun); err != nil {
		t.Error(err)
	}
	if err := muster("c", 1, begun.Add(RunLease+time.Second)); err != nil {
		t.Errorf("a run of which nothing was heard: %v", err)
	}
	for pass := 2; pass <= idlePass+1; pass++ { // passes that end no KG end the run
		s.Retry = []Retry{{KG: code(1), Not: begun.Add(24 * time.Hour)}}
		if next, err := s.Continue("c", pass-1, begun, none); err != nil || next == 0 && pass <= idlePass {
			t.Fatalf("pass %d: %d, %v", pass, next, err)
		}
		_ = muster("c", pass, begun)
	}
	if !s.Run.Over {
		t.Errorf("%+v", s.Run)
	}
}

// A KG has one worker; a job whose KG was dealt with since is past; a KG that kills five workers is listed, and a claim that was let go
// keeps the time that was spent.
func TestClaims(t *testing.T) {
	now := begun
	// claims expire by the clock of the test
	r := Records{Ledger: sqlitetest.Open(t, sqlite.Options{Now: func() time.Time { return begun }})}
	change := func(f func(*State) error) State {
		t.Helper()
		s, err := r.Change(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	change(func(s *State) error {
		s.Mode, s.Queue = Running, codes(1, 2)
		_, err := s.Muster("run", 1, now, (&row{}).nearest)
		return err
	})
	claim := func(owner string, i, attempt int) (*Assignment, error) {
		c, err := r.Claim(t.Context(), "run", Job{code(i), attempt}, owner, now)
		return &Assignment{r, owner, &c}, err
	}
	a, err := claim("a", 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := claim("b", 1, 1); !errors.Is(err, ErrBusy) {
		t.Errorf("two workers: %v", err)
	}
	now = now.Add(time.Minute)
	if err := a.LetGo(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	b, err := claim("b", 1, 1)
	if err != nil || b.Of.Spent != time.Minute || b.Of.Attempt != 1 {
		t.Fatalf("%+v, %v", b.Of, err)
	}
	if err := a.Tell(t.Context(), "x", 0, 0, now); !errors.Is(err, ErrLost) {
		t.Errorf("the first goes on: %v", err)
	}
	if err := b.End(t.Context(), now, func(s *State) error { return s.Fail("b", "store", false, now) }); err != nil {
		t.Fatal(err)
	}
	s, _ := r.State(t.Context())
	if len(s.Retry) != 1 || s.Retry[0].Attempt != 1 || !slices.Equal(s.Queue, codes(2)) {
		t.Errorf("%+v", s)
	}
	if _, err := claim("c", 1, 1); !errors.Is(err, ErrPast) {
		t.Errorf("the job that failed comes again: %v", err)
	}
	for n := range attempts + 1 {
		_, err := claim("dies", 2, 1)
		if n < attempts && err != nil || n == attempts && !errors.Is(err, ErrPast) {
			t.Errorf("death %d: %v", n, err)
		}
		now = now.Add(Lease + time.Second)
	}
	if s, _ = r.State(t.Context()); len(s.Failed) != 1 || s.Failed[0].KG != code(2) || len(s.Queue) != 0 {
		t.Errorf("%+v", s)
	}
	change(func(s *State) error { s.Pause(now); return nil })
	if _, err := claim("d", 1, 2); !errors.Is(err, ErrHeld) {
		t.Errorf("paused: %v", err)
	}
}

// undeletable is a ledger for a worker that dies before it can delete anything.
type undeletable struct{ ledger.Ledger }

func (undeletable) Delete(context.Context, ledger.Key, int64) error {
	return errors.New("the process is dead")
}

// A worker that dies after it has noted the last failure of a KG leaves its claim: a KG that is queued again before that is forgotten
// has all its attempts and its whole time.
func TestAClaimThatOutlivesItsJob(t *testing.T) {
	now := begun
	r := Records{Ledger: sqlitetest.Open(t, sqlite.Options{Now: func() time.Time { return begun }})}
	queue := func(pass int) {
		t.Helper()
		if _, err := r.Change(t.Context(), func(s *State) error {
			s.Mode = Running
			if _, err := s.Insert(codes(1), -1); err != nil {
				return err
			}
			_, err := s.Muster("run", pass, now, (&row{}).nearest)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	queue(1)
	for n := range attempts { // all but the last one die of it
		c, err := r.Claim(t.Context(), "run", Job{code(1), 1}, "w", now)
		if err != nil || c.Attempt != n+1 {
			t.Fatalf("attempt %d: %+v, %v", n+1, c, err)
		}
		now = now.Add(time.Minute)
		if n < attempts-1 {
			now = now.Add(Lease)
			continue
		}
		dying := Assignment{Records{undeletable{r.Ledger}}, "w", &c}
		if err := dying.End(t.Context(), now, func(s *State) error { return s.Fail("w", "store", false, now) }); err == nil {
			t.Fatal("the claim was deleted")
		}
	}
	if s, err := r.State(t.Context()); err != nil || len(s.Failed) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	queue(2)
	if _, err := r.Claim(t.Context(), "run", Job{code(1), 1}, "v", now); !errors.Is(err, ErrBusy) {
		t.Errorf("while the worker may still be alive: %v", err)
	}
	now = now.Add(Lease + time.Second)
	c, err := r.Claim(t.Context(), "run", Job{code(1), 1}, "v", now)
	if err != nil || c.Attempt != 1 || c.Spent != 0 || !c.Started.Equal(now) {
		t.Errorf("queued again: %+v, %v", c, err)
	}
}

// Each job that begins makes the lease of its run longer, so that a pass may take longer than that; a KG that waits for its data is
// not begun, and a clock that was set back takes nothing from the time of a KG.
func TestJobsKeepTheirRun(t *testing.T) {
	now := begun
	r := Records{Ledger: sqlitetest.Open(t, sqlite.Options{Now: func() time.Time { return begun }})}
	none := (&row{}).nearest
	muster := func(name string) error {
		_, err := r.Change(t.Context(), func(s *State) error {
			_, err := s.Muster(name, 1, now, none)
			return err
		})
		return err
	}
	if _, err := r.Change(t.Context(), func(s *State) error {
		s.Mode, s.Queue = Running, codes(1, 2, 3)
		s.Retry = []Retry{{KG: code(4), Attempt: 0, Not: begun.Add(24 * time.Hour)}}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := muster("run"); err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 3; i++ {
		now = now.Add(RunLease - time.Minute)
		if _, err := r.Claim(t.Context(), "run", Job{code(i), 1}, "w", now); err != nil {
			t.Fatal(err)
		}
		if err := muster("other"); !errors.Is(err, ErrBusy) {
			t.Errorf("another run beside one whose jobs began a moment ago: %v", err)
		}
	}
	if _, err := r.Claim(t.Context(), "run", Job{code(4), 1}, "w", now); !errors.Is(err, ErrPast) {
		t.Errorf("a KG that waits for its data: %v", err)
	}
	c := &Current{Since: now, Spent: time.Minute}
	if got := c.Time(now.Add(-time.Hour)); got != time.Minute {
		t.Errorf("a clock that was set back: %s were spent", got)
	}
	now = now.Add(RunLease + time.Minute)
	if err := muster("other"); err != nil {
		t.Errorf("after the lease: %v", err)
	}
	if _, err := r.Claim(t.Context(), "run", Job{code(1), 1}, "v", now); !errors.Is(err, ErrLost) {
		t.Errorf("a job of a run that is replaced: %v", err)
	}
}
