// Package geopackagetest writes small GeoPackages as tests need them: with and without an index, in the
// spellings, types and faults of files that others wrote. Only tests use it.
package geopackagetest

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"mappe/shared/geo/wkb"
)

// Table is a layer.
type Table struct {
	Name    string
	Type    string // MULTIPOLYGON
	SRS     int    // EPSG code
	Index   bool   // with an R-tree
	Columns []string
	Rows    []Row
}

// Row is a row: a geometry as the format stores it, nil for none, the box its index has, and the values of
// Columns.
type Row struct {
	Geometry []byte
	Box      wkb.Box
	Values   []any
}

// Write writes a file.
func Write(t testing.TB, path string, tables ...Table) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	do := func(q string, args ...any) {
		t.Helper()
		if _, err := db.Exec(q, args...); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	do(`CREATE TABLE gpkg_spatial_ref_sys(srs_name TEXT, srs_id INTEGER PRIMARY KEY, organization TEXT, organization_coordsys_id INTEGER, definition TEXT)`)
	do(`CREATE TABLE gpkg_contents(table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT, srs_id INTEGER)`)
	do(`CREATE TABLE gpkg_geometry_columns(table_name TEXT, column_name TEXT, geometry_type_name TEXT, srs_id INTEGER, z INTEGER, m INTEGER)`)
	do(`BEGIN`)
	for _, x := range tables {
		do(`INSERT OR IGNORE INTO gpkg_spatial_ref_sys VALUES (?, ?, 'EPSG', ?, 'undefined')`, fmt.Sprint("EPSG ", x.SRS), x.SRS, x.SRS)
		do(`INSERT INTO gpkg_contents VALUES (?, 'features', ?, ?)`, x.Name, x.Name, x.SRS)
		do(`INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, ?, 0, 0)`, x.Name, x.Type, x.SRS)
		columns, marks := "", ""
		for _, c := range x.Columns {
			columns, marks = columns+`, "`+c+`"`, marks+", ?"
		}
		do(fmt.Sprintf(`CREATE TABLE "%s"(fid INTEGER PRIMARY KEY, geom BLOB%s)`, x.Name, columns))
		if x.Index {
			do(fmt.Sprintf(`CREATE VIRTUAL TABLE "rtree_%s_geom" USING rtree(id, minx, maxx, miny, maxy)`, x.Name))
		}
		for i, r := range x.Rows {
			do(fmt.Sprintf(`INSERT INTO "%s" VALUES (?, ?%s)`, x.Name, marks), append([]any{i + 1, r.Geometry}, r.Values...)...)
			if x.Index && r.Geometry != nil {
				do(fmt.Sprintf(`INSERT INTO "rtree_%s_geom" VALUES (?, ?, ?, ?, ?)`, x.Name), i+1, r.Box.MinX, r.Box.MaxX, r.Box.MinY,
					r.Box.MaxY)
			}
		}
	}
	do(`COMMIT`)
}

// Areas is a row of a MultiPolygon with height (ISO type 1006), rings closed.
func Areas(polygons [][][]wkb.XY, values ...any) Row {
	var b bytes.Buffer
	head(&b, 1006)
	box := wkb.Box{MinX: math.Inf(1), MinY: math.Inf(1), MaxX: math.Inf(-1), MaxY: math.Inf(-1)}
	put(&b, uint32(len(polygons)))
	for _, p := range polygons {
		b.WriteByte(1)
		put(&b, uint32(1003))
		put(&b, uint32(len(p)))
		for _, r := range p {
			put(&b, uint32(len(r)+1))
			for i := range len(r) + 1 {
				v := r[i%len(r)]
				put(&b, [3]float64{v[0], v[1], 300})
				box.MinX, box.MaxX = min(box.MinX, v[0]), max(box.MaxX, v[0])
				box.MinY, box.MaxY = min(box.MinY, v[1]), max(box.MaxY, v[1])
			}
		}
	}
	return Row{Geometry: b.Bytes(), Box: box, Values: values}
}

// Point is a row of a point.
func Point(at wkb.XY, values ...any) Row {
	var b bytes.Buffer
	head(&b, 1)
	put(&b, [2]float64(at))
	return Row{Geometry: b.Bytes(), Box: wkb.Box{MinX: at[0], MinY: at[1], MaxX: at[0], MaxY: at[1]}, Values: values}
}

// Raw is a row of well-known binary of any type behind a header without envelope, in a box.
func Raw(box wkb.Box, typ uint32, body []byte, values ...any) Row {
	var b bytes.Buffer
	head(&b, typ)
	b.Write(body)
	return Row{Geometry: b.Bytes(), Box: box, Values: values}
}

// Empty is a row whose geometry is flagged empty.
func Empty(values ...any) Row {
	return Row{Geometry: []byte("GP\x00\x11\x00\x00\x00\x00\x01\x06\x00\x00\x00\x00\x00\x00\x00"), Values: values}
}

func head(b *bytes.Buffer, typ uint32) {
	b.WriteString("GP\x00\x01")
	put(b, uint32(31287))
	b.WriteByte(1)
	put(b, typ)
}

func put(b *bytes.Buffer, v any) { _ = binary.Write(b, binary.LittleEndian, v) } // a buffer takes all

// Spelled gives columns the letter case of files that others wrote.
func Spelled(upper bool, columns ...string) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		if out[i] = strings.ToLower(c); upper {
			out[i] = strings.ToUpper(c)
		}
	}
	return out
}
