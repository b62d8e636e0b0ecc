package serve

import (
	"strings"
	"testing"

	"mappe/shared/cloud/admintoken"
)

func TestTheOperatorsToken(t *testing.T) {
	for _, c := range []struct {
		name, flag, env, token string
		refused                bool
	}{
		{"none", "", "", "", false},
		{"of the environment", "", "the-token-of-the-shell", "the-token-of-the-shell", false},
		{"the flag comes first", "the-token-of-the-flag", "the-token-of-the-shell", "the-token-of-the-flag", false},
		{"too short", "short", "", "", true},
	} {
		got, err := (&serving{operator: c.flag}).operators(func(name string) string {
			if name == admintoken.Token {
				return c.env
			}
			return ""
		})
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "--operator") || (got != nil) != (c.token != "") {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
		if got == nil {
			continue
		}
		if ok, err := got.Check(t.Context(), c.token); !ok || err != nil {
			t.Errorf("%s: %v, %v", c.name, ok, err)
		}
	}
}
