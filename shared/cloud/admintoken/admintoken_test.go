package admintoken

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

const token = "the-operator's-own-token"

func TestCheck(t *testing.T) {
	o, err := New(token, "the-token-of-before-that")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{token: true, "the-token-of-before-that": true, token[:20]: false, token + "x": false, "": false,
		strings.ToUpper(token): false} {
		if ok, err := o.Check(t.Context(), text); ok != want || err != nil {
			t.Errorf("%q: %v, %v, want %v", text, ok, err, want)
		}
	}
	if _, err := New("short"); err == nil {
		t.Error("a short token is accepted")
	}
}

// The token is changed while functions run: the new one counts at once, the old one as long as it is stored.
func TestARotation(t *testing.T) {
	stored := []string{token}
	var down error
	o := From(func(context.Context) ([]string, error) { return stored, down })
	check := func(text string, want bool) {
		t.Helper()
		if ok, err := o.Check(t.Context(), text); ok != want || err != nil {
			t.Errorf("%q: %v, %v, want %v", text, ok, err, want)
		}
	}
	check(token, true)
	stored = []string{"the-token-after-the-change", token}
	check("the-token-after-the-change", true)
	check(token, true)
	check("somebody's-guess-of-the-token", false)

	down, stored = errors.New("down"), nil
	o = From(func(context.Context) ([]string, error) { return stored, down })
	if ok, err := o.Check(t.Context(), token); ok || !errors.Is(err, ErrUnread) {
		t.Errorf("nothing could be read: %v, %v", ok, err)
	}
}

func TestFromEnvironment(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		t.Setenv(name, "x")
	}
	for _, c := range []struct {
		names string
		some  bool
		err   bool
	}{{"", false, false}, {"arn:a,arn:b", true, false}, {"arn:a, arn:b", false, true}, {",", false, true}} {
		o, err := FromEnvironment(func(name string) string {
			if name == Secrets {
				return c.names
			}
			return ""
		}, slog.New(slog.DiscardHandler))
		if (o != nil) != c.some || (err != nil) != c.err || err != nil && !strings.Contains(err.Error(), Secrets) {
			t.Errorf("%q: %v, %v", c.names, o, err)
		}
	}
}
