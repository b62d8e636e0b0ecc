package glob

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"**", "ab", true}, {"?", "", false}, {"?", "a", true},
		{"/a/*", "/a/", true}, {"/a/*", "/a", false}, {"/a/*", "/A/b", false}, {"/a?c", "/abc", true}, {"/a?c", "/ac", false},
		{"*.json", "/x/y.json", true}, {"*.json", "/x/y.jsonl", false}, {"/*a*b", "/xaxbxb", true}, {"/*a*b", "/xaxbxbx", false},
		{"12*", "12", true}, {"*/3", "12/3", true}, {"*/3", "12/31", false}, {"a*", "a*", true},
	} {
		if got := Match(c.pattern, c.text); got != c.want {
			t.Errorf("%q on %q: want %v, got %v", c.pattern, c.text, c.want, got)
		}
	}
}

// The standard library's regular expressions say the same.
func TestMatchAsARegularExpression(t *testing.T) {
	text := rapid.StringMatching(`[ab*?/]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		pattern, s := text.Draw(t, "pattern"), text.Draw(t, "text")
		as := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
		if got, want := Match(pattern, s), regexp.MustCompile("^(?s:"+as+")$").MatchString(s); got != want {
			t.Fatalf("%q on %q: want %v, got %v", pattern, s, want, got)
		}
	})
}

// A pattern of many stars costs the product of the lengths, not a power of them.
func TestHostilePatternsEnd(t *testing.T) {
	if Match(strings.Repeat("*a", 2000)+"b", strings.Repeat("a", 10000)) {
		t.Error("want no match")
	}
}
