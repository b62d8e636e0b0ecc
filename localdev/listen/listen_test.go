package listen_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/localdev/listen"
)

const stall = 400 * time.Millisecond

// served is a server with short limits, and how many of its handlers are at work.
func served(t *testing.T, h http.HandlerFunc) (address string, busy *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	busy = &atomic.Int64{}
	s := listen.New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		busy.Add(1)
		defer busy.Add(-1)
		h(w, r)
	}), listen.Limits{Header: 5 * stall, Idle: 5 * stall, Stall: stall})
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return l.Addr().String(), busy
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 20 s", what)
		}
	}
}

// Sixty-four clients ask for something large and read nothing of it: all are dropped, and while they last
// others are answered.
func TestStalledReadersAreDropped(t *testing.T) {
	large := make([]byte, 16<<20)
	var asked atomic.Int64
	address, busy := served(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/small" {
			io.WriteString(w, "small")
			return
		}
		asked.Add(1)
		io.Copy(w, bytes.NewReader(large))
	})
	for range 64 {
		fmt.Fprint(dial(t, address), "GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
	}
	await(t, "all at work", func() bool { return asked.Load() == 64 })
	a, err := http.Get("http://" + address + "/small")
	if err != nil || a.StatusCode != 200 {
		t.Fatalf("beside them: %v, %v", a, err)
	}
	a.Body.Close()
	await(t, "all dropped", func() bool { return busy.Load() == 0 })
}

// A client who reads slowly, for many times the bound, has the whole.
func TestASlowReaderHasItWhole(t *testing.T) {
	const size = 16 << 20
	address, _ := served(t, func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, size)) })
	c := dial(t, address).(*net.TCPConn)
	c.SetReadBuffer(32 << 10)
	fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	began, got := time.Now(), 0
	for buf := make([]byte, 128<<10); ; time.Sleep(10 * time.Millisecond) {
		n, err := io.ReadFull(c, buf)
		if got += n; err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			t.Fatalf("after %d bytes and %v: %v", got, time.Since(began), err)
		}
	}
	if took := time.Since(began); got < size || took < 2*stall {
		t.Errorf("want %d bytes in more than %v, got %d in %v", size, 2*stall, got, took)
	}
}

// Who sends a body piece by piece is heard to its end, who stops sending is dropped; so is who sends headers
// without end, or nothing.
func TestBodiesAndHeaders(t *testing.T) {
	got := make(chan string, 1)
	address, busy := served(t, func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		got <- fmt.Sprintf("%d %v", len(b), err)
	})
	slow := dial(t, address)
	fmt.Fprint(slow, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\n")
	for range 10 {
		io.WriteString(slow, "xxx")
		time.Sleep(stall / 8)
	}
	if s := <-got; s != "30 <nil>" {
		t.Errorf("a body sent slowly: got %s", s)
	}
	fmt.Fprint(dial(t, address), "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\nxx")
	if s := <-got; !strings.Contains(s, "timeout") {
		t.Errorf("a body that does not come: got %s", s)
	}
	await(t, "dropped", func() bool { return busy.Load() == 0 })
	for _, begin := range []string{"", "GET / HTTP/1.1\r\nX-A: "} {
		c := dial(t, address)
		io.WriteString(c, begin)
		c.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.Copy(io.Discard, c); err != nil {
			t.Errorf("%q: want the connection closed, got %v", begin, err)
		}
	}
}

// A request after a slow one on the same connection has its own time.
func TestTheNextRequestOfAConnection(t *testing.T) {
	address, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(2 * stall)
		io.WriteString(w, "ok")
	})
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
	for range 2 {
		r, err := http.NewRequestWithContext(context.Background(), "POST", "http://"+address, strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		a, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(a.Body)
		a.Body.Close()
		if string(b) != "ok" || err != nil {
			t.Errorf("got %q, %v", b, err)
		}
	}
}
