package weblink

import "testing"

func FuzzAddress(f *testing.F) {
	for _, s := range []string{"https://de.wikipedia.org/wiki/Österreich", "mailto:ä@example.org", "http://münchen.example:80/a b?c#d#e",
		"https://%zz/", "HTTPS://EXAMPLE.org"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Address(s)
		for i := range len(once) {
			if once[i] <= ' ' || once[i] >= 0x7f {
				t.Fatalf("%q is %q, which is not ASCII", s, once)
			}
		}
		if once != "" && Address(once) != once {
			t.Fatalf("%q is %q, and that is %q", s, once, Address(once))
		}
	})
}
