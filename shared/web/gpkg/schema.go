package gpkg

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// baseSchema is what every GeoPackage 1.3 has. The application id is "GPKG".
var baseSchema = []string{
	"PRAGMA page_size = 4096",
	"PRAGMA application_id = 1196444487",
	"PRAGMA user_version = 10300",
	`CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT)`,
	`CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '', last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')), min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER, CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))`,
	`CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name), CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name), CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id))`,
	`CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL, scope TEXT NOT NULL, CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name))`,
}

// writeSystems enters the three obligatory coordinate systems and those of the layers and rasters.
func writeSystems(ctx context.Context, tx *sql.Tx, f File) error {
	const insert = "INSERT INTO gpkg_spatial_ref_sys VALUES (?,?,?,?,?,?)"
	if _, err := tx.ExecContext(ctx, insert, "Undefined Cartesian SRS", -1, "NONE", -1, "undefined",
		"undefined Cartesian coordinate reference system"); err != nil {
		return fmt.Errorf("geopackage: %w", err)
	}
	if _, err := tx.ExecContext(ctx, insert, "Undefined geographic SRS", 0, "NONE", 0, "undefined",
		"undefined geographic coordinate reference system"); err != nil {
		return fmt.Errorf("geopackage: %w", err)
	}
	done := map[int]bool{}
	enter := func(epsg int) error {
		if epsg == 0 {
			epsg = 4326
		}
		s, ok := systemOf(epsg)
		if !ok {
			return fmt.Errorf("geopackage: no definition of EPSG:%d", epsg)
		}
		if done[epsg] {
			return nil
		}
		done[epsg] = true
		_, err := tx.ExecContext(ctx, insert, s.name, s.id, "EPSG", s.id, s.definition, nil)
		return err
	}
	if err := enter(4326); err != nil {
		return err
	}
	for _, l := range f.Layers {
		if err := enter(l.Layout.Projection.EPSG); err != nil {
			return err
		}
	}
	for i := range f.Coverages {
		if err := enter(f.Coverages[i].EPSG); err != nil {
			return err
		}
	}
	for i := range f.Pictures {
		if err := enter(f.Pictures[i].EPSG); err != nil {
			return err
		}
	}
	return nil
}

// triggers keep the spatial index when another program edits the layer (GeoPackage 1.3, annex F.3).
func triggers(table, geom, key string) []string {
	r := strings.NewReplacer("<t>", table, "<c>", geom, "<i>", key)
	box := "ST_MinX(NEW.<c>), ST_MaxX(NEW.<c>), ST_MinY(NEW.<c>), ST_MaxY(NEW.<c>)"
	full, empty := "(NEW.<c> NOT NULL AND NOT ST_IsEmpty(NEW.<c>))", "(NEW.<c> ISNULL OR ST_IsEmpty(NEW.<c>))"
	stmts := []string{
		`CREATE TRIGGER "rtree_<t>_<c>_insert" AFTER INSERT ON "<t>" WHEN ` + full +
			` BEGIN INSERT OR REPLACE INTO "rtree_<t>_<c>" VALUES (NEW.<i>, ` + box + `); END`,
		`CREATE TRIGGER "rtree_<t>_<c>_update1" AFTER UPDATE OF <c> ON "<t>" WHEN OLD.<i> = NEW.<i> AND ` + full +
			` BEGIN INSERT OR REPLACE INTO "rtree_<t>_<c>" VALUES (NEW.<i>, ` + box + `); END`,
		`CREATE TRIGGER "rtree_<t>_<c>_update2" AFTER UPDATE OF <c> ON "<t>" WHEN OLD.<i> = NEW.<i> AND ` + empty +
			` BEGIN DELETE FROM "rtree_<t>_<c>" WHERE id = OLD.<i>; END`,
		`CREATE TRIGGER "rtree_<t>_<c>_update3" AFTER UPDATE ON "<t>" WHEN OLD.<i> != NEW.<i> AND ` + full +
			` BEGIN DELETE FROM "rtree_<t>_<c>" WHERE id = OLD.<i>; INSERT OR REPLACE INTO "rtree_<t>_<c>" VALUES (NEW.<i>, ` + box +
			`); END`,
		`CREATE TRIGGER "rtree_<t>_<c>_update4" AFTER UPDATE ON "<t>" WHEN OLD.<i> != NEW.<i> AND ` + empty +
			` BEGIN DELETE FROM "rtree_<t>_<c>" WHERE id IN (OLD.<i>, NEW.<i>); END`,
		`CREATE TRIGGER "rtree_<t>_<c>_delete" AFTER DELETE ON "<t>" WHEN old.<c> NOT NULL` +
			` BEGIN DELETE FROM "rtree_<t>_<c>" WHERE id = OLD.<i>; END`,
	}
	for i := range stmts {
		stmts[i] = r.Replace(stmts[i])
	}
	return stmts
}
