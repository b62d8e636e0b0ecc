package worklog

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
)

const benchEntries = 100_000

// bigLog has 100,000 entries on 20 boards by 50 people; 40 of them have the tag rare, 5 of those one board.
var bigLog = sync.OnceValues(func() (*Log, error) {
	shm := "/dev/shm" // in memory where the system has it: a million records are written
	if _, err := os.Stat(shm); err != nil {
		shm = ""
	}
	dir, err := os.MkdirTemp(shm, "worklog")
	if err != nil {
		return nil, err
	}
	bench.dir = dir
	ctx := context.Background()
	l, err := sqlite.Open(ctx, filepath.Join(dir, "ledger.db"), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	log := New(l, nil)
	work := make(chan Entry)
	failed := make(chan error, 1)
	var group sync.WaitGroup
	for range 256 {
		group.Go(func() {
			for e := range work {
				for _, k := range []ledger.Key{claimKey(e.Board, e.TaskID), slotKey(e.Slot)} {
					if _, err := l.Put(ctx, ledger.Record{Key: k, Value: encode(&e)}, ledger.Absent); err != nil {
						select {
						case failed <- err:
						default:
						}
					}
				}
			}
		})
	}
	for i := range benchEntries {
		tag := []string{"design", "research", "validation"}[i%3]
		if i%2500 == 7 {
			tag = "rare"
		}
		c := Completion{TaskID: fmt.Sprint("T-", i), Board: fmt.Sprint("Board ", i*7%20), Assignee: fmt.Sprint("Person ", i*3%50),
			Title: fmt.Sprintf("[%s] Sheet %d of the atlas", tag, i), Summary: strings.Repeat("What was done and where it stands. ", 4),
			CompletedAt: start.Add(time.Duration(i*7919%benchEntries) * -time.Minute)}
		e := c.entry(start, newID())
		e.Slot = int64(i + 1)
		work <- e
	}
	close(work)
	group.Wait()
	select {
	case err := <-failed:
		return nil, err
	default:
	}
	log.wide = 1024 // the records of a whole step share few transactions
	defer func() { log.wide = settleWide }()
	_, err = log.Settle(ctx)
	return log, err
})

var bench struct{ dir string }

// BenchmarkPage reads a page of 50 of 100,000 entries.
func BenchmarkPage(b *testing.B) {
	log, err := bigLog()
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	middle := Cursor{feedOrder, start.Add(-benchEntries / 2 * time.Minute).UnixMicro(), [16]byte{}}
	for _, c := range []struct {
		name   string
		f      Filter
		before Cursor
		want   int
	}{
		{"newest", Filter{}, Cursor{}, 50}, {"in the middle", Filter{}, middle, 50}, {"rare tag", Filter{Tag: "rare"}, Cursor{}, 40},
		{"rare tag of a board", Filter{Tag: "rare", Board: "Board 9"}, Cursor{}, 40},
		{"no such tag", Filter{Tag: "none", Assignee: "Person 1"}, Cursor{}, 0},
		{"all three", Filter{"Board 7", "Person 3", "design"}, Cursor{}, 50},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				m, err := log.Settle(ctx)
				if err != nil {
					b.Fatal(err)
				}
				p, err := log.Newest(ctx, Query{Mark: m, Filter: c.f, Behind: c.before, Limit: 50})
				if err != nil || len(p.Entries) != c.want {
					b.Fatal(len(p.Entries), err)
				}
			}
		})
	}
	b.Run("after, rare tag, the longest scan", func(b *testing.B) {
		for b.Loop() {
			m, err := log.Settle(ctx)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := log.Recorded(ctx, Query{Mark: m, Filter: Filter{Tag: "none"}, Behind: Beginning, Limit: 50}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkComplete records one task after the other in a file on the disk.
func BenchmarkComplete(b *testing.B) {
	l := sqlitetest.Open(b, sqlite.Options{})
	log := New(l, nil)
	i := 0
	for b.Loop() {
		i++
		if _, created, err := log.Complete(context.Background(), task(fmt.Sprint(i))); err != nil || !created {
			b.Fatal(created, err)
		}
	}
}
