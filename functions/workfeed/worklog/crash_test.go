package worklog

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
)

var start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func at() time.Time { return start }

func task(id string) Completion {
	return Completion{TaskID: id, Board: "B", Assignee: "A", Title: "[t] " + id,
		CompletedAt: start.Add(-time.Duration(len(id)*7%13) * time.Hour)}
}

var errEnded = errors.New("the process has ended")

// check holds what a reader sees against the log: dense slots, every task once, the feed complete.
func check(t *testing.T, m *memory) (tasks []string) {
	t.Helper()
	ctx := context.Background()
	l := New(m.through(func(bool) (error, error) { return nil, nil }), at)
	mark, err := l.Settle(ctx)
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := l.Recorded(ctx, Query{Mark: mark, Behind: Beginning, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for i, e := range recorded.Entries {
		if e.Slot != int64(i+1) || ids[e.ID] || slices.Contains(tasks, e.TaskID) {
			t.Fatalf("slot %d holds entry %s of task %s with slot %d: a gap or a double in %v", i+1, e.ID, e.TaskID, e.Slot, tasks)
		}
		ids[e.ID] = true
		tasks = append(tasks, e.TaskID)
	}
	for _, f := range []Filter{{}, {Board: "B"}, {Assignee: "A"}, {Tag: "t"}, {Board: "B", Assignee: "A"}, {Board: "B", Tag: "t"},
		{Assignee: "A", Tag: "t"}, {Board: "B", Assignee: "A", Tag: "t"}} {
		p, err := l.Newest(ctx, Query{Mark: mark, Filter: f, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Entries) != len(tasks) {
			t.Fatalf("%+v: the feed has %d entries, the log %d", f, len(p.Entries), len(tasks))
		}
		for i, e := range p.Entries {
			if !ids[e.ID] || i > 0 && e.feedSort() >= p.Entries[i-1].feedSort() {
				t.Fatalf("%+v: entry %d is not in its place", f, i)
			}
		}
	}
	return tasks
}

// Every step of a completion fails once, unwritten and written: readers see all of it or nothing, the
// repeat records it, and a writer of other content is told apart from then on.
func TestEndAtEveryStep(t *testing.T) {
	ctx := context.Background()
	steps := 0
	for step := 0; ; step++ {
		ended := false
		for _, stored := range []bool{false, true} {
			m := newMemory()
			if _, _, err := New(m, at).Complete(ctx, task("earlier")); err != nil {
				t.Fatal(err)
			}
			n := 0
			var mu sync.Mutex
			dying := m.through(func(write bool) (error, error) {
				mu.Lock()
				defer mu.Unlock()
				n++
				switch {
				case n-1 < step:
					return nil, nil
				case n-1 == step && stored && write:
					ended = true
					return nil, errEnded
				}
				ended = true
				return errEnded, errEnded
			})
			_, _, err := New(dying, at).Complete(ctx, task("x"))
			if (err != nil) != ended {
				t.Fatalf("step %d: ended %v, told %v", step, ended, err)
			}
			seen := check(t, m)
			e, created, err := New(m, at).Complete(ctx, task("x"))
			if err != nil || created && slices.Contains(seen, "x") {
				t.Fatalf("step %d, stored %v: the repeat gives %+v, created %v, %v", step, stored, e, created, err)
			}
			if got := check(t, m); !slices.Equal(got, []string{"earlier", "x"}) {
				t.Fatalf("step %d, stored %v: the log holds %v", step, stored, got)
			}
			other := task("x")
			other.Title = "other"
			if _, _, err := New(m, at).Complete(ctx, other); !errors.Is(err, ErrDiffers) {
				t.Fatalf("step %d: other content gives %v", step, err)
			}
		}
		if steps++; !ended {
			break
		}
	}
	if steps < 12 {
		t.Errorf("only %d steps were tried", steps)
	}
}

// turns lets one of several processes do one step at a time, in an order of its own choice, and ends some.
type turns struct {
	mu      sync.Mutex
	next    *sync.Cond
	rand    *rand.Rand
	waiting []int
	running int // processes that are not waiting
	chosen  int
	dead    map[int]bool
	kills   int
}

func (s *turns) turn(id int, write bool) (before, after error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead[id] {
		return errEnded, errEnded
	}
	s.waiting = append(s.waiting, id)
	s.running--
	s.choose()
	for s.chosen != id {
		s.next.Wait()
	}
	s.chosen = -1
	s.running++
	if s.kills > 0 && s.rand.IntN(25) == 0 {
		s.kills--
		s.dead[id] = true
		if write && s.rand.IntN(2) == 0 {
			return nil, errEnded
		}
		return errEnded, errEnded
	}
	return nil, nil
}

// choose picks who goes on, once all wait.
func (s *turns) choose() {
	if s.running > 0 || len(s.waiting) == 0 {
		return
	}
	i := s.rand.IntN(len(s.waiting))
	s.chosen = s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.next.Broadcast()
}

func (s *turns) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	s.choose()
}

// TestEveryOrder runs processes that write the same and different tasks, and a poller, step by step in
// random orders, and ends some of them anywhere.
func TestEveryOrder(t *testing.T) {
	orders := 1500
	if testing.Short() {
		orders = 300
	}
	for seed := range orders {
		m := newMemory()
		const writers = 4
		s := &turns{rand: rand.New(rand.NewPCG(uint64(seed), 1)), running: writers + 1, chosen: -1, dead: map[int]bool{}, kills: seed % 4}
		s.next = sync.NewCond(&s.mu)
		told := make([]map[string]bool, writers) // what each writer was told is recorded: created?
		var group sync.WaitGroup
		for w := range writers {
			told[w] = map[string]bool{}
			tasks := []string{"shared", fmt.Sprint("own ", w), "late"}
			s.rand.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
			group.Go(func() {
				defer s.leave()
				l := New(m.through(func(write bool) (error, error) { return s.turn(w, write) }), at)
				l.wide = 1 // a process takes one step at a time
				for _, id := range tasks {
					if _, created, err := l.Complete(context.Background(), task(id)); err == nil {
						told[w][id] = created
					}
				}
			})
		}
		var polled []string
		place := Beginning
		group.Go(func() {
			defer s.leave()
			l := New(m.through(func(write bool) (error, error) { return s.turn(writers, write) }), at)
			l.wide = 1
			var state int64
			for range 6 {
				mark, err := l.Settle(context.Background())
				if err != nil {
					return
				}
				if mark.Slot < state {
					t.Errorf("seed %d: the mark went from %d back to %d", seed, state, mark.Slot)
				}
				state = mark.Slot
				p, err := l.Recorded(context.Background(), Query{Mark: mark, Behind: place, Limit: 2})
				if err != nil {
					return
				}
				place = p.After
				for _, e := range p.Entries {
					polled = append(polled, e.TaskID)
				}
			}
		})
		group.Wait()
		tasks := check(t, m)
		created := map[string]int{}
		for w := range told {
			for id, first := range told[w] {
				if !slices.Contains(tasks, id) {
					t.Fatalf("seed %d: %s was told recorded and is lost", seed, id)
				}
				if first {
					created[id]++
				}
			}
		}
		for id, n := range created {
			if n > 1 {
				t.Fatalf("seed %d: %d writers were told they created %s", seed, n, id)
			}
		}
		for more := true; more; {
			p, err := poll(New(m, at), place)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range p.Entries {
				polled = append(polled, e.TaskID)
			}
			place, more = p.After, p.More
		}
		if !slices.Equal(polled, tasks) {
			t.Fatalf("seed %d: the poller saw %v of %v", seed, polled, tasks)
		}
	}
}

func poll(l *Log, after Cursor) (Page, error) {
	mark, err := l.Settle(context.Background())
	if err != nil {
		return Page{}, err
	}
	return l.Recorded(context.Background(), Query{Mark: mark, Behind: after, Limit: 2})
}

var _ ledger.Ledger = (*memory)(nil)
