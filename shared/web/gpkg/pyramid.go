package gpkg

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// tileSide is the side of a tile of a raster in cells.
const tileSide = 256

// Pyramid is where the cells of a raster lie, and in which resolutions they are kept.
type Pyramid struct {
	EPSG        int
	West, North float64 // of the north-western corner
	Step        float64 // side of a cell in units of the plane
	Cols, Rows  int
	Levels      int // resolutions, at least 1: level n has cells of Step · 2ⁿ from the same corner
}

// pyramidSchema is what files with rasters have beside baseSchema.
var pyramidSchema = []string{
	`CREATE TABLE gpkg_tile_matrix_set (table_name TEXT NOT NULL PRIMARY KEY, srs_id INTEGER NOT NULL,
		min_x DOUBLE NOT NULL, min_y DOUBLE NOT NULL, max_x DOUBLE NOT NULL, max_y DOUBLE NOT NULL,
		CONSTRAINT fk_gtms_table_name FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
		CONSTRAINT fk_gtms_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id))`,
	`CREATE TABLE gpkg_tile_matrix (table_name TEXT NOT NULL, zoom_level INTEGER NOT NULL,
		matrix_width INTEGER NOT NULL, matrix_height INTEGER NOT NULL, tile_width INTEGER NOT NULL, tile_height INTEGER NOT NULL,
		pixel_x_size DOUBLE NOT NULL, pixel_y_size DOUBLE NOT NULL, CONSTRAINT pk_ttm PRIMARY KEY (table_name, zoom_level),
		CONSTRAINT fk_tmm_table_name FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name))`,
}

func (p *Pyramid) check(name string) error {
	if !tableName.MatchString(name) || strings.HasPrefix(name, "gpkg_") || strings.HasPrefix(name, "rtree_") {
		return fmt.Errorf("table name %q is not allowed: expected a lower-case word such as dtm", name)
	}
	if p.Cols < 1 || p.Rows < 1 || p.Levels < 1 || p.Levels > 20 || !(p.Step > 0) {
		return fmt.Errorf("%s: %d x %d cells of %g at %d resolutions", name, p.Cols, p.Rows, p.Step, p.Levels)
	}
	return nil
}

// matrix is how many tiles stand beside and below each other at a level: all levels cover the same extent.
func (p *Pyramid) matrix(level int) (across, down int) {
	top := 1 << (p.Levels - 1)
	side := tileSide * top
	return (p.Cols + side - 1) / side * (top >> level), (p.Rows + side - 1) / side * (top >> level)
}

// size are the cells of a level.
func (p *Pyramid) size(level int) (cols, rows int) {
	n := 1 << level
	return (p.Cols + n - 1) / n, (p.Rows + n - 1) / n
}

// zoom is the number of a level in the file, where 0 is the coarsest.
func (p *Pyramid) zoom(level int) int { return p.Levels - 1 - level }

// named is how a raster stands in the contents.
type named struct{ name, title, description, kind string }

// enter creates the table of a raster and names it, and how it is cut into tiles.
func (p *Pyramid) enter(ctx context.Context, tx *sql.Tx, n named, changed time.Time) error {
	exec := func(stmt string, args ...any) error {
		_, err := tx.ExecContext(ctx, stmt, args...)
		return err
	}
	if err := exec("CREATE TABLE " + quote(n.name) +
		" (id INTEGER PRIMARY KEY AUTOINCREMENT, zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, " +
		"tile_row INTEGER NOT NULL, tile_data BLOB NOT NULL, UNIQUE (zoom_level, tile_column, tile_row))"); err != nil {
		return err
	}
	if n.title == "" {
		n.title = n.name
	}
	if err := exec("INSERT INTO gpkg_contents VALUES (?,?,?,?,?,?,?,?,?,?)", n.name, n.kind, n.title, n.description,
		changed.UTC().Format("2006-01-02T15:04:05.000Z"), p.West, p.North-float64(p.Rows)*p.Step, p.West+float64(p.Cols)*p.Step, p.North,
		p.EPSG); err != nil {
		return err
	}
	across, down := p.matrix(0)
	if err := exec("INSERT INTO gpkg_tile_matrix_set VALUES (?,?,?,?,?,?)", n.name, p.EPSG, p.West, p.North-float64(down*tileSide)*p.Step,
		p.West+float64(across*tileSide)*p.Step, p.North); err != nil {
		return err
	}
	for level := range p.Levels {
		across, down := p.matrix(level)
		step := p.Step * float64(int(1)<<level)
		if err := exec("INSERT INTO gpkg_tile_matrix VALUES (?,?,?,?,?,?,?,?)", n.name, p.zoom(level), across, down, tileSide, tileSide,
			step, step); err != nil {
			return err
		}
	}
	return nil
}

// Window are cells of a level of a pyramid, from a column and a row on; level 0 is the finest.
type Window struct{ Level, Col, Row, Cols, Rows int }

// each asks for the windows of the tiles, those of the coarsest level first.
func (p *Pyramid) each(f func(w Window) error) error {
	for level := p.Levels - 1; level >= 0; level-- {
		cols, rows := p.size(level)
		for row := 0; row < rows; row += tileSide {
			for col := 0; col < cols; col += tileSide {
				if err := f(Window{level, col, row, min(tileSide, cols-col), min(tileSide, rows-row)}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
