package rowschema

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/shared/geo/geom"
)

// A KG without a snapshot has counts nobody knows; one with a snapshot may really have none.
func TestCountsOfAColdKGAreNull(t *testing.T) {
	cold := &KGRow{KG: &register.KG{KG: kgfile.KG{Code: "01004", Name: "Innere Stadt"}}}
	warm := &KGRow{KG: &register.KG{KG: kgfile.KG{Code: "01004", Name: "Innere Stadt"}, Snapshot: register.Object{Key: "kg/01004/x"}}}
	for _, f := range KG.Fields.Only("parcel_count", "building_count", "footprint_count", "total_area_sqm", "avg_far") {
		if got := f.Get(cold); !got.IsNull() {
			t.Errorf("%s of a cold KG: want null, got %v", f.Name, got)
		}
		if got := f.Get(warm); got.IsNull() {
			t.Errorf("%s of a warm KG: want a number, got null", f.Name)
		}
	}
	if got := KG.Fields.Only("kg_name")[0].Get(cold); got.IsNull() {
		t.Error("kg_name of a cold KG: want the register's")
	}
}

// A KG that is known without an outline has no place.
func TestPlaceOfAKGWithoutOutline(t *testing.T) {
	r := &KGRow{KG: &register.KG{KG: kgfile.KG{Code: "99009", Box: geom.EmptyBox}}}
	for _, f := range KGPlace {
		if v := f.Get(r); !v.IsNull() {
			t.Errorf("%s: want null, got %v", f.Name, v)
		}
	}
	r.KG.Box = geom.Box{MinX: 160_000_000, MinY: 480_000_000, MaxX: 161_000_000, MaxY: 481_000_000}
	r.KG.Centroid = geom.Point{X: 160_500_000, Y: 480_500_000}
	for i, want := range []string{"[16.0000000,48.0000000,16.1000000,48.1000000]", "[16.0500000,48.0500000]"} {
		if got, _ := KGPlace[i].Get(r).Str(); got != want {
			t.Errorf("%s: want %s, got %s", KGPlace[i].Name, want, got)
		}
	}
}
