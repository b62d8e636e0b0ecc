package secret

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// vault is a source whose values and clock a test sets.
type vault struct {
	mu     sync.Mutex
	values []string
	err    error
	reads  int
	now    time.Time
}

func (v *vault) read(context.Context) ([]string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.reads++
	return v.values, v.err
}

func (v *vault) set(err error, values ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.values, v.err = values, err
}

func newVault(values ...string) (*vault, *Values) {
	v := &vault{values: values, now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)}
	s := ValuesFrom(v.read)
	s.now = func() time.Time { return v.now }
	return v, s
}

func (s *Values) given(t *testing.T, value string) Verdict {
	t.Helper()
	return s.Admit(t.Context(), value)
}

const (
	oldValue = "the-value-that-the-edge-sends"
	newValue = "the-value-after-the-rotation"
	stranger = "somebody's-guess-of-the-value"
)

// A rotation: the new value is stored, the edge sends it at once, and is admitted at once; the value before
// stays good while it is stored, and no longer than it is kept.
func TestARotatedValueIsAdmittedAtOnce(t *testing.T) {
	v, s := newVault(oldValue)
	if s.given(t, oldValue) != Admitted || v.reads != 1 {
		t.Fatalf("the value of before: %d reads", v.reads)
	}
	v.set(nil, newValue, oldValue)
	for _, value := range []string{newValue, oldValue, newValue} {
		if s.given(t, value) != Admitted {
			t.Errorf("%s is refused", value)
		}
	}
	if v.reads != 2 {
		t.Errorf("want one read for the unknown value, got %d", v.reads-1)
	}
	v.set(nil, newValue)
	v.now = v.now.Add(keepValues + time.Second)
	if s.given(t, oldValue) != Refused || s.given(t, newValue) != Admitted {
		t.Error("a value that is stored no more is admitted")
	}
}

// Whoever guesses makes a process read a few times, and then rarely.
func TestStrangersCauseFewReads(t *testing.T) {
	v, s := newVault(oldValue)
	s.Warm(t.Context())
	for range 10_000 { // 1,000 s
		if s.given(t, stranger) != Refused || s.given(t, "short") != Refused {
			t.Fatal("a stranger is admitted")
		}
		v.now = v.now.Add(100 * time.Millisecond)
	}
	if most := 1 + unknownBurst + int(1000/unknownEvery.Seconds()) + int(1000/keepValues.Seconds()); v.reads > most {
		t.Errorf("want at most %d reads in 1,000 s, got %d", most, v.reads)
	}
	v.set(nil, newValue, oldValue)
	v.now = v.now.Add(unknownEvery)
	if s.given(t, newValue) != Admitted {
		t.Error("the new value is refused although a read is free again")
	}
}

// A store of secrets that is down refuses nobody who was admitted before, and at the start nobody for good.
func TestSecretsThatCannotBeRead(t *testing.T) {
	v, s := newVault()
	down := errors.New("down")
	v.set(down)
	if got := s.given(t, oldValue); got != Undecided {
		t.Errorf("nothing was ever read: want Undecided, got %v", got)
	}
	for range 100 {
		s.given(t, oldValue)
	}
	if v.reads != 1 {
		t.Errorf("want one read a second, got %d", v.reads)
	}
	v.set(down, oldValue) // one of two secrets can be read
	v.now = v.now.Add(retryRead)
	if s.given(t, oldValue) != Admitted {
		t.Error("what could be read is refused")
	}
	v.set(nil, "short")
	v.now = v.now.Add(keepValues + time.Second)
	if s.given(t, oldValue) != Admitted {
		t.Error("an unusable value takes the service down")
	}
}

// Many requests with a new value at the same moment cause one read, and none of them is refused.
func TestManyAtOnceAreAdmitted(t *testing.T) {
	v, s := newVault(oldValue)
	s.now = time.Now
	s.Warm(t.Context())
	v.set(nil, newValue, oldValue)
	var group sync.WaitGroup
	for range 100 {
		group.Go(func() {
			if s.given(t, newValue) != Admitted {
				t.Error("refused")
			}
		})
	}
	group.Wait()
	if v.reads != 2 {
		t.Errorf("want one read, got %d", v.reads-1)
	}
}
