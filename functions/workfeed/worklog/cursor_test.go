package worklog

import "testing"

// FuzzCursor: what is read as a cursor is written the same way, and no text is a cursor of both orders.
func FuzzCursor(f *testing.F) {
	for _, c := range []Cursor{Beginning, {order: logOrder, at: 7, id: [16]byte{1}}, {order: feedOrder, at: maxMicros}} {
		f.Add(c.String())
	}
	f.Add("YgAGYGmNYGAAjZ_e0bTuQ-acdDyofnaGckTnxAA")
	f.Add("YgOEQ_iunAAAA\nAAAAAAAAAAAAAAAAAAAAM-plhc")
	f.Fuzz(func(t *testing.T, text string) {
		before, errBefore := ParseBefore(text)
		after, errAfter := ParseAfter(text)
		if errBefore == nil && (before.String() != text || len(before.sort()) != len("2026-11-21T09:30:00.000000Z_")+36) {
			t.Errorf("%q is read as %q at %s", text, before, before.sort())
		}
		if errAfter == nil && after.String() != text {
			t.Errorf("%q is read as %q", text, after)
		}
		if errBefore == nil && errAfter == nil {
			t.Errorf("%q is a cursor of both orders", text)
		}
	})
}

func TestTags(t *testing.T) {
	for title, want := range map[string][2]string{
		"[design] Legend": {"design", "Legend"}, " [ Research ]x": {"research", "x"}, "[a][b] c": {"a", "[b] c"},
		"no tag [x]": {"", "no tag [x]"},
		"[] x":       {"", "[] x"}, "[x": {"", "[x"}, "[design]": {"design", "[design]"}, "[[x]] y": {"", "[[x]] y"}, "": {"", ""},
	} {
		if got := [2]string{TagOf(title), Untagged(title)}; got != want {
			t.Errorf("%q: want %q, got %q", title, want, got)
		}
	}
}
