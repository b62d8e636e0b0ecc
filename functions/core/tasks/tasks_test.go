package tasks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// Progress is the share of the units of a step; each step begins anew, more than all is all, and nothing is told after the
// end of the context.
func TestProgress(t *testing.T) {
	var told []string
	p := &Progress{tell: func(_ context.Context, step string, fraction float64) error {
		told = append(told, fmt.Sprintf("%s %.2f", step, fraction))
		return nil
	}}
	ctx, cancel := context.WithCancelCause(t.Context())
	for _, err := range []error{p.Step(ctx, "a", 4), p.Add(ctx, 1), p.Add(ctx, 2), p.Step(ctx, "b", 2), p.Add(ctx, 3), p.Step(ctx,
		"nothing", 0)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, want := strings.Join(told, ", "), "a 0.00, a 0.25, a 0.75, b 0.00, b 1.00, nothing 1.00"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	why := errors.New("somebody asked for it")
	cancel(why)
	if err := p.Add(ctx, 1); !errors.Is(err, why) || len(told) != 6 {
		t.Errorf("%v after %d", err, len(told))
	}
	var none *Progress
	if none.Step(t.Context(), "a", 1) != nil || none.Add(t.Context(), 1) != nil || none.Detail(t.Context(), "x") != nil {
		t.Error("a computation that tells nobody is stopped")
	}
	if none.Add(ctx, 1) == nil || none.Step(ctx, "a", 1) == nil || none.Detail(ctx, "x") == nil {
		t.Error("a computation that tells nobody goes on after its client has left")
	}
}

// What the client can mend ends a task; what may pass is tried again, and told at the last attempt; the rest is not told.
func TestVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		err         error
		first, last bool // the text is told
	}{"bad": {fault.New(fault.TooLarge, "words"), true, true}, "busy": {fmt.Errorf("in: %w", fault.New(fault.Unavailable, "words")), false,
		true},
		"internal": {fault.New(fault.Internal, "words"), false, false}, "other": {errors.New("words"), false, false}} {
		for last, want := range map[bool]bool{false: c.first, true: c.last} {
			if got := verdict(c.err, last); (got.Error() == jobs.Fail("words").Error() && !errors.Is(got, c.err)) != want {
				t.Errorf("%s, last %v: %v", name, last, got)
			}
		}
	}
}

// The key of a question depends on all that its answer depends on, on each part where it stands, and on the ledger.
func TestKeys(t *testing.T) {
	desk := func() *Desk { return &Desk{Place: Place{Ledger: sqlitetest.Open(t, sqlite.Options{})}, Version: "v"} }
	d := desk()
	seen := map[string]string{}
	for name, o := range map[string]Order{"plain": {Name: "a", Question: []byte("q"), State: "s"}, "name": {Name: "b",
		Question: []byte("q"), State: "s"},
		"question": {Name: "a", Question: []byte("r"), State: "s"}, "state": {Name: "a", Question: []byte("q"), State: "t"},
		"listed": {Name: "a", Question: []byte("q"), State: "s", Listed: true},
		"moved":  {Name: "aq", Question: nil, State: "s"}, "moved again": {Name: "a", Question: []byte("qs"), State: ""}} {
		k, err := d.key(t.Context(), o)
		if err != nil || seen[k] != "" {
			t.Errorf("%s has the key of %s, %v", name, seen[k], err)
		}
		seen[k] = name
		if again, _ := d.key(t.Context(), Order{Name: o.Name, Question: o.Question, State: o.State, Listed: o.Listed, Client: "x", ID: "y",
			Generation: "z"}); again != k {
			t.Errorf("%s: who asks changes the key", name)
		}
	}
	for _, other := range []*Desk{desk(), {Place: d.Place, Version: "w"}} {
		if k, err := other.key(t.Context(), Order{Name: "a", Question: []byte("q"), State: "s"}); err != nil || seen[k] != "" {
			t.Errorf("another ledger or software has the same key, %v", err)
		}
	}
}

// A client that asks the same again under its id gets its task, although data and software have changed meanwhile.
func TestTheSameIDAfterAChange(t *testing.T) {
	p := Place{Ledger: sqlitetest.Open(t, sqlite.Options{}), Files: mem.New()}
	q, err := Orders(p, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := Order{Name: "a", Question: []byte(`"q"`), State: "s", ID: "mine-0001"}
	first, err := (&Desk{Queue: q, Place: p, Version: "v"}).Ask(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.State = "t"
	later := &Desk{Queue: q, Place: p, Version: "w"}
	if again, err := later.Ask(t.Context(), o); err != nil || again.job.ID != first.job.ID {
		t.Errorf("%v, %v: expected the task %s", again.job.ID, err, first.job.ID)
	}
	o.Question = []byte(`"r"`)
	if _, err := later.Ask(t.Context(), o); !errors.Is(err, ErrOther) {
		t.Errorf("another question under the id: %v", err)
	}
}

func TestIDs(t *testing.T) {
	for id, ok := range map[string]bool{"0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11": true, "12345678": true, "1234567": false,
		strings.Repeat("a", 64): true, strings.Repeat("a", 65): false,
		"task-1234": false, "Task-1234": true, "a/b/c/d/e": false, "äöüäöüäöü": false, "12345678\n": false, "": false} {
		if got, err := parseID(id); (err == nil) != ok || ok && got != id {
			t.Errorf("%q: %q %v", id, got, err)
		}
	}
}

// harness is a worker over one runner, which may have lost the generation of a question.
func harness(t *testing.T, r Runner, gone bool) (*Desk, *Works) {
	t.Helper()
	p := Place{Ledger: sqlitetest.Open(t, sqlite.Options{}), Files: mem.New()}
	pin := func(id string) (context.Context, reply.Generation, error) {
		return context.WithValue(t.Context(), pinned{}, id), reply.Generation{ID: id}, nil
	}
	w := &Works{Place: p, Runners: []Runner{r}, Pin: func(context.Context) (context.Context, reply.Generation, error) {
		return pin("newest")
	},
		Repin: func(_ context.Context, id string) (context.Context, reply.Generation, error) {
			if gone {
				return nil, reply.Generation{}, endpoint.ErrNoGeneration
			}
			return pin(id)
		}}
	q, err := w.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	return &Desk{Queue: q, Place: p}, w
}

type pinned struct{}

// A question is answered from the generation that it was asked of, and from the newest where that is gone.
func TestTheGenerationOfAQuestion(t *testing.T) {
	for gone, want := range map[bool]string{false: "asked", true: "newest"} {
		task := Task[string]{Name: "n", Run: func(ctx context.Context, _ *string, _ *Progress) (reply.Answer, error) {
			return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
				j.Member("data", ctx.Value(pinned{}))
				return j.Err()
			}}, nil
		}}
		d, _ := harness(t, task.Runner(), gone)
		a, err := d.Ask(t.Context(), Order{Name: "n", Question: []byte(`"q"`), Generation: "asked"})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Queue.RunOne(t.Context(), a.job.ID); err != nil {
			t.Fatal(err)
		}
		h, err := d.Shares().Find(t.Context(), a.Share())
		if err != nil {
			t.Fatal(err)
		}
		object, err := d.Shares().Object(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := object.Read(t.Context()); err != nil || !strings.Contains(string(b), `"generation":"`+want+`"`) ||
			!strings.Contains(string(b), `{"data":"`+want+`"`) {
			t.Errorf("gone %v: %s %v", gone, b, err)
		}
	}
}

// A worker that does not know a kind of questions says so, and an answer that breaks off in its middle is no result.
func TestAnswersThatCannotBe(t *testing.T) {
	broken := Task[string]{Name: "n", Run: func(context.Context, *string, *Progress) (reply.Answer, error) {
		return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
			j.Member("data", strings.Repeat("x", 1<<20))
			return errors.New("no more")
		}}, nil
	}}
	d, _ := harness(t, broken.Runner(), false)
	for name, want := range map[string]string{"other": "No worker answers questions of the kind other.", "n": "internal error"} {
		a, err := d.Ask(t.Context(), Order{Name: name, Question: []byte(`"q"`)})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			_ = d.Queue.RunOne(t.Context(), a.job.ID) // what became of it the state says
			time.Sleep(1100 * time.Millisecond)       // before the second attempt
		}
		got, err := d.Find(t.Context(), a.ID)
		if err != nil || got.Status() != Failed || !strings.Contains(got.Error(), want) {
			t.Errorf("%s: %s %q %v", name, got.Status(), got.Error(), err)
		}
		if _, err := d.Shares().Find(t.Context(), a.Share()); err == nil {
			t.Errorf("%s: it has a share", name)
		}
	}
}

// What clients are told of refusals.
func TestFaults(t *testing.T) {
	for want, err := range map[int]error{http.StatusServiceUnavailable: &jobs.Full{OfClient: true, RetryAfter: time.Second},
		http.StatusConflict: ErrOther, http.StatusNotFound: ErrNotFound} {
		if got := fault.From(FaultOf(err, "x")); got.Status() != want || want == 503 && got.RetryAfter == 0 {
			t.Errorf("%v: %d %s", err, got.Status(), got.Message)
		}
	}
	if got := fault.From(FaultOf(errors.New("a secret of the house"), "x")); got.Status() != 503 ||
		strings.Contains(got.Message, "secret") {
		t.Errorf("%d %s", got.Status(), got.Message)
	}
}
