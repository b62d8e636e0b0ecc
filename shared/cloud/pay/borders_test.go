package pay

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// The texts of a payment are read up to their bounds and refused beyond.
func TestBordersOfTexts(t *testing.T) {
	for _, c := range []struct {
		text   string
		digits int
		want   bool
	}{
		{"", 3, false}, {"0", 3, true}, {"9", 3, true}, {"00", 3, false}, {"07", 3, false}, {"999", 3, true}, {"1000", 3, false},
		{"1/", 3, false}, {"1:", 3, false}, {"-1", 3, false}, {"1.0", 3, false},
	} {
		if isDecimal(c.text, c.digits) != c.want {
			t.Errorf("decimal %q of %d digits: want %t", c.text, c.digits, c.want)
		}
	}
	for text, want := range map[string]bool{"0xab": true, "0xAB": true, "0x": false, "0xabc": false, "0xabcd": false, "1xab": false,
		"0yab": false, "0xag": false, "": false} {
		if isHex(text, 1) != want {
			t.Errorf("hexadecimal %q of a byte: want %t", text, want)
		}
	}
	for text, want := range map[string]int64{"0": 0, "1760000000": 1760000000, fmt.Sprint(int64(maxSeconds)): maxSeconds} {
		if got, err := readSeconds(text); err != nil || got != want {
			t.Errorf("seconds %q: want %d, got %d, %v", text, want, got, err)
		}
	}
	for _, text := range []string{"", "-1", "01", fmt.Sprint(int64(maxSeconds) + 1), "99999999999999"} {
		if got, err := readSeconds(text); err == nil {
			t.Errorf("seconds %q: got %d", text, got)
		}
	}
	for n, want := range map[int]int{0: 0, 79: 79, 80: 80, 81: 80 + len("…"), 500: 80 + len("…")} {
		if got := len(shorten(strings.Repeat("a", n))); got != want {
			t.Errorf("a text of %d bytes: want %d, got %d", n, want, got)
		}
	}
}

// A header and a facilitator's answer may nest as deep as the bound and no deeper.
func TestBordersOfNesting(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`[`, n) + strings.Repeat(`]`, n) }
	for n, fits := range map[int]bool{1: true, maxDepth: true, maxDepth + 1: false} {
		var into any
		if err := readAnswer([]byte(nested(n)), &into); (err == nil) != fits {
			t.Errorf("an answer %d deep: want it read %t, got %v", n, fits, err)
		}
		if err := decodeHeader("X", base64.StdEncoding.EncodeToString([]byte(nested(n))), &into); (err == nil) != fits {
			t.Errorf("a header %d deep: want it read %t, got %v", n, fits, err)
		}
	}
	for n, fits := range map[int]bool{maxHeader: true, maxHeader + 4: false} {
		var into any
		text := base64.StdEncoding.EncodeToString([]byte(`"` + strings.Repeat("a", n/4*3-2) + `"`))
		if err := decodeHeader("X", text, &into); len(text) != n/4*4 || (err == nil) != fits {
			t.Errorf("a header of %d characters: want it read %t, got %v", len(text), fits, err)
		}
	}
	var into any
	if err := decodeHeader("X", base64.StdEncoding.EncodeToString([]byte("1 2")), &into); err == nil {
		t.Error("two values in a header were read")
	}
}
