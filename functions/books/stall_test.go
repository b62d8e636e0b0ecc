package books

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/layout"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgertest"
	"mappe/shared/cloud/store"
)

// TestAStalledWorker: a worker stands still before each thing it does with records and files, once a run,
// until its lease is over and another has its build in the press, or has ended it and the next build of the
// project is accepted. Then it goes on: no record of anybody changes, and no file that a record names. A
// worker whose clock shows that its lease is over begins no page and writes no file either.
func TestAStalledWorker(t *testing.T) {
	for _, text := range []string{"A text.", "FAULT"} {
		for _, c := range []stallCase{{text, true, false}, {text, true, true}, {text, false, false}, {text, false, true}} {
			t.Run(c.String(), func(t *testing.T) {
				t.Parallel()
				stalls := 0
				for c.stallsAt(t, int64(stalls+1)) {
					stalls++
				}
				if stalls < 12 {
					t.Errorf("only %d places to stand still at were found", stalls)
				}
			})
		}
	}
}

// stallCase is what is the same in the runs of a test.
type stallCase struct {
	text    string
	goesOn  bool // the stalled worker's clock
	pressed bool // it goes on while the other presses; otherwise after all
}

func (c stallCase) String() string {
	clock, other := "its clock stood still too", "the other has ended"
	if c.goesOn {
		clock = "its clock went on"
	}
	if c.pressed {
		other = "the other presses"
	}
	return c.text + " " + clock + ", " + other
}

// stallsAt is one run; false when the build has no place of that number.
func (c stallCase) stallsAt(t *testing.T, place int64) bool {
	r := newHarness(t)
	seen := &seen{Ledger: r.ledger, keys: map[ledger.Key]bool{}}
	now := ledgertest.NewClock()
	stood := now
	if !c.goesOn {
		stood = ledgertest.NewClockAt(now.Now())
	}
	s := &stall{at: place, stalled: make(chan struct{}), wake: make(chan struct{})}
	slow := stalledWorker(t, r, s, seen, stood)
	pressing, goOn := make(chan struct{}), make(chan struct{})
	r.onSet(func() {
		if c.pressed {
			pressing <- struct{}{}
			<-goOn
		}
	})
	r.queue = r.worker(t, seen, r.store, now)
	book := r.upload(t, c.text)
	r.want(t, 200, r.convert(book, `{"kind":"final"}`))
	id := r.jobOfAccount(t, seen)
	ended := make(chan error, 1)
	go func() { ended <- slow.RunOne(context.Background(), id) }()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("undisturbed: %v", err)
		}
		return false
	case <-s.stalled:
	}
	now.Advance(2 * time.Minute)
	other := make(chan struct{})
	go func() {
		defer close(other)
		for {
			switch err := r.queue.RunOne(t.Context(), id); {
			case err == nil:
				return
			case !errors.Is(err, jobs.ErrAgain):
				t.Error(err)
				return
			}
		}
	}()
	select {
	case <-pressing:
	case <-other: // the book was made before the other came
		r.want(t, 200, r.convert(book, `{"kind":"final"}`))
	}
	before := r.state(t, seen)
	s.woken.Store(true)
	close(s.wake)
	<-ended // what became of it is seen in what it wrote
	before.expectKept(t, r.state(t, seen), s, c.goesOn)
	select {
	case <-other:
	default:
		close(goOn)
		<-other
		r.want(t, 200, r.convert(book, `{"kind":"final"}`))
	}
	c.pressed = false
	r.work(t)
	r.expectAccount(t, book, c.text == "A text.")
	return true
}

// jobOfAccount is the job of the running build; the ledger has seen its account and book.
func (r *harness) jobOfAccount(t *testing.T, l ledger.Ledger) string {
	t.Helper()
	looked := records.New(l, r.clock.Now)
	account, err := looked.Account(t.Context(), r.project.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := looked.Book(t.Context(), account.Running.Book); err != nil {
		t.Fatal(err)
	}
	j, err := build.Enqueue(t.Context(), r.queue, *account.Running)
	if err != nil {
		t.Fatal(err)
	}
	return j.ID
}

// kept is what stands in the ledger and the store.
type kept struct {
	records map[ledger.Key]string
	files   map[string]string
}

func (r *harness) state(t *testing.T, l *seen) kept { return kept{l.dump(t), files(t, r.store)} }

// expectKept: what was there is there as it was. A worker that knows better has written nothing beside
// what it was writing when it stalled.
func (k kept) expectKept(t *testing.T, after kept, s *stall, knows bool) {
	t.Helper()
	for key, was := range k.records {
		if after.records[key] != was {
			t.Errorf("stalled at %s: %v changed:\n%s\n%s", s.what, key, was, after.records[key])
		}
	}
	for key := range after.records {
		if _, ok := k.records[key]; !ok {
			t.Errorf("stalled at %s: %v is new", s.what, key)
		}
	}
	for key, body := range k.files {
		if after.files[key] != body {
			t.Errorf("stalled at %s: file %s changed", s.what, key)
		}
	}
	most := 0
	if strings.HasPrefix(s.what, "file put") {
		most = 1
	}
	if knows && (s.pressed.Load() || s.wrote.Load() > int64(most)) {
		t.Errorf("stalled at %s: the worker went on, it wrote %d files", s.what, s.wrote.Load())
	}
}

// expectAccount: both builds are done, and what is paid is what was made.
func (r *harness) expectAccount(t *testing.T, book int64, well bool) {
	t.Helper()
	rows, err := r.records.Outputs(t.Context(), book, 100)
	if err != nil {
		t.Fatal(err)
	}
	made, status := 0, "error"
	if well {
		made, status = 2, "ready"
	}
	if b := r.read(t, book); len(rows) != 2*made || r.remaining(t) != 3-made || b["status"] != status {
		t.Errorf("%d files, %d finals remain, %v", len(rows), r.remaining(t), b)
	}
	for _, o := range rows {
		if _, err := build.ReadObject(t.Context(), r.store, o.Key, maxFile); err != nil {
			t.Error(err)
		}
	}
}

// worker is a queue whose jobs run by a clock of their own.
func (r *harness) worker(t *testing.T, l ledger.Ledger, files store.Store, now *ledgertest.Clock) *jobs.Queue {
	t.Helper()
	works := *r.works
	works.Records, works.Store, works.Now, works.Lease = records.New(l, r.clock.Now), files, now.Now, time.Minute
	q, err := works.NewQueue(l)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// stalledWorker is a worker that stands still at one place.
func stalledWorker(t *testing.T, r *harness, s *stall, l ledger.Ledger, now *ledgertest.Clock) *jobs.Queue {
	works := *r.works
	defer func() { *r.works = works }()
	r.onSet(func() {
		if s.woken.Load() {
			s.pressed.Store(true)
		}
	})
	return r.worker(t, &stalledLedger{l, s}, &stalledStore{r.store, s}, now)
}

// onSet has do done before pages are set.
func (r *harness) onSet(do func()) {
	inner := r.works.Press.Set
	r.works.Press.Set = func(ctx context.Context, b manuscript.Book, sp spec.Spec, o layout.Options) (*page.Book, layout.Report, error) {
		do()
		return inner(ctx, b, sp, o)
	}
}
