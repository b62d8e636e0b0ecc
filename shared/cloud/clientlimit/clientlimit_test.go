package clientlimit

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)

func TestParse(t *testing.T) {
	for text, want := range map[string]Rate{"": {}, "20/60": {PerSecond: 20, Burst: 60}, "1/1": {PerSecond: 1, Burst: 1}} {
		if got, err := Parse(text); got != want || err != nil || got.String() != text {
			t.Errorf("%q: want %v, got %v, %v", text, want, got, err)
		}
	}
	for _, text := range []string{"20", "20/", "/60", "0/60", "20/0", "-1/5", "20/60/1", "a/b", "100001/5", "5/1000001"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: want an error, got %v", text, got)
		}
	}
}

// A client has its burst, then its rate, and no request more: over any time it is let through at most
// burst + rate × time.
func TestAClientIsHeldToItsRate(t *testing.T) {
	l, a := New(Rate{PerSecond: 5, Burst: 60}), netip.MustParseAddr("192.0.2.1")
	passed, now := 0, start
	for range 10_000 { // 100 requests a second for 100 s
		if l.Take(a, now) == 0 {
			passed++
		}
		now = now.Add(10 * time.Millisecond)
	}
	if want := 60 + 5*100; passed < want-1 || passed > want {
		t.Errorf("want %d requests let through, got %d", want, passed)
	}
	l.Take(a, now) // the last one there may be
	if wait := l.Take(a, now); wait <= 0 || wait > 200*time.Millisecond {
		t.Errorf("want to wait at most a fifth of a second, got %v", wait)
	}
	if got := l.Headers(150 * time.Millisecond)["Retry-After"]; got != "1" {
		t.Errorf("Retry-After: want 1, got %s", got)
	}
	if wait := l.Take(netip.MustParseAddr("192.0.2.2"), now); wait != 0 {
		t.Errorf("another address: want 0, got %v", wait)
	}
	if wait := l.Take(a, now.Add(time.Second)); wait != 0 {
		t.Errorf("after a second: want 0, got %v", wait)
	}
	if wait := l.Take(a, now.Add(-time.Hour)); wait != 0 {
		t.Errorf("a clock that was set back: want 0, got %v", wait)
	}
}

func TestWhatCountsAsOneClient(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"2001:db8::1", "2001:db8::ffff:1", true},
		{"2001:db8:0:1::1", "2001:db8:0:2::1", false},
		{"fe80::1%eth0", "fe80::1", true},
	} {
		l := New(Rate{PerSecond: 1, Burst: 1})
		l.Take(netip.MustParseAddr(c.a), start)
		if got := l.Take(netip.MustParseAddr(c.b), start) > 0; got != c.same {
			t.Errorf("%s and %s as one client: want %v, got %v", c.a, c.b, c.same, got)
		}
	}
	if wait := New(Rate{PerSecond: 1, Burst: 1}).Take(netip.Addr{}, start); wait != 0 {
		t.Errorf("no address: got %v", wait)
	}
	if wait := New(Rate{}).Take(netip.MustParseAddr("192.0.2.1"), start); wait != 0 {
		t.Errorf("no limit: got %v", wait)
	}
}

// A million addresses are not remembered.
func TestMemoryIsBounded(t *testing.T) {
	l := New(Rate{PerSecond: 1, Burst: 3600})
	var raw [4]byte
	for i := range uint32(1_000_000) {
		binary.BigEndian.PutUint32(raw[:], i)
		l.Take(netip.AddrFrom4(raw), start)
		if n := len(l.fresh) + len(l.aged); n > 2*maxClients {
			t.Fatalf("%d clients are remembered", n)
		}
	}
}

// A rate slower than one a second is told by the time between two requests.
func TestEvery(t *testing.T) {
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	l, a := New(Rate{Every: 30 * time.Second, Burst: 2}), netip.MustParseAddr("192.0.2.1")
	for i, c := range []struct {
		after, want time.Duration
	}{{0, 0}, {0, 0}, {0, 30 * time.Second}, {10 * time.Second, 20 * time.Second}, {30 * time.Second, 0}, {31 * time.Second,
		29 * time.Second}, {120 * time.Second, 0}, {120 * time.Second, 0}, {120 * time.Second, 30 * time.Second}} {
		if got := l.Take(a, start.Add(c.after)); (got - c.want).Abs() > time.Millisecond {
			t.Errorf("request %d after %s: want to wait %s, got %s", i, c.after, c.want, got)
		}
	}
	if m := l.Message(30 * time.Second); !strings.Contains(m, "one in 30s") || l.Headers(time.Second)["RateLimit-Limit"] != "2" {
		t.Errorf("got %s", m)
	}
}
