package filestate

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func state(t *testing.T, name string) State {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("skipped: states of files are told on Linux only")
	}
	s, ok := Of(name)
	if !ok {
		t.Fatalf("the state of %s is not told", name)
	}
	return s
}

// Other contents have another state, though size and modification time are set to what they were.
func TestAnotherFileHasAnotherState(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	none := state(t, name)
	must(t, os.WriteFile(name, []byte("one"), 0o644))
	at := time.Unix(1_700_000_000, 0)
	must(t, os.Chtimes(name, at, at))
	first := state(t, name)
	if again := state(t, name); again != first || first.Text == none.Text {
		t.Errorf("looked at twice: %+v, %+v; before it was there %+v", first, again, none)
	}
	seen := map[string]string{none.Text: "none", first.Text: "first"}
	for _, c := range []struct {
		what   string
		change func() error
	}{
		{"written in place", func() error { return os.WriteFile(name, []byte("two"), 0o644) }},
		{"replaced", func() error {
			if err := os.WriteFile(name+".new", []byte("thr"), 0o644); err != nil {
				return err
			}
			return os.Rename(name+".new", name)
		}},
		{"longer", func() error { return os.WriteFile(name, []byte("four"), 0o644) }},
	} {
		must(t, c.change())
		must(t, os.Chtimes(name, at, at))
		s := state(t, name)
		if was, twice := seen[s.Text]; twice {
			t.Errorf("%s: the state is that of %s", c.what, was)
		}
		seen[s.Text] = c.what
	}
	must(t, os.Remove(name))
	if s := state(t, name); s != none {
		t.Errorf("removed: %+v, want %+v", s, none)
	}
}

// What is no file has no state.
func TestAFolderHasNoState(t *testing.T) {
	if s, ok := Of(t.TempDir()); ok {
		t.Errorf("a folder has the state %+v", s)
	}
	if s, ok := Of(filepath.Join(t.TempDir(), string([]byte{0}))); ok {
		t.Errorf("a name without a file has the state %+v", s)
	}
}

// A file is settled a minute after its last change, by the later of its times: one of the future is not.
func TestSettled(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	for _, c := range []struct {
		newest time.Time
		want   bool
	}{{time.Time{}, true}, {at.Add(-time.Hour), true}, {at.Add(-Margin - 1), true}, {at.Add(-Margin), false}, {at, false},
		{at.Add(time.Hour), false}} {
		if got := (State{Newest: c.newest}).Settled(at); got != c.want {
			t.Errorf("%v: %t", c.newest.Sub(at), got)
		}
	}
	name := filepath.Join(t.TempDir(), "a")
	must(t, os.WriteFile(name, nil, 0o644))
	must(t, os.Chtimes(name, time.Unix(1, 0), time.Unix(1, 0)))
	if s := state(t, name); s.Settled(time.Now()) || !s.Settled(time.Now().Add(time.Hour)) {
		t.Errorf("a file that was just changed and set back in time: %+v", s)
	}
	ahead := time.Now().Add(24 * time.Hour)
	must(t, os.Chtimes(name, ahead, ahead))
	if s := state(t, name); s.Settled(time.Now().Add(time.Hour)) {
		t.Errorf("a file of tomorrow: %+v", s)
	}
}

// Files together are as new as the newest, and differ when one does.
func TestJoin(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	a, b := State{"a", at}, State{"b", at.Add(time.Second)}
	if got := Join(a, b); got.Newest != b.Newest || got.Text == Join(b, a).Text || got.Text == Join(a, a).Text {
		t.Errorf("got %+v", got)
	}
}
