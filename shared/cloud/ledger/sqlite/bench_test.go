package sqlite_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgertest"
	"mappe/shared/cloud/ledger/sqlite"
)

var value = bytes.Repeat([]byte("v"), 400) // a payment claim, a credit account

func filled(b *testing.B, n int) *sqlite.Ledger {
	l := open(b, filepath.Join(b.TempDir(), "ledger.db"), sqlite.Options{})
	for i := range n {
		if _, err := l.Put(b.Context(), ledger.Record{Key: numbered(i), Value: value}, ledger.Any); err != nil {
			b.Fatal(err)
		}
	}
	return l
}

func numbered(i int) ledger.Key {
	return ledger.Key{Partition: "bench", Sort: fmt.Sprintf("%08d", i)}
}

func BenchmarkPut(b *testing.B) {
	l := filled(b, 0)
	for i := 0; b.Loop(); i++ {
		if _, err := l.Put(b.Context(), ledger.Record{Key: numbered(i), Value: value}, ledger.Absent); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	l := filled(b, 1000)
	for i := 0; b.Loop(); i++ {
		if _, err := l.Get(b.Context(), numbered(i%1000)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	l := filled(b, 0)
	for b.Loop() {
		if err := ledgertest.Increment(b.Context(), l, numbered(0), 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuery100(b *testing.B) {
	l := filled(b, 1000)
	for b.Loop() {
		if got, err := l.Query(b.Context(), ledger.Query{Partition: "bench", From: numbered(300).Sort, Limit: 100}); err != nil ||
			len(got) != 100 {
			b.Fatal(len(got), err)
		}
	}
}

// BenchmarkPut32 is 32 writers of records of their own, as a server has them.
func BenchmarkPut32(b *testing.B) {
	l := filled(b, 0)
	parallel(b, func(i int) error {
		_, err := l.Put(b.Context(), ledger.Record{Key: numbered(i), Value: value}, ledger.Absent)
		return err
	})
}

// BenchmarkUpdate32 is 32 writers reading and writing records of their own.
func BenchmarkUpdate32(b *testing.B) {
	l := filled(b, 0)
	parallel(b, func(i int) error { return ledgertest.Increment(b.Context(), l, numbered(i%100_000), 1) })
}
