package kg

import (
	"reflect"
	"testing"

	"mappe/artefacts/kgfile"
)

// The folios are those that a .kgs file derives from its parcels, so that it stores one byte for them,
// and a folio is the sum of its parcels to the last digit.
func TestFoliosAreDerived(t *testing.T) {
	s, _ := mustAssemble(t, town(t, 400))
	kgfile.Quantise(s)
	if got, want := s.Folios, kgfile.Folios(s.Parcels); len(want) < 10 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d folios differ from the %d that the parcels give", len(got), len(want))
	}
}
