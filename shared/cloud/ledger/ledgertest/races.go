package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
)

const writers = 32

// together runs do in 32 goroutines that start at once.
func together(do func(writer int)) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range writers {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			do(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}

// Increment adds n to the number in the record.
func Increment(ctx context.Context, l ledger.Ledger, k ledger.Key, n int) error {
	_, err := ledger.Update(ctx, l, k, func(r *ledger.Record) (bool, error) {
		have := 0
		if r.Version != ledger.Absent {
			var err error
			if have, err = strconv.Atoi(string(r.Value)); err != nil {
				return false, err
			}
		}
		r.Value = strconv.AppendInt(nil, int64(have+n), 10)
		return true, nil
	})
	return err
}

func increments(t *testing.T, b bench) {
	each := 5
	if testing.Short() {
		each = 1
	}
	together(func(int) {
		for range each {
			if err := Increment(t.Context(), b, key("counter"), 1); err != nil {
				t.Error(err)
			}
		}
	})
	b.expect(t, ledger.Record{Key: key("counter"), Value: []byte(strconv.Itoa(writers * each)), Version: int64(writers * each)})
}

func oneCreates(t *testing.T, b bench) {
	for round := range 3 {
		k := key(fmt.Sprint(round))
		var won atomic.Int64
		together(func(writer int) {
			_, err := b.Put(t.Context(), ledger.Record{Key: k, Value: []byte(strconv.Itoa(writer))}, ledger.Absent)
			switch {
			case err == nil:
				if !won.CompareAndSwap(0, int64(writer)+1) {
					t.Error("a second writer created the record")
				}
			case !errors.Is(err, ledger.ErrConflict):
				t.Error(err)
			}
		})
		b.expect(t, ledger.Record{Key: k, Value: []byte(strconv.FormatInt(won.Load()-1, 10)), Version: 1})
	}
}

func oneDeletes(t *testing.T, b bench) {
	b.put(t, ledger.Record{Key: key("a")}, ledger.Absent)
	var won atomic.Int64
	together(func(int) {
		err := b.Delete(t.Context(), key("a"), 1)
		if err == nil {
			won.Add(1)
		} else if !errors.Is(err, ledger.ErrConflict) {
			t.Error(err)
		}
	})
	if got := won.Load(); got != 1 {
		t.Errorf("want one deletion, got %d", got)
	}
}

func debits(t *testing.T, b bench) {
	const credits = 20
	if err := Increment(t.Context(), b, key("credits"), credits); err != nil {
		t.Fatal(err)
	}
	empty := errors.New("no credit left")
	var taken atomic.Int64
	together(func(int) {
		_, err := ledger.Update(t.Context(), b, key("credits"), func(r *ledger.Record) (bool, error) {
			have, err := strconv.Atoi(string(r.Value))
			if err != nil {
				return false, err
			}
			if have == 0 {
				return false, empty
			}
			r.Value = strconv.AppendInt(nil, int64(have-1), 10)
			return true, nil
		})
		if err == nil {
			taken.Add(1)
		} else if !errors.Is(err, empty) {
			t.Error(err)
		}
	})
	if got := taken.Load(); got != credits {
		t.Errorf("want %d debits, got %d", credits, got)
	}
	b.expect(t, ledger.Record{Key: key("credits"), Value: []byte("0"), Version: credits + 1})
}

func cancelled(t *testing.T, b bench) {
	b.put(t, ledger.Record{Key: key("a"), Value: []byte("x")}, ledger.Absent)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	late, stop := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer stop()
	for ctx, want := range map[context.Context]error{over: context.Canceled, late: context.DeadlineExceeded} {
		_, get := b.Get(ctx, key("a"))
		_, put := b.Put(ctx, ledger.Record{Key: key("a")}, ledger.Any)
		_, query := b.Query(ctx, ledger.Query{Partition: "contract", Limit: 1})
		for method, err := range map[string]error{"Get": get, "Put": put, "Delete": b.Delete(ctx, key("a"), ledger.Any), "Query": query} {
			if !errors.Is(err, want) {
				t.Errorf("%s: want %v, got %v", method, want, err)
			}
		}
	}
	b.expect(t, ledger.Record{Key: key("a"), Value: []byte("x"), Version: 1})
}
