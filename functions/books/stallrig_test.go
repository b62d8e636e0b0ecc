package books

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/store"
)

// stall stops whoever comes by for the at-th time until wake is closed.
type stall struct {
	at            int64
	count, wrote  atomic.Int64 // wrote: files that were begun to be written after waking
	woken         atomic.Bool
	pressed       atomic.Bool
	what          string
	stalled, wake chan struct{}
}

func (s *stall) pass(what string) {
	if s.count.Add(1) == s.at {
		s.what = what
		close(s.stalled)
		<-s.wake
	}
	if s.woken.Load() && strings.HasPrefix(what, "file put") {
		s.wrote.Add(1)
	}
}

type stalledLedger struct {
	ledger.Ledger
	s *stall
}

func (l *stalledLedger) Get(ctx context.Context, key ledger.Key) (ledger.Record, error) {
	l.s.pass("record get " + key.Partition + "/" + key.Sort)
	return l.Ledger.Get(ctx, key)
}

func (l *stalledLedger) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	l.s.pass("record put " + r.Key.Partition + "/" + r.Key.Sort)
	return l.Ledger.Put(ctx, r, was)
}

func (l *stalledLedger) Delete(ctx context.Context, key ledger.Key, was int64) error {
	l.s.pass("record delete " + key.Partition + "/" + key.Sort)
	return l.Ledger.Delete(ctx, key, was)
}

type stalledStore struct {
	store.Store
	s *stall
}

func (f *stalledStore) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	f.s.pass("file get " + key)
	return f.Store.Get(ctx, key, opt)
}

func (f *stalledStore) Put(ctx context.Context, key string, body []byte, opt store.PutOptions) (store.Info, error) {
	f.s.pass("file put " + key)
	return f.Store.Put(ctx, key, body, opt)
}

// seen is a ledger that knows the keys it was given.
type seen struct {
	ledger.Ledger
	mu   sync.Mutex
	keys map[ledger.Key]bool
}

func (l *seen) Get(ctx context.Context, key ledger.Key) (ledger.Record, error) {
	r, err := l.Ledger.Get(ctx, key)
	if err == nil {
		l.mu.Lock()
		l.keys[key] = true
		l.mu.Unlock()
	}
	return r, err
}

func (l *seen) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	l.mu.Lock()
	l.keys[r.Key] = true
	l.mu.Unlock()
	return l.Ledger.Put(ctx, r, was)
}

// dump is the records by their keys, without the hints of where open jobs are: those are looked at, not
// believed.
func (l *seen) dump(t *testing.T) map[ledger.Key]string {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[ledger.Key]string{}
	for key := range l.keys {
		r, err := l.Ledger.Get(t.Context(), key)
		if strings.HasPrefix(key.Partition, "jobs-open/") {
			continue
		}
		if err != nil {
			t.Fatalf("%v: %v", key, err)
		}
		all[key] = string(r.Value)
	}
	return all
}

// files is what stands in a store.
func files(t *testing.T, s store.Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	for info, err := range s.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		o, err := s.Get(t.Context(), info.Key, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := io.Copy(&b, o.Body); err != nil {
			t.Fatal(err)
		}
		all[info.Key] = fmt.Sprint(info.Headers, b.String())
	}
	return all
}
