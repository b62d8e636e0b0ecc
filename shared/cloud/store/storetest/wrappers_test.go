package storetest_test

import (
	"errors"
	"testing"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

func TestWrappersKeepTheContract(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store {
		return &storetest.Counting{Store: &storetest.Faulty{Store: mem.New()}}
	})
}

func TestFaultyBreaksTheNthWrite(t *testing.T) {
	for _, c := range []struct {
		name         string
		stored, dead bool
		want         string // which of the keys 1 2 3 exist afterwards
	}{
		{"failed", false, false, "13"},
		{"failed but stored", true, false, "123"},
		{"killed", false, true, "1"},
		{"killed after storing", true, true, "12"},
	} {
		s := &storetest.Faulty{Store: mem.New(), FailAt: 2, Stored: c.stored, Dead: c.dead}
		var got string
		for i, key := range []string{"1", "2", "3"} {
			_, err := s.Put(t.Context(), key, nil, store.PutOptions{})
			if fails := i == 1 || i == 2 && c.dead; errors.Is(err, storetest.ErrFault) != fails {
				t.Errorf("%s: write %s: want failure %v, got %v", c.name, key, fails, err)
			}
			if _, err := s.Head(t.Context(), key); err == nil {
				got += key
			}
		}
		if got != c.want || s.Writes() != 3 {
			t.Errorf("%s: want %s stored in 3 writes, got %s in %d", c.name, c.want, got, s.Writes())
		}
	}
}

func TestCountingCounts(t *testing.T) {
	s := &storetest.Counting{Store: mem.New()}
	if _, err := s.Put(t.Context(), "k", []byte("12345"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.ReadAll(t.Context(), s, "k", 9, store.GetOptions{Range: &store.Range{Length: 3}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(t.Context(), "k"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), "none", store.GetOptions{}); !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	for range s.List(t.Context(), "") {
	}
	want := storetest.Reads{Gets: 2, Heads: 1, Lists: 1, Bytes: 3}
	if got := s.Reads(); got != want {
		t.Errorf("want %+v, got %+v", want, got)
	}
	s.Reset()
	if got := s.Reads(); got != (storetest.Reads{}) {
		t.Errorf("after Reset: got %+v", got)
	}
}
