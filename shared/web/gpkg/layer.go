package gpkg

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"mappe/shared/web/format"
)

// writeLayer creates a table, fills it, and enters it in the contents.
func writeLayer(ctx context.Context, tx *sql.Tx, l Layer, changed time.Time) error {
	if !tableName.MatchString(l.Name) || strings.HasPrefix(l.Name, "gpkg_") || strings.HasPrefix(l.Name, "rtree_") {
		return fmt.Errorf("table name %q is not allowed: expected a lower-case word such as parcels", l.Name)
	}
	t := table{Layer: l, srid: l.Layout.Projection.EPSG, shape: shapeOf(l.Layout)}
	if t.srid == 0 {
		t.srid = 4326
	}
	if err := t.create(ctx, tx); err != nil {
		return err
	}
	if err := t.fill(ctx, tx); err != nil {
		return err
	}
	return t.enter(ctx, tx, changed)
}

type table struct {
	Layer
	srid   int
	shape  string     // POINT, MULTIPOLYGON, MULTILINESTRING, GEOMETRY; "" for an attribute table
	bounds [4]float64 // min x, min y, max x, max y
	rows   int64
	boxes  []boxed // of the rows that have a geometry
}

// The names of the key and of the geometry column.
const (
	keyColumn  = "fid"
	geomColumn = "geom"
)

// shapeOf is the geometry type of the rows that can occur.
func shapeOf(l *format.Layout) string {
	shape := ""
	for _, k := range l.RowTypes {
		s := map[format.Shape]string{format.ShapePoint: "POINT", format.ShapeMultiPolygon: "MULTIPOLYGON",
			format.ShapeMultiLine: "MULTILINESTRING"}[k.Shape]
		switch {
		case s == "" || s == shape:
		case shape == "":
			shape = s
		default:
			shape = "GEOMETRY"
		}
	}
	return shape
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func (t *table) create(ctx context.Context, tx *sql.Tx) error {
	columns := []string{keyColumn + " INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL"}
	if t.shape != "" {
		columns = append(columns, geomColumn+" "+t.shape)
	}
	for i, name := range t.Layout.Names() {
		if strings.EqualFold(name, keyColumn) || strings.EqualFold(name, geomColumn) {
			return fmt.Errorf("column name %s is taken by the file itself", name)
		}
		typ := "TEXT"
		switch t.Layout.Column(i).Type {
		case format.TypeInt:
			typ = "INTEGER"
		case format.TypeFloat, format.TypeDegrees:
			typ = "DOUBLE"
		case format.TypeBool:
			typ = "BOOLEAN"
		}
		columns = append(columns, quote(name)+" "+typ)
	}
	_, err := tx.ExecContext(ctx, "CREATE TABLE "+quote(t.Name)+" ("+strings.Join(columns, ", ")+")")
	if err == nil && t.shape != "" {
		_, err = tx.ExecContext(ctx, "CREATE VIRTUAL TABLE "+quote(t.index())+" USING rtree(id, minx, maxx, miny, maxy)")
	}
	return err
}

func (t *table) index() string { return "rtree_" + t.Name + "_" + geomColumn }

// fill inserts the rows, then their envelopes.
func (t *table) fill(ctx context.Context, tx *sql.Tx) error {
	fixed := 1
	if t.shape != "" {
		fixed = 2
	}
	names := t.Layout.Names()
	in := newInserter(tx, "INSERT INTO "+quote(t.Name), fixed+len(names))
	t.bounds = [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	args := make([]any, fixed+len(names))
	for r, err := range t.Rows {
		if err != nil {
			return err
		}
		t.rows++
		args[0] = t.rows
		if t.shape != "" {
			args[1] = t.blob(r.Geometry())
		}
		for i := range names {
			args[fixed+i] = cell(t.Layout.Cell(r, i))
		}
		if err := in.add(ctx, args...); err != nil {
			return err
		}
	}
	if err := in.end(ctx); err != nil || t.shape == "" {
		return err
	}
	return t.writeIndex(ctx, tx)
}

// blob is the geometry of the row that is being written, nil where it has none; its envelope is noted.
func (t *table) blob(g format.Geometry) any {
	e, ok := t.Layout.Projection.Envelope(g)
	if !ok {
		return nil
	}
	b := &t.bounds
	*b = [4]float64{min(b[0], e[0]), min(b[1], e[1]), max(b[2], e[2]), max(b[3], e[3])}
	t.boxes = append(t.boxes, boxedRow(t.rows, e))
	return appendBlob(nil, g, e, t.srid, t.Layout.Projection)
}

// cell is a value as SQLite stores it.
func cell(v format.Value) any {
	if v.IsNull() {
		return nil
	}
	if s, ok := v.Str(); ok {
		return strings.Clone(s) // the row lends it, and rows are inserted together
	}
	if n, ok := v.Int64(); ok {
		return n
	}
	f, _ := v.Float64()
	return f
}

func appendBlob(b []byte, g format.Geometry, e [4]float64, srid int, p format.Projection) []byte {
	flags := byte(0x03)
	if g.Shape == format.ShapePoint {
		flags = 0x01
	}
	b = append(b, 'G', 'P', 0, flags)
	b = binary.LittleEndian.AppendUint32(b, uint32(srid))
	if g.Shape != format.ShapePoint {
		for _, v := range [...]float64{e[0], e[2], e[1], e[3]} {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return format.AppendWKB(b, g, p)
}

// enter writes the layer into the tables of contents, and the triggers that keep its index.
func (t *table) enter(ctx context.Context, tx *sql.Tx, changed time.Time) error {
	title := t.Title
	if title == "" {
		title = t.Name
	}
	kind, bounds := "attributes", []any{nil, nil, nil, nil}
	if t.shape != "" {
		kind = "features"
		if t.bounds[0] <= t.bounds[2] {
			bounds = []any{t.bounds[0], t.bounds[1], t.bounds[2], t.bounds[3]}
		}
	}
	stamp := changed.UTC().Format("2006-01-02T15:04:05.000Z")
	var srid any
	if t.shape != "" {
		srid = t.srid
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO gpkg_contents VALUES (?,?,?,?,?,?,?,?,?,?)",
		append([]any{t.Name, kind, title, t.Description, stamp}, append(bounds, srid)...)...); err != nil {
		return err
	}
	if t.shape == "" {
		return nil
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO gpkg_geometry_columns VALUES (?,?,?,?,0,0)", t.Name, geomColumn, t.shape,
		t.srid); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx,
		"INSERT INTO gpkg_extensions VALUES (?,?,'gpkg_rtree_index','http://www.geopackage.org/spec120/#extension_rtree','write-only')",
		t.Name, geomColumn); err != nil {
		return err
	}
	for _, stmt := range triggers(t.Name, geomColumn, keyColumn) {
		if _, err := tx.ExecContext(ctx, stmt); err != nil {
			return err
		}
	}
	return nil
}
