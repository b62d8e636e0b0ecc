// Package storetest is the one contract suite of store.Store, and the wrappers that tests put around a
// store: Faulty breaks writes, Counting counts reads.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"mappe/shared/cloud/store"
)

// Run holds a store that knows no parts to the contract. fresh gives an empty store for each test.
func Run(t *testing.T, fresh func(t *testing.T) store.Store) { RunInParts(t, 1<<20, fresh) }

// RunInParts holds a store that sends at most part bytes in a request to the contract: its largest objects are of three
// parts. The race detector looks at every byte that is copied: no object is larger than the store's parts ask for.
func RunInParts(t *testing.T, part int64, fresh func(t *testing.T) store.Store) {
	p := parted{part}
	tests := []struct {
		name string
		run  func(t *testing.T, s store.Store)
	}{
		{"what is put can be read and described", putGetHead},
		{"what is wanted plain has the bytes, size and time", plain},
		{"a missing object is ErrNotFound", missing},
		{"an empty object is an object", empty},
		{"headers are kept", headersKept},
		{"a plain put replaces", replace},
		{"listing is by prefix and in key order", list},
		{"deleting is repeatable", deleteTwice},
		{"ranges", ranges},
		{"conditional reads", conditionalRead},
		{"conditional writes", conditionalWrite},
		{"immutable keys refuse other bytes", immutable},
		{"of eight writers one swaps", race},
		{"of eight writers one creates", raceAbsent},
		{"keys outside the grammar are ErrKey", keys},
		{"a cancelled context stops everything", cancelled},
		{"a large object comes back whole", large},
		{"an open read keeps its version", openRead},
		{"an object of many parts comes back whole", p.whole},
		{"objects of many parts keep the conditions", p.conditions},
		{"of eight writers of many parts one creates", p.race},
		{"a writer of many parts that is stopped leaves nothing", p.stopped},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) { c.run(t, fresh(t)) })
	}
}

func putGetHead(t *testing.T, s store.Store) {
	const key = "kg/00001/00001-2026-10-01-abc.kgs"
	body := []byte("one object")
	put := mustPut(t, s, key, body, store.PutOptions{})
	got, info := mustGet(t, s, key, store.GetOptions{})
	if want := body; !bytes.Equal(got, want) {
		t.Errorf("want body %q, got %q", want, got)
	}
	head, err := s.Head(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	for name, i := range map[string]store.Info{"Put": put, "Get": info, "Head": head} {
		if i.Key != key || i.Size != int64(len(body)) {
			t.Errorf("%s: want key %s and %d bytes, got %s and %d", name, key, len(body), i.Key, i.Size)
		}
		if i.ETag != put.ETag || len(i.ETag) < 10 || i.ETag[0] != '"' || i.ETag[len(i.ETag)-1] != '"' {
			t.Errorf("%s: want one strong quoted ETag everywhere, got %s and %s", name, put.ETag, i.ETag)
		}
		if i.Modified.IsZero() {
			t.Errorf("%s: Modified is zero", name)
		}
	}
	other := mustPut(t, s, "other", []byte("other bytes"), store.PutOptions{})
	if other.ETag == put.ETag {
		t.Errorf("two contents have one ETag: %s", put.ETag)
	}
}

func plain(t *testing.T, s store.Store) {
	const key = "kg/1.kgs"
	put := mustPut(t, s, key, []byte("one object"), store.PutOptions{})
	got, info := mustGet(t, s, key, store.GetOptions{Plain: true, Range: &store.Range{Offset: 4, Length: 3}})
	stat, err := store.Stat(t.Context(), s, key)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != "obj" {
		t.Errorf("want obj, got %q", got)
	}
	head, err := s.Head(t.Context(), key)
	for name, i := range map[string]store.Info{"Get": info, "Stat": stat} {
		if i.Key != key || i.Size != 10 || err != nil || !i.Modified.Equal(head.Modified) {
			t.Errorf("%s: want key %s, 10 bytes and time %s, got %+v, %v", name, key, head.Modified, i, err)
		}
	}
	if _, err := s.Get(t.Context(), key, store.GetOptions{Plain: true, IfNoneMatch: put.ETag}); !errors.Is(err, store.ErrNotModified) {
		t.Errorf("the same version: want ErrNotModified, got %v", err)
	}
	if _, err := s.Get(t.Context(), key, store.GetOptions{Plain: true, Range: &store.Range{Offset: 10}}); !errors.Is(err, store.ErrRange) {
		t.Errorf("behind the end: want ErrRange, got %v", err)
	}
	for _, none := range []string{"kg", "kg/1.kgs/x", "none"} {
		_, err := s.Get(t.Context(), none, store.GetOptions{Plain: true})
		_, err2 := store.Stat(t.Context(), s, none)
		if !errors.Is(err, store.ErrNotFound) || !errors.Is(err2, store.ErrNotFound) {
			t.Errorf("%s: want ErrNotFound, got %v and %v", none, err, err2)
		}
	}
}

func missing(t *testing.T, s store.Store) {
	mustPut(t, s, "a/b", []byte("x"), store.PutOptions{})
	for _, key := range []string{"none", "a", "a/c", "a/b2", "none/none"} {
		if _, err := s.Get(t.Context(), key, store.GetOptions{}); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Get %s: want ErrNotFound, got %v", key, err)
		}
		if _, err := s.Head(t.Context(), key); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Head %s: want ErrNotFound, got %v", key, err)
		}
	}
}

func empty(t *testing.T, s store.Store) {
	mustPut(t, s, "empty", nil, store.PutOptions{})
	got, info := mustGet(t, s, "empty", store.GetOptions{})
	if len(got) != 0 || info.Size != 0 {
		t.Errorf("want no bytes, got %d, size %d", len(got), info.Size)
	}
}

func headersKept(t *testing.T, s store.Store) {
	given := store.Headers{ContentType: "application/geo+json", ContentEncoding: "gzip", CacheControl: "public, max-age=7"}
	odd := store.Headers{ContentType: "text/x-odd"}
	for _, c := range []struct {
		key       string
		put, want store.Headers
	}{
		{"given", given, given},
		{"current.json", odd, odd},
		{"derived/a.geojson.gz", store.Headers{}, store.Headers{ContentType: "application/geo+json", ContentEncoding: "gzip",
			CacheControl: store.CacheRevalidate}},
		{"derived/00001-2026-10-01-0123456789ab.kgs", store.Headers{}, store.Headers{ContentType: "application/vnd.mappe.kgs",
			CacheControl: store.CacheImmutable}},
	} {
		mustPut(t, s, c.key, []byte("{}"), store.PutOptions{Headers: c.put})
		if head, err := s.Head(t.Context(), c.key); err != nil || head.Headers != c.want {
			t.Errorf("Head %s: want %+v, got %+v, %v", c.key, c.want, head.Headers, err)
		}
		if _, info := mustGet(t, s, c.key, store.GetOptions{}); info.Headers != c.want {
			t.Errorf("Get %s: want %+v, got %+v", c.key, c.want, info.Headers)
		}
	}
	mustPut(t, s, "given", []byte("{} "), store.PutOptions{Headers: odd})
	if _, info := mustGet(t, s, "given", store.GetOptions{}); info.Headers != odd {
		t.Errorf("after replacing: want %+v, got %+v", odd, info.Headers)
	}
	mustPut(t, s, "given", []byte("{}"), store.PutOptions{})
	if _, info := mustGet(t, s, "given", store.GetOptions{}); info.Headers != store.Derived("given") {
		t.Errorf("after replacing without headers: want %+v, got %+v", store.Derived("given"), info.Headers)
	}
}

func replace(t *testing.T, s store.Store) {
	first := mustPut(t, s, "k", []byte("first"), store.PutOptions{})
	second := mustPut(t, s, "k", []byte("2"), store.PutOptions{})
	got, info := mustGet(t, s, "k", store.GetOptions{})
	if string(got) != "2" || info.Size != 1 || first.ETag == second.ETag {
		t.Errorf("want the second body of 1 byte under another ETag, got %q, %d bytes", got, info.Size)
	}
}

func list(t *testing.T, s store.Store) {
	all := []string{"a-b", "a.b", "a/b", "a/b-c/d", "a/c", "a0", "b/a/a", "b/a/b", "c"}
	for i := range all {
		mustPut(t, s, all[(i*5)%len(all)], []byte("xy"), store.PutOptions{Headers: store.Headers{ContentType: "text/x-odd"}})
	}
	for _, c := range []struct {
		prefix string
		want   []string
	}{
		{"", all},
		{"a", all[:6]},
		{"a/", []string{"a/b", "a/b-c/d", "a/c"}},
		{"a/b", []string{"a/b", "a/b-c/d"}},
		{"a/b-", []string{"a/b-c/d"}},
		{"b/a/", []string{"b/a/a", "b/a/b"}},
		{"b/a/a", []string{"b/a/a"}},
		{"c", []string{"c"}},
		{"c/", nil},
		{"d", nil},
	} {
		var got []string
		for info, err := range s.List(t.Context(), c.prefix) {
			if err != nil {
				t.Fatalf("List %q: %v", c.prefix, err)
			}
			if info.Size != 2 || info.Modified.IsZero() {
				t.Errorf("List %q: %s: want 2 bytes and a time, got %d, %v", c.prefix, info.Key, info.Size, info.Modified)
			}
			got = append(got, info.Key)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("List %q: want %v, got %v", c.prefix, c.want, got)
		}
	}
	for range s.List(t.Context(), "") {
		break // stopping early is allowed
	}
}

func deleteTwice(t *testing.T, s store.Store) {
	odd := store.Headers{ContentType: "text/x-odd"}
	mustPut(t, s, "a/b/c", []byte("x"), store.PutOptions{Headers: odd})
	mustPut(t, s, "a/d", []byte("x"), store.PutOptions{})
	for range 2 {
		if err := s.Delete(t.Context(), "a/b/c"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Delete(t.Context(), "never/there"); err != nil {
		t.Errorf("deleting a missing object: want no error, got %v", err)
	}
	if _, err := s.Head(t.Context(), "a/b/c"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("want ErrNotFound, got %v", err)
	}
	mustGet(t, s, "a/d", store.GetOptions{})
	mustPut(t, s, "a/b/c", []byte("x"), store.PutOptions{Immutable: true})
	if _, info := mustGet(t, s, "a/b/c", store.GetOptions{}); info.Headers == odd {
		t.Errorf("the deleted object's headers came back: %+v", info.Headers)
	}
}

func large(t *testing.T, s store.Store) {
	body := make([]byte, 9<<20+17)
	pattern{1}.ReadAt(body, 0)
	mustPut(t, s, "large", body, store.PutOptions{Immutable: true})
	got, _ := mustGet(t, s, "large", store.GetOptions{})
	if !bytes.Equal(got, body) {
		t.Errorf("want %d bytes back unchanged, got %d", len(body), len(got))
	}
	at := int64(len(body) - 1000)
	part, _ := mustGet(t, s, "large", store.GetOptions{Range: &store.Range{Offset: at, Length: 500}})
	if !bytes.Equal(part, body[at:at+500]) {
		t.Error("a range near the end differs")
	}
	mustPut(t, s, "large", body, store.PutOptions{Immutable: true})
}

func openRead(t *testing.T, s store.Store) {
	body := bytes.Repeat([]byte("first "), 100_000)
	mustPut(t, s, "k", body, store.PutOptions{})
	object, err := s.Get(t.Context(), "k", store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer object.Body.Close()
	mustPut(t, s, "k", bytes.Repeat([]byte("other "), 100_000), store.PutOptions{})
	got, err := io.ReadAll(object.Body)
	if err == nil && !bytes.Equal(got, body) {
		t.Errorf("want the version that was opened, got a mixture of %d bytes", len(got))
	}
}

func mustPut(t *testing.T, s store.Store, key string, body []byte, opt store.PutOptions) store.Info {
	t.Helper()
	info, err := s.Put(t.Context(), key, body, opt)
	if err != nil {
		t.Fatalf("Put %s: %v", key, err)
	}
	return info
}

func mustGet(t *testing.T, s store.Store, key string, opt store.GetOptions) ([]byte, store.Info) {
	t.Helper()
	body, info, err := store.ReadAll(context.WithoutCancel(t.Context()), s, key, 1<<30, opt)
	if err != nil {
		t.Fatalf("Get %s: %v", key, err)
	}
	return body, info
}
