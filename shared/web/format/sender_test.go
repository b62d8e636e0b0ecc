package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// lines writes n numbered lines of a kilobyte.
func lines(b *Buffer, n int) string {
	var want strings.Builder
	for i := range n {
		line := fmt.Sprintf("%06d%s\n", i, strings.Repeat("x", 1017))
		want.WriteString(line)
		b.Write([]byte(line))
	}
	return want.String()
}

type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

func TestPiecesKeepTheirOrder(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 129, 1000, 5000} {
		var got bytes.Buffer
		b := NewBuffer(writer(func(p []byte) (int, error) {
			if len(p)%3 == 0 {
				runtime.Gosched()
			}
			return got.Write(p)
		}))
		want := lines(b, n)
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		b.Close()
		if got.String() != want {
			t.Fatalf("%d lines: %d bytes, want %d, or not in order", n, got.Len(), len(want))
		}
	}
}

// A body of one piece is written by the goroutine that made it.
func TestOnePieceNeedsNoSender(t *testing.T) {
	b := NewBuffer(io.Discard)
	lines(b, 100)
	if b.Sending() {
		t.Fatal("a sender for 100 KB")
	}
	if _, whole := b.Whole(); !whole {
		t.Fatal("100 KB are not whole")
	}
	if err := b.Flush(); err != nil || b.Sending() {
		t.Fatal(err, b.Sending())
	}
	b.Close()
}

// After Flush and after Close nothing writes any more, whatever went before.
func TestNothingWritesAfterTheEnd(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(b *Buffer)
	}{
		{"flush", func(b *Buffer) { _ = b.Flush() }},
		{"close", (*Buffer).Close},
		{"both", func(b *Buffer) { _ = b.Flush(); b.Close(); b.Close() }},
	} {
		before := runtime.NumGoroutine()
		ended := false // unguarded: the race detector tells when a write may come after the end
		b := NewBuffer(writer(func(p []byte) (int, error) {
			time.Sleep(time.Millisecond)
			if ended {
				t.Error(c.name, "a write after the end")
			}
			return len(p), nil
		}))
		lines(b, 1000)
		c.end(b)
		ended = true
		b.Close()
		for range 10_000 { // the goroutine has closed its channel and returns
			if runtime.NumGoroutine() <= before {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if n := runtime.NumGoroutine(); n > before {
			t.Errorf("%s: %d goroutines, %d before", c.name, n, before)
		}
	}
}

// Close does not write what waits behind a write under way.
func TestCloseDropsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, proceed := make(chan bool, 10), make(chan bool)
		writes := 0
		b := NewBuffer(writer(func(p []byte) (int, error) {
			writes++
			began <- true
			<-proceed
			return len(p), nil
		}))
		lines(b, 300) // two pieces, the second one waits
		<-began
		go func() {
			synctest.Wait() // for Close to wait
			close(proceed)
		}()
		b.Close()
		if writes != 1 {
			t.Errorf("%d writes, want 1", writes)
		}
	})
}

// An error comes to whoever makes rows within the pieces that are held, and nothing is written after it.
func TestErrorOfTheWriterStops(t *testing.T) {
	gone := errors.New("gone")
	writes := 0
	b := NewBuffer(writer(func(p []byte) (int, error) {
		writes++
		if writes == 2 {
			return 0, gone
		}
		return len(p), nil
	}))
	pieces := 0
	for ; b.Err() == nil && pieces < 100; pieces++ {
		lines(b, 128)
	}
	if pieces > 2+maxPieces {
		t.Errorf("known after %d pieces", pieces)
	}
	if err := b.Flush(); !errors.Is(err, gone) {
		t.Errorf("%v, want %v", err, gone)
	}
	b.Close()
	if writes != 2 {
		t.Errorf("%d writes, want 2", writes)
	}
}

// An error of the last piece is known to Flush.
func TestErrorOfTheLastPiece(t *testing.T) {
	gone := errors.New("gone")
	for _, n := range []int{10, 300} {
		b := NewBuffer(writer(func(p []byte) (int, error) {
			if len(p) < flushAt {
				return 0, gone
			}
			return len(p), nil
		}))
		lines(b, n)
		if err := b.Flush(); !errors.Is(err, gone) {
			t.Errorf("%d lines: %v, want %v", n, err, gone)
		}
		b.Close()
	}
}

// A panic of the writer is raised where the stream is flushed, and not where it is only closed; also
// when the broken piece was given back before.
func TestPanicOfTheWriter(t *testing.T) {
	broken := func() *Buffer {
		b := NewBuffer(writer(func([]byte) (int, error) { panic("broken") }))
		lines(b, 300)
		return b
	}
	flush := func(b *Buffer) {
		defer b.Close()
		defer func() {
			if p := recover(); p != "broken" {
				t.Errorf("panic %v, want broken", p)
			}
		}()
		_ = b.Flush()
		t.Error("no panic")
	}
	flush(broken())
	known := NewBuffer(writer(func([]byte) (int, error) { panic("broken") }))
	known.sender = send(known.w)
	known.sender.out = maxPieces - 1 // the first piece is waited for
	lines(known, 128)
	if known.Err() == nil {
		t.Fatal("the piece was not waited for")
	}
	flush(known)
	broken().Close()
}
