package objects

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"mappe/artefacts/keys"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/mem"
)

func named(sum string) keys.Key { return keys.National{Name: "tiles", Sum: sum, Ext: "pmtiles"} }

// An object that is named by its bytes has the same name in a store that reads them once and in one that does not, and stands
// as what it is put as.
func TestPutSummedNamesByTheBytes(t *testing.T) {
	folder, err := dir.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, 3<<20 + 5} {
		body := bytes.Repeat([]byte("tiles, "), size/7+1)[:size]
		want := Of(named(keys.Sum(body)), body)
		for _, st := range []store.Store{folder, mem.New()} {
			for range 2 { // equal bytes may be there already
				got, err := PutSummed(t.Context(), st, bytes.NewReader(body), int64(size), named)
				if err != nil || got != want {
					t.Fatalf("%T: want %+v, got %+v, %v", st, want, got, err)
				}
			}
			held, info, err := store.ReadAll(t.Context(), st, want.Key, int64(size), store.GetOptions{})
			if err != nil || !bytes.Equal(held, body) || info.Headers != Options(named("")).Headers {
				t.Errorf("%T: %d bytes with %+v: %v", st, len(held), info.Headers, err)
			}
		}
	}
}

// What cannot be written whole leaves nothing behind, and other bytes under its name stay.
func TestPutSummedLeavesNothingOfAFailure(t *testing.T) {
	root := t.TempDir()
	folder, err := dir.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	body := []byte("tiles")
	if _, err := PutSummed(t.Context(), folder, bytes.NewReader(body), 9, named); err == nil {
		t.Error("5 of 9 bytes were written")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, st := range []store.Store{folder, mem.New()} {
		if _, err := PutSummed(stopped, st, bytes.NewReader(body), 5, named); !errors.Is(err, context.Canceled) {
			t.Errorf("%T: want that the run was stopped, got %v", st, err)
		}
		one := func(string) keys.Key { return named("0123456789abcdef") }
		if _, err := PutSummed(t.Context(), st, bytes.NewReader(body), 5, one); err != nil {
			t.Fatal(err)
		}
		if _, err := PutSummed(t.Context(), st, bytes.NewReader([]byte("other")), 5, one); !errors.Is(err, store.ErrPrecondition) {
			t.Errorf("%T: want that other bytes are refused, got %v", st, err)
		}
		if held, err := Read(t.Context(), st, one("").String()); err != nil || !bytes.Equal(held, body) {
			t.Errorf("%T: %q stands there: %v", st, held, err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(root, ".store", "tmp")); err != nil || len(left) > 0 {
		t.Errorf("%d temporary files are left: %v", len(left), err)
	}
}
