package spatial

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/shared/web/format"
)

// A KG without a snapshot has counts nobody knows; one with a snapshot may really have none.
func TestCountsOfAColdKGAreNull(t *testing.T) {
	cold := &register.KG{KG: kgfile.KG{Code: "01004", Name: "Innere Stadt"}}
	warm := &register.KG{KG: kgfile.KG{Code: "01004", Name: "Innere Stadt"}, Snapshot: register.Object{Key: "kg/01004/x"}}
	for _, f := range kgFields {
		switch f.column.Name {
		case "parcel_count", "building_count", "footprint_count", "total_area_sqm", "avg_far":
			if got := f.value(cold); got != format.Null {
				t.Errorf("%s of a cold KG: want null, got %v", f.column.Name, got)
			}
			if got := f.value(warm); got == format.Null {
				t.Errorf("%s of a warm KG: want a number, got null", f.column.Name)
			}
		case "kg_name":
			if got := f.value(cold); got == format.Null {
				t.Error("kg_name of a cold KG: want the register's")
			}
		}
	}
}
