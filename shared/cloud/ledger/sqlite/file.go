package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	driver "modernc.org/sqlite"

	"mappe/shared/cloud/pause"
)

// applicationID and layout mark the file ("Mled"), so that no other SQLite file is taken for a ledger.
const (
	applicationID = 0x4d6c6564
	layout        = 1
)

var schema = []string{
	`CREATE TABLE records (p TEXT NOT NULL, s TEXT NOT NULL, version INTEGER NOT NULL, due INTEGER NOT NULL, value BLOB, PRIMARY KEY (p, s))`,
	`CREATE INDEX records_due ON records (due) WHERE due > 0`,
	fmt.Sprintf(`PRAGMA user_version = %d`, layout),
	fmt.Sprintf(`PRAGMA application_id = %d`, applicationID),
}

// Pragmas of a connection. FULL: a transaction is on the disk when COMMIT returns; with NORMAL a power
// cut could take back a payment that was confirmed.
var (
	writing = []string{"busy_timeout(1000)", "journal_mode(WAL)", "synchronous(FULL)", "journal_size_limit(16777216)"}
	reading = []string{"busy_timeout(50)", "query_only(1)"}
)

// dsn is the file's URI; whatever characters a path has, it is one file.
func dsn(path string, pragmas []string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a Windows drive
		path = "/" + path
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	return u.String()
}

// prepareFile makes the tables, or says why the file is no ledger.
func prepareFile(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var mode string
	if err := conn.QueryRowContext(ctx, `PRAGMA journal_mode`).Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("the file system does not let SQLite keep a write-ahead log (journal mode %s)", mode)
	}
	if _, err := conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	err = makeTables(ctx, conn)
	end := `COMMIT`
	if err != nil {
		end = `ROLLBACK`
	}
	_, ended := conn.ExecContext(context.WithoutCancel(ctx), end)
	return errors.Join(err, ended)
}

func makeTables(ctx context.Context, conn *sql.Conn) error {
	var id, version, tables int64
	if err := conn.QueryRowContext(ctx,
		`SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id a, pragma_user_version v`).Scan(&id, &version, &tables); err != nil {
		return err
	}
	switch {
	case id == applicationID && version == layout:
		return nil
	case id == applicationID:
		return fmt.Errorf("layout %d of the file is newer than this program, which knows %d", version, layout)
	case id != 0 || tables > 0:
		return errors.New("an SQLite file of another program")
	}
	for _, stmt := range schema {
		if _, err := conn.ExecContext(ctx, stmt); err != nil {
			return err
		}
	}
	return nil
}

// busyFor is how long other processes may keep the file before an operation gives up.
const busyFor = 30 * time.Second

// retryBusy repeats what another process's lock prevented. SQLite itself waits a while first; it does
// not wait where that could be a deadlock, and not while a crashed process's log is read back.
func retryBusy(ctx context.Context, do func() error) error {
	end := time.Now().Add(busyFor)
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := do()
		if !isBusy(err) {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("kept by another process for %v: %w", busyFor, err)
		}
		if err := pause.For(ctx, wait); err != nil {
			return err
		}
	}
}

func isBusy(err error) bool {
	var e *driver.Error
	if !errors.As(err, &e) {
		return false
	}
	const busy, locked = 5, 6 // SQLITE_BUSY, SQLITE_LOCKED; the upper bytes say why
	code := e.Code() & 0xff
	return code == busy || code == locked
}
