package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"mappe/shared/cloud/ledger"
)

const (
	selectOne  = `SELECT version, due, value FROM records WHERE p = ? AND s = ? AND value IS NOT NULL AND (due = 0 OR due > ?)`
	selectMany = `SELECT s, version, due, value FROM records WHERE p = ? AND s >= ? AND value IS NOT NULL AND (due = 0 OR due > ?)`
	selectAll  = `SELECT p, s, version, due, value FROM records WHERE value IS NOT NULL AND (due = 0 OR due > ?) ORDER BY p, s`
)

// Get implements ledger.Ledger.
func (l *Ledger) Get(ctx context.Context, key ledger.Key) (ledger.Record, error) {
	if err := errors.Join(key.Check(), ctx.Err()); err != nil {
		return ledger.Record{}, err
	}
	r := ledger.Record{Key: key}
	err := retryBusy(ctx, func() error {
		var due int64
		// One row takes microseconds: watching the context meanwhile would cost more.
		err := l.get.QueryRow(key.Partition, key.Sort, l.now().UnixNano()).Scan(&r.Version, &due, &r.Value)
		r.Expires = ledger.Time(due)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return ledger.Record{}, fmt.Errorf("ledger: %s: %w", key, ledger.ErrNotFound)
	}
	if err != nil {
		return ledger.Record{}, fmt.Errorf("ledger: get %s: %w", key, err)
	}
	return r, nil
}

// Query implements ledger.Ledger.
func (l *Ledger) Query(ctx context.Context, q ledger.Query) ([]ledger.Record, error) {
	if err := errors.Join(q.Check(), ctx.Err()); err != nil {
		return nil, err
	}
	if q.Empty() {
		return nil, nil
	}
	text, args := selectMany, []any{q.Partition, q.From, l.now().UnixNano()}
	if q.To != "" {
		text, args = text+` AND s < ?`, append(args, q.To)
	}
	text += ` ORDER BY s`
	if q.Descending {
		text += ` DESC`
	}
	text, args = text+` LIMIT ?`, append(args, q.Limit)
	var out []ledger.Record
	err := retryBusy(ctx, func() (err error) {
		out, err = l.list(ctx, q.Partition, text, args)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("ledger: query %s: %w", q.Partition, err)
	}
	return out, nil
}

func (l *Ledger) list(ctx context.Context, partition, text string, args []any) ([]ledger.Record, error) {
	rows, err := l.read.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []ledger.Record
	for rows.Next() {
		r, due := ledger.Record{Key: ledger.Key{Partition: partition}}, int64(0)
		if err := rows.Scan(&r.Key.Sort, &r.Version, &due, &r.Value); err != nil {
			return nil, err
		}
		r.Expires = ledger.Time(due)
		out = append(out, r)
	}
	return out, rows.Err()
}

// All gives the records of every partition as they stand when it is called, for who copies them to another ledger.
func (l *Ledger) All(ctx context.Context) iter.Seq2[ledger.Record, error] {
	return func(yield func(ledger.Record, error) bool) {
		rows, err := l.read.QueryContext(ctx, selectAll, l.now().UnixNano())
		if err != nil {
			yield(ledger.Record{}, fmt.Errorf("ledger: all records: %w", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var r ledger.Record
			var due int64
			err := rows.Scan(&r.Key.Partition, &r.Key.Sort, &r.Version, &due, &r.Value)
			if r.Expires = ledger.Time(due); !yield(r, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(ledger.Record{}, fmt.Errorf("ledger: all records: %w", err))
		}
	}
}
