package gpkg

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"image"
	"image/png"
	"math"
	"time"
)

// Coverage is a raster of one band, written as a tiled gridded coverage (OGC 17-066r1): tiles of 256 x 256 cells as PNG of
// 16 bits, each with a scale and an offset of its own.
//
// A value is written to Quantum: the number in a tile times its scale plus its offset. The scale is Quantum, and larger
// only in a tile whose values differ by more than 65,534 of it. 65535 says that nothing is known; a tile without a known
// value is not written.
type Coverage struct {
	Name        string // table name, as that of a Layer
	Title       string // identifier, unique in the file; "" means the name
	Description string // licence and attribution belong here
	Pyramid
	Unit    string  // of the values: "m"
	Field   string  // what they are: "Height"
	Quantum float64 // of the values, above 0
	// Read gives a window of a level, row by row from the north, NaN where nothing is known. It is asked for cells inside
	// the level alone, which is as large as all cells of Step fit in.
	Read func(ctx context.Context, w Window) ([]float32, error)
}

const nullValue = 65535

// coverageSchema is what files with coverages have beside baseSchema and pyramidSchema.
var coverageSchema = []string{
	`CREATE TABLE gpkg_2d_gridded_coverage_ancillary (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
		tile_matrix_set_name TEXT NOT NULL UNIQUE, datatype TEXT NOT NULL DEFAULT 'integer', scale REAL NOT NULL DEFAULT 1.0,
		offset REAL NOT NULL DEFAULT 0.0, precision REAL DEFAULT 1.0, data_null REAL,
		grid_cell_encoding TEXT DEFAULT 'grid-value-is-center', uom TEXT, field_name TEXT DEFAULT 'Height',
		quantity_definition TEXT DEFAULT 'Height', CONSTRAINT fk_g2dgtct_name FOREIGN KEY(tile_matrix_set_name)
		REFERENCES gpkg_tile_matrix_set ( table_name ) CHECK (datatype in ('integer','float')))`,
	`CREATE TABLE gpkg_2d_gridded_tile_ancillary (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, tpudt_name TEXT NOT NULL,
		tpudt_id INTEGER NOT NULL, scale REAL NOT NULL DEFAULT 1.0, offset REAL NOT NULL DEFAULT 0.0, min REAL DEFAULT NULL,
		max REAL DEFAULT NULL, mean REAL DEFAULT NULL, std_dev REAL DEFAULT NULL, CONSTRAINT fk_g2dgtat_name
		FOREIGN KEY (tpudt_name) REFERENCES gpkg_contents(table_name), UNIQUE (tpudt_name, tpudt_id))`,
	extended + `('gpkg_2d_gridded_coverage_ancillary',NULL,` + gridded,
	extended + `('gpkg_2d_gridded_tile_ancillary',NULL,` + gridded,
	// The standard wants this system to be named, whatever system the coverages have.
	`INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84 3D',4979,'EPSG',4979,'undefined',NULL)`,
}

// A row of gpkg_extensions that names the standard of coverages, with the table and the column between.
const (
	extended = `INSERT INTO gpkg_extensions VALUES `
	gridded  = `'gpkg_2d_gridded_coverage','http://docs.opengeospatial.org/is/17-066r1/17-066r1.html','read-write')`
)

// writeCoverages writes the rasters of a file.
func writeCoverages(ctx context.Context, tx *sql.Tx, f File) error {
	if len(f.Coverages) == 0 {
		return nil
	}
	for _, stmt := range coverageSchema {
		if _, err := tx.ExecContext(ctx, stmt); err != nil {
			return err
		}
	}
	for i := range f.Coverages {
		c := &f.Coverages[i]
		if err := c.check(); err != nil {
			return err
		}
		if err := c.enter(ctx, tx, f.Time); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if err := c.fill(ctx, tx); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

func (c *Coverage) check() error {
	if !(c.Quantum > 0) {
		return fmt.Errorf("%s: steps of %g", c.Name, c.Quantum)
	}
	return c.Pyramid.check(c.Name)
}

// enter creates the table and names it, and how it is cut into tiles.
func (c *Coverage) enter(ctx context.Context, tx *sql.Tx, changed time.Time) error {
	if err := c.Pyramid.enter(ctx, tx, named{c.Name, c.Title, c.Description, "2d-gridded-coverage"}, changed); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, extended+"(?,'tile_data',"+gridded, c.Name); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO gpkg_2d_gridded_coverage_ancillary (tile_matrix_set_name, datatype, scale, offset, "+
		"precision, data_null, grid_cell_encoding, uom, field_name, quantity_definition) "+
		"VALUES (?,'integer',1,0,?,?,'grid-value-is-area',?,?,?)", c.Name, c.Quantum, nullValue, nullable(c.Unit), c.Field, c.Field)
	return err
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// fill writes the tiles, the coarsest first.
func (c *Coverage) fill(ctx context.Context, tx *sql.Tx) error {
	tiles, err := tx.PrepareContext(ctx, "INSERT INTO "+quote(c.Name)+" VALUES (?,?,?,?,?)")
	if err != nil {
		return err
	}
	defer tiles.Close() // of a transaction
	scales, err := tx.PrepareContext(ctx,
		"INSERT INTO gpkg_2d_gridded_tile_ancillary (tpudt_name, tpudt_id, scale, offset, min, max) VALUES (?,?,?,?,?,?)")
	if err != nil {
		return err
	}
	defer scales.Close() // of a transaction
	id := 0
	return c.each(func(w Window) error {
		z, err := c.Read(ctx, w)
		if err != nil {
			return err
		}
		t, err := c.tile(z, w.Cols, w.Rows)
		if err != nil || t == nil {
			return err
		}
		id++
		if _, err := tiles.ExecContext(ctx, id, c.zoom(w.Level), w.Col/tileSide, w.Row/tileSide, t.png); err != nil {
			return err
		}
		_, err = scales.ExecContext(ctx, c.Name, id, t.scale, t.offset, t.least, t.most)
		return err
	})
}

// coded is a tile as it is written.
type coded struct {
	png                        []byte
	scale, offset, least, most float64
}

// tile codes the cells of a tile of w x h cells, which may be less than a whole one; nil where nothing is known.
func (c *Coverage) tile(z []float32, w, h int) (*coded, error) {
	if len(z) != w*h {
		return nil, fmt.Errorf("%d values of a window of %d x %d", len(z), w, h)
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range z {
		if v := float64(v); v == v {
			least, most = min(least, v), max(most, v)
		}
	}
	if least > most {
		return nil, nil
	}
	if math.IsInf(least, 0) || math.IsInf(most, 0) {
		return nil, fmt.Errorf("a value is infinite")
	}
	t := &coded{scale: c.Quantum, offset: math.Floor(least)}
	if span := most - t.offset; span > c.Quantum*(nullValue-1) {
		t.scale = span / (nullValue - 1)
	}
	img := image.NewGray16(image.Rect(0, 0, tileSide, tileSide))
	for i := range img.Pix {
		img.Pix[i] = 0xff // nullValue
	}
	t.least, t.most = math.Inf(1), math.Inf(-1)
	for row := range h {
		for col := range w {
			v := float64(z[row*w+col])
			if v != v {
				continue
			}
			n := math.Round((v - t.offset) / t.scale)
			at := img.PixOffset(col, row)
			img.Pix[at], img.Pix[at+1] = uint8(int(n)>>8), uint8(int(n))
			stored := float64(n*t.scale) + t.offset
			t.least, t.most = min(t.least, stored), max(t.most, stored)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, err
	}
	t.png = b.Bytes()
	return t, nil
}
