package gpkg

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// batchValues bounds the values of one statement: entering SQLite costs as much as a few values do.
const batchValues = 400

// inserter inserts rows, many with one statement.
type inserter struct {
	tx      *sql.Tx
	into    string // "INSERT INTO t"
	columns int
	batch   int // rows of a full statement
	full    *sql.Stmt
	values  []any
}

func newInserter(tx *sql.Tx, into string, columns int) *inserter {
	return &inserter{tx: tx, into: into, columns: columns, batch: max(batchValues/columns, 1)}
}

// add inserts a row, now or with later ones. Values must stay as they are until the next end.
func (in *inserter) add(ctx context.Context, values ...any) error {
	in.values = append(in.values, values...)
	if len(in.values) < in.batch*in.columns {
		return nil
	}
	if in.full == nil {
		var err error
		if in.full, err = in.tx.PrepareContext(ctx, in.statement(in.batch)); err != nil {
			return err
		}
	}
	_, err := in.full.ExecContext(ctx, in.values...)
	in.values = in.values[:0]
	return err
}

func (in *inserter) statement(rows int) string {
	row := "(" + strings.TrimSuffix(strings.Repeat("?,", in.columns), ",") + "),"
	return in.into + " VALUES " + strings.TrimSuffix(strings.Repeat(row, rows), ",")
}

// end inserts what is left.
func (in *inserter) end(ctx context.Context) error {
	var err error
	if in.full != nil {
		err = in.full.Close()
	}
	if n := len(in.values) / in.columns; n > 0 {
		_, e := in.tx.ExecContext(ctx, in.statement(n), in.values...)
		err = errors.Join(err, e)
	}
	return err
}
