package manuscript

import "testing"

func TestOneLine(t *testing.T) {
	for s, want := range map[string]bool{
		"The Atlas": true, "1984": true, "?": true, "\u05d1\u05b0\u200f!": true, "👩\u200d👧": true, "a\u00adb": true,
		"": false, " \u00a0": false, "\u200b\u2060": false, "\u0301": false, "A\nB": false, "A\tB": false, "A\u2028B": false,
		"abc\u202egpj": false, "a\u2066b": false, "A\uffff": false, "a\xff": false, "a\x7f": false, "a\u0085b": false,
	} {
		if got := OneLine(s); got != want {
			t.Errorf("%+q: %v", s, got)
		}
	}
}
