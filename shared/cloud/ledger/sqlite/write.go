package sqlite

import (
	"context"
	"errors"
	"fmt"

	"mappe/shared/cloud/ledger"
)

// maxBatch is how many writes share a transaction: 32 MB of the largest values.
const maxBatch = 128

// write is a Put or Delete on its way to the writer.
type write struct {
	ctx    context.Context
	record ledger.Record
	remove bool
	was    int64

	version int64
	err     error
	done    chan struct{}
}

// Put implements ledger.Ledger.
func (l *Ledger) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	if err := ledger.CheckPut(r, was); err != nil {
		return 0, err
	}
	return l.hand(&write{ctx: ctx, record: r, was: was})
}

// Delete implements ledger.Ledger.
func (l *Ledger) Delete(ctx context.Context, key ledger.Key, was int64) error {
	if err := ledger.CheckDelete(key, was); err != nil {
		return err
	}
	_, err := l.hand(&write{ctx: ctx, record: ledger.Record{Key: key}, remove: true, was: was})
	return err
}

// hand gives w to the writer and waits for its outcome. A caller whose context ends does not wait: the
// write may still happen.
func (l *Ledger) hand(w *write) (int64, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	w.done = make(chan struct{})
	select {
	case l.queue <- w:
	case <-w.ctx.Done():
		return 0, w.ctx.Err()
	case <-l.ended:
		return 0, fmt.Errorf("ledger: %s: %w", w.record.Key, errClosed)
	}
	select {
	case <-w.done:
	case <-w.ctx.Done():
		return 0, w.ctx.Err()
	case <-l.ended:
		select {
		case <-w.done: // the last transaction had it
		default:
			return 0, fmt.Errorf("ledger: %s: %w", w.record.Key, errClosed)
		}
	}
	if w.err != nil {
		return 0, fmt.Errorf("ledger: %s: %w", w.record.Key, w.err)
	}
	return w.version, nil
}

// writer carries out writes until the ledger is closed.
func (l *Ledger) writer(running context.Context) {
	defer close(l.ended)
	for {
		select {
		case <-running.Done():
			return
		case w := <-l.queue:
			l.commit(running, l.gather(w))
		}
	}
}

// gather takes what else is waiting.
func (l *Ledger) gather(first *write) []*write {
	batch := []*write{first}
	for len(batch) < maxBatch {
		select {
		case w := <-l.queue:
			batch = append(batch, w)
		default:
			return batch
		}
	}
	return batch
}

// commit carries out the batch in one transaction and tells everybody the outcome: their own, or the
// transaction's when it failed.
func (l *Ledger) commit(running context.Context, batch []*write) {
	err := l.transact(running, func(tx *transaction) error {
		for _, w := range batch {
			if w.version, w.err = 0, w.ctx.Err(); w.err != nil {
				continue // nobody waits for it any more
			}
			var err error
			if w.remove {
				err = tx.delete(w)
			} else {
				err = tx.put(w)
			}
			if err != nil {
				return err
			}
		}
		return l.sweep(tx)
	})
	for _, w := range batch {
		if err != nil {
			w.err = err
		}
		close(w.done)
	}
}

// transact runs do between BEGIN IMMEDIATE and COMMIT; after an error nothing of it was written, except
// that a failed COMMIT may have reached the disk.
func (l *Ledger) transact(running context.Context, do func(*transaction) error) (err error) {
	if l.conn == nil {
		if l.conn, err = connect(l.write); err != nil {
			return err
		}
	}
	c := l.conn
	if err := retryBusy(running, func() error { _, err := c.begin.Exec(); return err }); err != nil {
		if running.Err() != nil {
			return errClosed
		}
		return err
	}
	err = do(&transaction{c, l.now().UnixNano()})
	if err == nil {
		_, err = c.commit.Exec()
	}
	if err != nil {
		if _, undone := c.rollback.Exec(); undone != nil {
			err = errors.Join(err, undone)
			c.discard() // it may still be inside the transaction
			l.conn = nil
		}
	}
	return err
}
