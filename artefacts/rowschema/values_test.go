package rowschema

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// values compares columns of a row with their texts; "null" is no value.
func values[T any](t *testing.T, fields format.Fields[T], row *T, want map[string]string) {
	t.Helper()
	for name, text := range want {
		v, got := fields.Only(name)[0].Get(row), "null"
		if s, ok := v.Str(); ok {
			got = s
		} else if n, ok := v.Float64(); ok {
			got = strconv.FormatFloat(n, 'f', -1, 64)
		}
		if got != text {
			t.Errorf("%s: want %s, got %s", name, text, got)
		}
	}
}

func TestFolioValues(t *testing.T) {
	kg := &kgfile.KG{Code: "01004"}
	f := &kgfile.Folio{EZ: 17, Parcels: []int32{3, 5}, TotalAreaSqm: 1234.5, BuildingCount: 2,
		SymbolCounts: []kgfile.CodeCount{{Code: 41, N: 2}}, UseAreas: []kgfile.CodeArea{{Code: 48, Sqm: 10}},
		Box: geom.Box{MinX: 160_000_000, MinY: 480_000_000, MaxX: 160_000_003, MaxY: 480_000_010}}
	values(t, Folio.Fields, &FolioRow{KG: kg, F: f}, map[string]string{
		"ez_id": "01004-17", "kg_code": "01004", "ez": "17", "parcel_count": "2", "total_area_sqm": "1234.5", "building_count": "2",
		"landuse_codes": "41,48", "landuse_summary": `{"41":2}`,
		"bbox": `{"min_lon":16.0000000,"min_lat":48.0000000,"max_lon":16.0000003,"max_lat":48.0000010,` +
			`"center_lon":16.0000001,"center_lat":48.0000005}`,
	})
	// The sum of two coordinates beyond 107° is more than an int32 holds.
	if got := centre(geom.Box{MinX: 1_700_000_000, MinY: -800_000_000, MaxX: 1_800_000_000, MaxY: -600_000_000}); got != (geom.Point{
		X: 1_750_000_000, Y: -700_000_000}) {
		t.Errorf("the centre of 170 to 180 and -80 to -60 degrees: want 175 and -70, got %v", got)
	}
}

func TestBuildingValues(t *testing.T) {
	kg := &kgfile.KG{Code: "01004", Name: "Innere Stadt"}
	b := &kgfile.Building{HouseNumber: "5", Street: "Weg", At: geom.Point{X: 163_000_000, Y: 482_000_000}}
	values(t, BuildingShown.Fields, &BuildingRow{KG: kg, B: b}, map[string]string{"ez": "null", "gemeinde_code": "null", "street": "Weg",
		"postal_code": "null", "ort": "null", "full_address": "Weg 5", "kg_name": "Innere Stadt"})
	values(t, Building.Fields, &BuildingRow{KG: kg, B: b, Parcel: &kgfile.Parcel{EZ: 17}}, map[string]string{"ez": "17"})
	for _, tt := range []struct {
		b    kgfile.Building
		want string
	}{
		{kgfile.Building{PLZ: "6080"}, "6080"},
		{kgfile.Building{PLZ: "6080", Ort: "Vill"}, "Vill, 6080 Vill"},
		{kgfile.Building{Street: "Weg", Ort: "Vill"}, "Weg, Vill"},
		{kgfile.Building{HouseNumber: "5"}, "5"},
	} {
		if got := string(AppendFullAddress(nil, &tt.b)); got != tt.want {
			t.Errorf("%+v: want %q, got %q", tt.b, tt.want, got)
		}
	}
}

func TestMunicipalityValues(t *testing.T) {
	m := &register.Municipality{Code: "90001", Name: "Wien", At: geom.Point{X: 163_000_000, Y: 482_000_000}}
	row := &MunicipalityRow{M: m}
	values(t, Municipality.Fields, row, map[string]string{"gemeinde_code": "90001", "name": "Wien", "lon": "16.3", "lat": "48.2"})
	m.At = geom.Point{}
	values(t, Municipality.Fields, row, map[string]string{"lon": "null", "lat": "null"})
}

// TestLandUseOfSymbolsAndAreas: codes that only the symbols have, only the areas have, and both have, in rising order.
func TestLandUseOfSymbolsAndAreas(t *testing.T) {
	type use struct {
		code, symbols int
		sqm           float64
	}
	for _, tt := range []struct {
		name    string
		symbols []kgfile.CodeCount
		areas   []kgfile.CodeArea
		want    []use
	}{
		{"none", nil, nil, nil},
		{"symbols alone", []kgfile.CodeCount{{Code: 41, N: 2}, {Code: 48, N: 1}}, nil, []use{{41, 2, -1}, {48, 1, -1}}},
		{"areas alone", nil, []kgfile.CodeArea{{Code: 41, Sqm: 5}, {Code: 48, Sqm: 6}}, []use{{41, 0, 5}, {48, 0, 6}}},
		{"both", []kgfile.CodeCount{{Code: 41, N: 2}}, []kgfile.CodeArea{{Code: 41, Sqm: 5}}, []use{{41, 2, 5}}},
		{"in turn", []kgfile.CodeCount{{Code: 40, N: 1}, {Code: 48, N: 3}, {Code: 99, N: 4}},
			[]kgfile.CodeArea{{Code: 41, Sqm: 5}, {Code: 48, Sqm: 6}, {Code: 50, Sqm: 7}},
			[]use{{40, 1, -1}, {41, 0, 5}, {48, 3, 6}, {50, 0, 7}, {99, 4, -1}}},
	} {
		var got []use
		eachUse(&kgfile.Parcel{SymbolCounts: tt.symbols, UseAreas: tt.areas}, func(code austria.LandUse, symbols int, sqm float64) {
			got = append(got, use{int(code), symbols, sqm})
		})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: want %v, got %v", tt.name, tt.want, got)
		}
	}
}

// TestWhatWasNotMeasured stands in no answer as 0.
func TestWhatWasNotMeasured(t *testing.T) {
	area := &overlays.Area{Name: "Park", RepArea: math.NaN(), GISArea: 0}
	values(t, ProtectedAreaFound.Fields, &AreaRow{A: area, DistanceM: math.NaN()}, map[string]string{"rep_area": "null", "gis_area": "0",
		"distance_m": "null", "overlap_sqm": "null", "overlap_of_place_pct": "null"})
	values(t, ProtectedAreaFound.Fields, &AreaRow{A: area, In: Overlap{Asked: true, Sqm: 12.5, PlacePct: 3, SelfPct: 4}}, map[string]string{
		"distance_m": "0", "overlap_sqm": "12.5", "overlap_of_place_pct": "3", "overlap_of_site_pct": "4"})
}

func TestFixesThatWereBroughtLater(t *testing.T) {
	id := BulkV7Zenodo.With(AddressPointJoin).With(RingOrder).With(AddressPointJoin)
	if want := EpochID("bulk_v7_zenodo+address_point_join+ring_order"); id != want || id.Generation() != BulkV7Zenodo {
		t.Errorf("want %s of the generation %s, got %s of %s", want, BulkV7Zenodo, id, id.Generation())
	}
	have, missing := id.Fixes()
	if !slices.Equal(have, []EpochID{AddressPointJoin, RingOrder}) || len(missing) != 5 || !id.Has(RingOrder) || id.Has(NSCodeTable) {
		t.Errorf("want both fixes and five missing, got %v and %v", have, missing)
	}
	if got := NSCodeTable.With(LandUseAreaCalc); got != NSCodeTable {
		t.Errorf("want a fix that the generation carries not noted again, got %s", got)
	}
	have, missing = EpochID("of_tomorrow+ring_order").Fixes()
	if !slices.Equal(have, []EpochID{RingOrder}) || len(missing) != 6 {
		t.Errorf("of an unknown generation want the later fix alone, got %v and %v", have, missing)
	}
	if _, err := ParseEpoch("pipeline_v6_union"); err != nil {
		t.Errorf("the oldest epoch: want it read, got %v", err)
	}
}
