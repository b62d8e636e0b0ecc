package forms

import (
	"fmt"
	"math"
	"reflect"

	"mappe/artefacts/kgfile"
)

// sameKGS compares everything the .kgs holds.
func sameKGS(s *kgfile.Snapshot, b []byte) error {
	f, err := kgfile.Open(b)
	if err != nil {
		return err
	}
	got, err := f.Snapshot()
	if err != nil {
		return err
	}
	if a, b := known(got.KG), known(s.KG); a != b {
		return difference("KG", "row", a, b)
	}
	if !reflect.DeepEqual(got.Build, s.Build) {
		return difference("KG", "build", got.Build, s.Build)
	}
	if err := sameArea("KG outline", got.Outline, s.Outline); err != nil {
		return err
	}
	for _, err := range []error{
		sameRows("parcel", got.Parcels, s.Parcels), sameRows("building", got.Buildings, s.Buildings),
		sameRows("footprint", got.Footprints, s.Footprints), sameRows("land use", got.LandUse, s.LandUse),
		sameRows("symbol", got.Symbols, s.Symbols), sameRows("folio", got.Folios, s.Folios), sameRows("label", got.Labels, s.Labels),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// sameRows compares two tables; numbers that are not known are equal to each other.
func sameRows[T any](name string, got, want []T) error {
	if len(got) != len(want) {
		return difference(name+" table", "number of rows", len(got), len(want))
	}
	for i := range want {
		if a, b := known(got[i]), known(want[i]); !reflect.DeepEqual(a, b) {
			return difference(fmt.Sprintf("%s row %d", name, i), "value", fmt.Sprintf("%+v", a), fmt.Sprintf("%+v", b))
		}
	}
	return nil
}

// known is a copy of a row with -1 for each number that is not known (NaN is not equal to itself).
func known[T any](row T) T {
	v := reflect.ValueOf(&row).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Float64 && math.IsNaN(f.Float()) {
			f.SetFloat(-1)
		}
	}
	return row
}
