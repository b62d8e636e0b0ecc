package query

import (
	"math"
	"reflect"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
)

// The figures of the country and of its states are sums over the KGs, built or not; the averages are means over those with parcels
// whose figures are known.
func TestFiguresOfTheCountry(t *testing.T) {
	nan := math.NaN()
	var kgs []register.KG
	for _, k := range []kgfile.KG{
		{Code: "01001", GemeindeCode: "10101", ParcelCount: 10, BuildingCount: 4, FootprintCount: 5, TotalAreaSqm: 1000.25,
			Typology: kgfile.Urban, BuildingDensity: 10, BuiltUpRatio: 0.5},
		{Code: "01002", GemeindeCode: "10201", ParcelCount: 20, BuildingCount: 1, FootprintCount: 2, TotalAreaSqm: 2_000_000.5,
			Typology: kgfile.Suburban, BuildingDensity: 21, BuiltUpRatio: 0.25},
		{Code: "01003", GemeindeCode: "10202", ParcelCount: 3, TotalAreaSqm: nan, Typology: kgfile.RuralSettled, BuildingDensity: nan,
			BuiltUpRatio: nan},
		{Code: "02001", GemeindeCode: "20101", TotalAreaSqm: 0, Typology: kgfile.RuralAgrarian, BuildingDensity: 500, BuiltUpRatio: 0.9},
		{Code: "02002", GemeindeCode: "20101", ParcelCount: 1, BuildingCount: 1, FootprintCount: 1, TotalAreaSqm: 0.25,
			Typology: kgfile.RuralAgrarian, BuildingDensity: 2, BuiltUpRatio: 0},
	} {
		kgs = append(kgs, register.KG{KG: k, DistrictCode: k.GemeindeCode.District()})
	}
	reg := registerOf(t, kgs)
	density, ratio := 11.0, 0.25 // of 10, 21 and 2; of 0.5, 0.25 and 0
	want := countryFigures{
		sums:   sums{Districts: 3, KGs: 5, Parcels: 34, Buildings: 6, Footprints: 8, AreaSqm: 2_001_001},
		States: 2, AreaKm2: 2.001, Urban: 1, Suburban: 1, RuralSettled: 1, RuralAgr: 2, Density: &density, BuiltUp: &ratio,
		ByState: []stateFigures{
			{"1", "Burgenland", sums{Districts: 2, KGs: 3, Parcels: 33, Buildings: 5, Footprints: 7, AreaSqm: 2_001_000.75}},
			{"2", "Kärnten", sums{Districts: 1, KGs: 2, Parcels: 1, Buildings: 1, Footprints: 1, AreaSqm: 0.25}}},
	}
	if got := figuresOfCountry(reg); !reflect.DeepEqual(got, want) {
		t.Errorf("want %+v\n got %+v", want, got)
	}
	none := figuresOfCountry(registerOf(t, nil))
	if none.Density != nil || none.BuiltUp != nil || none.ByState == nil || none.KGs != 0 {
		t.Errorf("of no KG: %+v", none)
	}
}

func registerOf(t *testing.T, kgs []register.KG) *register.Register {
	t.Helper()
	body, err := register.Encode(&register.Contents{ToleranceM: 5, KGs: kgs})
	if err != nil {
		t.Fatal(err)
	}
	reg, err := register.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

// The answer has one object, and counts the codes that occur in the land-use layers.
func TestCountryAsAnAnswer(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.WithLandUse(), "88803"); err != nil {
		t.Fatal(err)
	}
	a := fixture.Decode[struct {
		Data []struct {
			Types  int `json:"landuse_type_count"`
			KGs    int `json:"kg_count"`
			States []struct {
				KGs int `json:"kg_count"`
			}
		}
		Meta struct{ Total int }
	}](t, fixture.Ask(serve(t, s), "GET", "/api/v1/stats", ""), 200)
	codes := austria.LandUseSet{}
	for _, c := range []austria.LandUse{41, 52, 56, 59, 83} {
		codes.Add(c)
	}
	if len(a.Data) != 1 || a.Meta.Total != 1 || a.Data[0].Types != codes.Len() || a.Data[0].KGs != 4 || len(a.Data[0].States) != 2 {
		t.Errorf("got %+v", a)
	}
}
