package gpkg

import (
	"context"
	"database/sql"

	"mappe/shared/web/qgis"
)

// layer_styles is the table that QGIS reads the default style of a layer from; to other programs it is one of
// attributes.
const stylesTable = `CREATE TABLE layer_styles (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog TEXT(256), f_table_schema TEXT(256), f_table_name TEXT(256), f_geometry_column TEXT(256), styleName TEXT(30), styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT, owner TEXT(30), ui TEXT(30), update_time DATETIME DEFAULT CURRENT_TIMESTAMP)`

// symbols are how the shapes are drawn.
var symbols = map[string]qgis.Symbol{"POINT": qgis.Marker, "MULTILINESTRING": qgis.Line, "MULTIPOLYGON": qgis.Fill, "GEOMETRY": qgis.Fill}

// writeStyles writes the styles of layers that have one.
func writeStyles(ctx context.Context, tx *sql.Tx, f File) error {
	made := false
	for _, l := range f.Layers {
		shape := shapeOf(l.Layout)
		if l.Style.Empty() || shape == "" {
			continue
		}
		stamp := f.Time.UTC().Format("2006-01-02T15:04:05.000Z")
		if !made {
			made = true
			if _, err := tx.ExecContext(ctx, stylesTable); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx,
				"INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change) VALUES ('layer_styles','attributes','layer_styles','Default styles for QGIS',?)", stamp); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx,
			"INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, owner, ui, update_time) VALUES ('','',?,?,?,?,'',1,'','','',?)",
			l.Name, geomColumn, l.Name, l.Style.QML(symbols[shape]), stamp); err != nil {
			return err
		}
	}
	return nil
}
