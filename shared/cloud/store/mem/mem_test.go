package mem_test

import (
	"errors"
	"testing"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return mem.New() })
}

// A copy begins with what was written and goes its own way.
func TestClone(t *testing.T) {
	put := func(s *mem.Store, key, text string) store.Info {
		info, err := s.Put(t.Context(), key, []byte(text), store.PutOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	holds := func(s *mem.Store, key string) string {
		b, _, err := store.ReadAll(t.Context(), s, key, 100, store.GetOptions{})
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	s := mem.New()
	first := put(s, "a", "one")
	c := s.Clone()
	if later := put(c, "a", "two"); !later.Modified.After(first.Modified) {
		t.Errorf("written at %v, the copy's at %v", first.Modified, later.Modified)
	}
	put(s, "b", "three")
	if a, b := holds(s, "a"), holds(c, "a"); a != "one" || b != "two" {
		t.Errorf("the store has %q, the copy %q", a, b)
	}
	if _, err := c.Head(t.Context(), "b"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the copy has what was written to the store: %v", err)
	}
}
