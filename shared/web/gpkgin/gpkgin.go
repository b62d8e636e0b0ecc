// Package gpkgin reads the geometries of GeoPackages (OGC 12-128) that clients send: whole in memory, with bounds, and
// with nothing of the file run. It owns what is refused; shared/geo/wkb reads the geometries. The project's own
// GeoPackages are written by shared/web/gpkg.
//
// The file is a database of others, and its schema is a program: views, triggers, virtual tables, computed columns. It is
// given to the engine as bytes, in memory; an authorizer denies all but reading columns of tables; only tables that store
// what they hold are read; the context ends what takes too long.
package gpkgin

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"mappe/shared/web/fault"
)

// Limits bound what is read of a file.
type Limits struct {
	Rows  int   // of all layers, with and without geometry
	Bytes int64 // of all geometries and values: rows of a corrupt file may share theirs
}

const (
	maxLayers  = 1000
	maxObjects = 10_000 // tables, indexes, views and triggers
)

// Row is a row of a layer. Geometry is as it is stored, nil if the row has no geometry, and valid until the next row.
type Row struct {
	Table    string
	System   string // "EPSG:31287", or what stands in its place
	Geometry []byte
	ID       any            // of the whole number that is the key; nil where the table has no key
	Values   map[string]any // of the other columns: int64, float64, string, nil; no bytes
}

// Read gives the rows of all layers with geometries to each, whose error ends the reading. Layers that are no tables,
// views above all, are passed over and named. Errors are faults of the body beside those of each and of the context.
func Read(ctx context.Context, body []byte, l Limits, each func(Row) error) (passed []string, err error) {
	if len(body) < 100 || !bytes.HasPrefix(body, []byte("SQLite format 3\x00")) {
		return nil, bad("it is shorter than its head or begins with something else")
	}
	f, err := open(ctx, body)
	if err != nil {
		return nil, ended(ctx, err)
	}
	defer func() { err = errors.Join(err, f.close()) }()
	f.limits, f.each = l, each
	err = ended(ctx, f.read(ctx))
	return f.passed, err
}

func bad(format string, args ...any) *fault.Fault {
	return fault.New(fault.BadBody, "the GeoPackage cannot be read: "+format, args...)
}

// ended is an error as Read gives it: the engine's own words are not for clients.
func ended(ctx context.Context, err error) error {
	var known *fault.Fault
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return bad("it takes too long").Because(err)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	var engine *sqlite.Error
	if errors.As(err, &engine) || errors.Is(err, sql.ErrNoRows) {
		return bad("it is no database of the form, or damaged").Because(err)
	}
	return err
}

// file is an open GeoPackage.
type file struct {
	db     *sql.DB
	conn   *sql.Conn
	plain  map[string]bool // tables that store what they hold, in lower case
	limits Limits
	each   func(Row) error
	passed []string // layers that are no tables
}

func (f *file) close() error { return errors.Join(f.conn.Close(), f.db.Close()) }

// open gives the bytes to an engine of their own.
func open(ctx context.Context, body []byte) (*file, error) {
	db, err := sql.Open("sqlite", "file::memory:?_defensive=1&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_pragma=query_only(1)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	f := &file{db: db, conn: conn}
	body = bytes.Clone(body)
	body[18], body[19] = 1, 1 // a database with a write-ahead log cannot lie in memory; what is left in that log was not sent
	err = conn.Raw(func(c any) error {
		d, ok := c.(interface{ Deserialize([]byte) error })
		a, guarded := c.(sqlite.AuthorizerRegisterer)
		if !ok || !guarded {
			return errors.New("the engine reads no bytes or has no authorizer")
		}
		return errors.Join(d.Deserialize(body), a.RegisterAuthorizer(authorize))
	})
	for id, most := range map[int]int{
		lib.SQLITE_LIMIT_LENGTH: len(body) + 1<<16, lib.SQLITE_LIMIT_ATTACHED: 0, lib.SQLITE_LIMIT_VDBE_OP: 10_000,
		lib.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
	} {
		if _, limited := sqlite.Limit(conn, id, most); limited != nil {
			err = errors.Join(err, limited)
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// authorize allows to read columns of the file and to ask what columns a table has, in statements and not in what they
// would set off: behind a view, through stands its name.
func authorize(action sqlite.AuthorizerActionCode, name, _, _, through string) sqlite.AuthorizerReturnCode {
	switch {
	case through != "":
	case action == sqlite.AuthSelect, action == sqlite.AuthRead, action == sqlite.AuthPragma && strings.EqualFold(name, "table_xinfo"):
		return sqlite.AuthorizerOK
	}
	return sqlite.AuthorizerDeny
}

// layer is a row of gpkg_geometry_columns.
type layer struct {
	table, column string
	srs           int64
}

func (f *file) read(ctx context.Context) error {
	if err := f.objects(ctx); err != nil {
		return err
	}
	layers, err := f.layers(ctx)
	if err != nil {
		return err
	}
	if len(layers) == 0 {
		return bad("it has no layer with geometries")
	}
	for _, l := range layers {
		if !f.plain[strings.ToLower(l.table)] {
			f.passed = append(f.passed, l.table)
			continue
		}
		if err := f.stored(ctx, l.table, l.column); err != nil {
			return err
		}
		system, err := f.system(ctx, l.srs)
		if err != nil {
			return err
		}
		if err := f.rows(ctx, l, system); err != nil {
			return err
		}
	}
	if len(f.passed) == len(layers) {
		return bad("%.60q is no table that holds its rows: write the view into a layer of its own", f.passed[0])
	}
	return nil
}

// objects learns which tables store what they hold. The engine goes by the SQL of an object and not by the name and kind
// beside it, so that all must agree.
func (f *file) objects(ctx context.Context) error {
	rows, err := f.conn.QueryContext(ctx, `SELECT type, name, rootpage, sql FROM sqlite_schema`)
	if err != nil {
		return err
	}
	defer rows.Close() // read only
	f.plain = map[string]bool{}
	for n := 0; rows.Next(); n++ {
		var kind, name, text sql.NullString
		var page sql.NullInt64
		if err := rows.Scan(&kind, &name, &page, &text); err != nil {
			return bad("an entry of its schema is invalid")
		}
		if n == maxObjects {
			return fault.New(fault.TooLarge, "the GeoPackage has more than %d tables and indexes", maxObjects)
		}
		starts := func(words ...string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(text.String, w) })
		}
		known := true
		switch kind.String {
		case "table":
			if rest, ok := strings.CutPrefix(text.String, "CREATE TABLE "); ok && page.Int64 > 0 {
				known = named(rest, name.String)
				f.plain[strings.ToLower(name.String)] = true
			} else {
				known = starts("CREATE VIRTUAL TABLE ") && page.Int64 == 0
			}
		case "index":
			known = !text.Valid || starts("CREATE INDEX ", "CREATE UNIQUE INDEX ")
		case "view":
			known = starts("CREATE VIEW ")
		case "trigger":
			known = starts("CREATE TRIGGER ")
		default:
			known = false
		}
		if !known {
			return bad("the entry %.60q of its schema is not what it says to be", name.String)
		}
	}
	return rows.Err()
}

// named says whether SQL begins with a name, quoted or not.
func named(text, name string) bool {
	for _, q := range []string{`""`, "''", "``", "[]"} {
		if strings.HasPrefix(text, q[:1]+strings.ReplaceAll(name, q[1:], q[1:]+q[1:])+q[1:]) {
			return true
		}
	}
	rest, ok := strings.CutPrefix(text, name)
	return ok && rest != "" && strings.ContainsAny(rest[:1], " \t\r\n(")
}

// stored refuses what is not a table, and columns that are missing or computed.
func (f *file) stored(ctx context.Context, table string, columns ...string) error {
	if !f.plain[strings.ToLower(table)] {
		return bad("%.60q is no table that holds its rows", table)
	}
	rows, err := f.conn.QueryContext(ctx, `PRAGMA table_xinfo(`+quote(table)+`)`)
	if err != nil {
		return err
	}
	defer rows.Close() // read only
	has := map[string]bool{}
	for rows.Next() {
		var name string
		var hidden int
		var other any
		if err := rows.Scan(&other, &name, &other, &other, &other, &other, &hidden); err != nil {
			return err
		}
		has[strings.ToLower(name)] = hidden == 0 // 2 and 3 are computed
	}
	for _, c := range columns {
		if !has[strings.ToLower(c)] {
			return bad("table %.60q has no column %.60q, or computes it", table, c)
		}
	}
	return rows.Err()
}

func (f *file) layers(ctx context.Context) ([]layer, error) {
	if err := f.stored(ctx, "gpkg_geometry_columns", "table_name", "column_name", "srs_id"); err != nil {
		return nil, err
	}
	rows, err := f.conn.QueryContext(ctx, `SELECT table_name, column_name, srs_id FROM gpkg_geometry_columns`)
	if err != nil {
		return nil, err
	}
	defer rows.Close() // read only
	var out []layer
	for rows.Next() {
		var l layer
		if err := rows.Scan(&l.table, &l.column, &l.srs); err != nil {
			return nil, bad("a row of gpkg_geometry_columns has other values than names and a number")
		}
		if out = append(out, l); len(out) > maxLayers {
			return nil, fault.New(fault.TooLarge, "the GeoPackage has more than %d layers", maxLayers)
		}
	}
	return out, rows.Err()
}

// system is the name of a system.
func (f *file) system(ctx context.Context, id int64) (string, error) {
	if err := f.stored(ctx, "gpkg_spatial_ref_sys", "srs_id", "organization", "organization_coordsys_id"); err != nil {
		return "", err
	}
	var organization, code sql.NullString
	err := f.conn.QueryRowContext(ctx, `SELECT organization, organization_coordsys_id FROM gpkg_spatial_ref_sys WHERE srs_id = ?`,
		id).Scan(&organization, &code)
	if errors.Is(err, sql.ErrNoRows) {
		return "", bad("its coordinate reference system %d is not in gpkg_spatial_ref_sys", id)
	}
	return strings.ToUpper(organization.String) + ":" + code.String, err
}

// columns are the columns of a table that store what they hold, and the whole number that is its key, "" without one.
func (f *file) columns(ctx context.Context, table string) (names []string, key string, err error) {
	rows, err := f.conn.QueryContext(ctx, `PRAGMA table_xinfo(`+quote(table)+`)`)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close() // read only
	for rows.Next() {
		var name, kind string
		var hidden, pk int
		var other any
		if err := rows.Scan(&other, &name, &kind, &other, &other, &pk, &hidden); err != nil {
			return nil, "", err
		}
		if hidden != 0 { // computed
			continue
		}
		if pk == 1 && strings.EqualFold(kind, "INTEGER") {
			key = name
			continue
		}
		names = append(names, name)
	}
	return names, key, rows.Err()
}

func (f *file) rows(ctx context.Context, l layer, system string) error {
	names, key, err := f.columns(ctx, l.table)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return strings.EqualFold(n, l.column) })
	of := []string{quote(l.column)}
	for _, n := range names[:min(len(names), maxColumns)] {
		of = append(of, quote(n))
	}
	names = names[:len(of)-1]
	if key != "" {
		of = append(of, quote(key))
	}
	rows, err := f.conn.QueryContext(ctx, `SELECT `+strings.Join(of, ", ")+` FROM `+quote(l.table))
	if err != nil {
		return err
	}
	defer rows.Close() // read only
	for rows.Next() {
		if f.limits.Rows--; f.limits.Rows < 0 {
			return fault.New(fault.TooLarge, "the GeoPackage has too many rows")
		}
		row, err := scanned(rows, names, key != "")
		if err != nil {
			return err
		}
		if f.limits.Bytes -= row.bytes(); f.limits.Bytes < 0 {
			return fault.New(fault.TooLarge, "the rows of the GeoPackage are too large")
		}
		row.Table, row.System = l.table, system
		if err := f.each(*row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// maxColumns bounds the columns that are read of a layer.
const maxColumns = 200

// scanned reads a row of geometry, columns and key.
func scanned(rows *sql.Rows, names []string, keyed bool) (*Row, error) {
	values := make([]any, len(names)+1, len(names)+2)
	var raw sql.RawBytes
	to := []any{&raw}
	for i := range names {
		to = append(to, &values[i])
	}
	var key any
	if keyed {
		to = append(to, &key)
	}
	if err := rows.Scan(to...); err != nil {
		return nil, err
	}
	row := &Row{Geometry: raw}
	if v, ok := key.(int64); ok {
		row.ID = v
	}
	for i, n := range names {
		switch v := values[i].(type) {
		case []byte:
			continue
		case time.Time:
			values[i] = v.Format(time.RFC3339Nano)
		}
		if row.Values == nil {
			row.Values = map[string]any{}
		}
		row.Values[n] = values[i]
	}
	return row, nil
}

// bytes is about what a row takes.
func (r *Row) bytes() int64 {
	n := int64(len(r.Geometry))
	for name, v := range r.Values {
		n += int64(len(name)) + 8
		if text, ok := v.(string); ok {
			n += int64(len(text))
		}
	}
	return n
}

// quote makes an SQL identifier of a name of the file.
func quote(name string) string { return fmt.Sprintf(`"%s"`, strings.ReplaceAll(name, `"`, `""`)) }
