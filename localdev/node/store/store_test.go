package store

import (
	"fmt"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"mappe/localdev/node/blob"
)

// Blobs are counted as they are kept, also in a file of before that.
func TestCount(t *testing.T) {
	folder := t.TempDir()
	count := func(s *Store, want int) {
		t.Helper()
		if n := s.Count(); n != want {
			t.Errorf("want %d blobs, got %d", want, n)
		}
	}
	reopen := func(s *Store) *Store {
		t.Helper()
		if s != nil {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(folder, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := reopen(nil)
	var items []Item
	for i := range 300 {
		data := fmt.Append(nil, i)
		items = append(items, Item{ID: blob.SumRaw(data), Data: data})
	}
	bad := Item{ID: items[0].ID, Data: []byte("another")}
	if _, refused, err := s.PutGood(append(items[:200:200], bad)); err != nil || refused[200] == nil {
		t.Fatalf("%v, %v", refused, err)
	}
	count(s, 200)
	if _, err := s.Put(items[100:250]...); err != nil { // a part is kept already
		t.Fatal(err)
	}
	if _, err := s.Put(items[250], bad); err == nil {
		t.Error("a bad blob was kept")
	}
	count(s, 250)
	s = reopen(s)
	count(s, 250)
	if err := s.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(blobs).SetSequence(0) }); err != nil {
		t.Fatal(err)
	}
	s = reopen(s)
	defer s.Close()
	count(s, 250)
}
