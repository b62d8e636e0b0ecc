package products

import (
	"bytes"
	"context"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/landscape"
	"mappe/builders/objects"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// inKG is the column of the KG in front of the others. The folders of the tables name it too, but readers take those names for
// numbers.
func inKG[T any](code string, f format.Fields[T]) format.Fields[T] {
	c := format.Constant[T](format.Column{Name: "kg_code", Doc: "Code of the Katastralgemeinde, 5 digits."}, format.String(code))
	return append(format.Fields[T]{c}, f...)
}

// Tables writes segments, trees and buildings of a KG as GeoParquet in WGS84, where engines read them as tables of the country
// in parts by state and KG. Those of an earlier analysis are replaced, one after the other.
func Tables(ctx context.Context, st store.Store, s *Source) error {
	segments, trees, buildings := tableSchemas(string(s.Row.Code))
	for _, write := range []func() error{
		func() error { return parquet(ctx, st, s, segments, s.KG.Segments) },
		func() error { return parquet(ctx, st, s, trees, s.KG.Trees) },
		func() error { return parquet(ctx, st, s, buildings, s.KG.Buildings) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

func tableSchemas(code string) (*format.Schema[landscape.Segment], *format.Schema[landscape.Tree], *format.Schema[landscape.Building]) {
	return format.NewSchema("segment", "A part of the land that is one thing.",
			outlined(func(s *landscape.Segment) geom.MultiPolygon { return s.Geometry }), inKG(code, landscape.SegmentFields)),
		format.NewSchema("tree", treeRows.Doc, treeRows.Drawing, inKG(code, treeRows.Fields)),
		format.NewSchema("building", buildingRows.Doc, buildingRows.Drawing, inKG(code, buildingRows.Fields))
}

// Table is one of the tables of the country.
type Table struct {
	Name   string // segments, trees or buildings, as its folder
	Fields []format.ParquetField
}

// AllTables are the tables that Tables writes.
func AllTables() (out []Table) {
	segments, trees, buildings := tableSchemas("")
	for _, k := range []*format.RowType{segments.RowType, trees.RowType, buildings.RowType} {
		out = append(out, Table{k.Name + "s", format.ParquetFields(format.NewLayout(nil, k))})
	}
	return out
}

// parquet writes a table, which is called after its rows.
func parquet[T any](ctx context.Context, st store.Store, s *Source, schema *format.Schema[T], list []T) error {
	name := schema.RowType.Name + "s"
	var out bytes.Buffer
	b := format.NewBuffer(&out)
	defer b.Close() // after Flush this does nothing
	if err := format.WriteParquet(b, format.NewLayout(nil, schema.RowType), rowsOf(schema, list)); err != nil {
		return fmt.Errorf("table %s: %w", name, err)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("table %s: %w", name, err)
	}
	return objects.Put(ctx, st, keys.Table{Layer: name, Code: s.Row.Code, State: s.Row.State()}, out.Bytes())
}
