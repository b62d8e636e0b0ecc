package shares

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/store"
)

// A name is free for the job that has it and for nobody else; one that was renamed is free for none.
func TestFree(t *testing.T) {
	s := shelf(t)
	s.put(t, "auto-a", 1, nil)
	s.put(t, "auto-b", 1, nil)
	if _, err := s.Rename(t.Context(), "auto-b", "b"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, job string
		want      bool
	}{{"auto-none", "auto-a", true}, {"auto-a", "auto-a", true}, {"auto-a", "auto-c", false}, {"auto-b", "auto-b", false}} {
		if got, err := s.Free(t.Context(), c.name, c.job); err != nil || got != c.want {
			t.Errorf("%s for %s: %v %v, want %v", c.name, c.job, got, err, c.want)
		}
	}
}

// A result with a further name is found by both, stands in the list once and goes with both.
func TestAFurtherName(t *testing.T) {
	s := shelf(t)
	h := s.put(t, "auto-a", 1, func(h *Share) { h.Listed, h.Also = true, "mine" })
	mine, err := s.Find(t.Context(), "mine")
	if err != nil || mine.File != h.File || mine.Also != "" || mine.Listed {
		t.Fatalf("%+v %v", mine, err)
	}
	if all, err := s.List(t.Context()); err != nil || len(all) != 1 || all[0].Name != "auto-a" {
		t.Errorf("%+v %v", all, err)
	}
	if err := s.Drop(t.Context(), "auto-a", h.Job); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"auto-a", "mine"} {
		if _, err := s.Find(t.Context(), name); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Files.Head(t.Context(), h.File); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the object stays: %v", err)
	}
}

// Another job takes a name when the result that has it is over, not before, and never one that stays.
func TestANameIsTakenWhenItIsOver(t *testing.T) {
	for name, c := range map[string]struct {
		expires time.Time
		want    string
	}{"a result that lasts": {time.Now().Add(time.Hour), "a"}, "one that stays": {time.Time{}, "a"},
		"one that is over": {time.Now().Add(-time.Hour), "b"}} {
		s := shelf(t)
		s.put(t, "same", 5, func(h *Share) { h.Job, h.Expires = "a", c.expires })
		s.put(t, "same", 1, func(h *Share) { h.Job = "b" })
		if h, err := s.Find(t.Context(), "same"); err != nil || h.Job != c.want {
			t.Errorf("%s: %+v %v, want job %s", name, h, err, c.want)
		}
	}
}

// Sweep removes objects a day after their week, none before.
func TestSweep(t *testing.T) {
	s := shelf(t)
	h := s.put(t, "auto-a", 1, nil)
	info, err := s.Files.Head(t.Context(), h.File)
	if err != nil {
		t.Fatal(err)
	}
	begin := info.Modified
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{Keep + 23*time.Hour, 0}, {Keep + 25*time.Hour, 1}} {
		s.Now = func() time.Time { return begin.Add(c.after) }
		if n, err := s.Sweep(t.Context()); err != nil || n != c.want {
			t.Errorf("after %v: %d removed, %v, want %d", c.after, n, err, c.want)
		}
	}
	if _, err := s.Files.Head(t.Context(), h.File); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}

// A part of a result is read from its beginning, not from that of the object.
func TestPartsOfAResult(t *testing.T) {
	s := shelf(t)
	h := Share{Name: "a", Kind: "terrain", Job: "a", ResultAt: 2, ResultBytes: 6, Created: time.Now()}
	if err := s.Save(t.Context(), h, strings.NewReader("..result.."), nil); err != nil {
		t.Fatal(err)
	}
	h, err := s.Find(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	result, err := s.Result(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	body, err := result.Open(t.Context(), 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if b, err := io.ReadAll(body); err != nil || string(b) != "sul" || result.Size() != 6 {
		t.Errorf("%s of %d bytes, %v", b, result.Size(), err)
	}
}

// A result is large from the first byte above the bound.
func TestLarge(t *testing.T) {
	for s, bound := range map[*Shares]int64{{}: Whole, {Whole: 10}: 10} {
		if s.Large(bound) || !s.Large(bound+1) {
			t.Errorf("bound %d", bound)
		}
	}
}
