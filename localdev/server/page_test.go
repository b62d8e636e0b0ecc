package server

import (
	"testing"
)

// The index page links a request that works for whoever opens it.
func TestAnExampleNeedsNoTokenAndNoMoney(t *testing.T) {
	for _, m := range (Config{}).Services(nil) {
		c := cardOf(m)
		if c.Example == "" {
			t.Errorf("%s: no example", m.Prefix)
		}
		for _, e := range m.Endpoints() {
			if m.Prefix+e.Example == c.Example && e.Method == c.Method && e.Gate != nil {
				t.Errorf("%s: %s %s is gated", m.Prefix, c.Method, c.Example)
			}
		}
	}
}

func TestDescriptionsAreProse(t *testing.T) {
	for in, want := range map[string]string{
		"Send `X: <b>` or `Y`.": "Send <code>X: &lt;b&gt;</code> or <code>Y</code>.",
		"A lone ` & stays.":     "A lone ` &amp; stays.",
		"None.":                 "None.",
	} {
		if got := string(card{Description: in}.Prose()); got != want {
			t.Errorf("%q: want %q, got %q", in, want, got)
		}
	}
}
