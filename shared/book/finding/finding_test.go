package finding

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"mappe/shared/book/manuscript"
)

// TestEveryTypeIsExplained: a report shows each finding with a title and what was done about it; what is not
// only preserved says what is wrong and how it is mended.
func TestEveryTypeIsExplained(t *testing.T) {
	names := map[string]bool{}
	for _, x := range AllTypes() {
		if x.String() == "" || names[x.String()] {
			t.Errorf("type %d has no name of its own: %q", x, x)
		}
		names[x.String()] = true
		if x.Title() == "" {
			t.Errorf("%s has no title", x)
		}
		if x.Severity() == Preserved {
			continue
		}
		if x.Meaning() == "" || x.Does() == "" {
			t.Errorf("%s does not say what it means (%q) and what the press does (%q)", x, x.Meaning(), x.Does())
		}
		if x.Severity() == High && x.Fix() == "" {
			t.Errorf("%s has to be decided by a person and does not say how it is mended", x)
		}
	}
}

func TestParseTypeIsTheInverseOfString(t *testing.T) {
	for _, x := range AllTypes() {
		if got, ok := ParseType(x.String()); !ok || got != x {
			t.Errorf("%s is read as %v, %v", x, got, ok)
		}
	}
	for _, name := range []string{"", "no_such_thing", "Double_Space"} {
		if got, ok := ParseType(name); ok {
			t.Errorf("%q is read as %s", name, got)
		}
	}
}

func TestSeveritiesAreThoseOfTheReport(t *testing.T) {
	for s, want := range map[Severity]string{High: "high", Medium: "medium", Low: "low", Preserved: "preserved", 9: "unknown"} {
		if s.String() != want {
			t.Errorf("severity %d is %q, want %q", s, s, want)
		}
	}
}

func TestNewFindingCountsOnce(t *testing.T) {
	at := manuscript.Place{Section: "One", Paragraph: 3}
	f := New(DoubleSpace, at, "two  spaces")
	if f.Count != 1 || f.Severity != DoubleSpace.Severity() || f.Place != at || f.Excerpt != "two  spaces" || f.Left != "" {
		t.Errorf("%+v", f)
	}
}

func TestExcerpts(t *testing.T) {
	words := strings.Repeat("word ", 60)
	for _, c := range []struct{ name, in, want string }{
		{"a short text is whole", "a b", "a b"},
		{"nothing", "", ""},
		{"one letter less than the limit is whole", strings.Repeat("x", MaxExcerpt-1), strings.Repeat("x", MaxExcerpt-1)},
		{"a long text is cut behind a word", words, strings.TrimSuffix(words[:120], " ") + "…"},
		{"a long word is cut inside", strings.Repeat("ä", 200), strings.Repeat("ä", MaxExcerpt-1) + "…"},
		{"a space far in front is no place to cut", "a " + strings.Repeat("x", 200), "a " + strings.Repeat("x", MaxExcerpt-3) + "…"},
	} {
		if got := Excerpt(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestExcerptsFit: an excerpt is never longer than it may be, and is the beginning of its text.
func TestExcerptsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		got := Excerpt(s)
		if n := utf8.RuneCountInString(got); n > MaxExcerpt {
			t.Fatalf("%d characters", n)
		}
		if !strings.HasPrefix(s, strings.TrimSuffix(got, "…")) {
			t.Fatalf("%q is no beginning of %q", got, s)
		}
	})
}
