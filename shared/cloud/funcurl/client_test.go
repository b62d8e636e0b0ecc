package funcurl

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/shared/cloud/clientlimit"
)

// limited asks with an address that the CDN has set.
func limited(t *testing.T, c Config, address string) (status int, headers map[string]string) {
	t.Helper()
	e := event(t, "get.json")
	e.Headers["x-viewer-address"] = address
	a, err := Wrap(c)(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, a.Body)
	return a.StatusCode, a.Headers
}

// TestAnAddressIsHeldToItsRate: one address is told to wait, others are not.
func TestAnAddressIsHeldToItsRate(t *testing.T) {
	secrets, err := NewSecrets(edgeSecret)
	if err != nil {
		t.Fatal(err)
	}
	var remote, header string
	c := Config{Secrets: secrets, Log: slog.New(slog.DiscardHandler), Limit: clientlimit.New(clientlimit.Rate{PerSecond: 1, Burst: 3}),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			remote, header = r.RemoteAddr, r.Header.Get(ViewerHeader)
		})}
	for i := range 5 {
		want := 200
		if i >= 3 {
			want = 429
		}
		status, headers := limited(t, c, "192.0.2.7")
		if status != want || want == 429 && (headers["Retry-After"] != "1" || headers["RateLimit-Limit"] != "3") {
			t.Errorf("request %d: want %d, got %d %v", i+1, want, status, headers)
		}
	}
	preflight := event(t, "get.json")
	preflight.RequestContext.HTTP.Method, preflight.Headers["x-viewer-address"] = "OPTIONS", "192.0.2.7"
	if a, err := Wrap(c)(t.Context(), preflight); err != nil || a.StatusCode != 200 {
		t.Errorf("a preflight is counted: %v %v", a, err)
	}
	preflight.RequestContext.HTTP.Method = "GET"
	if a, err := Wrap(c)(t.Context(), preflight); err != nil || a.Headers["Access-Control-Allow-Origin"] != "*" {
		t.Errorf("a page of another origin reads no reason: %v %v", a, err)
	} else if b, _ := io.ReadAll(a.Body); !strings.Contains(string(b), `"code":"rate_limited"`) {
		t.Errorf("got %s", b)
	}
	if remote != "192.0.2.7:0" || header != "" {
		t.Errorf("the handler sees the address as the remote one, not as a header: got %q, %q", remote, header)
	}
	for _, other := range []string{"192.0.2.8", "2001:db8::1", "", "no address"} {
		if status, _ := limited(t, c, other); status != 200 {
			t.Errorf("%q: want 200, got %d", other, status)
		}
	}
}

// syncBuffer is a log that is read while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// stalled is what becomes of an answer whose reader stops.
type stalled struct {
	told   error // to the handler
	exited bool  // the process was ended
	end    error // of the stream, for the runtime
	log    string
}

// stalling reads so much of an answer and then nothing more.
func stalling(t *testing.T, runtimeIsStuck bool) (s stalled) {
	t.Helper()
	secrets, err := NewSecrets(edgeSecret)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	var left atomic.Bool
	var lines syncBuffer
	c := Config{Secrets: secrets, Log: slog.New(slog.NewTextHandler(&lines, nil)), Grace: time.Second, exit: func() { left.Store(true) },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for {
				if _, err := w.Write(make([]byte, bufferBytes)); err != nil {
					done <- err
					return
				}
			}
		})}
	a, err := Wrap(c)(t.Context(), event(t, "get.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(a.Body, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	s.told = <-done
	if !runtimeIsStuck {
		_, s.end = io.Copy(io.Discard, a.Body)
		a.Close()
	}
	for deadline := time.Now().Add(30 * time.Second); runtimeIsStuck && !left.Load() && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond) // longer than the process waits for a runtime that goes on
	s.exited, s.log = left.Load(), lines.String()
	return s
}

// TestAReaderWhoStallsIsLeft: the handler ends, and where even the runtime cannot go on, the process.
func TestAReaderWhoStallsIsLeft(t *testing.T) {
	if s := stalling(t, false); !errors.Is(s.told, io.ErrClosedPipe) || s.exited || !errors.Is(s.end, errStalled) ||
		!strings.Contains(s.log, "the reader has stalled") {
		t.Errorf("a runtime that goes on: %+v", s)
	}
	if s := stalling(t, true); !errors.Is(s.told, io.ErrClosedPipe) || !s.exited {
		t.Errorf("a runtime that is stuck: %+v", s)
	}
}

// TestASlowReaderHasTheAnswerWhole: many short waits, together longer than the grace, but bytes are taken.
func TestASlowReaderHasTheAnswerWhole(t *testing.T) {
	secrets, err := NewSecrets(edgeSecret)
	if err != nil {
		t.Fatal(err)
	}
	const size = 80 * bufferBytes
	c := Config{Secrets: secrets, Log: slog.New(slog.DiscardHandler), Grace: time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, size)) })}
	a, err := Wrap(c)(t.Context(), event(t, "get.json"))
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	for buf := make([]byte, bufferBytes); ; time.Sleep(15 * time.Millisecond) {
		n, err := a.Body.Read(buf)
		if got += n; err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("after %d bytes: %v", got, err)
		}
	}
	if got != size {
		t.Errorf("want %d bytes, got %d", size, got)
	}
}
