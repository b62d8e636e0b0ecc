package worklog

import (
	"errors"
	"maps"
	"slices"
	"testing"
)

// The ledger is put back to each write of a completion. What was recorded since is gone and the log is whole: a reader who saw what is gone
// is told that his cursor is of another log, also when its place is taken by another entry, and never passes over one; a writer who sends
// again is recorded once, under a new id.
func TestDrillTheLedgerIsRestored(t *testing.T) {
	for n := 0; ; n++ {
		m := newMemory()
		l := New(m, at)
		first, _, err := l.Complete(t.Context(), task("a"))
		if err != nil {
			t.Fatal(err)
		}
		early, err := poll(l, Beginning)
		if err != nil {
			t.Fatal(err)
		}
		past, writes := maps.Clone(m.records), 0
		today := m.through(func(write bool) (error, error) {
			m.mu.Lock() // some entries are written at once
			defer m.mu.Unlock()
			if write {
				if writes == n {
					past = maps.Clone(m.records)
				}
				writes++
			}
			return nil, nil
		})
		gone, _, err := New(today, at).Complete(t.Context(), task("lost"))
		if err != nil {
			t.Fatal(err)
		}
		late, err := poll(New(today, at), early.After)
		if err != nil || len(late.Entries) != 1 {
			t.Fatalf("%+v, %v", late, err)
		}
		if writes <= n {
			return
		}

		m.records = past
		l = New(m, at)
		if tasks := check(t, m); !slices.Equal(tasks, []string{"a"}) && !slices.Equal(tasks, []string{"a", "lost"}) {
			t.Fatalf("after %d writes the log has %v", n, tasks)
		}
		there := len(check(t, m)) == 2 // the entry was recorded by then
		if _, _, err := l.Complete(t.Context(), task("another")); err != nil {
			t.Fatal(err)
		}
		if _, err := poll(l, late.After); there != (err == nil) || !there && !errors.Is(err, ErrOtherLog) {
			t.Errorf("after %d writes a later cursor gives %v", n, err)
		}
		again, created, err := l.Complete(t.Context(), task("lost"))
		claimed := again.ID == gone.ID // the claim holds the whole entry
		if err != nil || there && created || !claimed && !created || again.ID == first.ID {
			t.Errorf("after %d writes, sent again: created %t, the same id %t, %v", n, created, claimed, err)
		}
		var seen []string
		for p := (Page{After: early.After, More: true}); p.More; {
			if p, err = poll(l, p.After); err != nil {
				t.Fatal(err)
			}
			for _, e := range p.Entries {
				seen = append(seen, e.TaskID)
			}
		}
		if slices.Sort(seen); !slices.Equal(seen, []string{"another", "lost"}) {
			t.Errorf("after %d writes a reader of before sees %v", n, seen)
		}
		check(t, m)
	}
}
