package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"mappe/shared/cloud/store"
)

func ranges(t *testing.T, s store.Store) {
	body := "0123456789"
	mustPut(t, s, "k", []byte(body), store.PutOptions{})
	mustPut(t, s, "empty", nil, store.PutOptions{})
	for _, c := range []struct {
		name   string
		r      store.Range
		want   string
		offset int64
	}{
		{"from the start", store.Range{Offset: 0, Length: 3}, "012", 0},
		{"in the middle", store.Range{Offset: 4, Length: 2}, "45", 4},
		{"to the end", store.Range{Offset: 7}, "789", 7},
		{"all", store.Range{}, body, 0},
		{"past the end", store.Range{Offset: 8, Length: 50}, "89", 8},
		{"the last byte", store.Range{Offset: 9, Length: 1}, "9", 9},
		{"suffix", store.Range{Offset: -4}, "6789", 6},
		{"suffix with a length", store.Range{Offset: -4, Length: 2}, "67", 6},
		{"suffix longer than the object", store.Range{Offset: -99}, body, 0},
	} {
		object, err := s.Get(t.Context(), "k", store.GetOptions{Range: &c.r})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, _ := readAll(object)
		if got != c.want || object.Offset != c.offset || object.Length != int64(len(c.want)) || object.Size != 10 {
			t.Errorf("%s: want %q at %d of 10, got %q at %d, length %d of %d", c.name, c.want, c.offset, got, object.Offset, object.Length,
				object.Size)
		}
	}
	for _, c := range []struct {
		name, key string
		r         store.Range
	}{
		{"at the end", "k", store.Range{Offset: 10}},
		{"behind the end", "k", store.Range{Offset: 11, Length: 5}},
		{"negative length", "k", store.Range{Length: -1}},
		{"of an empty object", "empty", store.Range{Length: 1}},
	} {
		if _, err := s.Get(t.Context(), c.key, store.GetOptions{Range: &c.r}); !errors.Is(err, store.ErrRange) {
			t.Errorf("%s: want ErrRange, got %v", c.name, err)
		}
	}
	if _, err := s.Get(t.Context(), "none", store.GetOptions{Range: &store.Range{Offset: 1}}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a range of a missing object: want ErrNotFound, got %v", err)
	}
}

func conditionalRead(t *testing.T, s store.Store) {
	first := mustPut(t, s, "k", []byte("first"), store.PutOptions{})
	if _, err := s.Get(t.Context(), "k", store.GetOptions{IfNoneMatch: first.ETag}); !errors.Is(err, store.ErrNotModified) {
		t.Errorf("the same version: want ErrNotModified, got %v", err)
	}
	mustPut(t, s, "k", []byte("second"), store.PutOptions{})
	if got, _ := mustGet(t, s, "k", store.GetOptions{IfNoneMatch: first.ETag}); string(got) != "second" {
		t.Errorf("another version: want it, got %q", got)
	}
}

func conditionalWrite(t *testing.T, s store.Store) {
	ctx := t.Context()
	first, err := s.Put(ctx, "k", []byte("first"), store.PutOptions{IfMatch: store.Absent})
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(name, key string, opt store.PutOptions) {
		t.Helper()
		if _, err := s.Put(ctx, key, []byte("refused"), opt); !errors.Is(err, store.ErrPrecondition) {
			t.Errorf("%s: want ErrPrecondition, got %v", name, err)
		}
	}
	refuse("creating what exists", "k", store.PutOptions{IfMatch: store.Absent})
	refuse("replacing what is missing", "none", store.PutOptions{IfMatch: first.ETag})
	second, err := s.Put(ctx, "k", []byte("second"), store.PutOptions{IfMatch: first.ETag})
	if err != nil {
		t.Fatal(err)
	}
	refuse("replacing an old version", "k", store.PutOptions{IfMatch: first.ETag})
	if got, info := mustGet(t, s, "k", store.GetOptions{}); string(got) != "second" || info.ETag != second.ETag {
		t.Errorf("want second under %s, got %q under %s", second.ETag, got, info.ETag)
	}
	if _, err := s.Head(ctx, "none"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a refused write left an object: %v", err)
	}
}

func immutable(t *testing.T, s store.Store) {
	opt := store.PutOptions{Immutable: true}
	first := mustPut(t, s, "k", []byte("bytes"), opt)
	again := mustPut(t, s, "k", []byte("bytes"), opt)
	if first.ETag != again.ETag {
		t.Errorf("equal bytes: want %s, got %s", first.ETag, again.ETag)
	}
	for _, other := range []string{"Bytes", "bytes and more", ""} {
		if _, err := s.Put(t.Context(), "k", []byte(other), opt); !errors.Is(err, store.ErrPrecondition) {
			t.Errorf("other bytes %q: want ErrPrecondition, got %v", other, err)
		}
	}
	if got, _ := mustGet(t, s, "k", store.GetOptions{}); string(got) != "bytes" {
		t.Errorf("want the first bytes, got %q", got)
	}
	mustPut(t, s, "plain", []byte("bytes"), store.PutOptions{})
	mustPut(t, s, "plain", []byte("bytes"), opt)
}

func race(t *testing.T, s store.Store) {
	for round := range 3 {
		key := fmt.Sprintf("pointer%d", round)
		base := mustPut(t, s, key, []byte("base"), store.PutOptions{})
		oneWinner(t, s, key, store.PutOptions{IfMatch: base.ETag})
	}
}

func raceAbsent(t *testing.T, s store.Store) {
	for round := range 3 {
		oneWinner(t, s, fmt.Sprintf("new/pointer%d", round), store.PutOptions{IfMatch: store.Absent})
		oneWinner(t, s, fmt.Sprintf("immutable/object%d", round), store.PutOptions{Immutable: true})
	}
}

func oneWinner(t *testing.T, s store.Store, key string, opt store.PutOptions) {
	t.Helper()
	const writers = 8
	var results [writers]error
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range writers {
		group.Go(func() {
			<-start
			_, results[i] = s.Put(t.Context(), key, fmt.Appendf(nil, "writer %d", i), opt)
		})
	}
	close(start)
	group.Wait()
	var winners []int
	for i, err := range results {
		switch {
		case err == nil:
			winners = append(winners, i)
		case !errors.Is(err, store.ErrPrecondition):
			t.Errorf("%s: a loser gets ErrPrecondition, got %v", key, err)
		}
	}
	if len(winners) != 1 {
		t.Fatalf("%s: want one winner, got %v", key, winners)
	}
	want := fmt.Sprintf("writer %d", winners[0])
	if got, _ := mustGet(t, s, key, store.GetOptions{}); string(got) != want {
		t.Errorf("%s: want the winner's bytes %q, got %q", key, want, got)
	}
}

func keys(t *testing.T, s store.Store) {
	bad := []string{
		"", "/", "/a", "a/", "a//b", "..", "../a", "a/../b", "a/..", ".", "./a", ".store/x", "a/.hidden",
		`a\b`, "a\x00b", "a\nb", "a\x7f", "a\xff", strings.Repeat("a/", 450) + "a", strings.Repeat("a", 256),
	}
	for _, key := range bad {
		ctx := t.Context()
		_, put := s.Put(ctx, key, []byte("x"), store.PutOptions{})
		_, get := s.Get(ctx, key, store.GetOptions{})
		_, head := s.Head(ctx, key)
		for name, err := range map[string]error{"Put": put, "Get": get, "Head": head, "Delete": s.Delete(ctx, key)} {
			if !errors.Is(err, store.ErrKey) {
				t.Errorf("%s %q: want ErrKey, got %v", name, key, err)
			}
		}
	}
	for _, prefix := range []string{"/", "../", "a//", ".store/", "a\x00"} {
		for _, err := range s.List(t.Context(), prefix) {
			if !errors.Is(err, store.ErrKey) {
				t.Errorf("List %q: want ErrKey, got %v", prefix, err)
			}
		}
	}
	for _, key := range []string{"a", "a b", "ä/ö", "a+b&c=d", "a%2Fb", "a..b", "..a/x"[2:], "a/" + strings.Repeat("n", 200), "_", "~x",
		"a:b@c"} {
		mustPut(t, s, key, []byte(key), store.PutOptions{})
		if got, _ := mustGet(t, s, key, store.GetOptions{}); string(got) != key {
			t.Errorf("key %q: want it to hold its name, got %q", key, got)
		}
		if err := s.Delete(t.Context(), key); err != nil {
			t.Errorf("Delete %q: %v", key, err)
		}
	}
}

func cancelled(t *testing.T, s store.Store) {
	mustPut(t, s, "k", []byte("x"), store.PutOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, put := s.Put(ctx, "k", []byte("y"), store.PutOptions{})
	_, get := s.Get(ctx, "k", store.GetOptions{})
	_, head := s.Head(ctx, "k")
	var list error
	for _, err := range s.List(ctx, "") {
		list = err
	}
	for name, err := range map[string]error{"Put": put, "Get": get, "Head": head, "List": list, "Delete": s.Delete(ctx, "k")} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: want context.Canceled, got %v", name, err)
		}
	}
	if got, _ := mustGet(t, s, "k", store.GetOptions{}); string(got) != "x" {
		t.Errorf("a cancelled write went through: %q", got)
	}
}

func readAll(o *store.Object) (string, error) {
	defer o.Body.Close()
	b, err := io.ReadAll(o.Body)
	return string(b), err
}
