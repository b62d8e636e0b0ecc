package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"mappe/shared/cloud/store"
)

// parted are the contract's objects of several parts, for a store that sends at most part bytes in a request.
type parted struct{ part int64 }

// size is that of two parts and a last one of its own size.
func (p parted) size() int64 { return 2*p.part + p.part/16 + 17 }

// pattern is a reader of bytes that follow from their place, seed apart. They are copied from noise, again and again: made
// one by one they take the race detector seconds an object. The noise's length is a prime, so that no part of a power of
// two holds what stands in another.
type pattern struct{ seed int64 }

var noise = sync.OnceValue(func() []byte {
	b := make([]byte, 65537)
	rand.NewChaCha8([32]byte{}).Read(b)
	return b
})

// ReadAt implements io.ReaderAt.
func (p pattern) ReadAt(b []byte, at int64) (int, error) {
	from := noise()
	for n := 0; n < len(b); {
		n += copy(b[n:], from[(at+int64(n)+p.seed*7919)%int64(len(from)):])
	}
	return len(b), nil
}

// sized is a pattern of some bytes.
type sized struct {
	pattern
	size int64
}

func mustPutFrom(t *testing.T, s store.Store, key string, body sized, opt store.PutOptions) store.Info {
	t.Helper()
	info, err := s.PutFrom(t.Context(), key, body, body.size, opt)
	if err != nil {
		t.Fatalf("PutFrom %s: %v", key, err)
	}
	return info
}

// holds compares an object with its pattern.
func holds(t *testing.T, s store.Store, key string, seed, size int64) store.Info {
	t.Helper()
	got, info := mustGet(t, s, key, store.GetOptions{})
	want := make([]byte, size)
	pattern{seed}.ReadAt(want, 0)
	if !bytes.Equal(got, want) {
		t.Errorf("%s: want %d bytes back unchanged, got %d", key, size, len(got))
	}
	return info
}

func (p parted) whole(t *testing.T, s store.Store) {
	partsSize := p.size()
	given := store.Headers{ContentType: "application/vnd.pmtiles", CacheControl: "public, max-age=7"}
	for _, size := range []int64{0, 1, p.part, partsSize} {
		key := fmt.Sprintf("parts/%d", size)
		put := mustPutFrom(t, s, key, sized{pattern{1}, size}, store.PutOptions{Headers: given})
		got := holds(t, s, key, 1, size)
		if put.ETag != got.ETag || put.Size != size || got.Size != size || got.Headers != given || put.Headers != given ||
			put.Modified.IsZero() {
			t.Errorf("%s: put says %+v, get %+v", key, put, got)
		}
		if len(got.ETag) < 10 || got.ETag[0] != '"' {
			t.Errorf("%s: want a strong quoted ETag, got %s", key, got.ETag)
		}
		if head, err := s.Head(t.Context(), key); err != nil || head.ETag != put.ETag {
			t.Errorf("%s: Head says %s, %v, want %s", key, head.ETag, err, put.ETag)
		}
	}
	at := partsSize - 1000
	part, _ := mustGet(t, s, fmt.Sprintf("parts/%d", partsSize), store.GetOptions{Range: &store.Range{Offset: at, Length: 500}})
	want := make([]byte, 500)
	pattern{1}.ReadAt(want, at)
	if !bytes.Equal(part, want) {
		t.Error("a range near the end differs")
	}
	first, _ := s.Head(t.Context(), fmt.Sprintf("parts/%d", partsSize))
	if second := mustPutFrom(t, s, fmt.Sprintf("parts/%d", partsSize), sized{pattern{2}, partsSize},
		store.PutOptions{}); second.ETag == first.ETag {
		t.Errorf("two contents have one ETag: %s", first.ETag)
	}
	holds(t, s, fmt.Sprintf("parts/%d", partsSize), 2, partsSize)
}

func (p parted) conditions(t *testing.T, s store.Store) {
	partsSize := p.size()
	ctx, once := t.Context(), store.PutOptions{Immutable: true}
	first := mustPutFrom(t, s, "k", sized{pattern{1}, partsSize}, once)
	if again := mustPutFrom(t, s, "k", sized{pattern{1}, partsSize}, once); again.ETag != first.ETag {
		t.Errorf("equal bytes: want %s, got %s", first.ETag, again.ETag)
	}
	refuse := func(name, key string, seed, size int64, opt store.PutOptions) {
		t.Helper()
		if _, err := s.PutFrom(ctx, key, pattern{seed}, size, opt); !errors.Is(err, store.ErrPrecondition) {
			t.Errorf("%s: want ErrPrecondition, got %v", name, err)
		}
	}
	refuse("other bytes", "k", 2, partsSize, once)
	refuse("fewer bytes", "k", 1, partsSize-1, once)
	refuse("creating what exists", "k", 2, partsSize, store.PutOptions{IfMatch: store.Absent})
	refuse("replacing what is missing", "none", 2, partsSize, store.PutOptions{IfMatch: first.ETag})
	second := mustPutFrom(t, s, "k", sized{pattern{2}, partsSize}, store.PutOptions{IfMatch: first.ETag})
	refuse("replacing an old version", "k", 3, partsSize, store.PutOptions{IfMatch: first.ETag})
	if info := holds(t, s, "k", 2, partsSize); info.ETag != second.ETag {
		t.Errorf("want %s, got %s", second.ETag, info.ETag)
	}
	if _, err := s.Head(ctx, "none"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a refused write left an object: %v", err)
	}
	// The two ways of writing know each other's bytes.
	body := make([]byte, partsSize)
	pattern{2}.ReadAt(body, 0)
	mustPut(t, s, "k", body, once)
	mustPut(t, s, "whole", body, once)
	mustPutFrom(t, s, "whole", sized{pattern{2}, partsSize}, once)
	for _, bad := range []string{"", "../a", "a//b"} {
		if _, err := s.PutFrom(ctx, bad, pattern{}, 1, once); !errors.Is(err, store.ErrKey) {
			t.Errorf("key %q: want ErrKey, got %v", bad, err)
		}
	}
	if _, err := s.PutFrom(ctx, "negative", pattern{}, -1, once); err == nil {
		t.Error("a size of -1 was accepted")
	}
}

func (p parted) race(t *testing.T, s store.Store) {
	size := p.part + p.part/16 // two parts
	const writers = 8
	var results [writers]error
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			_, results[i] = s.PutFrom(t.Context(), "k", pattern{int64(i)}, size, store.PutOptions{IfMatch: store.Absent})
		})
	}
	group.Wait()
	winner := -1
	for i, err := range results {
		if err == nil && winner >= 0 {
			t.Errorf("writers %d and %d both created", winner, i)
		} else if err == nil {
			winner = i
		} else if !errors.Is(err, store.ErrPrecondition) {
			t.Errorf("a loser gets ErrPrecondition, got %v", err)
		}
	}
	if winner < 0 {
		t.Fatal("nobody created")
	}
	holds(t, s, "k", int64(winner), size)
}

var errReader = errors.New("storetest: the reader failed on purpose")

// broken fails for good at an offset, or calls stop there and goes on.
type broken struct {
	pattern
	at    int64
	short bool
	stop  func()
	reads *atomic.Int64
}

func (b broken) ReadAt(p []byte, at int64) (int, error) {
	b.reads.Add(int64(len(p)))
	if at+int64(len(p)) <= b.at {
		return b.pattern.ReadAt(p, at)
	}
	switch {
	case b.stop != nil:
		b.stop()
		return b.pattern.ReadAt(p, at)
	case b.short:
		n := max(b.at-at, 0)
		b.pattern.ReadAt(p[:n], at)
		return int(n), io.EOF
	}
	return 0, errReader
}

// stopped: a failing reader, a short one, a cancelled context, each in the middle of the object; and
// one whose bytes change between two readings.
func (p parted) stopped(t *testing.T, s store.Store) {
	partsSize := p.size()
	var reads atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	middle := p.part + p.part/4
	for name, c := range map[string]struct {
		ctx  context.Context
		r    io.ReaderAt
		want error
	}{
		"a failing reader":  {t.Context(), broken{at: middle, reads: &reads}, errReader},
		"a short reader":    {t.Context(), broken{at: middle, short: true, reads: &reads}, io.ErrUnexpectedEOF},
		"a stopped context": {ctx, broken{at: middle, stop: cancel, reads: &reads}, context.Canceled},
	} {
		if _, err := s.PutFrom(c.ctx, "new/object", c.r, partsSize, store.PutOptions{Immutable: true}); !errors.Is(err, c.want) {
			t.Errorf("%s: want %v, got %v", name, c.want, err)
		}
	}
	for info, err := range s.List(t.Context(), "") {
		t.Errorf("left behind: %s, %v", info.Key, err)
	}
	if _, err := s.Head(t.Context(), "new/object"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("want ErrNotFound, got %v", err)
	}
	mustPutFrom(t, s, "new/object", sized{pattern{1}, partsSize}, store.PutOptions{Immutable: true})
	runtime.KeepAlive(&reads)
}
