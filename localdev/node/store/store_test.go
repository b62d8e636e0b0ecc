package store

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ipfs/go-cid"
	"go.etcd.io/bbolt"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
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

// Refs of accounts without a right are kept up to a number, of a space; those of the owner always.
func TestRefsWithoutRightAreBounded(t *testing.T) {
	s, err := Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key := func(n byte) (ed25519.PrivateKey, ident.Account) {
		k := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, 32))
		return k, ident.AccountOf(k.Public().(ed25519.PublicKey))
	}
	_, owner := key(1)
	ref := func(n byte, i int) Item {
		k, signer := key(n)
		r := &blob.Ref{Space: owner, Path: ident.Path(fmt.Sprintf("/d%d", i)), Genesis: blob.Sum(nil), Heads: []cid.Cid{blob.Sum(nil)},
			Time: 1}
		data, err := blob.Sign(r.Fields(signer), signer, func(data []byte) ([]byte, error) { return ed25519.Sign(k, data), nil })
		if err != nil {
			t.Fatal(err)
		}
		return Item{ID: blob.Sum(data), Data: data}
	}
	var items []Item
	for i := range MaxStash {
		items = append(items, ref(2, i))
	}
	if _, err := s.Put(items...); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(ref(3, 0)); !errors.Is(err, ErrFull) {
		t.Errorf("want %v, got %v", ErrFull, err)
	}
	if _, err := s.Put(ref(1, 0)); err != nil {
		t.Errorf("the owner's: %v", err)
	}
}
