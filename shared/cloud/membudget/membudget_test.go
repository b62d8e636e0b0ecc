package membudget

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The budget follows the limit of the process, else the memory of the machine.
func TestTheBudgetOfAProcess(t *testing.T) {
	for _, c := range []struct{ limit, memory, want int64 }{
		{1 << 30, 64 << 30, 1 << 28}, {math.MaxInt64, 8 << 30, 2 << 30}, {math.MaxInt64, 0, 1 << 30},
	} {
		if got := sized(c.limit, c.memory); got != c.want {
			t.Errorf("limit %d, memory %d: %d, expected %d", c.limit, c.memory, got, c.want)
		}
	}
	if b := Process(); b != Process() || b.Total() <= 0 {
		t.Errorf("%+v", b)
	}
}

// Requests at once never hold more than there is, and each of them gets its share.
func TestSharesAtOnce(t *testing.T) {
	b := New(100)
	var held, most atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			release, err := b.Take(t.Context(), 30)
			if err != nil {
				t.Error(err)
				return
			}
			for n := held.Add(30); ; {
				m := most.Load()
				if n <= m || most.CompareAndSwap(m, n) {
					break
				}
			}
			held.Add(-30)
			release()
			release() // a second time gives nothing back
		})
	}
	all.Wait()
	if m := most.Load(); m > 100 || held.Load() != 0 {
		t.Errorf("%d bytes were held, %d are", m, held.Load())
	}
	if release, err := b.Take(t.Context(), 100); err != nil {
		t.Errorf("all of it afterwards: %v", err)
	} else {
		release()
	}
}

// Parts are taken as one share and given back one by one, each once.
func TestParts(t *testing.T) {
	b := New(100)
	gone, leave := context.WithCancel(t.Context())
	leave()
	free := func(bytes int64) bool {
		release, err := b.Take(gone, bytes)
		if err == nil {
			release()
		}
		return err == nil
	}
	if _, err := b.TakeParts(t.Context(), 60, 60); !errors.Is(err, ErrTooLarge) || !free(100) {
		t.Errorf("more than there is: %v", err)
	}
	release, err := b.TakeParts(t.Context(), 60, -5, 20, 0)
	if err != nil || len(release) != 4 || !free(20) || free(21) {
		t.Fatalf("%d parts, %v", len(release), err)
	}
	for i, left := range []int64{80, 80, 100, 100} {
		release[i]()
		release[i]()
		if !free(left) || left < 100 && free(left+1) {
			t.Errorf("after part %d: not %d", i, left)
		}
	}
}

func TestWhatGetsNoShare(t *testing.T) {
	b := New(100)
	b.wait = time.Millisecond
	if err := second(b.Take(t.Context(), 101)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("more than there is: %v", err)
	}
	release, err := b.Take(t.Context(), 60)
	if err != nil {
		t.Fatal(err)
	}
	if err := second(b.Take(t.Context(), 60)); !errors.Is(err, ErrBusy) {
		t.Errorf("no share in time: %v", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := second(b.Take(gone, 60)); !errors.Is(err, context.Canceled) {
		t.Errorf("a client that left: %v", err)
	}
	b.wait = time.Hour
	b.waiting.Store(maxLine)
	if err := second(b.Take(t.Context(), 60)); !errors.Is(err, ErrBusy) {
		t.Errorf("a line that is full: %v", err)
	}
	release()
	if release, err := b.Take(t.Context(), 0); err != nil {
		t.Error(err)
	} else {
		release()
	}
}

func second(_ func(), err error) error { return err }
