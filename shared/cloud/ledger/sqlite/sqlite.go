// Package sqlite keeps a ledger in one SQLite file: for one machine, with as many processes on the file
// as it likes. A write is on the disk when it returns, and a process that is killed leaves the file whole.
//
// One goroutine of each process writes; what waits for it goes into one transaction, so the cost of
// reaching the disk is shared by concurrent writers. Readers have connections of their own and wait for
// nobody (write-ahead log).
//
//	records: p, s (the key), value (NULL: deleted or expired), version (writes and deletes of the key),
//	         due (Unix nanoseconds; 0: never. With a value when it expires, without when it is forgotten)
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"mappe/shared/cloud/ledger"
)

// Options of Open; the zero value is right for programs.
type Options struct {
	Now func() time.Time // the clock that Expires is held against; time.Now
}

// Ledger is a ledger.Ledger over one file.
type Ledger struct {
	path  string
	now   func() time.Time
	read  *sql.DB
	get   *sql.Stmt
	write *sql.DB

	queue  chan *write
	stop   context.CancelFunc
	ended  chan struct{} // closed when the writer has returned
	closed sync.Once

	conn    *connection // this and what follows is the writer's
	sweepAt time.Time
}

var _ ledger.Ledger = (*Ledger)(nil)

var errClosed = errors.New("the ledger is closed")

// Open opens the file and makes it, and its folder, where they are missing. Close it.
func Open(ctx context.Context, path string, o Options) (*Ledger, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if path == "" {
		return nil, errors.New("ledger: the path of the SQLite file is empty")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if err := create(path); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	l := &Ledger{path: path, now: o.Now, queue: make(chan *write, maxBatch), ended: make(chan struct{})}
	if err := l.open(ctx); err != nil {
		l.closeFiles()
		return nil, fmt.Errorf("ledger: %s: %w", path, err)
	}
	var running context.Context
	running, l.stop = context.WithCancel(context.Background())
	go l.writer(running)
	return l, nil
}

// create makes an empty file that only its owner reads, which SQLite's further files imitate.
func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func (l *Ledger) open(ctx context.Context) (err error) {
	if l.write, err = sql.Open("sqlite", dsn(l.path, writing)); err != nil {
		return err
	}
	l.write.SetMaxOpenConns(1)
	if err := retryBusy(ctx, func() error { return prepareFile(ctx, l.write) }); err != nil {
		return err
	}
	if l.read, err = sql.Open("sqlite", dsn(l.path, reading)); err != nil {
		return err
	}
	readers := max(2, runtime.GOMAXPROCS(0))
	l.read.SetMaxOpenConns(readers)
	l.read.SetMaxIdleConns(readers)
	return retryBusy(ctx, func() error {
		l.get, err = l.read.PrepareContext(ctx, selectOne)
		return err
	})
}

// Close ends the writer after the transaction under way and closes the file. What still waits is refused.
func (l *Ledger) Close() error {
	var err error
	l.closed.Do(func() {
		l.stop()
		<-l.ended
		err = l.closeFiles()
	})
	return err
}

func (l *Ledger) closeFiles() error {
	var err error
	if l.get != nil {
		err = l.get.Close()
	}
	if l.conn != nil {
		err = errors.Join(err, l.conn.close())
	}
	for _, db := range []*sql.DB{l.read, l.write} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}
