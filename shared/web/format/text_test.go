package format

import (
	"encoding/json"
	"strings"
	"testing"
)

// Every byte at every place of a text of eight is judged as the table does.
func TestPlain8(t *testing.T) {
	for c := range 256 {
		for at := range 8 {
			for _, rest := range []byte{' ', 'a', '~', '!', '#', '[', ']'} {
				text := []byte(strings.Repeat(string(rune(rest)), 8))
				text[at] = byte(c)
				if got := plain8(string(text)); got != plain[c] {
					t.Fatalf("%q: %v, want %v", text, got, plain[c])
				}
			}
		}
	}
}

// What is written as a JSON string reads back, whatever stands before, within or behind the first eight
// bytes.
func TestStringsReadBack(t *testing.T) {
	for _, s := range []string{"", "a", "1234567", "12345678", "12345678\"", "\"12345678", "1234567\\90", "Öd 12345678",
		"12345678Ö\u2028\n", "\x7f1234567", strings.Repeat("x", 100) + "\t"} {
		var got string
		if err := json.Unmarshal(appendString(nil, s), &got); err != nil || got != s {
			t.Errorf("%q: %q %v", s, got, err)
		}
	}
}
