// Package gpkg writes GeoPackage 1.3 files with SQLite in pure Go: layers of points, lines or multipolygons
// with attributes, a spatial index each, and rasters of one band, in WGS84 or one of the systems of shared/geo/crs. It owns the
// schema and the geometry blob; rows come as shared/web/format gives them.
//
// Geometry blob (GeoPackage 2.1.3), little-endian:
//
//	offset 0  2  "GP"
//	       2  1  version, 0
//	       3  1  flags: 0x01 point (no envelope), 0x03 others (envelope of 4 doubles)
//	       4  4  SRS id
//	       8  32 min x, max x, min y, max y; only with an envelope
//	       -  -  well-known binary
//
// The file is made beside in the temporary directory and removed after it is sent. The same rows and
// the same time give the same bytes.
package gpkg

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"mappe/shared/web/format"
	"mappe/shared/web/qgis"
)

// File is a GeoPackage to write.
type File struct {
	Time      time.Time // last_change of every layer
	Layers    []Layer
	Coverages []Coverage // rasters of values
	Pictures  []Picture  // rasters of colours
}

// Layer is one table of rows. Rows of a type with geometry make a feature table with a spatial index,
// others an attribute table.
type Layer struct {
	Name        string // table name: a lower-case word of letters, digits and underscores
	Title       string // identifier, unique in the file; "" means the name
	Description string // licence and attribution belong here
	Layout      *format.Layout
	Rows        format.Seq
	// Style is how QGIS draws the layer when it is opened; the zero Style leaves it to QGIS.
	Style qgis.Style
}

var tableName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)

// Write makes the file and copies it to w.
func Write(ctx context.Context, w io.Writer, f File) (err error) {
	dir, err := os.MkdirTemp("", "gpkg")
	if err != nil {
		return fmt.Errorf("geopackage: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "layers.gpkg")
	if err := WriteFile(ctx, path, f); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("geopackage: %w", err)
	}
	defer file.Close()    // read only
	_ = os.RemoveAll(dir) // a client may read for long: a process that is killed meanwhile leaves nothing behind
	_, err = io.Copy(w, bufio.NewReaderSize(file, 64<<10))
	return err
}

// WriteFile makes the file at a path where no file exists yet.
func WriteFile(ctx context.Context, path string, f File) (err error) {
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("geopackage: %s exists", path)
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=locking_mode(EXCLUSIVE)")
	if err != nil {
		return fmt.Errorf("geopackage: %w", err)
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, stmt := range baseSchema {
		if _, err := db.ExecContext(ctx, stmt); err != nil {
			return fmt.Errorf("geopackage: %w", err)
		}
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("geopackage: %w", err)
	}
	defer tx.Rollback() // after Commit this does nothing
	if err := writeSystems(ctx, tx, f); err != nil {
		return err
	}
	for _, l := range f.Layers {
		if err := writeLayer(ctx, tx, l, f.Time); err != nil {
			return fmt.Errorf("geopackage layer %s: %w", l.Name, err)
		}
	}
	if err := writeStyles(ctx, tx, f); err != nil {
		return fmt.Errorf("geopackage styles: %w", err)
	}
	if err := writeRasters(ctx, tx, f); err != nil {
		return fmt.Errorf("geopackage raster: %w", err)
	}
	return tx.Commit()
}

// writeRasters writes the rasters of a file, and what all of them need.
func writeRasters(ctx context.Context, tx *sql.Tx, f File) error {
	if len(f.Coverages)+len(f.Pictures) == 0 {
		return nil
	}
	for _, stmt := range pyramidSchema {
		if _, err := tx.ExecContext(ctx, stmt); err != nil {
			return err
		}
	}
	if err := writeCoverages(ctx, tx, f); err != nil {
		return err
	}
	return writePictures(ctx, tx, f)
}

// Form writes the rows of one answer as a file of one layer: format=gpkg.
type Form struct {
	Time   time.Time
	Styles map[string]qgis.Style // by the name of the layer; one that is not named has none
}

// WriteRows makes Form a reply.FileWriter.
func (f Form) WriteRows(ctx context.Context, w io.Writer, name string, l *format.Layout, rows format.Seq) error {
	return Write(ctx, w, File{Time: f.Time, Layers: []Layer{{Name: Word(name), Layout: l, Rows: rows, Style: f.Styles[Word(name)]}}})
}

// Word turns a name into a table name: what is not allowed becomes an underscore.
func Word(name string) string {
	b := make([]byte, 0, len(name))
	for i := 0; i < len(name) && i < 60; i++ {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			c = '_'
		}
		b = append(b, c)
	}
	if len(b) == 0 || b[0] < 'a' {
		b = append([]byte("l_"), b...)
	}
	return string(b)
}
