package archive

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/archive"
	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	standin "mappe/localdev/repository"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storetest"
)

// What was taken out of the store comes back from the repository, byte for byte, though the download breaks off; what is
// archived wrongly does not.
func TestRestore(t *testing.T) {
	r := newHarness(t)
	if err := r.put(t, r.store); err != nil {
		t.Fatal(err)
	}
	e := r.entry(t)
	had := map[string][]byte{}
	for _, o := range e.Forms.All() {
		b, _, err := store.ReadAll(t.Context(), r.store, o.Key, 1<<30, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		had[o.Key] = b
		if err := r.store.Delete(t.Context(), o.Key); err != nil {
			t.Fatal(err)
		}
	}
	broken := map[string]bool{}
	r.breaks(func(q *http.Request) standin.Fault {
		once := strings.HasPrefix(q.URL.Path, "/api/files/") && !broken[q.URL.Path]
		broken[q.URL.Path] = true
		return standin.Fault{Break: once}
	})
	n, err := r.archive(r.store).Restore(t.Context(), e)
	if err != nil || n != len(had) {
		t.Fatalf("%d restored, %v", n, err)
	}
	for key, want := range had {
		got, _, err := store.ReadAll(t.Context(), r.store, key, 1<<30, store.GetOptions{})
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v", key, err)
		}
	}
	if n, err := r.archive(r.store).Restore(t.Context(), e); n != 0 || err != nil {
		t.Errorf("a second time: %d, %v", n, err)
	}
	e.Forms.KGS.SHA256 = strings.Repeat("0", 64)
	if _, err := r.archive(r.store).Restore(t.Context(), e); !errors.Is(err, ErrNotArchived) {
		t.Errorf("another snapshot: %v", err)
	}
}

// Workers of many KGs write the one manifest.
func TestManyKGsShareTheManifest(t *testing.T) {
	r := newHarness(t)
	var wait []chan error
	for i := range 8 {
		j := archive.Journal{Format: 1, Code: austria.KGCode(fmt.Sprint(40001 + i)), Concept: "1",
			Records: []archive.Record{{ID: int64(i + 1), Date: "2026-10-01", Files: []archive.File{{Bytes: 10}}}}}
		done := make(chan error, 1)
		wait = append(wait, done)
		go func() { done <- r.archive(r.store).list(t.Context(), j) }()
	}
	for _, w := range wait {
		if err := <-w; err != nil {
			t.Fatal(err)
		}
	}
	b, _, err := store.ReadAll(t.Context(), r.store, keys.ArchiveManifest{}.String(), 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := archive.ParseManifest(b); err != nil || m.KGs != 8 || m.Bytes != 80 {
		t.Errorf("%+v, %v", m, err)
	}
}

// Eviction takes the longest unused first, only what is archived, and only as much as is needed; the index comes before
// the first deletion, so that a worker that dies leaves no object missing that the index does not name.
func TestEviction(t *testing.T) {
	r := newHarness(t)
	var served []manifest.Entry
	for i := range 4 {
		e := r.publishKG(t, austria.KGCode(fmt.Sprint(30001+i)), uint64(i), "2026-10-01")
		served = append(served, e)
		if i == 1 {
			continue // not archived
		}
		rec := archive.RecordOf(e)
		rec.ID = 1
		b, err := manifest.Encode(archive.Journal{Format: 1, Code: e.Code, Records: []archive.Record{rec}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.store.Put(t.Context(), keys.ArchiveJournal{Code: e.Code}.String(), b, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	used := func(code austria.KGCode) time.Time { // 30003 is the longest unused, then 30002, 30001
		return time.Unix(1_000_000+map[austria.KGCode]int64{"30001": 3, "30002": 2, "30003": 1, "30004": 4}[code], 0)
	}
	one := int64(0)
	for _, o := range served[0].Forms.Evictable() {
		one += o.Bytes
	}
	if done, err := (Eviction{Store: r.store, Budget: 5 * one, Used: used}).Run(t.Context(), served); err != nil || len(done.KGs) > 0 ||
		done.Left < 3*one {
		t.Errorf("within the budget: %+v, %v", done, err)
	}
	for n := int64(1); n <= 5; n++ { // dies at a write
		f := &storetest.Faulty{Store: r.store, FailAt: n, Stored: n%2 == 0, Dead: true}
		_, err := Eviction{Store: f, Budget: 2*one + one/2, Used: used}.Run(t.Context(), served)
		if err == nil && f.Writes() >= n {
			t.Errorf("write %d fails, and nobody says so", n)
		}
		index, _, _ := store.ReadAll(t.Context(), r.store, keys.Availability{}.String(), 1<<20, store.GetOptions{})
		for _, e := range served {
			for _, o := range e.Forms.Evictable() {
				if _, err := r.store.Head(t.Context(), o.Key); err != nil && !strings.Contains(string(index), e.Forms.KGS.SHA256) {
					t.Errorf("write %d: %s is gone, and the index does not say so", n, o.Key)
				}
			}
		}
	}
	done, err := Eviction{Store: r.store, Budget: 2*one + one/2, Used: used}.Run(t.Context(), served)
	if err != nil || done.Left > 2*one+one/2 {
		t.Errorf("%+v, %v", done, err)
	}
	for i, e := range served {
		_, err := r.store.Head(t.Context(), e.Forms.KGS.Key)
		if want := i == 0 || i == 2; errors.Is(err, store.ErrNotFound) != want {
			t.Errorf("KG %s: %v, want it evicted: %v", e.Code, err, want)
		}
	}
}
