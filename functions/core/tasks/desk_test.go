package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"mappe/functions/core/shares"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/spool"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// clock is a time that tests move.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// answering is a desk and its worker, by a clock, whose answers are always the same.
func answering(t *testing.T) (*Desk, *Works, *clock) {
	t.Helper()
	task := Task[string]{Name: "n", Run: func(context.Context, *string, *Progress) (reply.Answer, error) {
		return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
			j.Member("data", 1)
			return j.Err()
		}}, nil
	}}
	c := &clock{time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)}
	d, w := harness(t, task.Runner(), false)
	w.Now, d.Now = c.now, c.now
	w.Place.Ledger = sqlitetest.Open(t, sqlite.Options{Now: c.now})
	d.Place = w.Place
	var err error
	if d.Queue, err = w.NewQueue(); err != nil {
		t.Fatal(err)
	}
	return d, w, c
}

func ask(t *testing.T, d *Desk, id string) Asked {
	t.Helper()
	a, err := d.Ask(t.Context(), Order{Name: "n", Question: []byte(`"q"`), ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// expect looks what became of a task under an id.
func expect(t *testing.T, d *Desk, id, want string) Asked {
	t.Helper()
	a, err := d.Find(t.Context(), id)
	if err != nil || a.Status() != want {
		t.Fatalf("task %s is %s, %v; want %s", id, a.Status(), err, want)
	}
	return a
}

// One who aborts a task that another wants too leaves it; it is cancelled when the last has. Asked again it is another task.
func TestTheLastWhoAbortsCancels(t *testing.T) {
	d, _, _ := answering(t)
	first, second := ask(t, d, ""), ask(t, d, "second-1")
	if first.job.ID != second.job.ID || first.ID != first.job.ID || second.ID != "second-1" {
		t.Fatalf("asked twice: %s as %s, %s as %s", first.job.ID, first.ID, second.job.ID, second.ID)
	}
	for range 2 { // an abort may be repeated
		if a, err := d.Abort(t.Context(), first.ID); err != nil || a.Status() != Cancelled {
			t.Fatalf("%s, %v", a.Status(), err)
		}
	}
	expect(t, d, first.ID, Cancelled)
	if a := expect(t, d, "second-1", Running); !a.job.CancelAsked.IsZero() {
		t.Fatal("the work is cancelled while somebody wants it")
	}
	// Who left and asks again is back.
	if again := ask(t, d, ""); again.ID != first.ID {
		t.Fatalf("asked again: %s, want %s", again.ID, first.ID)
	}
	expect(t, d, first.ID, Running)
	for _, id := range []string{"second-1", first.ID} {
		if _, err := d.Abort(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{first.ID, "second-1"} {
		a := expect(t, d, id, Cancelled)
		if s := a.State(d.now()); s.Active || s.Done || s.Error == nil || *s.Error != "The task was aborted." || s.AutoShareID != nil {
			t.Errorf("%s: %+v", id, s)
		}
	}
	if other := ask(t, d, ""); other.ID == first.ID {
		t.Error("a question whose task was cancelled has the same task again")
	}
	if _, err := d.Abort(t.Context(), "nobody-asked"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown task: %v", err)
	}
}

// What is done stays done, whoever aborts it then, and stands for its question until an hour before its result is forgotten.
func TestWhatIsDoneStands(t *testing.T) {
	d, w, c := answering(t)
	a := ask(t, d, "mine-0001")
	if err := d.Queue.RunOne(t.Context(), a.job.ID); err != nil {
		t.Fatal(err)
	}
	done := c.at
	if got, err := d.Abort(t.Context(), "mine-0001"); err != nil || got.Status() != Done {
		t.Errorf("aborted when it was done: %s, %v", got.Status(), err)
	}
	c.at = c.at.Add(time.Hour)
	got := expect(t, d, "mine-0001", Done)
	s := got.State(c.at)
	if !s.Done || s.Active || s.Error != nil || s.AutoShareID == nil || *s.AutoShareID != "auto-mine-0001" || s.Elapsed != 0 ||
		s.ExpiresAt == nil || !s.ExpiresAt.Equal(done.Add(Keep)) || s.Fraction != 1 {
		t.Errorf("%+v", s)
	}
	if name, err := d.ShareName(t.Context(), "auto-mine-0001"); err != nil || name != a.Share() {
		t.Errorf("the share of the id is %s, %v; want %s", name, err, a.Share())
	}
	for _, name := range []string{a.Share(), "auto-unknown-1", "wood"} {
		if got, err := d.ShareName(t.Context(), name); err != nil || got != name {
			t.Errorf("%s is kept as %s, %v", name, got, err)
		}
	}
	if !own(a.job.ID) || own("mine-0001") {
		t.Errorf("whose id is whose: %v %v", own(a.job.ID), own("mine-0001"))
	}
	c.at = done.Add(Keep - time.Hour - time.Minute)
	if again := ask(t, d, ""); again.job.ID != a.job.ID {
		t.Error("an hour and a minute before the end of its result it is asked anew")
	}
	c.at = done.Add(Keep - time.Hour + time.Minute)
	if again := ask(t, d, ""); again.job.ID == a.job.ID {
		t.Error("an hour before the end of its result it still stands for its question")
	}
	if _, err := w.runner("n"); err != nil {
		t.Error(err)
	}
	if _, err := d.Find(t.Context(), "short"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an invalid id: %v", err)
	}
}

// States of jobs as clients see them.
func TestStates(t *testing.T) {
	at := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	later := at.Add(90*time.Second + 1234567*time.Nanosecond)
	for name, c := range map[string]struct {
		of   Asked
		want State
	}{
		"waits": {Asked{ID: "i", job: jobs.Job{State: jobs.Queued, Created: at}}, State{Status: Running, Active: true, Step: "queued",
			Detail: "waiting for a worker", Elapsed: 90.001}},
		"waits again": {Asked{ID: "i", job: jobs.Job{State: jobs.Queued, Created: at, Attempt: 1, Step: "s"}}, State{Status: Running,
			Active: true, Step: "s", Detail: "waiting to be tried again", Elapsed: 90.001}},
		"runs": {Asked{ID: "i", job: jobs.Job{State: jobs.Running, Created: at, Attempt: 1, Step: "s", Progress: 0.123456, Detail: "d"}},
			State{Status: Running, Active: true, Step: "s", Detail: "d", Fraction: 0.1235, Elapsed: 90.001}},
		"is being aborted": {Asked{ID: "i", asker: asker{Aborted: at}, job: jobs.Job{State: jobs.Running, Created: at, Attempt: 1}},
			State{Status: Running, Active: true, Detail: "being aborted", Elapsed: 90.001}},
		"fails": {Asked{ID: "i", job: jobs.Job{State: jobs.Failed, Created: at, Attempt: 2, Error: "why",
			Finished: at.Add(2 * time.Second)}}, State{Status: Failed, Elapsed: 2}},
		"is given back": {Asked{ID: "i", job: jobs.Job{State: jobs.Releasing, Created: at, Attempt: 2, Error: "why"}},
			State{Status: Failed, Elapsed: 90.001}},
		"was aborted too late": {Asked{ID: "i", job: jobs.Job{State: jobs.Done, Created: at, CancelAsked: at, Progress: 1, Finished: at}},
			State{Status: Done, Done: true, Fraction: 1}},
		"failed before it was aborted": {Asked{ID: "i", job: jobs.Job{State: jobs.Failed, Created: at, CancelAsked: at, Error: "why",
			Finished: at}}, State{Status: Failed}},
		"a clock that goes wrong": {Asked{ID: "i", job: jobs.Job{State: jobs.Running, Created: later.Add(time.Hour), Attempt: 1}},
			State{Status: Running, Active: true}},
	} {
		got := c.of.State(later)
		why, ends := got.Error, got.ExpiresAt
		if (got.AutoShareID != nil) != got.Done {
			t.Errorf("%s: share %v", name, got.AutoShareID)
		}
		got.Error, got.ExpiresAt, got.AutoShareID = nil, nil, nil
		if c.want.TaskID = "i"; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if failed := c.want.Status == Failed; failed != (why != nil) || failed && *why != "why" {
			t.Errorf("%s: error %v", name, why)
		}
		if f := c.of.job.Finished; f.IsZero() != (ends == nil) || ends != nil && !ends.Equal(f.Add(Keep)) {
			t.Errorf("%s: ends %v", name, ends)
		}
	}
}

// A name is kept for the question that asked for it first: a minute without a task, as long as its task is worked on, and as long
// as a result has it.
func TestNamesOfResults(t *testing.T) {
	d, _, c := answering(t)
	claim := func(c claim) error { return d.claim(t.Context(), "wood", c) }
	if err := claim(claimOf("one", "")); err != nil {
		t.Fatal(err)
	}
	if err := claim(claimOf("two", "")); !errors.Is(err, shares.ErrTaken) {
		t.Errorf("a second question at the same time: %v", err)
	}
	if err := claim(claimOf("one", "")); err != nil {
		t.Errorf("the same question again: %v", err)
	}
	c.at = c.at.Add(claimed)
	a := ask(t, d, "")
	if err := claim(claimOf("two", a.job.ID)); err != nil {
		t.Errorf("after a minute without a task: %v", err)
	}
	c.at = c.at.Add(time.Hour)
	if err := claim(claimOf("one", "")); !errors.Is(err, shares.ErrTaken) {
		t.Errorf("while its task waits: %v", err)
	}
	if err := claim(claimOf("two", "")); err != nil { // asked again: what is noted stays
		t.Error(err)
	}
	if err := claim(claimOf("one", "")); !errors.Is(err, shares.ErrTaken) {
		t.Errorf("while its task waits, asked for twice: %v", err)
	}
	if _, err := d.Abort(t.Context(), a.ID); err != nil {
		t.Fatal(err)
	}
	if err := claim(claimOf("one", "gone-task")); err != nil {
		t.Errorf("after its task was aborted: %v", err)
	}
	if err := claim(claimOf("two", "")); err != nil {
		t.Errorf("of an unknown task: %v", err)
	}
}

func claimOf(key, job string) claim { return claim{Key: key, Job: job} }

// The name of a result is another question's when its task is done, until the result is forgotten.
func TestANamedResult(t *testing.T) {
	d, _, _ := answering(t)
	o := Order{Name: "n", Question: []byte(`"q"`), Share: "wood"}
	a, err := d.named(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Queue.RunOne(t.Context(), a.job.ID); err != nil {
		t.Fatal(err)
	}
	if h, err := d.Shares().Follow(t.Context(), "wood"); err != nil || h.Job != a.job.ID {
		t.Errorf("the result under its name: %+v, %v", h, err)
	}
	if again, err := d.named(t.Context(), o); err != nil || again.ID != a.ID {
		t.Errorf("the same again: %s, %v", again.ID, err)
	}
	o.Question = []byte(`"r"`)
	if _, err := d.named(t.Context(), o); !errors.Is(err, shares.ErrTaken) {
		t.Errorf("another question: %v", err)
	}
	if err := d.claim(t.Context(), "wood", claimOf("another", "")); !errors.Is(err, shares.ErrTaken) {
		t.Errorf("the name of what is done: %v", err)
	}
}

// What may pass is tried twice, and its words are told then.
func TestTheLastAttemptTells(t *testing.T) {
	d, w, c := answering(t)
	w.Runners[0] = (&Task[string]{Name: "n", Run: func(context.Context, *string, *Progress) (reply.Answer, error) {
		return nil, fault.New(fault.Unavailable, "the layers are busy")
	}}).Runner()
	a := ask(t, d, "")
	for attempt, want := range []string{Running, Failed} {
		_ = d.Queue.RunOne(t.Context(), a.job.ID) // what became of it the state says
		got := expect(t, d, a.ID, want)
		if told := strings.Contains(got.Error(), "the layers are busy"); told != (want == Failed) {
			t.Errorf("attempt %d: %q", attempt+1, got.Error())
		}
		c.at = c.at.Add(time.Minute)
	}
}

// A job of another type is no task, and who asks is told apart by address.
func TestWhoAndWhat(t *testing.T) {
	d, _, _ := answering(t)
	q, err := jobs.New(d.Place.Ledger, jobs.Options{Types: map[string]jobs.Definition{"book": definition},
		Store: d.Place.Files, Now: d.Now})
	if err != nil {
		t.Fatal(err)
	}
	j, _, err := q.Submit(t.Context(), jobs.Order{Type: "book", Key: "k", Payload: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Find(t.Context(), j.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("a job of another type: %v", err)
	}
	own := ask(t, d, "").ID
	for id, ok := range map[string]bool{own: true, "12345678": true, "1234567": false, own + strings.Repeat("x", 300): false} {
		if got, err := parseAny(id); (err == nil) != ok || ok && got != id {
			t.Errorf("%.80q: %.80q, %v", id, got, err)
		}
	}
	var told []string
	p := &Progress{tell: func(_ context.Context, step string, f float64) error { told = append(told, step); return nil }}
	ctx, stop := context.WithCancel(t.Context())
	if err := p.Tell(ctx, "a", 0.5); err != nil || len(told) != 1 {
		t.Errorf("told %v, %v", told, err)
	}
	stop()
	if err := p.Tell(ctx, "b", 0.5); err == nil || len(told) != 1 {
		t.Errorf("told after the end: %v, %v", told, err)
	}
	var none *Progress
	if none.Tell(t.Context(), "a", 1) != nil {
		t.Error("a computation that tells nobody is stopped")
	}
}

// A result of JSON is kept without the line ends behind it.
func TestTrimmed(t *testing.T) {
	for text, want := range map[string]string{"{}\n": "{}", "{}": "{}", "{\n}\n\n": "{\n}", "\n": "", "": ""} {
		s := spool.New(4)
		if _, err := s.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		b, err := trimmed(s)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, b.Size())
		if _, err := b.ReadAt(got, 0); len(got) > 0 && err != nil || string(got) != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
		s.Close()
	}
}

// The headers X-Name of a result that is no JSON are its figures; they are kept for its answers, and its file name.
func TestAbout(t *testing.T) {
	h := &shares.Share{ContentType: "image/tiff"}
	b, err := about(http.Header{"X-Cell-Size": {"1 m"}, "X-Data-Attribution": {"somebody"}, "X-Content-Type-Options": {"nosniff"},
		"Content-Disposition": {"attachment"}, "Content-Type": {"image/tiff"}, "X-Empty": {}}, h, 7)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		ContentType string `json:"content_type"`
		Bytes       int64
		Data        map[string]string
	}
	if err := json.Unmarshal(b, &got); err != nil || got.ContentType != "image/tiff" || got.Bytes != 7 || len(got.Data) != 1 ||
		got.Data["cell_size"] != "1 m" {
		t.Errorf("%s, %v", b, err)
	}
	if len(h.Headers) != 2 || h.Headers["X-Cell-Size"] != "1 m" || h.Headers["Content-Disposition"] != "attachment" {
		t.Errorf("kept for answers: %v", h.Headers)
	}
	for media, want := range map[string]bool{"application/json": true, "application/geo+json; charset=utf-8": true, "image/tiff": false,
		"application/jsonlines": false, "": false} {
		if isJSON(media) != want {
			t.Errorf("%q is JSON: %v", media, !want)
		}
	}
}

// A result ends at the bytes that can be kept, and with its work.
func TestPage(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	p := &page{ctx: ctx, body: spool.New(0), most: 2 << 20}
	defer p.body.Close()
	if n, err := p.Write(make([]byte, 2<<20)); n != 2<<20 || err != nil {
		t.Fatalf("as much as can be kept: %d, %v", n, err)
	}
	var f *fault.Fault
	if n, err := p.Write([]byte("x")); n != 0 || !errors.As(err, &f) || f.Code != fault.TooLarge || !strings.Contains(f.Message, "2 MB") {
		t.Errorf("a byte more: %d, %v", n, err)
	}
	why := errors.New("aborted")
	cancel(why)
	if _, err := p.Write(nil); !errors.Is(err, why) || !errors.Is(p.err, why) {
		t.Errorf("after the end of the work: %v", err)
	}
}
