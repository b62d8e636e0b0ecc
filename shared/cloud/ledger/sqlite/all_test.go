package sqlite_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
)

// TestAll: every record of every partition, in order, without what was deleted or has expired.
func TestAll(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	l := open(t, filepath.Join(t.TempDir(), "ledger.db"), sqlite.Options{Now: func() time.Time { return now }})
	for i, k := range [][2]string{{"b", "1"}, {"a", "2"}, {"a", "1"}, {"a", "gone"}, {"a", "over"}, {"c", "later"}} {
		r := ledger.Record{Key: ledger.Key{Partition: k[0], Sort: k[1]}, Value: fmt.Append(nil, i)}
		switch k[1] {
		case "over":
			r.Expires = now.Add(time.Second)
		case "later":
			r.Expires = now.Add(time.Hour)
		}
		if _, err := l.Put(t.Context(), r, ledger.Absent); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Delete(t.Context(), ledger.Key{Partition: "a", Sort: "gone"}, ledger.Any); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Minute)
	var got []string
	for r, err := range l.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s=%s %t", r.Key, r.Value, r.Expires.IsZero()))
	}
	if want := "a/1=2 true|a/2=1 true|b/1=0 true|c/later=5 false"; strings.Join(got, "|") != want {
		t.Errorf("want %s, got %s", want, strings.Join(got, "|"))
	}
	for range l.All(t.Context()) {
		break // who has seen enough
	}
}
