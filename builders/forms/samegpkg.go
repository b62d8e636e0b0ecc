package forms

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/cloud/spool"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// sameGeoPackage reads every layer in the order of its keys.
func sameGeoPackage(s *kgfile.Snapshot, b []byte) (err error) {
	path, done, err := spool.Folder("kg.gpkg")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1") // the driver comes with shared/web/gpkg
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, l := range rowschema.AllLayers() {
		if err := sameLayer(db, s, l); err != nil {
			return fmt.Errorf("layer %s: %w", l, err)
		}
	}
	return nil
}

func sameLayer(db *sql.DB, s *kgfile.Snapshot, l rowschema.Layer) error {
	columns := l.RowType().Columns
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = `"` + c.Name + `"`
	}
	var indexed int
	if err := db.QueryRow(`SELECT count(*) FROM "rtree_` + l.String() + `_geom"`).Scan(&indexed); err != nil {
		return err
	}
	found, err := db.Query(`SELECT geom, ` + strings.Join(names, ", ") + ` FROM "` + l.String() + `" ORDER BY fid`)
	if err != nil {
		return err
	}
	defer found.Close()
	values := make([]any, 1+len(columns))
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	var wkb wkbReader
	drawn, n := 0, 0
	for row := range l.Rows(s) {
		id := fmt.Sprintf("row %d", n+1)
		if !found.Next() {
			return errors.Join(found.Err(), difference("table", "number of rows", n, l.Len(s)))
		}
		n++
		if err := found.Scan(into...); err != nil {
			return err
		}
		for i, c := range columns {
			if got, want := cellOfSQL(values[i+1]), cellOf(row.Value(i), c.Type); got != want {
				return difference(id, c.Name, got, want)
			}
		}
		blob, _ := values[0].([]byte)
		if len(blob) > 0 {
			drawn++
		}
		if err := sameBlob(&wkb, id, blob, row.Geometry()); err != nil {
			return err
		}
	}
	if found.Next() {
		return fmt.Errorf("there are more than %d rows", n)
	}
	if indexed != drawn {
		return difference("spatial index", "number of entries", indexed, drawn)
	}
	return found.Err()
}

func cellOfSQL(v any) cell {
	switch x := v.(type) {
	case int64:
		return cell{kind: number, num: float64(x)}
	case float64:
		return cell{kind: number, num: x}
	case string:
		return cell{kind: text, text: x}
	case []byte:
		return cell{kind: text, text: string(x)}
	}
	return cell{}
}

// sameBlob compares a geometry blob: its header, its envelope, its coordinates.
func sameBlob(r *wkbReader, id string, blob []byte, want format.Geometry) error {
	if want.Shape == format.ShapeNone || len(blob) == 0 {
		if want.Shape != format.ShapeNone || len(blob) > 0 {
			return difference(id, "size of the geometry", len(blob), want)
		}
		return nil
	}
	if len(blob) < 8 || blob[0] != 'G' || blob[1] != 'P' || blob[3]&1 == 0 || binary.LittleEndian.Uint32(blob[4:]) != 4326 {
		return fmt.Errorf("%s: the geometry does not start as little-endian EPSG:4326", id)
	}
	envelope := blob[3] >> 1 & 7
	blob = blob[8:]
	if want.Shape == format.ShapePoint {
		got, err := r.readPoint(blob)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		if envelope != 0 {
			return difference(id, "envelope of a point", envelope, 0)
		}
		if got != want.Point {
			return difference(id, "position", got, want.Point)
		}
		return nil
	}
	if envelope != 1 || len(blob) < 32 {
		return fmt.Errorf("%s: envelope %d, want 1", id, envelope)
	}
	side := func(i int) int32 { return e7(math.Float64frombits(binary.LittleEndian.Uint64(blob[8*i:]))) }
	if got, box := (geom.Box{MinX: side(0), MaxX: side(1), MinY: side(2), MaxY: side(3)}), want.Polygons.Bounds(); got != box {
		return difference(id, "envelope", got, box)
	}
	got, err := r.readArea(blob[32:])
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	return sameArea(id, got, want.Polygons)
}
