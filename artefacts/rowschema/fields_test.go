package rowschema

import (
	"math"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// every compares all columns of a schema: none may be left out of want.
func every[T any](t *testing.T, s *format.Schema[T], row *T, want map[string]string) {
	t.Helper()
	values(t, s.Fields, row, want)
	for _, f := range s.Fields {
		if _, ok := want[f.Name]; !ok {
			t.Errorf("%s: the column %s is not looked at", s.RowType.Name, f.Name)
		}
	}
}

// Each column has its own value: no two of these are alike.
func TestParcelValues(t *testing.T) {
	p := &kgfile.Parcel{GNR: ".17/2", EZ: 31, Status: austria.StatusG, AreaSqm: 1001.25,
		Centroid: geom.Point{X: 163_000_001, Y: 482_000_002}, Inside: geom.Point{X: 163_000_003, Y: 482_000_004},
		Repairs: kgfile.RepairRingOrder | kgfile.RepairDegenerate, BuildingCount: 2, FootprintCount: 3, BuildingAreaSqm: 120.5,
		Compactness: 0.61, Elongation: 1.72, VertexCount: 9, FAR: 0.12, Shape: kgfile.ShapeStrip, DominantLandUse: 48,
		SymbolCounts: []kgfile.CodeCount{{Code: 41, N: 5}}, UseAreas: []kgfile.CodeArea{{Code: 52, Sqm: 7}}}
	row := &ParcelRow{KG: &kgfile.KG{Code: "01004", GemeindeCode: "90101"}, P: p}
	every(t, Parcel, row, map[string]string{"parcel_id": "01004-.17/2", "kg_code": "01004", "gemeinde_code": "90101", "gnr": ".17/2",
		"ez": "31", "status": "G", "area_sqm": "1001.25", "lon": "16.3000001", "lat": "48.2000002", "building_count": "2",
		"footprint_count": "3", "total_building_area_sqm": "120.5", "landuse_codes": "41,52", "landuse_summary": `{"41":5}`,
		"compactness": "0.61", "elongation": "1.72", "vertex_count": "9", "far": "0.12", "shape_class": "strip", "dominant_landuse": "48",
		"repairs": "ring_order,degenerate"})
	if row.ID() != "01004-.17/2" {
		t.Errorf("the id: %s", row.ID())
	}
	*p = kgfile.Parcel{GNR: "1"}
	values(t, Parcel.Fields, row, map[string]string{"ez": "null", "landuse_codes": "null", "landuse_summary": "{}", "shape_class": "null",
		"dominant_landuse": "null", "repairs": "null", "parcel_id": "01004-1"})
}

func TestFootprintValues(t *testing.T) {
	f := &kgfile.Footprint{N: 12, AreaSqm: 310.25, PerimeterM: 81.5, Compactness: 0.62, Elongation: 1.51, VertexCount: 7,
		Size: kgfile.SizeLarge, Shape: kgfile.ShapeL, NS: 83, Centroid: geom.Point{X: 163_000_005, Y: 482_000_006}}
	row := &FootprintRow{KG: &kgfile.KG{Code: "01004"}, F: f, Parcel: &kgfile.Parcel{GNR: "5/1"}}
	every(t, Footprint, row, map[string]string{"footprint_id": "01004_fp_12", "kg_code": "01004", "parcel_id": "01004-5/1",
		"area_sqm": "310.25", "perimeter_m": "81.5", "compactness": "0.62", "elongation": "1.51", "vertex_count": "7", "size_class": "large",
		"shape_class": "lshaped", "ns_code": "83", "lon": "16.3000005", "lat": "48.2000006"})
	row.Parcel = nil
	values(t, Footprint.Fields, row, map[string]string{"parcel_id": "null", "footprint_id": "01004_fp_12"})
}

func TestValuesOfTheMap(t *testing.T) {
	kg, at := &kgfile.KG{Code: "01004"}, geom.Point{X: 163_000_007, Y: 482_000_008}
	every(t, Label, &LabelRow{KG: kg, L: &kgfile.Label{GNR: "8", Status: austria.StatusE, Rotation: 12.5, At: at}}, map[string]string{
		"parcel_id": "01004-8", "kg_code": "01004", "gnr": "8", "status": "E", "rotation": "12.5", "lon": "16.3000007",
		"lat": "48.2000008"})
	use := austria.LandUse(52)
	every(t, LandUsePolygon, &LandUsePolygonRow{KG: kg, N: 4, U: &kgfile.LandUseArea{NS: use, AreaSqm: 55.5, Inside: at}},
		map[string]string{"landuse_id": "01004_lu_4", "kg_code": "01004", "code": "52", "abbr": use.Abbr(), "type_name": use.Name(),
			"area_sqm": "55.5", "lon": "16.3000007", "lat": "48.2000008"})
	point := &LandUsePointRow{KG: kg, N: 6, S: &kgfile.Symbol{NS: use, At: at}, Parcel: &kgfile.Parcel{GNR: "9"}}
	every(t, LandUsePoint, point, map[string]string{"landuse_id": "01004_sy_6", "kg_code": "01004", "parcel_id": "01004-9", "code": "52",
		"abbr": use.Abbr(), "type_name": use.Name(), "lon": "16.3000007", "lat": "48.2000008"})
	point.Parcel, point.S = nil, &kgfile.Symbol{}
	values(t, LandUsePoint.Fields, point, map[string]string{"parcel_id": "null", "code": "null", "abbr": "null", "type_name": "null"})
}

func TestKGValues(t *testing.T) {
	k := &register.KG{KG: kgfile.KG{Code: "01004", Name: "Innere Stadt", GemeindeCode: "90101", GemeindeName: "Wien", ParcelCount: 2,
		BuildingCount: 3, FootprintCount: 4, LandUseCount: 5, TotalAreaSqm: 6.25, Typology: kgfile.Suburban, BuildingDensity: 7.5,
		BuiltUpRatio: 0.08, AvgNNDistanceM: 9.5, DominantLandUse: 41, LandUseDiversity: 1.1, AvgFAR: 0.12, AvgCompactness: 0.13,
		EZCount: 14, AvgParcelsPerEZ: 1.5, TotalFootprintAreaSqm: 16.5, FootprintMedianAreaSqm: 17.5, MedianParcelAreaSqm: 18.5,
		DistrictName: "Wien 1", Box: geom.Box{MinX: 163_000_000, MinY: 482_000_000, MaxX: 163_100_000, MaxY: 482_200_000}},
		DistrictCode: "901", Snapshot: register.Object{Key: "x"}}
	every(t, KG, &KGRow{KG: k}, map[string]string{"kg_code": "01004", "kg_name": "Innere Stadt", "gemeinde_code": "90101",
		"gemeinde_name": "Wien", "district_code": "901", "district_name": "Wien 1", "state_code": "9", "state_name": "Wien",
		"min_lon": "16.3", "min_lat": "48.2", "max_lon": "16.31", "max_lat": "48.22", "parcel_count": "2", "building_count": "3",
		"footprint_count": "4", "landuse_count": "5", "total_area_sqm": "6.25", "typology": "suburban", "building_density": "7.5",
		"built_up_ratio": "0.08", "avg_nn_distance_m": "9.5", "dominant_landuse": "41", "landuse_diversity": "1.1", "avg_far": "0.12",
		"avg_compactness": "0.13", "ez_count": "14", "avg_parcels_per_ez": "1.5", "total_footprint_area_sqm": "16.5",
		"footprint_median_area_sqm": "17.5", "median_parcel_area_sqm": "18.5"})
	k.TotalAreaSqm, k.AvgNNDistanceM = math.NaN(), math.NaN() // what could not be measured is null, in a KG with a snapshot too
	values(t, KG.Fields, &KGRow{KG: k}, map[string]string{"total_area_sqm": "null", "avg_nn_distance_m": "null"})
}

func TestDistrictValues(t *testing.T) {
	d := &register.District{Code: "388", Name: "Bezirk", State: "3"}
	every(t, District, &DistrictRow{D: d, KGs: 7}, map[string]string{"district_code": "388", "district_name": "Bezirk", "state_code": "3",
		"state_name": "Niederösterreich", "kg_count": "7"})
}

// The position of a municipality that lies on no meridian of Greenwich, and of one of which it is not known.
func TestMunicipalityPositions(t *testing.T) {
	for at, want := range map[geom.Point]string{{}: "null", {X: 0, Y: 480_000_000}: "0", {X: 160_000_000, Y: 480_000_000}: "16"} {
		row := &MunicipalityRow{M: &register.Municipality{Code: "38801", At: at}}
		values(t, Municipality.Fields.Only("lon"), row, map[string]string{"lon": want})
	}
}

// Layers are a closed set with names, which are those of their row types, and as many rows as the snapshot has features.
func TestLayers(t *testing.T) {
	s := &kgfile.Snapshot{KG: kgfile.KG{Code: "01004"}, Parcels: make([]kgfile.Parcel, 1), Buildings: make([]kgfile.Building, 2),
		Footprints: make([]kgfile.Footprint, 3), Labels: make([]kgfile.Label, 4), LandUse: make([]kgfile.LandUseArea, 5),
		Symbols: make([]kgfile.Symbol, 6)}
	for i, l := range AllLayers() {
		if got, err := ParseLayer(l.String()); err != nil || got != l || l.RowType().Name != l.String() {
			t.Errorf("%s: %v, %v, row type %s", l, got, err, l.RowType().Name)
		}
		n := 0
		for _, err := range l.Rows(s) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != i+1 || l.Len(s) != i+1 {
			t.Errorf("%s: %d rows, %d features, want %d", l, n, l.Len(s), i+1)
		}
		for range l.Rows(s) { // a reader may stop
			break
		}
	}
	for range ParcelExportRows(s) {
		break
	}
	seen := map[Verdict]bool{}
	for _, v := range AllVerdicts() {
		if seen[v] || v == "" {
			t.Errorf("the verdict %q stands twice, or has no name", v)
		}
		seen[v] = true
	}
}

// A shape that cannot be told is null; a figure that is not known too.
func TestNothingIsMadeUp(t *testing.T) {
	n := amount("n", "m", "", func(v *float64) float64 { return *v })
	for v, want := range map[float64]bool{math.NaN(): true, 0: false, -1: false} {
		if n.Get(&v).IsNull() != want {
			t.Errorf("%v: null %v, want %v", v, !want, want)
		}
	}
	l := list("l", "", func(v *float64) []float64 { return []float64{*v} })
	nan, one := math.NaN(), 1.5
	if !l.Get(&nan).IsNull() { // JSON has no such number
		t.Error("a list that cannot be written is not null")
	}
	if got, _ := l.Get(&one).Str(); got != "[1.5]" {
		t.Errorf("a list: %s", got)
	}
	if got := (&SiteRow{S: &overlays.Site{Code: "AT1"}}).polygons(); got != nil {
		t.Errorf("a site without a shape: %v", got)
	}
}

// Version lists: what is no list of a KG is refused with what is wrong.
func TestVersionListsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                  "version list: ",
		`{"kg_code":"1004"}`: "is not a padded KG code", `{"kg_code":"010040"}`: "is not a padded KG code", `{}`: "is not a padded KG code",
		`{"kg_code":"01004","snapshots":[{"date":"2026-13-01"}]}`: "is not a date",
		strings.Repeat(" ", maxVersions+1):                        "above the limit",
	} {
		if _, err := ParseVersions([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

// A municipality that the register does not know has no district.
func TestLegacyMunicipality(t *testing.T) {
	body, err := register.Encode(&register.Contents{Municipalities: []register.Municipality{{Code: "38801", Name: "West", DistrictCode: "388",
		DistrictName: "Bezirk"}}})
	if err != nil {
		t.Fatal(err)
	}
	reg, err := register.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[austria.GemeindeCode]string{"38801": "Bezirk", "38802": ""} {
		row := &GADMRow{M: &overlays.Municipality{Code: code, Name: "West"}, Register: reg}
		values(t, GADM.Fields, row, map[string]string{"gid_3": string(code), "name_3": "West"})
		if got := row.district(); got != want {
			t.Errorf("%s lies in %q, want %q", code, got, want)
		}
	}
}
