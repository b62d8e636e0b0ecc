// Package format writes rows: JSON, GeoJSON, CSV, newline-delimited forms, WKB and WKT, with its own
// number and string code and without an allocation per row. It owns values, columns, row kinds, the
// projection that fields= asks for and the writers. It knows nothing of HTTP: shared/web/reply puts
// bodies, headers and paging together; the GeoPackage writer is shared/web/gpkg.
//
// A row kind is declared once, as a package-level value, and its schema is what OpenAPI shows:
//
//	var Parcel = format.NewKind("parcel", "One parcel.", format.ShapeMultiPolygon,
//		format.Column{Name: "parcel_id", Doc: "KG code and parcel number."},
//		format.Column{Name: "area_sqm", Type: format.TypeFloat, Decimals: 2, Unit: "m²"},
//		format.Column{Name: "lon", Type: format.TypeDegrees}, ...)
//
// A row answers its columns by index; one value is reused for the whole sequence:
//
//	type parcelRow struct{ p *kgfile.Parcel; kg austria.KGCode }
//	func (r *parcelRow) Kind() *format.Kind { return Parcel }
//	func (r *parcelRow) Value(c int) format.Value {
//		switch c {
//		case 0: return format.String(...)
//		case 1: return format.Float(r.p.AreaSqm, 2)
//		...
//	func (r *parcelRow) Geometry() format.Geometry { return format.PolygonGeometry(r.p.Geometry) }
package format
