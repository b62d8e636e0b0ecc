package results

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

var errBroken = errors.New("no answer")

// faulty counts operations and has one of them, or those from one on, fail: before it is done, or after.
type faulty struct {
	ops   atomic.Int64
	at    int64 // of the first that fails, from 1; 0: none
	for_  int64 // how many fail
	after bool  // they are done all the same
}

func (f *faulty) around(do func() error) error {
	n := f.ops.Add(1)
	fails := f.at > 0 && n >= f.at && n < f.at+f.for_
	if fails && !f.after {
		return errBroken
	}
	if err := do(); err != nil || !fails {
		return err
	}
	return errBroken
}

type faultyStore struct {
	store.Store
	*faulty
}

func (s faultyStore) Put(ctx context.Context, key string, body []byte, o store.PutOptions) (i store.Info, err error) {
	return i, s.around(func() (err error) { i, err = s.Store.Put(ctx, key, body, o); return err })
}

func (s faultyStore) Get(ctx context.Context, key string, o store.GetOptions) (b *store.Object, err error) {
	return b, s.around(func() (err error) { b, err = s.Store.Get(ctx, key, o); return err })
}

func (s faultyStore) Delete(ctx context.Context, key string) error {
	return s.around(func() error { return s.Store.Delete(ctx, key) })
}

type faultyLedger struct {
	ledger.Ledger
	*faulty
}

func (l faultyLedger) Get(ctx context.Context, key ledger.Key) (r ledger.Record, err error) {
	return r, l.around(func() (err error) { r, err = l.Ledger.Get(ctx, key); return err })
}

func (l faultyLedger) Put(ctx context.Context, r ledger.Record, was int64) (v int64, err error) {
	return v, l.around(func() (err error) { v, err = l.Ledger.Put(ctx, r, was); return err })
}

func (l faultyLedger) Delete(ctx context.Context, key ledger.Key, was int64) error {
	return l.around(func() error { return l.Ledger.Delete(ctx, key, was) })
}

func (l faultyLedger) Query(ctx context.Context, q ledger.Query) (r []ledger.Record, err error) {
	return r, l.around(func() (err error) { r, err = l.Ledger.Query(ctx, q); return err })
}

// Each operation of store and ledger fails, alone or with those after it, from the question to the result: a client is told
// to try again, every task ends, and what is done has a result that is whole.
func TestTheStoreFailsInTheMiddle(t *testing.T) {
	for _, after := range []bool{false, true} {
		for _, length := range []int64{1, 3} {
			for at := int64(1); ; at++ {
				f := &faulty{at: at, for_: length, after: after}
				if !failsAt(t, f, fmt.Sprintf("from operation %d on %d fail, done %v", at, length, after)) {
					break
				}
			}
		}
	}
}

// failsAt says whether the failing operation was reached.
func failsAt(t *testing.T, f *faulty, what string) bool {
	t.Helper()
	r, err := newHarness(faultyLedger{sqlitetest.Open(t, sqlite.Options{}), f}, faultyStore{mem.New(), f}, 0)
	if err != nil {
		t.Fatal(err)
	}
	const body = `{"n":3}`
	id := ""
	for try := 0; id == ""; try++ {
		w := fixture.Ask(r, "POST", "/api/v1/sum?async=true&listed=true&task_id="+uuid, body)
		switch {
		case w.Code == 202:
			id = uuid
		case w.Code != 503 || w.Header().Get("Retry-After") == "" || try > 8:
			t.Fatalf("%s: the question is answered %d %s", what, w.Code, w.Body)
		}
	}
	var s tasks.State
	for try := 0; ; try++ {
		if job, err := r.desk.Find(t.Context(), id); err == nil {
			_ = r.queue.RunOne(t.Context(), job.Share()[len("auto-"):]) // what became of it the state says
		}
		r.now.Add(int64(time.Minute))
		w := fixture.Ask(r, "GET", "/api/v1/segment/progress?task_id="+id, "")
		if w.Code == http.StatusServiceUnavailable {
			continue
		}
		if s = r.stateOf(t, w); !s.Active {
			break
		}
		if try > 12 {
			t.Fatalf("%s: the task does not end: %+v", what, s)
		}
	}
	if s.Status != tasks.Done && s.Status != tasks.Failed {
		t.Errorf("%s: %+v", what, s)
	}
	for try := 0; ; try++ {
		w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
		if w.Code == http.StatusServiceUnavailable && try < 8 {
			continue
		}
		if done := s.Status == tasks.Done; done != (w.Code == 200) || done && sumOf(t, w.Body.Bytes()) != 6 {
			t.Errorf("%s: %s, and the result is %d %s", what, s.Status, w.Code, w.Body)
		}
		break
	}
	reached := f.ops.Load() >= f.at
	if list := fixture.Ask(r, "GET", "/api/v1/shares", ""); list.Code == 200 && strings.Contains(list.Body.String(),
		`"total":1`) != (s.Status == tasks.Done) {
		t.Errorf("%s: %s, and the list is %s", what, s.Status, list.Body)
	}
	return reached
}
