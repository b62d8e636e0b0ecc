package endpoint

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// stuck is a client that takes nothing: a write lasts until the write deadline ends it.
type stuck struct {
	header   http.Header
	deadline chan time.Time
	writing  atomic.Bool
	writes   atomic.Int32
}

func (s *stuck) Header() http.Header { return s.header }
func (s *stuck) WriteHeader(int)     {}
func (s *stuck) Write([]byte) (int, error) {
	s.writing.Store(true)
	defer s.writing.Store(false)
	s.writes.Add(1)
	<-s.deadline
	return 0, os.ErrDeadlineExceeded
}

func (s *stuck) SetWriteDeadline(t time.Time) error {
	s.deadline <- t
	return nil
}

// An answer that breaks while a client does not read returns at once, and nothing writes after it: rows
// that fail, rows that panic, a context that is cancelled.
func TestBrokenAnswerDoesNotWaitForTheClient(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	for name, end := range map[string]func(yield func(format.Row, error) bool){
		"error":  func(yield func(format.Row, error) bool) { yield(nil, errors.New("secret")) },
		"panic":  func(func(format.Row, error) bool) { panic("secret") },
		"cancel": func(yield func(format.Row, error) bool) { cancel(); yield(nil, ctx.Err()) },
	} {
		w := &stuck{header: http.Header{}, deadline: make(chan time.Time, 1)}
		s := testService()
		s.Endpoints[0].Serve = func(context.Context, *Request) (reply.Answer, error) {
			return &reply.Rows{Total: 3000, Rows: func(yield func(format.Row, error) bool) {
				for r := range places(0, 3000) { // more than a piece, less than are held
					if !yield(r, nil) {
						return
					}
				}
				for !w.writing.Load() {
					time.Sleep(time.Millisecond)
				}
				end(yield)
			}}, nil
		}
		h, err := s.Handler()
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan any)
		go func() {
			defer func() { done <- recover() }()
			h.ServeHTTP(w, httptest.NewRequest("GET", "/api/v1/places?west=1&limit=100000", nil).WithContext(ctx))
		}()
		select {
		case p := <-done:
			if p != http.ErrAbortHandler {
				t.Errorf("%s: panic %v, want %v", name, p, http.ErrAbortHandler)
			}
			if w.writing.Load() || w.writes.Load() > 1 {
				t.Errorf("%s: %d writes, one under way: %v", name, w.writes.Load(), w.writing.Load())
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: the handler waits for the client", name)
		}
	}
}

// An error before the first piece is full is an answer of its own.
func TestErrorBeforeTheFirstPiece(t *testing.T) {
	h, err := failing(100, errors.New("secret")).Handler()
	if err != nil {
		t.Fatal(err)
	}
	if w := get(h, "/api/v1/places?west=1&limit=1000"); w.Code != http.StatusInternalServerError {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
