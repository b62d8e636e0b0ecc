package funcurl

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestOnlyTheEdgeIsAdmitted(t *testing.T) {
	for _, c := range []struct {
		name, header string
		status       int
	}{
		{"current", edgeSecret, 200},
		{"previous, while rotating", "previous-secret-of-the-edge", 200},
		{"wrong", "wrong-secret-of-the-edge!!", 403},
		{"a beginning of it", edgeSecret[:20], 403},
		{"empty", "", 403},
	} {
		e := event(t, "get.json")
		e.Headers["x-origin-verify"] = c.header
		asked := false
		a := ask(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }), e)
		if a.StatusCode != c.status || asked != (c.status == 200) {
			t.Errorf("%s: want %d, got %d, handler asked: %v", c.name, c.status, a.StatusCode, asked)
		}
	}
	e := event(t, "get.json")
	delete(e.Headers, "x-origin-verify")
	if a := ask(t, http.NotFoundHandler(), e); a.StatusCode != 403 || strings.Contains(a.body, edgeSecret) {
		t.Errorf("without the header: want 403, got %d %s", a.StatusCode, a.body)
	}
}

// The environment names secrets; no value stands in it.
func TestSecretsFromEnvironment(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		t.Setenv(name, "x")
	}
	for _, c := range []struct {
		name string
		env  map[string]string
		err  string
	}{
		{"unset", nil, OriginSecrets + " is not set"},
		{"two", map[string]string{OriginSecrets: "arn:a,arn:b"}, ""},
		{"blanks", map[string]string{OriginSecrets: "arn:a, arn:b"}, OriginSecrets},
		{"an empty one", map[string]string{OriginSecrets: "arn:a,"}, OriginSecrets},
		{"open", map[string]string{OriginOpen: "yes"}, ""},
		{"open and closed", map[string]string{OriginOpen: "yes", OriginSecrets: "arn:a"}, OriginOpen},
		{"half open", map[string]string{OriginOpen: "1"}, OriginOpen},
	} {
		s, err := SecretsFromEnvironment(func(name string) string { return c.env[name] })
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: want error %q, got %v", c.name, c.err, err)
		}
		if err == nil && s.open && s.admit(t.Context(), http.Header{}) != admitted {
			t.Errorf("%s: nobody is admitted", c.name)
		}
	}
	if _, err := NewSecrets(edgeSecret, "short"); err == nil || !strings.Contains(err.Error(), "at least 16") {
		t.Errorf("a short value: got %v", err)
	}
	if (&Secrets{}).admit(t.Context(), http.Header{}) != refused {
		t.Error("the zero value admits")
	}
}

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

func newVault(values ...string) (*vault, *Secrets) {
	v := &vault{values: values, now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)}
	s := SecretsFrom(v.read)
	s.now = func() time.Time { return v.now }
	return v, s
}

func (s *Secrets) given(t *testing.T, value string) verdict {
	t.Helper()
	return s.admit(t.Context(), http.Header{OriginHeader: {value}})
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
	if s.given(t, oldValue) != admitted || v.reads != 1 {
		t.Fatalf("the value of before: %d reads", v.reads)
	}
	v.set(nil, newValue, oldValue)
	for _, value := range []string{newValue, oldValue, newValue} {
		if s.given(t, value) != admitted {
			t.Errorf("%s is refused", value)
		}
	}
	if v.reads != 2 {
		t.Errorf("want one read for the unknown value, got %d", v.reads-1)
	}
	v.set(nil, newValue)
	v.now = v.now.Add(keepValues + time.Second)
	if s.given(t, oldValue) != refused || s.given(t, newValue) != admitted {
		t.Error("a value that is stored no more is admitted")
	}
}

// Whoever guesses makes a process read a few times, and then rarely.
func TestStrangersCauseFewReads(t *testing.T) {
	v, s := newVault(oldValue)
	s.warm(t.Context())
	for range 10_000 { // 1,000 s
		if s.given(t, stranger) != refused || s.given(t, "short") != refused {
			t.Fatal("a stranger is admitted")
		}
		v.now = v.now.Add(100 * time.Millisecond)
	}
	if most := 1 + unknownBurst + int(1000/unknownEvery.Seconds()) + int(1000/keepValues.Seconds()); v.reads > most {
		t.Errorf("want at most %d reads in 1,000 s, got %d", most, v.reads)
	}
	v.set(nil, newValue, oldValue)
	v.now = v.now.Add(unknownEvery)
	if s.given(t, newValue) != admitted {
		t.Error("the new value is refused although a read is free again")
	}
}

// A store of secrets that is down refuses nobody who was admitted before, and at the start nobody for good.
func TestSecretsThatCannotBeRead(t *testing.T) {
	v, s := newVault()
	down := errors.New("down")
	v.set(down)
	if got := s.given(t, oldValue); got != undecided {
		t.Errorf("nothing was ever read: want undecided, got %v", got)
	}
	for range 100 {
		s.given(t, oldValue)
	}
	if v.reads != 1 {
		t.Errorf("want one read a second, got %d", v.reads)
	}
	v.set(down, oldValue) // one of two secrets can be read
	v.now = v.now.Add(retryRead)
	if s.given(t, oldValue) != admitted {
		t.Error("what could be read is refused")
	}
	v.set(nil, "short")
	v.now = v.now.Add(keepValues + time.Second)
	if s.given(t, oldValue) != admitted {
		t.Error("an unusable value takes the service down")
	}
	e := event(t, "get.json")
	v, s = newVault()
	v.set(down)
	a, err := Wrap(Config{Handler: http.NotFoundHandler(), Secrets: s, Log: slog.New(slog.DiscardHandler)})(t.Context(), e)
	if err != nil || a.StatusCode != 503 || a.Headers["Retry-After"] == "" {
		t.Errorf("want 503 with Retry-After, got %v, %v", a, err)
	}
}

// Many requests with a new value at the same moment cause one read, and none of them is refused.
func TestManyAtOnceAreAdmitted(t *testing.T) {
	v, s := newVault(oldValue)
	s.now = time.Now
	s.warm(t.Context())
	v.set(nil, newValue, oldValue)
	var group sync.WaitGroup
	for range 100 {
		group.Go(func() {
			if s.given(t, newValue) != admitted {
				t.Error("refused")
			}
		})
	}
	group.Wait()
	if v.reads != 2 {
		t.Errorf("want one read, got %d", v.reads-1)
	}
}
