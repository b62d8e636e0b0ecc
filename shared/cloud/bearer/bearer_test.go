package bearer

import (
	"bytes"
	"strings"
	"testing"
)

func TestATokenOpensWhatItWasMadeFor(t *testing.T) {
	id, text, hash := New("mbk_")
	got, secret, ok := Split("mbk_", text)
	if !ok || got != id || !secret.Is(hash) {
		t.Fatalf("%q: %v, id %q, want %q", text, ok, got, id)
	}
	if bytes.Contains(hash, []byte(secret)) || strings.Contains(text, string(hash)) {
		t.Error("the hash shows the secret")
	}
	_, other, foreign := New("mbk_")
	if _, wrong, ok := Split("mbk_", other); !ok || wrong.Is(hash) || secret.Is(foreign) || secret.Is(nil) {
		t.Error("one token opens another's record")
	}
}

func TestTheIDsCaseDoesNotCount(t *testing.T) {
	id, text, hash := New("mbk_")
	if got, secret, ok := Split("mbk_", "mbk_"+strings.ToUpper(id)+text[12:]); !ok || got != id || !secret.Is(hash) {
		t.Errorf("%q, %v", got, ok)
	}
}

func TestSplitRefuses(t *testing.T) {
	_, text, _ := New("mbk_")
	id := text[4:12]
	for name, bad := range map[string]string{
		"nothing": "", "another prefix": "mwf_" + text[4:], "no secret": "mbk_" + id,
		"a short id": "mbk_" + text[6:], "an id that is no number": "mbk_" + "ghijklmn" + text[12:], "a short secret": text[:len(text)-1],
		"a long secret": text + "a",
	} {
		if _, _, ok := Split("mbk_", bad); ok {
			t.Errorf("%s: %q is taken for a token", name, bad)
		}
	}
}
