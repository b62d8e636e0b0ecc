// Package geopackage reads layers of foreign GeoPackages (OGC 12-128) by place: which rows lie in a box, and
// what a row holds. It owns the tables that say what is in a file, and the spatial index, which it makes beside
// the file where it is missing; shared/geo/wkb reads the geometries. It knows no layer's meaning;
// builders/source/dkm does. Files are opened read-only and never held in memory.
//
//	index      rtree_<table>_<column>: id, minx, maxx, miny, maxy, in float32 rounded outwards
//
// Names of tables and columns are compared without regard to case. The writer of the project's own GeoPackages
// is shared/web/gpkg, the reader of those that clients send shared/web/gpkgin.
package geopackage

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the only engine that reads the format without cgo
)

// Limits of a file.
const (
	maxTables   = 1_000
	maxGeometry = 64 << 20 // bytes of one geometry
)

// File is an opened GeoPackage. It is safe for concurrent use.
type File struct {
	Name   string // of the file, without its folder
	Layers []Layer

	path string
	db   *sql.DB
}

// Layer is a table with geometries.
type Layer struct {
	Table    string
	Column   string   // of the geometry
	Type     string   // as the file states it, in upper case: MULTIPOLYGON
	System   string   // "EPSG:31287", or what stands in its place
	Columns  []string // the others, as the file spells them
	Identity string   // what the file calls the layer for people, "" when it says nothing

	file *File
}

// Open opens a file and lists its layers of features, in the order of their names. An error is about a file
// that is no GeoPackage.
func Open(ctx context.Context, path string) (*File, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(abs); err != nil {
		return nil, err
	}
	f := &File{Name: filepath.Base(path), path: abs}
	if f.db, err = open(abs, "mode=ro&immutable=1"); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	if err := f.list(ctx); err != nil {
		f.db.Close()
		return nil, fmt.Errorf("%s: no GeoPackage that can be read: %w", f.Name, err)
	}
	return f, nil
}

// open opens a database; a file of others must not make the engine run what stands in its schema.
func open(path, query string) (*sql.DB, error) {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: query + "&_pragma=trusted_schema(0)"}
	db, err := sql.Open("sqlite", u.String())
	if err == nil {
		db.SetMaxOpenConns(8)
	}
	return db, err
}

// Close ends the reading.
func (f *File) Close() error { return f.db.Close() }

func (f *File) list(ctx context.Context) error {
	rows, err := f.db.QueryContext(ctx, `SELECT g.table_name, g.column_name, g.geometry_type_name, c.identifier,
		coalesce(s.organization, ''), coalesce(s.organization_coordsys_id, g.srs_id)
		FROM gpkg_geometry_columns g
		LEFT JOIN gpkg_contents c ON lower(c.table_name) = lower(g.table_name)
		LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id
		ORDER BY g.table_name`)
	if err != nil {
		return err
	}
	defer rows.Close() // read only
	for rows.Next() {
		l := Layer{file: f}
		var identity sql.NullString
		var organization, code string
		if err := rows.Scan(&l.Table, &l.Column, &l.Type, &identity, &organization, &code); err != nil {
			return err
		}
		l.Identity, l.Type = identity.String, strings.ToUpper(l.Type)
		l.System = strings.ToUpper(organization) + ":" + code
		if len(f.Layers) >= maxTables {
			return fmt.Errorf("more than %d tables", maxTables)
		}
		f.Layers = append(f.Layers, l)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for i := range f.Layers {
		if err := f.Layers[i].columns(ctx); err != nil {
			return err
		}
	}
	return nil
}

// columns lists the columns beside the geometry.
func (l *Layer) columns(ctx context.Context) error {
	rows, err := l.file.db.QueryContext(ctx, `SELECT name FROM pragma_table_info(?)`, l.Table)
	if err != nil {
		return err
	}
	defer rows.Close() // read only
	drawn := false
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		if strings.EqualFold(name, l.Column) {
			drawn = true
			continue
		}
		l.Columns = append(l.Columns, name)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if !drawn {
		return fmt.Errorf("table %s has no column %s, which the file says holds its geometries", l.Table, l.Column)
	}
	return nil
}

// Find is the column with one of the names, in the order of the names, as the file spells it; "" when there is
// none.
func (l *Layer) Find(names ...string) string {
	for _, n := range names {
		for _, c := range l.Columns {
			if strings.EqualFold(c, n) {
				return c
			}
		}
	}
	return ""
}

// Count is the number of rows.
func (l *Layer) Count(ctx context.Context) (n int64, err error) {
	// gpkg_ogr_contents keeps it: counting a national table reads all of it.
	err = l.file.db.QueryRowContext(ctx,
		`SELECT feature_count FROM gpkg_ogr_contents WHERE lower(table_name) = lower(?) AND feature_count IS NOT NULL`, l.Table).Scan(&n)
	if err == nil {
		return n, nil
	}
	if err = l.file.db.QueryRowContext(ctx, `SELECT count(*) FROM `+quote(l.Table)).Scan(&n); err != nil {
		return 0, fmt.Errorf("%s: table %s: %w", l.file.Name, l.Table, err)
	}
	return n, nil
}

// quote makes an SQL identifier of a name of the file.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
