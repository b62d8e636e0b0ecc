package national

import (
	"testing"

	"mappe/builders/source/outlines"
	"mappe/builders/source/registers"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Municipalities that are only drawn have a name, a place and an outline; what gemeinden.csv says counts before.
func TestMunicipalitiesFromOutlines(t *testing.T) {
	square := func(x int32) geom.MultiPolygon {
		return geom.MultiPolygon{{geom.Ring{{X: x, Y: 470000000}, {X: x + 100000, Y: 470000000}, {X: x + 100000, Y: 470100000},
			{X: x, Y: 470100000}}}}
	}
	var s Source
	s.country(registers.Registers{
		Gemeinden: []registers.Gemeinde{{Code: "31507", Name: "Listed", DistrictCode: "315"}},
		KGs:       []registers.KG{{Code: "01004", GemeindeCode: "31508", GemeindeName: "Registered", DistrictName: "Melk"}},
	}, []outlines.Gemeinde{{Code: "31507", Name: "a", Geometry: square(150000000)}, {Code: "31508", Name: "b",
		Geometry: square(151000000)}, {Code: "10101", Name: "Drawn", Geometry: square(152000000)}})
	want := map[austria.GemeindeCode][2]string{"10101": {"Drawn", ""}, "31507": {"Listed", ""}, "31508": {"Registered", "Melk"}}
	if len(s.Country.Municipalities) != len(want) {
		t.Fatalf("got %d municipalities", len(s.Country.Municipalities))
	}
	last := austria.GemeindeCode("")
	for _, m := range s.Country.Municipalities {
		if got := [2]string{m.Name, m.DistrictName}; got != want[m.Code] || m.Outline.Bounds().Empty() || m.At == (geom.Point{}) ||
			m.DistrictCode != m.Code.District() || m.Code <= last {
			t.Errorf("%s: %+v", m.Code, m)
		}
		last = m.Code
	}
}
