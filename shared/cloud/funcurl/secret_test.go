package funcurl

import (
	"net/http"
	"strings"
	"testing"
)

func TestOnlyTheEdgeIsAdmitted(t *testing.T) {
	for _, c := range []struct {
		name, header string
		status       int
	}{
		{"current", secret, 200},
		{"previous, while rotating", "previous-secret-of-the-edge", 200},
		{"wrong", "wrong-secret-of-the-edge!!", 403},
		{"a beginning of it", secret[:20], 403},
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
	if a := ask(t, http.NotFoundHandler(), e); a.StatusCode != 403 || strings.Contains(a.body, secret) {
		t.Errorf("without the header: want 403, got %d %s", a.StatusCode, a.body)
	}
}

func TestSecretsFromEnvironment(t *testing.T) {
	for _, c := range []struct {
		name    string
		env     map[string]string
		admits  []string
		refuses []string
		err     string
	}{
		{name: "unset", err: OriginSecret + " is not set"},
		{name: "too short", env: map[string]string{OriginSecret: "short"}, err: "at least 16"},
		{name: "short previous", env: map[string]string{OriginSecret: secret, OriginSecretPrevious: "short"}, err: "at least 16"},
		{name: "one", env: map[string]string{OriginSecret: secret}, admits: []string{secret}, refuses: []string{""}},
		{name: "two", env: map[string]string{OriginSecret: secret, OriginSecretPrevious: secret + "2"}, admits: []string{secret, secret + "2"}, refuses: []string{"", "x"}},
		{name: "open", env: map[string]string{OriginOpen: "yes"}, admits: []string{"", "x"}},
		{name: "open and closed", env: map[string]string{OriginOpen: "yes", OriginSecret: secret}, err: OriginOpen},
		{name: "half open", env: map[string]string{OriginOpen: "1"}, err: OriginOpen},
	} {
		s, err := SecretsFromEnvironment(func(name string) string { return c.env[name] })
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: want error %q, got %v", c.name, c.err, err)
			continue
		}
		admit := func(v string) bool { return s.admit(http.Header{OriginHeader: {v}}) }
		for _, v := range c.admits {
			if !admit(v) {
				t.Errorf("%s: %q is refused", c.name, v)
			}
		}
		for _, v := range c.refuses {
			if admit(v) {
				t.Errorf("%s: %q is admitted", c.name, v)
			}
		}
	}
	if (Secrets{}).admit(http.Header{}) {
		t.Error("the zero value admits")
	}
}
