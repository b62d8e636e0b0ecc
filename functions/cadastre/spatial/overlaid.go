package spatial

import (
	"context"
	"slices"

	"mappe/artefacts/rowschema"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

// withOverlays asks for the overlay columns on rows that are short without them. Rows of boxes, points and polygons have
// them always.
var withOverlays = endpoint.Bool("overlays",
	"true: parcels have the Natura 2000 sites they lie in and the laws that name them (in_natura2000, natura2000_sites, legal_ref_count, legal_contexts, legal_refs), which is one more read for each KG that is not in memory. fields that names one of them asks for them too.", endpoint.Default("false"))

// overlaid says whether a request asks for them.
func overlaid(r *endpoint.Request) bool {
	return withOverlays.Of(r) || slices.ContainsFunc(rowschema.ParcelOverlay, func(f format.Field[rowschema.ParcelRow]) bool {
		return slices.Contains(r.Fields, f.Name)
	})
}

// The rows with them.
var (
	parcelGeometryOverlaid = parcelGeometryRows.With(rowschema.ParcelOverlay...)
	parcelBareOverlaid     = parcelBareRows.With(rowschema.ParcelOverlay...)
	parcelResultOverlaid   = parcelResultRows.With(rowschema.ParcelOverlay...)
)

// lay reads what lies over the KGs in which points were found.
func (c *containment) lay(ctx context.Context) error {
	c.over = map[austria.KGCode]rowschema.Over{}
	if !overlayindex.Knows(c.v.View) {
		return nil
	}
	var codes []austria.KGCode
	for i := range c.results {
		l := &c.results[i]
		if l.parcel == nil || !c.v.Serves(l.kg.Code) { // overlays are of the served snapshot
			continue
		}
		// While the request waited the KG may have been published anew, with other rows.
		if k := c.v.Register().KG(l.kg.Code); k != nil && k.Snapshot.Key == l.kg.Snapshot.Key {
			codes = append(codes, l.kg.Code)
		}
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	list, err := overlayindex.Of(c.v.View).Over(ctx, codes)
	for i := range list {
		c.over[codes[i]] = rowschema.Over{Known: true, KG: list[i]}
	}
	return err
}

// shown is the parcel of a point as its row shows it.
func (c *containment) shown(l *located) rowschema.ParcelRow {
	row := rowschema.ParcelRow{KG: &l.kg.KG, P: l.parcel, Over: c.over[l.kg.Code]}
	row.Over.Row = int(l.row)
	return row
}

// dependsOnOverlays is what an answer about KGs derives its ETag from beside them, where it shows overlays.
func dependsOnOverlays(ctx context.Context, v *view.View, r *endpoint.Request, codes []austria.KGCode) (string, error) {
	if !overlaid(r) {
		return "", nil
	}
	return overlayindex.Depends(ctx, v.View, codes)
}
