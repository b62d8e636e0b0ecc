package repository

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestFromEnvironment(t *testing.T) {
	secrets := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body) // a short one shows below
		if string(body) != `{"SecretId":"mappe/zenodo","VersionStage":"AWSCURRENT"}` {
			t.Errorf("want the current value of mappe/zenodo asked for, got %s", body)
		}
		io.WriteString(w, `{"SecretString":"kept"}`)
	}))
	defer secrets.Close()
	t.Setenv("AWS_ENDPOINT_URL_SECRETS_MANAGER", secrets.URL)
	t.Setenv("AWS_REGION", "eu-central-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "key")
	for _, tt := range []struct {
		name  string
		env   map[string]string
		none  bool
		token string // "-": none is sent
		fails string
	}{
		{"no repository", map[string]string{EnvToken: "t"}, true, "", ""},
		{"read only", map[string]string{EnvAddress: "https://zenodo.org"}, false, "-", ""},
		{"a token", map[string]string{EnvAddress: "https://zenodo.org", EnvToken: "t"}, false, "t", ""},
		{"a secret", map[string]string{EnvAddress: "https://zenodo.org", EnvSecret: "mappe/zenodo"}, false, "kept", ""},
		{"both", map[string]string{EnvAddress: "https://zenodo.org", EnvToken: "t", EnvSecret: "mappe/zenodo"}, false, "t", ""},
		{"no address", map[string]string{EnvAddress: "zenodo.org", EnvToken: "t"}, false, "", EnvAddress},
	} {
		c, err := FromEnvironment(func(name string) string { return tt.env[name] })
		switch {
		case tt.fails != "":
			if err == nil || !strings.Contains(err.Error(), tt.fails) || c != nil {
				t.Errorf("%s: want an error that names %s, got %v", tt.name, tt.fails, err)
			}
			continue
		case err != nil || (c == nil) != tt.none:
			t.Errorf("%s: want no client: %v, got %v, %v", tt.name, tt.none, c, err)
			continue
		case c == nil:
			continue
		}
		token := "-"
		if c.token != nil {
			if token, err = c.token(t.Context()); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
		if token != tt.token {
			t.Errorf("%s: want the token %q, got %q", tt.name, tt.token, token)
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "")
	env := map[string]string{EnvAddress: "https://zenodo.org", EnvSecret: "mappe/zenodo"}
	if _, err := FromEnvironment(func(name string) string { return env[name] }); err == nil || !strings.Contains(err.Error(), EnvSecret) {
		t.Errorf("a secret without a region: want an error that names %s, got %v", EnvSecret, err)
	}
}

// TestATokenIsKept for five minutes; a failure is not kept.
func TestATokenIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		away := errors.New("away")
		token := kept(func(context.Context) (string, error) {
			if reads++; reads == 1 {
				return "", away
			}
			return strings.Repeat("x", reads), nil
		})
		for _, step := range []struct {
			after time.Duration
			want  string
			err   error
		}{
			{0, "", away},
			{0, "xx", nil},
			{5*time.Minute - 1, "xx", nil},
			{1, "xxx", nil},
			{5*time.Minute - 1, "xxx", nil},
			{time.Hour, "xxxx", nil},
		} {
			time.Sleep(step.after)
			if got, err := token(t.Context()); got != step.want || !errors.Is(err, step.err) {
				t.Errorf("%s later: want %q, %v, got %q, %v", step.after, step.want, step.err, got, err)
			}
		}
	})
}
