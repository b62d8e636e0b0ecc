package ogc

import "testing"

// TestWherePagesBegin: what a link carries is read unchanged or refused. A generation is 16 hexadecimal digits.
func TestWherePagesBegin(t *testing.T) {
	for text, want := range map[string]bool{
		"0123456789abcdef":                    true,
		"0123456789abcde":                     false,
		"0123456789abcdeff":                   false,
		"0123456789ABCDEF":                    false,
		"0123456789abcdeg":                    false,
		"":                                    false,
		".":                                   false,
		"0123456789abcdef.no position at all": false,
	} {
		p, err := parsePage(text)
		if (err == nil) != want || want && p.String() != text {
			t.Errorf("%q: want it read: %v, got %q, %v", text, want, p.generation, err)
		}
	}
}
