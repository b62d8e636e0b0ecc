package space

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/store"
)

var key = ed25519.NewKeyFromSeed([]byte(strings.Repeat("a", 32)))

var owner = Signer{Account: ident.AccountOf(key.Public().(ed25519.PublicKey)),
	Sign: func(data []byte) ([]byte, error) { return ed25519.Sign(key, data), nil }}

// clockOf is a clock that can be set.
type clockOf struct{ time.Time }

func (c *clockOf) now() time.Time { return c.Time }

func open(t *testing.T, c *clockOf) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir(), c.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// write writes a document whose name is a text; each library is one of a process that was started anew.
func write(t *testing.T, l *Library, path ident.Path, base ident.Version, text string) *Found {
	t.Helper()
	d, err := l.Begin(owner.Account, path, base)
	if err != nil {
		t.Fatal(err)
	}
	ops := []blob.Op{blob.SetAttributes{Attributes: []blob.Attribute{{Key: []string{"name"}, Value: text}}}}
	if err := l.Write(d, ops, owner, 0); err != nil {
		t.Fatal(err)
	}
	f, err := l.Document(owner.Account, path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The clock goes back between two blobs, and the node was started in between: the later blob counts all the same.
func TestTheClockIsSetBack(t *testing.T) {
	c := &clockOf{time.UnixMilli(1_700_000_000_000)}
	s := open(t, c)
	back := func() *Library {
		c.Time = c.Add(-5 * time.Second)
		return New(s, c.now)
	}
	first := write(t, New(s, c.now), "/a", nil, "first")
	left := write(t, back(), "/a", first.Heads, "left")
	right := write(t, back(), "/a", first.Heads, "right") // beside it, by the same key
	if len(left.Entries) != 2 || len(right.Entries) != 3 {
		t.Fatalf("%d and %d changes", len(left.Entries), len(right.Entries))
	}
	times := map[int64]bool{}
	for _, e := range right.Entries {
		times[e.Change.Time] = true
	}
	if len(times) != 3 {
		t.Errorf("two changes have one time: %v", times)
	}
	put := func(l *Library, r *blob.Ref) {
		t.Helper()
		data, err := l.SignRef(r, owner)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(store.Item{Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	l := back()
	put(l, &blob.Ref{Space: owner.Account, Path: "/a", Genesis: right.Genesis, Generation: right.Generation})
	if _, err := l.Document(owner.Account, "/a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the document was ended: %v", err)
	}
	if f := write(t, back(), "/a", nil, "anew"); f.Name() != "anew" || len(f.Entries) != 1 {
		t.Errorf("%s of %d changes", f.Name(), len(f.Entries))
	}
}

// What is remembered is bounded by bytes, and what was forgotten is read again.
func TestMemory(t *testing.T) {
	c := &clockOf{time.UnixMilli(1_700_000_000_000)}
	s := open(t, c)
	l := New(s, c.now)
	const n, size = 24, 1 << 20
	for i := range n {
		write(t, l, ident.Path(fmt.Sprintf("/d%d", i)), nil, fmt.Sprint(i, strings.Repeat("x", size)))
	}
	for range 2 {
		for i := range n {
			f, err := l.Document(owner.Account, ident.Path(fmt.Sprintf("/d%d", i)))
			if err != nil || !strings.HasPrefix(f.Name(), fmt.Sprint(i, "x")) {
				t.Fatalf("document %d: %v", i, err)
			}
		}
	}
	read, found := 0, 0
	for _, r := range l.read {
		read += entrySize + r.size
	}
	for at, a := range l.found {
		found += entrySize + len(at.path)
		for _, e := range a.found.Entries {
			found += entrySize + e.Size
		}
	}
	if read > maxRead || found > maxFound || read < size || found < size || read != l.kept || found != l.size {
		t.Errorf("%d (%d) bytes of blobs and %d (%d) of documents are remembered", read, l.kept, found, l.size)
	}
}
