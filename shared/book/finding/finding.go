// Package finding is what a manuscript is examined for: one table of the types of findings with their
// severity, what they mean, what the press does about them and how the author mends them. Readers,
// repairs and checks report findings; package preflight shows them. It owns no check.
package finding

import "mappe/shared/book/manuscript"

// Severity says who has to act.
type Severity uint8

// The severities, worst first. High: a person must decide. Medium: worth a look. Low: mended by the press.
// Preserved is no fault: it is kept as the author made it.
const (
	High Severity = iota
	Medium
	Low
	Preserved
)

var severityNames = [...]string{"high", "medium", "low", "preserved"}

// String is the severity as the report gives it.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return "unknown"
}

// Finding is one thing found at one place, or a kind of thing found many times (Count).
type Finding struct {
	Type     Type
	Severity Severity // of the type, unless the check knows better (a picture of 250 dpi is medium)
	Place    manuscript.Place
	Excerpt  string // at most 120 characters of the text around it, unescaped
	Count    int    // at least 1
	Left     string // the text of the file that is left out with it, whole; "" mostly
	Detail   string // what is special to this one ("180 dpi at 90 mm"); "" mostly
}

// Leave makes a finding with which a text is left out.
func Leave(t Type, place manuscript.Place, left string) Finding {
	f := New(t, place, left)
	f.Left = left
	return f
}

// New makes a finding of the type's own severity.
func New(t Type, place manuscript.Place, excerpt string) Finding {
	return Finding{Type: t, Severity: t.Severity(), Place: place, Excerpt: Excerpt(excerpt), Count: 1}
}

// MaxExcerpt is the length of an excerpt in characters.
const MaxExcerpt = 120

// Excerpt cuts a text to MaxExcerpt characters at a word's end, with … where something was left out.
func Excerpt(s string) string {
	n, space := 0, 0
	for i, c := range s {
		if c == ' ' {
			space = i
		}
		if n++; n == MaxExcerpt {
			if space < i/2 {
				space = i
			}
			return s[:space] + "…"
		}
	}
	return s
}
