package dir_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"mappe/shared/cloud/store"
)

// A copy shares the disk with what it was made of and nothing else: writing or deleting one leaves the other as it was.
func TestCopySharesTheDisk(t *testing.T) {
	root := t.TempDir()
	s := open(t, root)
	put := func(key, body string) {
		t.Helper()
		if _, err := s.Put(t.Context(), key, []byte(body), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(key, want string) {
		t.Helper()
		got, info, err := store.ReadAll(t.Context(), s, key, 100, store.GetOptions{})
		if err != nil || !bytes.Equal(got, []byte(want)) || info.ETag != store.ETagOf([]byte(want)) {
			t.Errorf("%s: expected %q with its ETag, got %q, %s, %v", key, want, got, info.ETag, err)
		}
	}
	put("kg/1.kgs", "first")
	if _, err := s.Copy(t.Context(), "kg/1.kgs", "latest/1.kgs", store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	a, err := os.Stat(filepath.Join(root, "kg", "1.kgs"))
	b, err2 := os.Stat(filepath.Join(root, "latest", "1.kgs"))
	if errors.Join(err, err2) != nil || !os.SameFile(a, b) {
		t.Errorf("expected one file under two names: %v", errors.Join(err, err2))
	}
	holds("latest/1.kgs", "first")
	// Again, when both are one file already.
	if _, err := s.Copy(t.Context(), "kg/1.kgs", "latest/1.kgs", store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	put("latest/1.kgs", "second, longer")
	holds("kg/1.kgs", "first")
	holds("latest/1.kgs", "second, longer")
	if _, err := s.Copy(t.Context(), "kg/1.kgs", "latest/1.kgs", store.PutOptions{Immutable: true}); !errors.Is(err,
		store.ErrPrecondition) {
		t.Errorf("other bytes under an immutable key: expected ErrPrecondition, got %v", err)
	}
	if _, err := s.Copy(t.Context(), "kg/1.kgs", "latest/1.kgs", store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	holds("latest/1.kgs", "first")
	if err := s.Delete(t.Context(), "kg/1.kgs"); err != nil {
		t.Fatal(err)
	}
	holds("latest/1.kgs", "first")
	if _, err := s.Copy(t.Context(), "kg/1.kgs", "latest/2.kgs", store.PutOptions{}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("nothing to copy: expected ErrNotFound, got %v", err)
	}
	if n := count(t, filepath.Join(root, ".store", "tmp")); n != 0 {
		t.Errorf("expected no temporary file left, got %d", n)
	}
}
