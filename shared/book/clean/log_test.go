package clean

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The text around a position is cut at words and says where it was cut; a position behind the end, of the text in lower case,
// stands for the end.
func TestAround(t *testing.T) {
	long := strings.Repeat("word ", 40) + "here" + strings.Repeat(" more", 40)
	for _, c := range []struct {
		text string
		at   int
		want string // that is in it
		cut  [2]bool
	}{
		{"short text", 3, "short text", [2]bool{}},
		{"", 0, "", [2]bool{}},
		{long, 200, "word here more", [2]bool{true, true}},
		{long, 0, "word word", [2]bool{false, true}},
		{long, len(long), "more more", [2]bool{true, false}},
		{long, len(long) + 500, "more more", [2]bool{true, false}},
		{strings.Repeat("Ⱥ", 300), 900, "Ⱥ", [2]bool{true, false}},
	} {
		got := Around(c.text, c.at)
		if !strings.Contains(got, c.want) || !utf8.ValidString(got) || len(got) > 120 || strings.HasPrefix(got, "…") != c.cut[0] ||
			strings.HasSuffix(got, "…") != c.cut[1] {
			t.Errorf("at %d of %.20q: got %q", c.at, c.text, got)
		}
	}
}
