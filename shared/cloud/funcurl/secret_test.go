package funcurl

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"mappe/shared/cloud/secret"
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
		if err == nil && s.open && s.admit(t.Context(), http.Header{}) != secret.Admitted {
			t.Errorf("%s: nobody is admitted", c.name)
		}
	}
	if _, err := NewSecrets(edgeSecret, "short"); err == nil || !strings.Contains(err.Error(), "at least 16") {
		t.Errorf("a short value: got %v", err)
	}
	if (&Secrets{}).admit(t.Context(), http.Header{}) != secret.Refused {
		t.Error("the zero value admits")
	}
}

// Where no value could ever be read nobody is refused for good.
func TestSecretsThatCannotBeRead(t *testing.T) {
	e := event(t, "get.json")
	s := SecretsFrom(func(context.Context) ([]string, error) { return nil, errors.New("down") })
	a, err := Wrap(Config{Handler: http.NotFoundHandler(), Secrets: s, Log: slog.New(slog.DiscardHandler)})(t.Context(), e)
	if err != nil || a.StatusCode != 503 || a.Headers["Retry-After"] == "" {
		t.Errorf("want 503 with Retry-After, got %v, %v", a, err)
	}
}
