package landprocess

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
)

var begun = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// row is a country of KGs in a row: the nearest is the one with the nearest number that is not done.
type row struct {
	n    int
	done map[austria.KGCode]bool
}

func code(i int) austria.KGCode { return austria.KGCode(fmt.Sprintf("%05d", i)) }

func (r *row) nearest(last austria.KGCode, _ austria.StateCode, skip func(austria.KGCode) bool) (best austria.KGCode, found bool) {
	at, least := 0, 1<<30
	fmt.Sscanf(string(last), "%d", &at)
	for i := range r.n {
		d := max(i-at, at-i)
		if c := code(i); d < least && !r.done[c] && !skip(c) {
			best, least, found = c, d, true
		}
	}
	return best, found
}

func codes(list ...int) (out []austria.KGCode) {
	for _, i := range list {
		out = append(out, code(i))
	}
	return out
}

// The queue's calls as they are written: -1 appends, duplicates move, PUT replaces.
func TestTheQueue(t *testing.T) {
	s := &State{}
	for _, c := range []struct {
		insert    []int
		position  int
		want      []int
		positions []int
	}{
		{[]int{1, 2, 3}, -1, []int{1, 2, 3}, []int{0, 1, 2}},
		{[]int{4}, 0, []int{4, 1, 2, 3}, []int{0}},
		{[]int{2}, -1, []int{4, 1, 3, 2}, []int{3}},
		{[]int{2, 5, 2}, 1, []int{4, 2, 5, 1, 3}, []int{1, 2}},
		{[]int{9}, 100, []int{4, 2, 5, 1, 3, 9}, []int{5}},
	} {
		got, err := s.Insert(codes(c.insert...), c.position)
		if err != nil || !slices.Equal(s.Queue, codes(c.want...)) || !slices.Equal(got, c.positions) {
			t.Errorf("insert %v at %d: want %v at %v, got %v at %v (%v)", c.insert, c.position, c.want, c.positions, s.Queue, got, err)
		}
	}
	if n := s.Remove(code(5)); n != 1 || slices.Contains(s.Queue, code(5)) {
		t.Errorf("one is removed: %d, %v", n, s.Queue)
	}
	if err := s.Replace(codes(7, 8)); err != nil || !slices.Equal(s.Queue, codes(7, 8)) {
		t.Errorf("replaced: %v %v", s.Queue, err)
	}
	if _, err := s.Insert(make([]austria.KGCode, 1), 0); err != nil {
		t.Error(err)
	}
	var many []austria.KGCode
	for i := range MaxQueue + 1 {
		many = append(many, code(i))
	}
	if _, err := s.Insert(many, -1); err == nil {
		t.Error("a queue without bound")
	}
}

// take takes a KG and fails the test where no KG waits.
func take(t *testing.T, s *State, r *row, now time.Time) *Current {
	t.Helper()
	c, err := s.Take("w", now, r.nearest)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The order: single, what is due again, the queue, then the nearest of the last one. A failure comes again after five others.
func TestTheOrder(t *testing.T) {
	r := &row{n: 40, done: map[austria.KGCode]bool{}}
	s := &State{Mode: Stopped}
	if _, err := s.Take("w", begun, r.nearest); !errors.Is(err, ErrIdle) {
		t.Fatalf("one that is stopped works: %v", err)
	}
	s.One(code(20))
	if c := take(t, s, r, begun); c.KG != code(20) || c.From != "single" {
		t.Fatalf("want the single one, got %+v", c)
	}
	if _, err := s.Take("other", begun.Add(time.Second), r.nearest); !errors.Is(err, ErrBusy) {
		t.Errorf("two workers: %v", err)
	}
	r.done[code(20)] = true
	if err := s.Finish("w", 3, begun); err != nil {
		t.Fatal(err)
	}
	_ = s.Start("", "", begun)
	_, _ = s.Insert(codes(30), -1)
	var order []string
	for range 9 {
		c := take(t, s, r, begun)
		order = append(order, string(c.KG)+" "+c.From)
		if c.KG == code(30) && c.Attempt == 1 {
			_ = s.Fail("w", "the store", false, begun)
			continue
		}
		r.done[c.KG] = true
		_ = s.Finish("w", 1, begun)
	}
	want := []string{"00030 queue", "00029 nearest", "00028 nearest", "00027 nearest", "00026 nearest", "00025 nearest", "00030 retry",
		"00031 nearest", "00032 nearest"}
	if !slices.Equal(order, want) {
		t.Errorf("want %v\ngot  %v", want, order)
	}
	if s.Tiles != 11 || s.Ended != 10 {
		t.Errorf("counts: %d tiles, %d KGs", s.Tiles, s.Ended)
	}
}

// What fails for good is listed and left out, and what fails too often too; who is queued again is tried again.
func TestFailures(t *testing.T) {
	r := &row{n: 3, done: map[austria.KGCode]bool{}}
	s := &State{}
	_ = s.Start("", "", begun)
	seen := map[austria.KGCode]int{}
	for range 50 {
		c, err := s.Take("w", begun, r.nearest)
		if errors.Is(err, ErrIdle) {
			break
		}
		seen[c.KG]++
		switch c.KG {
		case code(0):
			_ = s.Fail("w", "no heights", true, begun)
		case code(1):
			_ = s.Fail("w", "the store", false, begun)
		default:
			r.done[c.KG] = true
			_ = s.Finish("w", 1, begun)
		}
	}
	if seen[code(0)] != 1 || seen[code(1)] != attempts || seen[code(2)] != 1 {
		t.Errorf("attempts: %v", seen)
	}
	if len(s.Failed) != 2 || len(s.Retry) != 0 || !s.Idle {
		t.Errorf("failed %v, again %v, idle %v", s.Failed, s.Retry, s.Idle)
	}
	_ = s.Start("", "", begun) // a restart leaves them out
	if _, err := s.Take("w", begun, r.nearest); !errors.Is(err, ErrIdle) {
		t.Errorf("a KG that failed for good is begun again: %v", err)
	}
	_, _ = s.Insert(codes(1), -1)
	if c := take(t, s, r, begun); c.KG != code(1) || len(s.Failed) != 1 {
		t.Errorf("queued again: %+v, failed %v", c, s.Failed)
	}
}

// Every KG of the country may fail: that is a record each, and steering and working go on. What is queued again is forgiven.
func TestManyFailures(t *testing.T) {
	const n = 1200
	r := Records{Ledger: sqlitetest.Open(t, sqlite.Options{})}
	change := func(f func(s *State) error) State {
		t.Helper()
		s, err := r.Change(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	long := strings.Repeat("x", maxText)
	change(func(s *State) error {
		for i := range n {
			s.fail(code(i), long, begun)
		}
		return s.Start("", "", begun)
	})
	country := &row{n: n + 1, done: map[austria.KGCode]bool{}}
	change(func(s *State) error { _, err := s.Take("w", begun, country.nearest); return err })
	if _, err := r.Step(t.Context(), func(s *State) error { return s.Fail("w", long, true, begun) }); err != nil {
		t.Fatal(err)
	}
	s, err := r.State(t.Context())
	if err != nil || len(s.Failed) != n+1 || s.Failed[n].KG != code(n) || s.Failed[n].Error != long {
		t.Fatalf("%d failures, %v", len(s.Failed), err)
	}
	s = change(func(s *State) error { _, err := s.Insert(codes(5, 6), -1); return err })
	if again, err := r.State(t.Context()); err != nil || len(again.Failed) != n-1 || len(s.Failed) != n-1 {
		t.Errorf("queued again: %d failures, %v", len(again.Failed), err)
	}
}

// A KG whose data is being brought rests for a minute and has as many attempts as before, however often it waits.
func TestWaiting(t *testing.T) {
	r := &row{n: 1, done: map[austria.KGCode]bool{}}
	s := &State{}
	_ = s.Start("", "", begun)
	now := begun
	for range 3 * attempts {
		if c := take(t, s, r, now); c.Attempt != 1 {
			t.Fatalf("%+v", c)
		}
		if err := s.Wait("w", "its data is being brought", now); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Take("w", now.Add(wait/2), r.nearest); !errors.Is(err, ErrIdle) {
			t.Fatalf("it is not left alone: %v", err)
		}
		now = now.Add(wait)
	}
	if len(s.Failed) != 0 || len(s.Retry) != 1 || s.Ended != 0 {
		t.Errorf("%+v", s)
	}
}

// What is asked for alone of a processor that is stopped waits, too.
func TestSingleWaits(t *testing.T) {
	r := &row{n: 1, done: map[austria.KGCode]bool{}}
	s := &State{Mode: Stopped}
	s.One(code(0))
	take(t, s, r, begun)
	if err := s.Wait("w", "its data is being brought", begun); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Take("w", begun.Add(wait/2), r.nearest); !errors.Is(err, ErrBusy) {
		t.Fatalf("it is not left alone: %v", err)
	}
	if c := take(t, s, r, begun.Add(wait)); c.Attempt != 1 || c.Spent != wait {
		t.Errorf("%+v", c)
	}
}

// A few KGs rest at once, however many are cold.
func TestFewRest(t *testing.T) {
	r := &row{n: 1000, done: map[austria.KGCode]bool{}}
	s := &State{}
	_ = s.Start("", "", begun)
	for {
		if _, err := s.Take("w", begun, r.nearest); err != nil {
			if !errors.Is(err, ErrIdle) {
				t.Fatal(err)
			}
			break
		}
		if err := s.Wait("w", "its data is being brought", begun); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.Retry) != maxResting {
		t.Errorf("%d KGs rest", len(s.Retry))
	}
}

// A pause keeps the KG and its time, a stop puts it back, a dead worker's KG goes to the next one.
func TestPauseStopAndDeath(t *testing.T) {
	r := &row{n: 3, done: map[austria.KGCode]bool{}}
	s := &State{}
	_ = s.Start("", "", begun)
	c := take(t, s, r, begun)
	s.Pause(begun.Add(time.Minute))
	if err := s.Tell("w", "squares", 1, 4, begun.Add(time.Minute)); !errors.Is(err, ErrHeld) {
		t.Fatalf("told to pause: %v", err)
	}
	_ = s.LetGo("w", begun.Add(time.Minute))
	if _, err := s.Take("w", begun.Add(time.Hour), r.nearest); !errors.Is(err, ErrIdle) {
		t.Errorf("paused: %v", err)
	}
	one := *s
	one.One(code(2))
	if alone, err := one.Take("w", begun.Add(time.Hour), r.nearest); err != nil || alone.KG != code(2) || !slices.Equal(one.Queue,
		[]austria.KGCode{c.KG}) {
		t.Errorf("one KG alone while all is paused: %+v %v, queue %v", alone, err, one.Queue)
	}
	s.Resume(begun.Add(2 * time.Hour))
	again := take(t, s, r, begun.Add(2*time.Hour))
	if again.KG != c.KG || again.Attempt != 1 || again.Time(begun.Add(2*time.Hour+time.Minute)) != 2*time.Minute {
		t.Errorf("resumed: %+v", again)
	}
	// The worker dies: its lease has to run out first.
	if _, err := s.Take("next", begun.Add(2*time.Hour+time.Second), r.nearest); !errors.Is(err, ErrBusy) {
		t.Errorf("a lease that holds: %v", err)
	}
	late := begun.Add(2*time.Hour + Lease + time.Second)
	next, err := s.Take("next", late, r.nearest)
	if err != nil || next.KG != c.KG || next.Attempt != 2 {
		t.Fatalf("after a death: %+v %v", next, err)
	}
	if err := s.Finish("w", 1, late); !errors.Is(err, ErrLost) {
		t.Errorf("the dead worker writes: %v", err)
	}
	s.Stop(late)
	if err := s.LetGo("next", late); err != nil || s.Now != nil || !slices.Equal(s.Queue, []austria.KGCode{c.KG}) {
		t.Errorf("stopped: %v, current %v, queue %v", err, s.Now, s.Queue)
	}
}

// Whatever happens, in whatever order, no KG that waits is lost: it is done, or listed as failed, in the end.
func TestNoKGIsLost(t *testing.T) {
	for seed := range oracles.Rounds(t, 30) {
		lost(t, rand.New(rand.NewPCG(seed, 24)))
	}
}

func lost(t *testing.T, chance *rand.Rand) {
	r := &row{n: 30, done: map[austria.KGCode]bool{}}
	s := &State{}
	now := begun
	asked := map[austria.KGCode]bool{}
	ask := func(c austria.KGCode) { asked[c] = true; delete(r.done, c) }
	for i := range 400 {
		now = now.Add(time.Duration(chance.IntN(90)) * time.Second)
		switch chance.IntN(9) {
		case 0:
			list := codes(chance.IntN(30), chance.IntN(30))
			for _, c := range list {
				ask(c)
			}
			_, _ = s.Insert(list, chance.IntN(5)-1)
		case 1:
			_ = s.Start("", "", now)
		case 2:
			s.Pause(now)
		case 3:
			s.Resume(now)
		case 4:
			if chance.IntN(4) == 0 {
				s.Stop(now)
			}
		default:
			r.step(s, chance, fmt.Sprint("w", i), now)
		}
	}
	_ = s.Start("", "", now)
	for range 500 {
		now = now.Add(Lease + time.Second)
		c, err := s.Take("last", now, r.nearest)
		if errors.Is(err, ErrIdle) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		r.done[c.KG] = true
		_ = s.Finish("last", 1, now)
	}
	for c := range asked {
		if !r.done[c] && !s.leftOut()(c) {
			t.Fatalf("KG %s is lost: %+v", c, s)
		}
	}
}

// step is a worker that takes a KG and ends it, lets it go, fails, or dies.
func (r *row) step(s *State, chance *rand.Rand, owner string, now time.Time) {
	c, err := s.Take(owner, now, r.nearest)
	if err != nil {
		return
	}
	switch chance.IntN(4) {
	case 0:
		r.done[c.KG] = true
		_ = s.Finish(owner, 1, now)
	case 1:
		_ = s.LetGo(owner, now)
	case 2:
		_ = s.Fail(owner, "by chance", chance.IntN(3) == 0, now)
	}
}

// A start asks for a look at the files; one that was asked for while another was under way is not lost.
func TestAStartAsksForALook(t *testing.T) {
	s := &State{}
	_ = s.Start("", "", begun)
	asked := s.Look
	_ = s.Start("", "", begun.Add(time.Second))
	s.Looked(asked)
	if s.Look.IsZero() {
		t.Error("the look of the second start is lost")
	}
	s.Looked(s.Look)
	if !s.Look.IsZero() {
		t.Errorf("the look is asked for still: %v", s.Look)
	}
}
