// Package format writes rows: JSON, GeoJSON, CSV, newline-delimited forms, WKB and WKT, with its own
// number and string code and without an allocation per row. It owns values, columns, row types, the
// projection that fields= asks for and the writers. It knows nothing of HTTP: shared/web/reply puts
// bodies, headers and paging together; the GeoPackage writer is shared/web/gpkg.
//
// A row type is declared once, as a package-level value, with where each value of a row comes from. Its
// columns are what OpenAPI shows and what fields= chooses from:
//
//	type ParcelRow struct { KG *kgfile.KG; P *kgfile.Parcel }
//
//	var Parcel = format.NewSchema("parcel", "One parcel.",
//		format.Drawing[ParcelRow]{Polygons: func(r *ParcelRow) geom.MultiPolygon { return r.P.Geometry }},
//		format.Fields[ParcelRow]{
//			{Column: format.Column{Name: "gnr", Doc: "Parcel number."},
//				Get: func(r *ParcelRow) format.Value { return format.String(string(r.P.GNR)) }},
//			{Column: format.Column{Name: "area_sqm", Type: format.TypeFloat, Decimals: 2, Unit: "m²"},
//				Get: func(r *ParcelRow) format.Value { return format.Float(r.P.AreaSqm, 2) }},
//			...
//		})
//
// Variants are made from it, not listed:
//
//	Parcel.Only("gnr", "area_sqm")                 // some of the fields
//	Parcel.With(price)                             // more fields
//	Parcel.WithSet(distance)                       // a column whose values the rows are given: row.Set(0, ...)
//	Parcel.Shaped(format.ShapePoint)               // drawn otherwise, or not at all
//	format.LiftSchema(Parcel, func(o *offer) *ParcelRow { return &o.parcel })  // as part of a larger row
//
// One row value is used for a whole sequence, and texts that are put together stand in its own bytes
// (Borrowed), so that rows cost no allocation:
//
//	row := Parcel.Record()
//	for i := range parcels {
//		row.Item.P = &parcels[i]
//		yield(row, nil)
//	}
package format
