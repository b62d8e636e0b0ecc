package national

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/builders/objects"
	"mappe/builders/source/sourcetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/mem"
)

// nine are KGs side by side; drop is how many parcels the first lacks.
func nine(drop int) (kgs []sourcetest.KG) {
	for i := range 9 {
		kgs = append(kgs, sourcetest.KG{Code: fmt.Sprint(99_001 + i)})
	}
	kgs[0].Drop = drop
	return kgs
}

// changedKG is the store of a country of nine KGs of which one has changed since, with what was merged before and what is merged now.
func changedKG(t *testing.T) (st *mem.Store, served Merging, now []manifest.Object, want manifest.Object) {
	t.Helper()
	st = mem.New()
	of := func() (list []manifest.Object, m manifest.Manifest) {
		live, err := ReadLive(t.Context(), st)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range live.Manifest.KGs {
			list = append(list, e.Forms.PMTiles)
		}
		return list, live.Manifest
	}
	mustBuild(t, sourcetest.Write(t, nine(0)...), st, Options{})
	list, m := of()
	served = Merging{Merged: m.Tiles, Of: list}
	mustBuild(t, sourcetest.Write(t, nine(1)...), st, Options{Accept: true})
	now, m = of()
	want, err := MergeTiles(t.Context(), st, "tiles", now, Merging{})
	if err != nil {
		t.Fatal(err)
	}
	if want != m.Tiles || want == served.Merged {
		t.Fatalf("published %+v, merged from nothing %+v, before %+v", m.Tiles, want, served.Merged)
	}
	return st, served, now, want
}

// Whatever of an earlier merging is there, damaged or gone, the tiles are those of a merging from nothing.
func TestAnEarlierMergingChangesNoByte(t *testing.T) {
	of, before, now, want := changedKG(t)
	for name, spoil := range map[string]func(st store.Store, m *Merging) error{
		"whole":         func(store.Store, *Merging) error { return nil },
		"nothing known": func(_ store.Store, m *Merging) error { m.Of = nil; return nil },
		"in another order": func(_ store.Store, m *Merging) error {
			m.Of[1], m.Of[2] = m.Of[2], m.Of[1]
			return nil
		},
		"the tiles are gone":           func(st store.Store, m *Merging) error { return st.Delete(t.Context(), m.Merged.Key) },
		"the changed KG's are gone":    func(st store.Store, m *Merging) error { return st.Delete(t.Context(), m.Of[0].Key) },
		"the tiles are no tiles":       func(st store.Store, m *Merging) error { return replace(t, st, m.Merged) },
		"the changed KG's are damaged": func(st store.Store, m *Merging) error { return replace(t, st, m.Of[0]) },
	} {
		st, served := of.Clone(), Merging{Merged: before.Merged, Of: slices.Clone(before.Of)}
		if err := spoil(st, &served); err != nil {
			t.Fatal(err)
		}
		if got, err := MergeTiles(t.Context(), st, "tiles", now, served); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
}

// Archives are read where they lie in a store of files and out of a copy of a far one: the tiles are the same, and one that has
// another length than the manifest says is named.
func TestTilesAreMergedInPlace(t *testing.T) {
	far, served, now, want := changedKG(t)
	near, err := dir.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for info, err := range far.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		body, _, err := store.ReadAll(t.Context(), far, info.Key, info.Size, store.GetOptions{})
		if err == nil && info.Key != want.Key {
			_, err = near.Put(t.Context(), info.Key, body, store.PutOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []Merging{{}, served} {
		got, err := MergeTiles(t.Context(), near, "tiles", now, m)
		if err != nil || got != want {
			t.Errorf("in place: %+v, %v; want %+v", got, err, want)
		}
	}
	body, _, err := store.ReadAll(t.Context(), near, want.Key, want.Bytes, store.GetOptions{})
	if err != nil || objects.Sum(body) != want.SHA256 {
		t.Errorf("what was written has not the sum %s, %v", want.SHA256, err)
	}
	longer := slices.Clone(now)
	longer[3].Bytes++
	for _, st := range []store.Store{near, far} {
		if _, err := MergeTiles(t.Context(), st, "tiles", longer, Merging{}); err == nil || !strings.Contains(err.Error(), longer[3].Key) {
			t.Errorf("%T: another length than the manifest says: %v", st, err)
		}
	}
}

// replace puts other bytes in the place of an object.
func replace(t *testing.T, st store.Store, o manifest.Object) error {
	_, err := st.Put(t.Context(), o.Key, bytes.Repeat([]byte("x"), int(o.Bytes)), store.PutOptions{})
	return err
}

// One KG of nine that has changed is new and gone, and all others are taken over; where three are gone hardly a tile would be.
func TestWhatIsTakenOverOfAnEarlierMerging(t *testing.T) {
	st, served, now, _ := changedKG(t)
	archives := make([]*pmt.Archive, len(now))
	for i := range archives {
		archives[i] = &pmt.Archive{}
	}
	e, err := served.open(t.Context(), st, now, archives)
	if err != nil || e == nil || len(e.New) != 1 || !e.New[archives[0]] || len(e.Gone) != 1 || e.Merged == nil {
		t.Errorf("one changed: %+v, %v", e, err)
	}
	if e, err = served.open(t.Context(), st, now[:6], archives[:6]); err != nil || e != nil {
		t.Errorf("three are gone: %+v, %v", e, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if e, err = served.open(stopped, st, now, archives); err == nil {
		t.Errorf("an interrupted run goes on: %+v", e)
	}
}

// Windows give what lies below them, wherever it is read.
func TestWindows(t *testing.T) {
	body := make([]byte, 3*windowBytes+12345)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range body {
		body[i] = byte(random.Uint32())
	}
	w := &windows{from: bytes.NewReader(body), size: int64(len(body))}
	for range 2000 {
		at := random.IntN(len(body))
		got := make([]byte, 1+random.IntN(3000))
		if random.IntN(50) == 0 {
			got = make([]byte, windowBytes+1)
		}
		want := body[at:min(at+len(got), len(body))]
		n, err := w.ReadAt(got, int64(at))
		if !bytes.Equal(got[:n], want) || (n < len(got)) != (err == io.EOF) {
			t.Fatalf("%d bytes at %d: %d, %v", len(got), at, n, err)
		}
	}
	if n, err := w.ReadAt(make([]byte, 1), int64(len(body))); n != 0 || err != io.EOF {
		t.Errorf("behind the end: %d, %v", n, err)
	}
}
