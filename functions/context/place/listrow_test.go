package place

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/shared/geo/geom"
)

// A KG that is known without an outline has no place.
func TestListRowWithoutOutline(t *testing.T) {
	r := &listRow{kg: &register.KG{KG: kgfile.KG{Code: "99009", Box: geom.EmptyBox}}}
	for _, name := range []string{"bbox", "centroid"} {
		if v := r.Value(listKind.Index(name)); !v.IsNull() {
			t.Errorf("%s: want null, got %v", name, v)
		}
	}
}
