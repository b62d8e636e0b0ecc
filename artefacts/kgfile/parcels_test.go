package kgfile

import (
	"testing"

	"mappe/artefacts/internal/column"
)

// What the FAR of a parcel is stored beside is the quotient of its two areas as they are stored, rounded: files that
// were written before are read by it, so that it never changes.
func TestFARIsStoredBesideItsDefinition(t *testing.T) {
	for _, c := range []struct{ area, building, want float64 }{
		{4, 3, 0.75}, {0.03, 0.01, 1. / 3}, {0.3, 0.1, 1. / 3}, {1, 0.5, 0.5}, {3, 1, 1. / 3}, {1000, 250, 0.25}, {250, 1000, 4},
		{812.5, 333.3, 333.3 / 812.5}, {2, 0, 0}, {0.5, 7, 14},
	} {
		far, err := column.Steps(c.want, perRatio)
		if err != nil {
			t.Fatal(err)
		}
		if got := farGuess(&Parcel{AreaSqm: c.area, BuildingAreaSqm: c.building}); got != int64(far) {
			t.Errorf("%g of %g m²: %d steps, want %d", c.building, c.area, got, far)
		}
	}
	nan := Parcel{AreaSqm: 0, BuildingAreaSqm: 5}
	if got := farGuess(&nan); got != 1 {
		t.Errorf("no area: %d steps", got)
	}
}
