package overlays

import (
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/functions/core/rows/rowstest"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
)

// The area cuts the parcels of the KG.
func TestContractOfShares(t *testing.T) {
	box := kgtest.Snapshot(kgtest.Options{Parcels: 60, Segments: 2, AreaKm2: 1, Seed: 60}).Outline.Bounds()
	half := box.Center().X
	area := geom.MultiPolygon{{{{X: box.MinX, Y: box.MinY}, {X: half, Y: box.MinY}, {X: half, Y: box.MaxY}, {X: box.MinX, Y: box.MaxY}}}}
	rowstest.Run(t, func(*testing.T) rows.Source {
		work := int64(1 << 40)
		return (&Shares{Area: region.Of(area), Cover: CoverOf(area), Work: &work}).Source(rowschema.Parcel)
	})
}
