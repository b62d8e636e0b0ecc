package repository

import (
	"net/http"
	"testing"
	"time"
)

// TestLimits: what each answer says of when the next request may be sent. The moments are worked out from the noon of
// 26 November 2026, which is 1795694400 s after 1970.
func TestLimits(t *testing.T) {
	noon := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	type h = map[string]string
	for _, tt := range []struct {
		name   string
		status int
		header h
		want   time.Duration // after noon; 0: at once
	}{
		{"nothing is said", 200, h{}, 0},
		{"requests are left", 200, h{"X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "1795694430"}, 0},
		{"none is left", 200, h{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795694430"}, 30 * time.Second},
		{"fewer than none", 200, h{"X-RateLimit-Remaining": "-1", "X-RateLimit-Reset": "1795694430"}, 30 * time.Second},
		{"none is left, without a word until when", 200, h{"X-RateLimit-Remaining": "0"}, 0},
		{"none is left until the past", 200, h{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795694399"}, 0},
		{"no number", 200, h{"X-RateLimit-Remaining": "none", "X-RateLimit-Reset": "1795694430"}, 0},
		{"a moment that is no time", 200, h{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1099511627776"}, 0},
		{"the word of a 429 alone", 503, h{"Retry-After": "30"}, 0},
		{"seconds", 429, h{"Retry-After": "30"}, 30 * time.Second},
		{"no second", 429, h{"Retry-After": "0"}, 0},
		{"less than none", 429, h{"Retry-After": "-1"}, time.Minute},
		{"very many seconds", 429, h{"Retry-After": "9223372036854775807"}, 1 << 20 * time.Second},
		{"a date", 429, h{"Retry-After": "Thu, 26 Nov 2026 12:00:45 GMT"}, 45 * time.Second},
		{"a date that is over", 429, h{"Retry-After": "Thu, 26 Nov 2026 11:59:59 GMT"}, 0},
		{"words", 429, h{"Retry-After": "soon"}, time.Minute},
		{"no word", 429, h{}, time.Minute},
		{"the end of the window", 429, h{"X-RateLimit-Reset": "1795694402"}, 2 * time.Second},
		{"seconds go before the window", 429, h{"Retry-After": "5", "X-RateLimit-Reset": "1795694490"}, 5 * time.Second},
		{"the later of both", 429, h{"Retry-After": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795694490"},
			90 * time.Second},
		{"a window that ends in 1970", 429, h{"X-RateLimit-Reset": "0"}, time.Minute},
		{"a window before 1970", 429, h{"X-RateLimit-Reset": "-5"}, time.Minute},
		{"a window without an end", 429, h{"X-RateLimit-Reset": "1099511627776"}, time.Minute},
	} {
		var l limit
		header := http.Header{}
		for name, value := range tt.header {
			header.Set(name, value)
		}
		l.note(header, tt.status, noon)
		if got := max(0, l.until.Sub(noon)); got != tt.want {
			t.Errorf("%s: want the next request %s after noon, got %s", tt.name, tt.want, got)
		}
		if before := noon.Add(tt.want - 1); tt.want > 0 && l.open(before) || !l.open(noon.Add(tt.want)) {
			t.Errorf("%s: want it open from %s after noon on; it is %v just before and %v then", tt.name, tt.want, l.open(before),
				l.open(noon.Add(tt.want)))
		}
	}
}

// TestALimitIsNotShortened by an answer that came later and says less.
func TestALimitIsNotShortened(t *testing.T) {
	noon := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	var l limit
	l.note(http.Header{"Retry-After": {"60"}}, 429, noon)
	l.note(http.Header{"Retry-After": {"10"}}, 429, noon)
	l.note(http.Header{}, 200, noon)
	if got := l.until.Sub(noon); got != time.Minute {
		t.Errorf("want a minute, got %s", got)
	}
}
