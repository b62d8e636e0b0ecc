package kgfile_test

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/shared/geo/geom"
)

// A folio whose only parcel has no area lies where that parcel stands.
func TestFolioOfAParcelWithoutArea(t *testing.T) {
	at := geom.Point{X: 132_000_000, Y: 473_000_000}
	got := kgfile.Folios([]kgfile.Parcel{{GNR: "1", EZ: 7, Inside: at, Centroid: at}})
	if want := (geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}); len(got) != 1 || got[0].Box != want {
		t.Errorf("want one folio at %v, got %+v", want, got)
	}
}
