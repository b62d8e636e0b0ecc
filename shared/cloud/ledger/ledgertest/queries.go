package ledgertest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
)

// sorts in byte order: case, digits as text, an umlaut after ASCII, the surrogate range's neighbour
// U+FFFD before U+1F3D4 (which UTF-16 order would swap).
var sorts = []string{" ", "10", "9", "A", "B", "a", "a/", "aa", "ab", "b", "ä", "\ufffd", "🏔"}

func (b bench) fill(t *testing.T, partition string, sorts []string) {
	t.Helper()
	for i := range sorts {
		s := sorts[(i*7)%len(sorts)] // in no order
		b.put(t, ledger.Record{Key: ledger.Key{Partition: partition, Sort: s}, Value: []byte(partition + s)}, ledger.Any)
	}
}

// expectQuery compares the whole answer with the wanted sorts.
func (b bench) expectQuery(t *testing.T, q ledger.Query, want []string) {
	t.Helper()
	got, err := b.Query(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	var names []string
	for _, r := range got {
		names = append(names, r.Key.Sort)
		if r.Key.Partition != q.Partition || string(r.Value) != q.Partition+r.Key.Sort || r.Version < 1 || !r.Expires.IsZero() {
			t.Errorf("%+v: gave %+v", q, r)
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("%+v: want %q, got %q", q, want, names)
	}
}

func between(from, to string) []string {
	var out []string
	for _, s := range sorts {
		if s >= from && (to == "" || s < to) {
			out = append(out, s)
		}
	}
	return out
}

func queryRange(t *testing.T, b bench) {
	b.fill(t, "q", sorts)
	b.fill(t, "q2", []string{"a", "b"})
	b.fill(t, "Q", []string{"a"})
	for _, from := range append([]string{"", "0", "aaa", "zz"}, sorts...) {
		for _, to := range []string{"", "A", "a", "ab", "b", "z", "ä", "🏔", "🏔🏔"} {
			want := between(from, to)
			b.expectQuery(t, ledger.Query{Partition: "q", From: from, To: to, Limit: 100}, want)
			slices.Reverse(want)
			b.expectQuery(t, ledger.Query{Partition: "q", From: from, To: to, Limit: 100, Descending: true}, want)
		}
	}
	b.expectQuery(t, ledger.Query{Partition: "q3", Limit: 10}, nil)
}

func queryLimit(t *testing.T, b bench) {
	b.fill(t, "q", sorts)
	falling := slices.Clone(sorts)
	slices.Reverse(falling)
	for limit := 1; limit <= len(sorts)+1; limit++ {
		n := min(limit, len(sorts))
		b.expectQuery(t, ledger.Query{Partition: "q", Limit: limit}, sorts[:n])
		b.expectQuery(t, ledger.Query{Partition: "q", Limit: limit, Descending: true}, falling[:n])
	}
	b.expectQuery(t, ledger.Query{Partition: "q", From: "a", To: "b", Limit: 2}, []string{"a", "a/"})
	b.expectQuery(t, ledger.Query{Partition: "q", From: "a", To: "b", Limit: 2, Descending: true}, []string{"ab", "aa"})
	b.expectQuery(t, ledger.Query{Partition: "q", From: "a", To: "b", Limit: 4, Descending: true}, []string{"ab", "aa", "a/", "a"})
	b.expectQuery(t, ledger.Query{Partition: "q", Limit: ledger.MaxLimit}, sorts)
}

func queryGone(t *testing.T, b bench) {
	var stay []string
	for i := range 40 {
		s := fmt.Sprintf("%02d", i)
		r := ledger.Record{Key: ledger.Key{Partition: "q", Sort: s}, Value: []byte("q" + s)}
		switch i % 4 {
		case 1:
			r.Expires = b.clock.Now().Add(time.Minute)
		case 3:
			stay = append(stay, s)
		}
		version := b.put(t, r, ledger.Absent)
		if i%2 == 0 {
			if err := b.Delete(t.Context(), r.Key, version); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.clock.Advance(time.Minute)
	b.expectQuery(t, ledger.Query{Partition: "q", Limit: 100}, stay)
	b.expectQuery(t, ledger.Query{Partition: "q", Limit: 3}, stay[:3]) // the limit counts what is there
	last := slices.Clone(stay[len(stay)-3:])
	slices.Reverse(last)
	b.expectQuery(t, ledger.Query{Partition: "q", Limit: 3, Descending: true}, last)
}

func queryBounds(t *testing.T, b bench) {
	b.fill(t, "q", sorts)
	for _, bound := range []string{"a\xff", "\xff", "\x00", "\x80", "\xc3", "\xc3\xa4\x80", "\xed\xa0\x80", "\xed\x9f", "\xee", "\xef\xbf",
		"\xef\xbf\xbd\xff", "\xf0", "\xf0\x9f\x8f", "\xf4\x8f\xbf\xbf", "\xf5", "aa\x00", strings.Repeat("a", 2*ledger.MaxPart-1)} {
		b.expectQuery(t, ledger.Query{Partition: "q", To: bound, Limit: 100}, between("", bound))
		b.expectQuery(t, ledger.Query{Partition: "q", From: bound, Limit: 100}, between(bound, ""))
		b.expectQuery(t, ledger.Query{Partition: "q", From: bound, To: bound + "\xff", Limit: 100}, between(bound, bound+"\xff"))
	}
	b.expectQuery(t, ledger.Query{Partition: "q", From: "b", To: "a", Limit: 10}, nil)
	b.expectQuery(t, ledger.Query{Partition: "q", From: "a", To: "a", Limit: 10}, nil)
}

// queryLarge is more than any server gives in one answer.
func queryLarge(t *testing.T, b bench) {
	const records = 12
	for i := range records {
		r := ledger.Record{Key: key(fmt.Sprintf("%02d", i)), Value: bytes.Repeat([]byte{byte(i)}, ledger.MaxValue)}
		b.put(t, r, ledger.Absent)
	}
	got, err := b.Query(t.Context(), ledger.Query{Partition: "contract", Limit: records - 1})
	if err != nil || len(got) != records-1 {
		t.Fatalf("want %d records, got %d, %v", records-1, len(got), err)
	}
	for i, r := range got {
		same(t, ledger.Record{Key: key(fmt.Sprintf("%02d", i)), Value: bytes.Repeat([]byte{byte(i)}, ledger.MaxValue), Version: 1}, r)
	}
}

func queryRefused(t *testing.T, b bench) {
	for _, limit := range []int{-1, 0, ledger.MaxLimit + 1} {
		if got, err := b.Query(t.Context(), ledger.Query{Partition: "q", Limit: limit}); err == nil {
			t.Errorf("limit %d: want an error, got %d records", limit, len(got))
		}
	}
	long := strings.Repeat("a", 2*ledger.MaxPart+1)
	for _, q := range []ledger.Query{{From: long}, {To: long}} {
		q.Partition, q.Limit = "q", 1
		if _, err := b.Query(t.Context(), q); !errors.Is(err, ledger.ErrKey) {
			t.Errorf("a bound of %d bytes: want ErrKey, got %v", len(long), err)
		}
	}
}
