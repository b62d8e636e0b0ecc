package sqlite

import (
	"context"
	"time"

	"mappe/shared/cloud/ledger"
)

// A sweep goes with a transaction of the writer, once a minute; while there is more to do than one may
// take away, with every transaction.
const (
	sweepEvery = time.Minute
	sweepMost  = 256
)

// sweep empties expired records and forgets those that were emptied long ago.
func (l *Ledger) sweep(tx *transaction) error {
	ctx, now := context.Background(), time.Unix(0, tx.now)
	if now.Before(l.sweepAt) {
		return nil
	}
	const overdue = `(SELECT rowid FROM records WHERE due > 0 AND due <= ? LIMIT ?)`
	forgotten, err := tx.conn.ExecContext(ctx, `DELETE FROM records WHERE value IS NULL AND rowid IN `+overdue, tx.now, sweepMost)
	if err != nil {
		return err
	}
	emptied, err := tx.conn.ExecContext(ctx, `UPDATE records SET value = NULL, due = due + ? WHERE value IS NOT NULL AND rowid IN `+overdue,
		int64(ledger.Remember), tx.now, sweepMost)
	if err != nil {
		return err
	}
	l.sweepAt = now.Add(sweepEvery)
	for _, result := range []interface{ RowsAffected() (int64, error) }{forgotten, emptied} {
		if n, err := result.RowsAffected(); err != nil || n >= sweepMost/2 {
			l.sweepAt = now
		}
	}
	return nil
}
