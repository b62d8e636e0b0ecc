package sqlite_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgertest"
	"mappe/shared/cloud/ledger/sqlite"
)

// The test's program starts itself again as a process that writes.
const (
	childTask = "MAPPE_LEDGER_CHILD"
	childFile = "MAPPE_LEDGER_FILE"
)

func TestMain(m *testing.M) {
	task := os.Getenv(childTask)
	if task == "" {
		os.Exit(m.Run())
	}
	if err := child(context.Background(), task, os.Getenv(childFile)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func command(t *testing.T, task, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childTask+"="+task, childFile+"="+path)
	return cmd
}

func child(ctx context.Context, task, path string) error {
	l, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	switch task {
	case "count":
		err = count(ctx, l)
	case "write":
		err = writeForever(ctx, l)
	}
	return errors.Join(err, l.Close())
}

var counter = ledger.Key{Partition: "processes", Sort: "counter"}

const increments = 100

// count adds to the one counter from four goroutines.
func count(ctx context.Context, l ledger.Ledger) error {
	errs := make(chan error, 4)
	for range cap(errs) {
		go func() {
			for range increments / cap(errs) {
				if err := ledgertest.Increment(ctx, l, counter, 1); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	var err error
	for range cap(errs) {
		err = errors.Join(err, <-errs)
	}
	return err
}

func TestProcessesShareAFile(t *testing.T) {
	const processes = 6
	path := filepath.Join(t.TempDir(), "new", "ledger.db") // all of them make it
	var wait sync.WaitGroup
	for range processes {
		wait.Go(func() {
			if out, err := command(t, "count", path).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wait.Wait()
	got, err := open(t, path, sqlite.Options{}).Get(t.Context(), counter)
	if err != nil {
		t.Fatal(err)
	}
	if want := strconv.Itoa(processes * increments); string(got.Value) != want || got.Version != processes*increments {
		t.Errorf("want %s at version %s, got %s at version %d", want, want, got.Value, got.Version)
	}
}

// sealed is a value that shows when a byte of it is missing: its length may be that of many pages.
func sealed(n int) []byte {
	body := bytes.Repeat([]byte(strconv.Itoa(n)+" "), n%2000)
	sum := sha256.Sum256(body)
	return append(sum[:], body...)
}

func whole(value []byte) bool {
	if len(value) < sha256.Size {
		return false
	}
	sum := sha256.Sum256(value[sha256.Size:])
	return bytes.Equal(sum[:], value[:sha256.Size])
}

const killedWriters = 4

// writeForever replaces and deletes records and says what it was told is done.
func writeForever(ctx context.Context, l ledger.Ledger) error {
	for i := range killedWriters {
		go func() {
			k := ledger.Key{Partition: "killed", Sort: strconv.Itoa(i)}
			for n := 0; ; n++ {
				version, err := l.Put(ctx, ledger.Record{Key: k, Value: sealed(rand.IntN(4000))}, ledger.Any)
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				fmt.Printf("%s %d\n", k.Sort, version)
				if n%5 == 4 {
					if err := l.Delete(ctx, ledger.Key{Partition: "killed", Sort: "x" + k.Sort}, ledger.Any); err != nil {
						fmt.Fprintln(os.Stderr, err)
						os.Exit(1)
					}
				}
				if n%5 == 0 {
					if _, err := l.Put(ctx, ledger.Record{Key: ledger.Key{Partition: "killed", Sort: "x" + k.Sort}, Value: sealed(n)},
						ledger.Any); err != nil {
						fmt.Fprintln(os.Stderr, err)
						os.Exit(1)
					}
				}
			}
		}()
	}
	select {}
}

// TestAKilledWriterLeavesTheFileWhole: what was confirmed is there, nothing is half there, and others,
// who have the file open all the while, go on.
func TestAKilledWriterLeavesTheFileWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	witness := open(t, path, sqlite.Options{})
	confirmed := map[string]int64{}
	rounds := 25
	if testing.Short() {
		rounds = 5
	}
	for round := range rounds {
		killWriter(t, path, confirmed)
		l := witness
		if round%2 == 0 {
			l = open(t, path, sqlite.Options{})
		}
		expectWhole(t, l, confirmed)
		if _, err := l.Put(t.Context(), ledger.Record{Key: ledger.Key{Partition: "witness", Sort: "s"}}, ledger.Any); err != nil {
			t.Fatalf("round %d: a write after the kill: %v", round, err)
		}
	}
	var total int64
	for _, version := range confirmed {
		total += version
	}
	if total < int64(rounds) {
		t.Errorf("only %d writes were confirmed in %d rounds", total, rounds)
	}
	integrity(t, path)
}

// killWriter runs a writer for a random while after its first confirmed write and kills it.
func killWriter(t *testing.T, path string, confirmed map[string]int64) {
	t.Helper()
	cmd := command(t, "write", path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	first := true
	for {
		line, err := lines.ReadString('\n')
		if err != nil { // a line that was cut off counts for nothing
			break
		}
		if first {
			first = false
			time.AfterFunc(rand.N(40*time.Millisecond), func() { cmd.Process.Kill() })
		}
		sort, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(version, 10, 64)
		if err != nil || n <= confirmed[sort] {
			t.Errorf("after version %d of %s the writer says %q", confirmed[sort], sort, line)
		}
		confirmed[sort] = n
	}
	io.Copy(io.Discard, lines)
	cmd.Wait()
	if stderr.Len() > 0 {
		t.Errorf("the writer says: %s", stderr.String())
	}
}

func expectWhole(t *testing.T, l ledger.Ledger, confirmed map[string]int64) {
	t.Helper()
	records, err := l.Query(t.Context(), ledger.Query{Partition: "killed", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int64{}
	for _, r := range records {
		found[r.Key.Sort] = r.Version
		if !whole(r.Value) {
			t.Errorf("%s version %d is half written: %d bytes", r.Key, r.Version, len(r.Value))
		}
	}
	for sort, version := range confirmed {
		if found[sort] < version {
			t.Errorf("version %d of %s was confirmed, the file has %d", version, sort, found[sort])
		}
	}
}

func integrity(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var got string
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&got); err != nil || got != "ok" {
		t.Errorf("integrity_check: want ok, got %s, %v", got, err)
	}
}
