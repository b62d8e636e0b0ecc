package ledgertest

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
)

func putGet(t *testing.T, b bench) {
	r := ledger.Record{Key: key("a"), Value: []byte(`{"credits":3}`), Version: 99}
	if got := b.put(t, r, ledger.Absent); got != 1 {
		t.Errorf("want version 1 of a new record, got %d", got)
	}
	r.Version = 1
	got := b.expect(t, r)
	got.Value[0] = 'X' // the caller's copy
	b.expect(t, r)
}

func missing(t *testing.T, b bench) {
	b.put(t, ledger.Record{Key: key("a")}, ledger.Absent)
	for _, k := range []ledger.Key{key("b"), key("A"), key("aa"), {Partition: "contract2", Sort: "a"}, {Partition: "a", Sort: "contract"}} {
		b.expectMissing(t, k)
	}
}

func values(t *testing.T, b bench) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	for name, value := range map[string][]byte{"nil": nil, "empty": {}, "zero": {0}, "every": every, "invalid": []byte("\xff\xfe'\";--"),
		"text": []byte("Grundstücksverzeichnis 🏔")} {
		b.put(t, ledger.Record{Key: key(name), Value: value}, ledger.Absent)
		b.expect(t, ledger.Record{Key: key(name), Value: value, Version: 1})
	}
}

func keysOfText(t *testing.T, b bench) {
	texts := []string{"a/b", "01004#.12/3", "%41", "'; DROP TABLE records; --", "ä", "a\u0308", "🏔", " ", "a b", "?x=1&y=2",
		strings.Repeat("s", ledger.MaxPart)}
	for _, text := range texts {
		b.put(t, ledger.Record{Key: ledger.Key{Partition: text, Sort: "s"}, Value: []byte("p" + text)}, ledger.Absent)
		b.put(t, ledger.Record{Key: key(text), Value: []byte("s" + text)}, ledger.Absent)
	}
	for _, text := range texts {
		b.expect(t, ledger.Record{Key: ledger.Key{Partition: text, Sort: "s"}, Value: []byte("p" + text), Version: 1})
		b.expect(t, ledger.Record{Key: key(text), Value: []byte("s" + text), Version: 1})
	}
}

func versionsCount(t *testing.T, b bench) {
	was := ledger.Absent
	for want := int64(1); want <= 5; want++ {
		got := b.put(t, ledger.Record{Key: key("a"), Value: []byte{byte(want)}}, was)
		if got != want {
			t.Fatalf("want version %d, got %d", want, got)
		}
		was = got
		b.expect(t, ledger.Record{Key: key("a"), Value: []byte{byte(want)}, Version: want})
	}
}

func putAbsent(t *testing.T, b bench) {
	b.put(t, ledger.Record{Key: key("a"), Value: []byte("first")}, ledger.Absent)
	b.refused(t, ledger.Record{Key: key("a"), Value: []byte("second")}, ledger.Absent)
	b.expect(t, ledger.Record{Key: key("a"), Value: []byte("first"), Version: 1})
}

func putVersion(t *testing.T, b bench) {
	r := ledger.Record{Key: key("a"), Value: []byte("x")}
	b.refused(t, r, 1) // there is nothing at version 1
	b.expectMissing(t, r.Key)
	b.put(t, r, ledger.Absent)
	b.put(t, r, 1)
	b.refused(t, r, 1)
	b.refused(t, r, 3)
	b.put(t, r, 2)
}

func putAny(t *testing.T, b bench) {
	for want := int64(1); want <= 3; want++ {
		if got := b.put(t, ledger.Record{Key: key("a"), Value: []byte{byte(want)}}, ledger.Any); got != want {
			t.Errorf("want version %d, got %d", want, got)
		}
	}
	b.expect(t, ledger.Record{Key: key("a"), Value: []byte{3}, Version: 3})
}

func refusedLeaves(t *testing.T, b bench) {
	r := ledger.Record{Key: key("a"), Value: []byte("kept"), Expires: b.clock.Now().Add(time.Hour)}
	r.Version = b.put(t, r, ledger.Absent)
	other := ledger.Record{Key: key("a"), Value: []byte("refused")}
	b.refused(t, other, ledger.Absent)
	b.refused(t, other, 2)
	if err := b.Delete(t.Context(), r.Key, 2); !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("delete at 2: want ErrConflict, got %v", err)
	}
	b.expect(t, r)
}

func deleteVersion(t *testing.T, b bench) {
	b.put(t, ledger.Record{Key: key("a")}, ledger.Absent)
	b.put(t, ledger.Record{Key: key("b")}, ledger.Absent)
	if err := b.Delete(t.Context(), key("a"), 1); err != nil {
		t.Fatal(err)
	}
	b.expectMissing(t, key("a"))
	for _, k := range []ledger.Key{key("a"), key("never")} {
		if err := b.Delete(t.Context(), k, 1); !errors.Is(err, ledger.ErrConflict) {
			t.Errorf("delete %s, which is not there: want ErrConflict, got %v", k, err)
		}
	}
	b.expect(t, ledger.Record{Key: key("b"), Version: 1})
}

func deleteAny(t *testing.T, b bench) {
	b.put(t, ledger.Record{Key: key("a")}, ledger.Absent)
	for range 3 {
		if err := b.Delete(t.Context(), key("a"), ledger.Any); err != nil {
			t.Errorf("want no error, got %v", err)
		}
		b.expectMissing(t, key("a"))
	}
	if err := b.Delete(t.Context(), key("never"), ledger.Any); err != nil {
		t.Errorf("want no error, got %v", err)
	}
	b.expectMissing(t, key("never"))
	if got := b.put(t, ledger.Record{Key: key("never")}, ledger.Absent); got != 1 {
		t.Errorf("deleting nothing left something: want version 1, got %d", got)
	}
}

func versionsAfterDelete(t *testing.T, b bench) {
	seen := map[int64]bool{}
	for range 3 {
		version := b.put(t, ledger.Record{Key: key("a"), Value: []byte("x")}, ledger.Absent)
		if seen[version] {
			t.Fatalf("version %d is used again", version)
		}
		seen[version] = true
		b.clock.Advance(ledger.Remember / 2)
		b.refused(t, ledger.Record{Key: key("a")}, version-1)
		if err := b.Delete(t.Context(), key("a"), version); err != nil {
			t.Fatal(err)
		}
		b.refused(t, ledger.Record{Key: key("a")}, version)
		b.refused(t, ledger.Record{Key: key("a")}, version+1)
		b.clock.Advance(ledger.Remember / 2)
	}
}

func expired(t *testing.T, b bench) {
	r := ledger.Record{Key: key("a"), Value: []byte("x"), Expires: b.clock.Now().Add(time.Minute)}
	r.Version = b.put(t, r, ledger.Absent)
	b.put(t, ledger.Record{Key: key("stays")}, ledger.Absent)
	b.clock.Advance(time.Minute - time.Nanosecond)
	b.expect(t, r)
	b.refused(t, r, ledger.Absent)
	b.clock.Advance(time.Nanosecond)
	b.expectMissing(t, r.Key)
	b.refused(t, r, r.Version)
	if err := b.Delete(t.Context(), r.Key, r.Version); !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("delete an expired record: want ErrConflict, got %v", err)
	}
	if err := b.Delete(t.Context(), r.Key, ledger.Any); err != nil {
		t.Errorf("delete an expired record at Any: %v", err)
	}
	for _, past := range []time.Time{b.clock.Now(), time.Unix(0, 0), time.Unix(-1e9, 0)} {
		late := ledger.Record{Key: key("late"), Expires: past}
		b.put(t, late, ledger.Any)
		b.expectMissing(t, late.Key)
	}
	b.expect(t, ledger.Record{Key: key("stays"), Version: 1})
}

func expiryMoves(t *testing.T, b bench) {
	r := ledger.Record{Key: key("a"), Value: []byte("x"), Expires: b.clock.Now().Add(time.Minute)}
	b.put(t, r, ledger.Absent)
	r.Expires = b.clock.Now().Add(2 * time.Minute).In(time.FixedZone("elsewhere", 3600))
	r.Version = b.put(t, r, 1)
	b.clock.Advance(90 * time.Second)
	b.expect(t, r)
	r.Expires = time.Time{}
	r.Version = b.put(t, r, r.Version)
	b.clock.Advance(1000 * time.Hour)
	b.expect(t, r)
}

func versionsAfterExpiry(t *testing.T, b bench) {
	r := ledger.Record{Key: key("a"), Expires: b.clock.Now().Add(time.Minute)}
	first := b.put(t, r, ledger.Absent)
	b.clock.Advance(time.Minute)
	b.put(t, ledger.Record{Key: key("other")}, ledger.Any) // a write is when a ledger may sweep
	b.clock.Advance(ledger.Remember - time.Second)
	b.put(t, ledger.Record{Key: key("other")}, ledger.Any)
	r.Expires = time.Time{}
	if second := b.put(t, r, ledger.Absent); second <= first {
		t.Errorf("want a version above %d, got %d", first, second)
	}
}

func valueLimit(t *testing.T, b bench) {
	r := ledger.Record{Key: key("a"), Value: bytes.Repeat([]byte{0xa5}, ledger.MaxValue)}
	r.Version = b.put(t, r, ledger.Absent)
	b.expect(t, r)
	for _, was := range []int64{ledger.Any, ledger.Absent, 1} {
		_, err := b.Put(t.Context(), ledger.Record{Key: key("a"), Value: make([]byte, ledger.MaxValue+1)}, was)
		if !errors.Is(err, ledger.ErrTooLarge) {
			t.Errorf("one byte more at %d: want ErrTooLarge, got %v", was, err)
		}
	}
	b.expect(t, r)
}

func keyLimits(t *testing.T, b bench) {
	for name, part := range map[string]string{"empty": "", "long": strings.Repeat("x", ledger.MaxPart+1), "invalid": "a\xff",
		"control": "a\x00b", "newline": "a\n", "delete": "\x7f"} {
		for _, k := range []ledger.Key{{Partition: part, Sort: "s"}, {Partition: "p", Sort: part}} {
			_, get := b.Get(t.Context(), k)
			_, put := b.Put(t.Context(), ledger.Record{Key: k}, ledger.Any)
			for method, err := range map[string]error{"Get": get, "Put": put, "Delete": b.Delete(t.Context(), k, ledger.Any)} {
				if !errors.Is(err, ledger.ErrKey) {
					t.Errorf("%s of a key with %s part: want ErrKey, got %v", method, name, err)
				}
			}
		}
		if _, err := b.Query(t.Context(), ledger.Query{Partition: part, Limit: 1}); !errors.Is(err, ledger.ErrKey) {
			t.Errorf("Query of %s partition: want ErrKey, got %v", name, err)
		}
	}
}

func argumentsRefused(t *testing.T, b bench) {
	plain := func(what string, err error) {
		t.Helper()
		if err == nil || errors.Is(err, ledger.ErrConflict) || errors.Is(err, ledger.ErrNotFound) {
			t.Errorf("%s: want an error of its own, got %v", what, err)
		}
	}
	_, err := b.Put(t.Context(), ledger.Record{Key: key("a")}, -2)
	plain("put at -2", err)
	_, err = b.Put(t.Context(), ledger.Record{Key: key("a"), Expires: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}, ledger.Any)
	plain("expires in 9999", err)
	plain("delete at Absent", b.Delete(t.Context(), key("a"), ledger.Absent))
	plain("delete at -2", b.Delete(t.Context(), key("a"), -2))
	b.expectMissing(t, key("a"))
}
