package geopackage

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
)

// Rows reads rows of a layer by their numbers. It is safe for concurrent use.
type Rows struct {
	layer *Layer
	n     int
	stmt  *sql.Stmt
}

// Row is a row: its number, its geometry as it is stored, nil when it has none, and the values of the columns
// asked for: nil, int64, float64, string or []byte. It is valid until the next row.
type Row struct {
	ID       int64
	Geometry []byte
	Values   []any
}

// Rows prepares the reading of some columns, as the file spells them; the value of a column "" is nil.
func (l *Layer) Rows(ctx context.Context, columns ...string) (*Rows, error) {
	var q strings.Builder
	q.WriteString("SELECT rowid, " + l.geometry())
	for _, c := range columns {
		if c == "" {
			q.WriteString(", NULL")
		} else {
			q.WriteString(", " + quote(c))
		}
	}
	// One statement for any number of rows: each costs more than what it reads.
	q.WriteString(" FROM " + quote(l.Table) + " WHERE rowid IN (SELECT value FROM json_each(?)) ORDER BY rowid")
	stmt, err := l.file.db.PrepareContext(ctx, q.String())
	if err != nil {
		return nil, l.fault(err)
	}
	return &Rows{layer: l, n: len(columns), stmt: stmt}, nil
}

// Each reads the rows of some numbers, rising; numbers without a row are passed over.
func (r *Rows) Each(ctx context.Context, ids []int64, each func(Row)) error {
	if len(ids) == 0 {
		return nil
	}
	list := []byte{'['}
	for i, id := range ids {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, id, 10)
	}
	rows, err := r.stmt.QueryContext(ctx, string(append(list, ']')))
	if err != nil {
		return r.layer.fault(err)
	}
	defer rows.Close() // read only
	row := Row{Values: make([]any, r.n)}
	var geometry sql.RawBytes
	to := make([]any, 0, r.n+2)
	to = append(to, &row.ID, &geometry)
	for i := range row.Values {
		to = append(to, &row.Values[i])
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return r.layer.fault(err)
		}
		row.Geometry = geometry
		each(row)
	}
	if err := rows.Err(); err != nil {
		return r.layer.fault(err)
	}
	return nil
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
