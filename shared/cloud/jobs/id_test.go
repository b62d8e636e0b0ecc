package jobs

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParseName: an id comes from a URL. What is taken is written the same again and names a record.
func FuzzParseName(f *testing.F) {
	f.Add(name{"build", hash("build", "01004"), 1}.String())
	f.Add(name{"warm-up", hash("warm-up", ""), 1 << 62}.String())
	f.Add("build-aaaaaaaaaaaaaaaaaaaaaaaa-+1")
	f.Add("---")
	f.Fuzz(func(t *testing.T, id string) {
		n, err := parseName(id)
		if err != nil {
			if !errors.Is(err, ErrNotFound) {
				t.Errorf("%q: want ErrNotFound, got %v", id, err)
			}
			return
		}
		if n.String() != id {
			t.Errorf("%q is written %q", id, n)
		}
		if err := n.key().Check(); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	})
}

func TestHashesTellKindsAndKeysApart(t *testing.T) {
	seen := map[string]string{}
	for _, c := range [][2]string{{"a", "b"}, {"a", "c"}, {"ab", "b"}, {"a", "b\x00"}, {"a", strings.Repeat("b", 1000)}} {
		h := hash(c[0], c[1])
		if had, ok := seen[h]; ok || len(h) != hashLength || h != hash(c[0], c[1]) {
			t.Errorf("%q: hash %s, as of %q", c, h, had)
		}
		seen[h] = c[1]
	}
	if first, second := hash("a", ""), hash("a", ""); first == second {
		t.Error("jobs without a key share a hash")
	}
}

func TestTextsAreCutAtARune(t *testing.T) {
	for _, s := range []string{"", "short", strings.Repeat("x", maxText), strings.Repeat("x", maxText+1),
		"x" + strings.Repeat("ä", maxText), strings.Repeat("🏔", maxText), "bad \xff", strings.Repeat("\xff", maxText)} {
		if got := cut(s); len(got) > 3*maxText || len(s) > maxText && len(got) > maxText || !utf8.ValidString(got) {
			t.Errorf("%d bytes became %d, valid: %v", len(s), len(got), utf8.ValidString(got))
		}
	}
}
