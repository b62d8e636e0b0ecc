package stac

import (
	"encoding/json"
	"testing"
)

// FuzzSearch: any body is read or refused with a fault, never both and never a panic.
func FuzzSearch(f *testing.F) {
	for _, s := range []string{`{}`, `{"bbox":[1,2,3,4],"limit":5,"ids":["88801-2026-10-01"],"datetime":"../2026-01-01T00:00:00Z"}`,
		`{"intersects":{"type":"Point","coordinates":[15,48]},"cursor":"88801-2026-10-01"}`, `{"bbox":[1e308,-1e308,1e309,0]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := readSearch(data)
		if err != nil {
			return
		}
		if a.limit < 1 || a.limit > maxLimit && a.limit != defaultLimit || len(a.box) != 0 && len(a.box) != 4 {
			t.Errorf("%s: %+v", data, a)
		}
		if q, err := a.query(); err == nil && q.limit > maxLimit {
			t.Errorf("%s: limit %d", data, q.limit)
		}
		if _, err := json.Marshal(a.body); err != nil {
			t.Errorf("%s: the members cannot be sent back: %v", data, err)
		}
	})
}

// FuzzInterval: what is read as a time is one, in order.
func FuzzInterval(f *testing.F) {
	for _, s := range []string{"2026-01-01T00:00:00Z", "../2026-01-01T00:00:00Z", "/", "2026-01-01T00:00:00Z/2025-01-01T00:00:00Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		i, err := parseInterval(text)
		if err == nil && (i.from.IsZero() && i.to.IsZero() || !i.from.IsZero() && !i.to.IsZero() && i.to.Before(i.from)) {
			t.Errorf("%q: %v", text, i)
		}
	})
}
