package gpkgin

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/shared/web/fault"
)

const empty = `x'47500011000000000101000000000000000000f87f000000000000f87f'` // a point of nothing

// base is a file of one layer of one row.
var base = []string{
	`CREATE TABLE gpkg_spatial_ref_sys(srs_name TEXT, srs_id INTEGER PRIMARY KEY, organization TEXT, organization_coordsys_id INTEGER)`,
	`CREATE TABLE gpkg_geometry_columns(table_name TEXT, column_name TEXT, srs_id INTEGER)`,
	`INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'epsg', 4326)`,
	`INSERT INTO gpkg_geometry_columns VALUES ('a', 'geom', 4326)`,
}

const table = `CREATE TABLE a(fid INTEGER PRIMARY KEY, geom BLOB)`

// made is the file that statements make.
func made(t testing.TB, statements ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.gpkg")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, s := range append(append([]string{}, base...), statements...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var limits = Limits{Rows: 100, Bytes: 1 << 20}

func read(ctx context.Context, b []byte) (n int, err error) {
	_, err = Read(ctx, b, limits, func(r Row) error {
		if r.System != "EPSG:4326" || r.Table != "a" {
			return errors.New(r.Table + " " + r.System)
		}
		n++
		return nil
	})
	return n, err
}

// Views, triggers, virtual tables and indexes may stand in a file; what is read of it is its table.
func TestWhatStandsBeside(t *testing.T) {
	b := made(t, table, `INSERT INTO a VALUES (1, `+empty+`), (2, NULL), (3, 'text')`,
		`CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, zeroblob(1000000000) AS geom FROM n`,
		`CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; END`,
		`CREATE VIRTUAL TABLE rtree_a_geom USING rtree(id, minx, maxx, miny, maxy)`,
		`CREATE INDEX i ON a(geom) WHERE length(geom) > 1`)
	if n, err := read(t.Context(), b); n != 3 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}

// A file makes the engine run nothing: what would is refused.
func TestHostileFiles(t *testing.T) {
	forged := func(set string) []string {
		return []string{table, `INSERT INTO a VALUES (1, ` + empty + `)`, `CREATE VIEW v AS SELECT ` + empty + ` AS geom`,
			`PRAGMA writable_schema=ON`, set, `PRAGMA writable_schema=RESET`}
	}
	for name, c := range map[string]struct {
		statements []string
		status     int
		want       string
	}{
		"no table":       {nil, 400, `"a" is no table that holds its rows`},
		"no layer":       {[]string{table, `DELETE FROM gpkg_geometry_columns`}, 400, "no layer"},
		"another column": {[]string{`CREATE TABLE a(b BLOB)`}, 400, "no column"},
		"a view":         {[]string{`CREATE VIEW a AS SELECT ` + empty + ` AS geom`}, 400, "no table that holds"},
		"an endless view": {[]string{
			`CREATE VIEW a AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT NULL AS geom FROM n`}, 400,
			"no table that holds"},
		"a virtual table": {[]string{`CREATE VIRTUAL TABLE a USING rtree(id, x, geom)`}, 400, "no table that holds"},
		"the schema": {[]string{`UPDATE gpkg_geometry_columns SET table_name = 'sqlite_schema', column_name = 'sql'`}, 400,
			"no table that holds"},
		"a table function": {[]string{`UPDATE gpkg_geometry_columns SET table_name = 'json_each', column_name = 'value'`}, 400,
			"no table that holds"},
		"a computed column": {[]string{`CREATE TABLE a(fid INTEGER PRIMARY KEY, geom BLOB AS (zeroblob(100000000)))`,
			`INSERT INTO a(fid) VALUES (1)`}, 400, "computes it"},
		"a stored column": {[]string{`CREATE TABLE a(fid INTEGER PRIMARY KEY, geom BLOB AS (zeroblob(10)) STORED)`,
			`INSERT INTO a(fid) VALUES (1)`}, 400, "computes it"},
		"systems as a view": {[]string{table, `DROP TABLE gpkg_spatial_ref_sys`,
			`CREATE VIEW gpkg_spatial_ref_sys AS SELECT 4326 AS srs_id, 'EPSG' AS organization, 4326 AS organization_coordsys_id`}, 400,
			`"gpkg_spatial_ref_sys" is no table`},
		"layers as a view": {[]string{table, `DROP TABLE gpkg_geometry_columns`,
			`CREATE VIEW gpkg_geometry_columns AS SELECT 'a' AS table_name, 'geom' AS column_name, 4326 AS srs_id`}, 400,
			`"gpkg_geometry_columns" is no table`},
		"a system of nowhere": {[]string{table, `UPDATE gpkg_geometry_columns SET srs_id = 7`}, 400, "system 7 is not in"},
		"a system as text":    {[]string{table, `UPDATE gpkg_geometry_columns SET srs_id = 'x'`}, 400, "other values"},
		"a name in quotes":    {[]string{table, `UPDATE gpkg_geometry_columns SET column_name = 'geom" FROM v; --'`}, 400, "no column"},
		"a view as a table":   {forged(`UPDATE sqlite_schema SET sql = 'CREATE VIEW a AS SELECT 1 AS geom' WHERE name = 'a'`), 400, ""},
		"a view's other name": {forged(`UPDATE sqlite_schema SET name = 'w' WHERE name = 'v'`), 400, ""},
		"a table's other name": {forged(
			`UPDATE sqlite_schema SET sql = 'CREATE TABLE b(fid INTEGER PRIMARY KEY, geom BLOB)' WHERE name = 'a'`), 400, ""},
		"rows": {[]string{table,
			`INSERT INTO a WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101) SELECT i, NULL FROM n`}, 413,
			"too many rows"},
		"geometries": {[]string{table, `INSERT INTO a VALUES (1, zeroblob(1048577))`}, 413, "too large"},
		"layers": {[]string{table,
			`INSERT INTO gpkg_geometry_columns WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT 'a', 'geom', 4326 FROM n`}, 413, "1000 layers"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(t.Context(), made(t, c.statements...))
			var f *fault.Fault
			if c.status == 0 && err != nil || c.status != 0 && (!errors.As(err, &f) || f.Status() != c.status ||
				!strings.Contains(f.Message, c.want)) {
				t.Errorf("want %d with %q, got %v", c.status, c.want, err)
			}
		})
	}
}

// The bounds themselves are read.
func TestBounds(t *testing.T) {
	for name, s := range map[string]string{
		"rows":       `INSERT INTO a WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT i, NULL FROM n`,
		"geometries": `INSERT INTO a VALUES (1, zeroblob(1048576))`,
	} {
		if _, err := read(t.Context(), made(t, table, s)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the authorizer denies is not even prepared.
func TestNothingButReading(t *testing.T) {
	f, err := open(t.Context(), made(t, table, `CREATE VIEW v AS SELECT geom FROM a`, `CREATE VIEW w AS SELECT zeroblob(5) AS geom`))
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	for _, q := range []string{
		`SELECT geom FROM v`, `SELECT geom FROM w`, `SELECT load_extension('x')`, `SELECT zeroblob(5)`, `INSERT INTO a VALUES (1, NULL)`,
		`DELETE FROM a`, `CREATE TABLE b(x)`,
		`DROP TABLE a`, `ATTACH '` + filepath.Join(t.TempDir(), "x.db") + `' AS x`,
		`VACUUM INTO '` + filepath.Join(t.TempDir(), "y.db") + `'`, `PRAGMA writable_schema=ON`,
		`CREATE VIRTUAL TABLE b USING rtree(a, b, c)`, `CREATE TEMP TABLE b(x)`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`,
	} {
		var v any
		if err := f.conn.QueryRowContext(t.Context(), q).Scan(&v); err == nil || errors.Is(err, sql.ErrNoRows) {
			t.Errorf("%s is not denied: %v", q, err)
		}
	}
}

// A context that ended ends the reading.
func TestTime(t *testing.T) {
	b := made(t, table, `INSERT INTO a VALUES (1, NULL)`)
	ended, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	var f *fault.Fault
	if _, err := read(ended, b); !errors.As(err, &f) || f.Status() != 400 || !strings.Contains(f.Message, "too long") {
		t.Errorf("%v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := read(gone, b); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// BenchmarkRead is a file of 10,000 rows of 350 bytes.
func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.gpkg")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range append(append([]string{}, base...), table,
		`INSERT INTO a WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i, zeroblob(350) FROM n`) {
		if _, err := db.Exec(s); err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := Read(b.Context(), body, Limits{Rows: 10_000, Bytes: 1 << 25}, func(Row) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// small is a database of a few pages with a value of each kind, and a geometry that is longer than a page.
var small = []string{
	`PRAGMA page_size = 512`, `VACUUM`, `CREATE TABLE a(fid INTEGER PRIMARY KEY, geom BLOB, t TEXT, n REAL)`,
	`INSERT INTO a VALUES (1, x'4750000100000000', 'one', 1.5), (2, NULL, NULL, NULL), (3, zeroblob(600), 'three', 3)`,
}

// FuzzRead changes bytes of the pages of a small database, in two places: the fuzzer does not find by itself what of them
// belongs together. Foreign bytes give rows or a fault, within the limits.
func FuzzRead(f *testing.F) {
	whole := made(f, small...)
	f.Add(uint16(100), []byte{0x0d}, uint16(600), []byte("GP"))
	f.Add(uint16(0), []byte("SQLite format 3\x00"), uint16(18), []byte{2, 2})
	f.Add(uint16(len(whole)-20), []byte{0xff, 0xff}, uint16(512), []byte{5, 0})
	f.Fuzz(func(t *testing.T, at uint16, put []byte, also uint16, second []byte) {
		b := bytes.Clone(whole)
		copy(b[int(at)%len(b):], put)
		copy(b[int(also)%len(b):], second)
		n, size := 0, int64(0)
		_, err := Read(t.Context(), b, limits, func(r Row) error {
			n, size = n+1, size+int64(len(r.Geometry))
			return nil
		})
		var known *fault.Fault
		if err != nil && !errors.As(err, &known) {
			t.Errorf("%v is no answer", err)
		}
		if n > limits.Rows || size > limits.Bytes {
			t.Errorf("%d rows and %d bytes of geometries are beyond the limits", n, size)
		}
	})
}

// The small database of the fuzz target is read as it is.
func TestTheDatabaseThatIsFuzzed(t *testing.T) {
	whole := made(t, small...)
	if n, err := read(t.Context(), whole); n != 3 || err != nil || len(whole) > 8<<10 {
		t.Errorf("%d rows of %d bytes, %v", n, len(whole), err)
	}
}
