package worklog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/shared/cloud/ledger"
)

// Log is the feed over a ledger. It is safe for concurrent use, by several processes too.
type Log struct {
	ledger ledger.Ledger
	now    func() time.Time
	append sync.Mutex // one writer of this process at a time goes for the next slot
	enter  sync.Mutex // likewise for entering what the log holds into the feed
	wide   int        // records of the feed that are written at one time
}

// New is the log in a ledger. now is the clock; nil is time.Now.
func New(l ledger.Ledger, now func() time.Time) *Log {
	if now == nil {
		now = time.Now
	}
	return &Log{ledger: l, now: now, wide: settleWide}
}

// ErrDiffers: the task, or the key, was recorded with other content.
var ErrDiffers = errors.New("recorded with other content")

// Complete records a normal completion. created is false when it was recorded before; ErrDiffers when it
// was with other content, together with the recorded entry.
func (l *Log) Complete(ctx context.Context, c Completion) (e Entry, created bool, err error) {
	e, there, err := l.recorded(ctx, c)
	if err == nil && !there {
		e, created, err = l.record(ctx, c)
	}
	if err != nil {
		return Entry{}, false, err
	}
	if _, err := l.Settle(ctx); err != nil {
		return Entry{}, false, err
	}
	if !e.Says(c) {
		return e, false, ErrDiffers
	}
	return e, created, nil
}

// recorded looks whether the task has a claim whose entry stands in the log.
func (l *Log) recorded(ctx context.Context, c Completion) (Entry, bool, error) {
	r, err := l.ledger.Get(ctx, claimKey(c.Board, c.TaskID))
	if errors.Is(err, ledger.ErrNotFound) {
		return Entry{}, false, nil
	}
	if err != nil {
		return Entry{}, false, err
	}
	e, err := decode(r)
	if err != nil {
		return Entry{}, false, err
	}
	there, err := l.at(ctx, e.Slot)
	if errors.Is(err, ledger.ErrNotFound) {
		return Entry{}, false, nil
	}
	return e, there.ID == e.ID, err
}

// record makes the claim, or takes the one that is there, and writes its entry into the log.
func (l *Log) record(ctx context.Context, c Completion) (Entry, bool, error) {
	l.append.Lock()
	defer l.append.Unlock()
	e, created, err := l.claim(ctx, c)
	if err != nil {
		return Entry{}, false, err
	}
	e, err = l.place(ctx, e)
	return e, created, err
}

// claim makes the claim of the task, or reads it.
func (l *Log) claim(ctx context.Context, c Completion) (Entry, bool, error) {
	key := claimKey(c.Board, c.TaskID)
	last, err := l.last(ctx)
	if err != nil {
		return Entry{}, false, err
	}
	e := c.entry(l.now(), newID())
	e.Slot = last + 1
	_, err = l.ledger.Put(ctx, ledger.Record{Key: key, Value: encode(&e)}, ledger.Absent)
	if !errors.Is(err, ledger.ErrConflict) {
		return e, true, err
	}
	r, err := l.ledger.Get(ctx, key)
	if err != nil {
		return Entry{}, false, err
	}
	e, err = decode(r)
	return e, false, err
}

// place writes a claimed entry into the log, unless it stands there, and gives it with its slot.
func (l *Log) place(ctx context.Context, e Entry) (Entry, error) {
	for {
		_, err := l.ledger.Put(ctx, ledger.Record{Key: slotKey(e.Slot), Value: encode(&e)}, ledger.Absent)
		if err == nil || !errors.Is(err, ledger.ErrConflict) {
			return e, err
		}
		there, err := l.at(ctx, e.Slot)
		if err != nil {
			return e, err
		}
		if there.ID == e.ID {
			return e, nil
		}
		if e, err = l.move(ctx, e); err != nil {
			return e, err
		}
	}
}

// move gives the claim the slot behind the last one, because its own holds another entry; where another
// process has moved it already, that stands.
func (l *Log) move(ctx context.Context, e Entry) (Entry, error) {
	last, err := l.last(ctx)
	if err != nil {
		return e, err
	}
	r, err := ledger.Update(ctx, l.ledger, claimKey(e.Board, e.TaskID), func(r *ledger.Record) (bool, error) {
		now, err := decode(*r)
		if err != nil || now.Slot != e.Slot {
			return false, err
		}
		now.Slot = last + 1
		r.Value = encode(&now)
		return true, nil
	})
	if err != nil {
		return e, err
	}
	return decode(r)
}

// last is the highest slot that is taken, 0 in an empty log.
func (l *Log) last(ctx context.Context) (int64, error) {
	rows, err := l.ledger.Query(ctx, ledger.Query{Partition: logPartition, Descending: true, Limit: 1})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return slotOf(rows[0].Key)
}

func (l *Log) at(ctx context.Context, slot int64) (Entry, error) {
	r, err := l.ledger.Get(ctx, slotKey(slot))
	if err != nil {
		return Entry{}, err
	}
	return decode(r)
}

// Mark is a state of the feed: the entry in the last slot that has been entered into it.
type Mark struct {
	Slot    int64     `json:"slot"`
	ID      string    `json:"id"`
	Changed time.Time `json:"changed"` // no earlier than any entry was recorded; zero in an empty feed
}

// Entries that are entered before the mark is moved, and records that are written at one time.
const (
	settleStep = 200
	settleWide = 64
)

// Settle enters what the log holds behind the mark into the feed and moves the mark. It gives the mark.
func (l *Log) Settle(ctx context.Context) (Mark, error) {
	m, rows, err := l.behind(ctx, 1)
	if err != nil || len(rows) == 0 {
		return m, err
	}
	l.enter.Lock()
	defer l.enter.Unlock()
	for {
		if m, rows, err = l.behind(ctx, settleStep); err != nil || len(rows) == 0 {
			return m, err
		}
		if m, err = l.enterAll(ctx, m, rows); err != nil {
			return m, err
		}
	}
}

// behind reads the mark and up to limit records of the log behind it.
func (l *Log) behind(ctx context.Context, limit int) (m Mark, rows []ledger.Record, err error) {
	r, err := l.ledger.Get(ctx, markKey)
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return m, nil, err
	}
	if err == nil {
		if err := json.Unmarshal(r.Value, &m); err != nil {
			return m, nil, fmt.Errorf("record %v: %w", r.Key, err)
		}
	}
	rows, err = l.ledger.Query(ctx, ledger.Query{Partition: logPartition, From: slotSort(m.Slot + 1), Limit: limit})
	return m, rows, err
}

// enterAll writes the feed's records of log records and moves the mark behind them.
func (l *Log) enterAll(ctx context.Context, m Mark, rows []ledger.Record) (Mark, error) {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(l.wide)
	for _, r := range rows {
		e, err := decode(r)
		if err != nil {
			return m, errors.Join(err, group.Wait())
		}
		for _, p := range e.partitions() {
			group.Go(func() error {
				_, err := l.ledger.Put(inner, ledger.Record{Key: ledger.Key{Partition: p, Sort: e.feedSort()}, Value: r.Value}, ledger.Any)
				return err
			})
		}
		m.Slot, m.ID = e.Slot, e.ID
		if e.Recorded.After(m.Changed) {
			m.Changed = e.Recorded
		}
	}
	if err := group.Wait(); err != nil {
		return m, err
	}
	_, err := ledger.Update(ctx, l.ledger, markKey, func(r *ledger.Record) (bool, error) {
		var now Mark
		if r.Version != ledger.Absent {
			if err := json.Unmarshal(r.Value, &now); err != nil {
				return false, fmt.Errorf("record %v: %w", r.Key, err)
			}
		}
		if now.Slot >= m.Slot {
			m = now
			return false, nil
		}
		var err error
		r.Value, err = json.Marshal(m)
		return true, err
	})
	return m, err
}

func encode(e *Entry) []byte {
	b, _ := json.Marshal(e) // an Entry always encodes
	return b
}

func decode(r ledger.Record) (e Entry, err error) {
	if err = json.Unmarshal(r.Value, &e); err != nil {
		err = fmt.Errorf("record %v: %w", r.Key, err)
	}
	return e, err
}
