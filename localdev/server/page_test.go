package server

import (
	"testing"
	"time"

	"mappe/shared/web/endpoint"
)

// The index page links a request that works for whoever opens it.
func TestAnExampleNeedsNoTokenAndNoMoney(t *testing.T) {
	for _, m := range Services(nil, nil, time.Time{}) {
		c := cardOf(m.Prefix, m.Service)
		if c.Example == "" {
			t.Errorf("%s: no example", m.Prefix)
		}
		for _, e := range m.Service.Endpoints {
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
		if got := string(cardOf("/x", &endpoint.Service{Description: in}).Prose()); got != want {
			t.Errorf("%q: want %q, got %q", in, want, got)
		}
	}
}
