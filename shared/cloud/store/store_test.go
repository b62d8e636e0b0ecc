package store_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

func TestRangeResolve(t *testing.T) {
	const max = 1<<63 - 1
	for _, c := range []struct {
		name           string
		r              *store.Range
		size           int64
		offset, length int64
		bad            bool
	}{
		{name: "no range", size: 10, length: 10},
		{name: "no range of nothing"},
		{name: "a part", r: &store.Range{Offset: 2, Length: 3}, size: 10, offset: 2, length: 3},
		{name: "cut at the end", r: &store.Range{Offset: 2, Length: max}, size: 10, offset: 2, length: 8},
		{name: "a suffix", r: &store.Range{Offset: -3}, size: 10, offset: 7, length: 3},
		{name: "the longest suffix", r: &store.Range{Offset: -max - 1}, size: 10, length: 10},
		{name: "behind the end", r: &store.Range{Offset: 10}, size: 10, bad: true},
		{name: "of nothing", r: &store.Range{Offset: -1}, bad: true},
		{name: "negative length", r: &store.Range{Length: -1}, size: 10, bad: true},
	} {
		offset, length, err := c.r.Resolve(c.size)
		if offset != c.offset || length != c.length || errors.Is(err, store.ErrRange) != c.bad {
			t.Errorf("%s: want %d, %d, error %v, got %d, %d, %v", c.name, c.offset, c.length, c.bad, offset, length, err)
		}
	}
}

func TestDerivedHeaders(t *testing.T) {
	for key, want := range map[string]store.Headers{
		"current.json": {ContentType: "application/json", CacheControl: store.CacheRevalidate},
		"kg/1/00001-2026-10-01-0123456789ab.gpkg":    {ContentType: "application/geopackage+sqlite3", CacheControl: store.CacheImmutable},
		"kg/1/00001-2026-10-01-a12345678901.pmtiles": {ContentType: "application/vnd.pmtiles", CacheControl: store.CacheImmutable},
		"x/0123456789abcdef.geojson.gz": {ContentType: "application/geo+json", ContentEncoding: "gzip",
			CacheControl: store.CacheImmutable},
		"x/1764547200000.json": {ContentType: "application/json", CacheControl: store.CacheRevalidate},
		"x/0123456789AB.json":  {ContentType: "application/json", CacheControl: store.CacheRevalidate},
		"0123456789ab/x":       {ContentType: "application/octet-stream", CacheControl: store.CacheRevalidate},
		"x/tile.zst": {ContentType: "application/octet-stream", ContentEncoding: "zstd",
			CacheControl: store.CacheRevalidate},
	} {
		if got := store.Derived(key); got != want {
			t.Errorf("%s: want %+v, got %+v", key, want, got)
		}
	}
}

func FuzzCheckKey(f *testing.F) {
	for _, seed := range []string{"a/b", "", "..", "a//b", "a\\b", "\xff", "kg/00001/00001-2026-10-01-abc.kgs"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if store.CheckKey(key) == nil && (store.CheckPrefix(key) != nil && len(key) < 200) {
			t.Errorf("%q is a key and no prefix", key)
		}
	})
}

// cut is a store whose bodies end early for the first reads.
type cut struct {
	store.Store
	left int
}

func (c *cut) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	o, err := c.Store.Get(ctx, key, opt)
	if err == nil && c.left > 0 {
		c.left--
		o.Body = io.NopCloser(io.LimitReader(o.Body, o.Length/2))
	}
	return o, err
}

// A body that breaks off is read again, a few times; an object that is too large is not.
func TestReadAllReadsABrokenBodyAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := mem.New()
		if _, err := s.Put(t.Context(), "k", []byte("0123456789"), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		for broken, good := range map[int]bool{0: true, 1: true, 3: true, 4: false} {
			got, _, err := store.ReadAll(t.Context(), &cut{s, broken}, "k", 10, store.GetOptions{})
			if good != (err == nil) || good && string(got) != "0123456789" || !good && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%d broken reads: %q, %v", broken, got, err)
			}
		}
		c := &cut{s, 0}
		if _, _, err := store.ReadAll(t.Context(), c, "k", 9, store.GetOptions{}); !errors.Is(err, store.ErrTooLarge) {
			t.Errorf("want ErrTooLarge, got %v", err)
		}
	})
}
