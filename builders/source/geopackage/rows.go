package geopackage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Rows reads rows of a layer by their numbers. It is safe for concurrent use.
type Rows struct {
	layer *Layer
	n     int
	stmt  *sql.Stmt
}

// Row is a row: its geometry as it is stored, nil when it has none, and the values of the columns asked for:
// nil, int64, float64, string or []byte.
type Row struct {
	Geometry []byte
	Values   []any
}

// Rows prepares the reading of some columns, as the file spells them; the value of a column "" is nil.
func (l *Layer) Rows(ctx context.Context, columns ...string) (*Rows, error) {
	var q strings.Builder
	q.WriteString("SELECT " + l.geometry())
	for _, c := range columns {
		if c == "" {
			q.WriteString(", NULL")
		} else {
			q.WriteString(", " + quote(c))
		}
	}
	q.WriteString(" FROM " + quote(l.Table) + " WHERE rowid = ?")
	stmt, err := l.file.db.PrepareContext(ctx, q.String())
	if err != nil {
		return nil, l.fault(err)
	}
	return &Rows{layer: l, n: len(columns), stmt: stmt}, nil
}

// Read reads one row; false when there is none of that number.
func (r *Rows) Read(ctx context.Context, id int64) (Row, bool, error) {
	row := Row{Values: make([]any, r.n)}
	to := make([]any, 0, r.n+1)
	to = append(to, &row.Geometry)
	for i := range row.Values {
		to = append(to, &row.Values[i])
	}
	err := r.stmt.QueryRowContext(ctx, id).Scan(to...)
	if errors.Is(err, sql.ErrNoRows) {
		return row, false, nil
	}
	if err != nil {
		return row, false, r.layer.fault(fmt.Errorf("row %d: %w", id, err))
	}
	return row, true, nil
}

// Text is a value as text in UTF-8 without surrounding blanks: 4 for 4.0, "" for nil.
func Text(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(strings.ToValidUTF8(v, "\ufffd"))
	case []byte:
		return Text(string(v))
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
