package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgertest"
	"mappe/shared/cloud/ledger/sqlite"
)

func TestTheFileKeepsItsRecords(t *testing.T) {
	for _, name := range []string{"ledger.db", "with space", "a?b#c%41.db", "Grundbuch-ä.db"} {
		path := filepath.Join(t.TempDir(), name)
		k := ledger.Key{Partition: "p", Sort: "s"}
		l, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Put(t.Context(), ledger.Record{Key: k, Value: []byte(name)}, ledger.Absent); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if r, err := open(t, path, sqlite.Options{}).Get(t.Context(), k); err != nil || string(r.Value) != name {
			t.Errorf("%s: want its record, got %+v, %v", name, r, err)
		}
		fi, err := os.Stat(path)
		if err != nil {
			t.Errorf("%s: the file has another name: %v", name, err)
		} else if runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: want mode 0600, got %v", name, fi.Mode().Perm())
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	other, text := filepath.Join(dir, "other.db"), filepath.Join(dir, "text.db")
	writeSQL(t, other, `CREATE TABLE parcels (id)`)
	if err := os.WriteFile(text, []byte(strings.Repeat("kein SQLite ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(dir, "newer.db")
	l, err := sqlite.Open(t.Context(), newer, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	writeSQL(t, newer, `PRAGMA user_version = 2`)
	for path, want := range map[string]string{other: "another program", text: "not a database", newer: "newer than this program", dir: dir,
		"": "empty"} {
		if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want an error with %q, got %v", path, want, err)
		}
	}
}

func writeSQL(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func rows(t *testing.T, path, where string) int {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRow(`SELECT count(*) FROM records WHERE ` + where).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestExpiredRecordsAreSwept(t *testing.T) {
	const records = 700 // more than one sweep takes
	path := filepath.Join(t.TempDir(), "ledger.db")
	clock := ledgertest.NewClock()
	l := open(t, path, sqlite.Options{Now: clock.Now})
	put := func(sort string, expires time.Time) {
		t.Helper()
		if _, err := l.Put(t.Context(), ledger.Record{Key: ledger.Key{Partition: "p", Sort: sort}, Value: []byte("x"), Expires: expires},
			ledger.Any); err != nil {
			t.Fatal(err)
		}
	}
	for i := range records {
		put(fmt.Sprint(i), clock.Now().Add(time.Hour))
	}
	put("stays", time.Time{})
	touch := func() {
		for range 10 {
			put("stays", time.Time{})
		}
	}
	clock.Advance(time.Hour)
	touch()
	if emptied, all := rows(t, path, "value IS NULL"), rows(t, path, "true"); emptied != records || all != records+1 {
		t.Errorf("after the expiry: want %d of %d records emptied, got %d of %d", records, records+1, emptied, all)
	}
	clock.Advance(ledger.Remember)
	touch()
	if left := rows(t, path, "true"); left != 1 {
		t.Errorf("a week later: want the one record that stays, got %d", left)
	}
}

func TestAClosedLedgerSaysSo(t *testing.T) {
	l, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			for n := 0; ; n++ {
				k := ledger.Key{Partition: "p", Sort: fmt.Sprint(i, n)}
				if _, err := l.Put(context.Background(), ledger.Record{Key: k}, ledger.Absent); err != nil {
					if !strings.Contains(err.Error(), "closed") {
						t.Errorf("want that the ledger is closed, got %v", err)
					}
					return
				}
			}
		})
	}
	time.Sleep(20 * time.Millisecond)
	for range 2 {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	writers.Wait() // nobody waits for ever
	if _, err := l.Get(t.Context(), ledger.Key{Partition: "p", Sort: "s"}); err == nil || errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("get: want an error, got %v", err)
	}
}

// TestAWriteWaitsForAnotherProcess: a lock delays, and the caller's context ends the wait.
func TestAWriteWaitsForAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := open(t, path, sqlite.Options{})
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), `BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	r := ledger.Record{Key: ledger.Key{Partition: "p", Sort: "s"}, Value: []byte("x")}
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := l.Put(short, r, ledger.Absent); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("want the context's error, got %v", err)
	}
	if _, err := l.Get(t.Context(), r.Key); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("a reader does not wait: got %v", err)
	}
	waits := make(chan error)
	r.Key.Sort = "later"
	go func() { _, err := l.Put(t.Context(), r, ledger.Absent); waits <- err }()
	time.Sleep(50 * time.Millisecond)
	if _, err := conn.ExecContext(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if err := <-waits; err != nil {
		t.Errorf("want the write after the lock, got %v", err)
	}
}

// TestCloseDoesNotWaitForALock: whoever waits behind another process's lock is told.
func TestCloseDoesNotWaitForALock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	waits := make(chan error)
	go func() {
		_, err := l.Put(context.Background(), ledger.Record{Key: ledger.Key{Partition: "p", Sort: "s"}}, ledger.Absent)
		waits <- err
	}()
	time.Sleep(20 * time.Millisecond)
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := <-waits; err == nil || !strings.Contains(err.Error(), "closed") || errors.Is(err, context.Canceled) {
		t.Errorf("want that the ledger is closed, got %v", err)
	}
}
