// Package rows is the way in for an endpoint that lists parcels, address points, footprints or other rows of
// KGs: which KGs it looks at, which of their rows match, how they are drawn, and the page of them that the
// client asked for. It owns the page, the order, the reading ahead and what a list says of KGs it cannot
// read; a family adds what is its own: the KGs, the predicate, the columns. How one KG is opened is
// functions/core/view, the columns of rows are artefacts/rowschema.
//
// An endpoint declares what stands in the contract (path, parameters, row types) and a Prepare that turns a
// request into a Query; List does the rest: all forms, fields=, crs=, limit, offset, cursor, version=, gaps in
// meta and headers, the ETag and 304:
//
//	var large = rowschema.Parcel.Named("parcel", "A large parcel.").Only("parcel_id", "kg_code", "area_sqm")
//
//	func largest() endpoint.Endpoint {
//		return rows.List(endpoint.Endpoint{..., Answer: endpoint.Answer{Rows: []*format.RowType{large.RowType}}},
//			func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
//				least := minArea.Of(r)
//				return rows.Over(ctx, v, []austria.KGCode{kg.Of(r)}, rows.Layer{
//					Source: rows.Parcels(large.Record()),
//					Match:  rows.Where((*kgfile.File).Parcels, func(p *kgfile.Parcel) bool { return p.AreaSqm >= least }),
//				})
//			})
//	}
//
// The example of List is this endpoint, whole.
//
// The order of an answer is layer, then place as planned, then the order of Match, which is that of the
// snapshot unless a layer chooses another. Rows ordered by a rank across KGs (a distance, a score) are
// collected as hits and drawn by a Ranking.
//
// Matches are counted over the whole plan and only those on the page are kept, four bytes each; their rows
// are read again, one KG at a time, when the answer is written. KGs of which every row matches and whose
// number the register knows are not read unless their rows stand on the page.
package rows
