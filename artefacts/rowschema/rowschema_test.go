package rowschema

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// The fields of the specification's resources; a layer may have more.
func TestFieldsOfTheSpecification(t *testing.T) {
	for layer, fields := range map[Layer]string{
		Parcels:         "parcel_id kg_code gemeinde_code gnr ez status area_sqm lon lat building_count footprint_count total_building_area_sqm landuse_codes landuse_summary compactness elongation vertex_count far shape_class dominant_landuse",
		Buildings:       "building_id kg_code gemeinde_code house_number street postal_code ort full_address object_type lon lat parcel_id ez",
		Footprints:      "footprint_id kg_code area_sqm perimeter_m compactness elongation vertex_count size_class shape_class ns_code",
		Labels:          "gnr status rotation lon lat",
		LandUsePolygons: "code type_name abbr area_sqm",
		LandUsePoints:   "code type_name abbr parcel_id",
	} {
		for _, f := range strings.Fields(fields) {
			if layer.RowType().Index(f) < 0 {
				t.Errorf("layer %s has no field %s", layer, f)
			}
		}
		for _, c := range layer.RowType().Columns {
			if c.Doc == "" {
				t.Errorf("layer %s: field %s has no description", layer, c.Name)
			}
		}
	}
	for _, f := range []string{"buildings_on_parcel", "landuse_on_parcel", "landuse_summary"} {
		if ParcelExport.Index(f) < 0 {
			t.Errorf("the exported parcel has no field %s", f)
		}
	}
}

// Every row gives a value of its column's type, in the closed set where there is one.
func TestValuesFitTheirColumns(t *testing.T) {
	s := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 200, Segments: 2, AreaKm2: 2, Seed: 5})
	check := func(rowType *format.RowType, seq format.Seq, n int) {
		got := 0
		for row, err := range seq {
			if err != nil {
				t.Fatal(err)
			}
			got++
			for i, c := range rowType.Columns {
				v := row.Value(i)
				if v.IsNull() {
					continue
				}
				text, isText := v.Str()
				_, isNumber := v.Float64()
				_, isInt := v.Int64()
				wantText := c.Type == format.TypeString || c.Type == format.TypeJSON
				if isText != wantText || isNumber == wantText || isInt != (c.Type == format.TypeInt) {
					t.Fatalf("%s.%s: %+v is no value of type %d", rowType.Name, c.Name, v, c.Type)
				}
				if c.Enum != nil && !slices.Contains(c.Enum, text) {
					t.Fatalf("%s.%s: %q is not among %v", rowType.Name, c.Name, text, c.Enum)
				}
				if c.Type == format.TypeJSON {
					into := reflect.New(reflect.TypeOf(c.Shape))
					d := json.NewDecoder(strings.NewReader(text))
					d.DisallowUnknownFields()
					if err := d.Decode(into.Interface()); err != nil {
						t.Fatalf("%s.%s: %s is no %T: %v", rowType.Name, c.Name, text, c.Shape, err)
					}
				}
			}
			if !row.Value(len(rowType.Columns)).IsNull() {
				t.Fatalf("%s: a column behind the last has a value", rowType.Name)
			}
			if row.RowType() != rowType || row.Geometry().Shape != rowType.Shape {
				t.Fatalf("%s: a row of type %s with shape %d", rowType.Name, row.RowType().Name, row.Geometry().Shape)
			}
		}
		if got != n {
			t.Errorf("%s gives %d rows, want %d", rowType.Name, got, n)
		}
	}
	for _, l := range AllLayers() {
		check(l.RowType(), l.Rows(s), l.Len(s))
		if back, err := ParseLayer(l.String()); err != nil || back != l {
			t.Errorf("layer %s is read as %v, %v", l, back, err)
		}
	}
	check(ParcelExport.RowType, ParcelExportRows(s), len(s.Parcels))
	if _, err := ParseLayer("roads"); err == nil {
		t.Error("layer roads was accepted")
	}
}

func TestBuildingsByParcel(t *testing.T) {
	s := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 100, Segments: 2, AreaKm2: 1, Seed: 6})
	by, n := BuildingsByParcel(s.Parcels, s.Buildings), 0
	for i := range s.Parcels {
		for _, b := range by.Of(i) {
			n++
			if s.Buildings[b].Parcel != int32(i) {
				t.Errorf("building %d stands on parcel %d, not %d", b, s.Buildings[b].Parcel, i)
			}
		}
		if got := len(by.Of(i)); got != s.Parcels[i].BuildingCount {
			t.Errorf("parcel %d has %d buildings, its row says %d", i, got, s.Parcels[i].BuildingCount)
		}
	}
	if n == 0 {
		t.Error("no building stands on a parcel")
	}
}

func TestFullAddress(t *testing.T) {
	for _, c := range []struct {
		b    kgfile.Building
		want string
	}{
		{kgfile.Building{Street: "Poltenweg", HouseNumber: "41", PLZ: "6080", Ort: "Vill"}, "Poltenweg 41, 6080 Vill"},
		{kgfile.Building{HouseNumber: "7", PLZ: "3643", Ort: "Umbach"}, "Umbach 7, 3643 Umbach"},
		{kgfile.Building{Street: "Weg", HouseNumber: "1"}, "Weg 1"},
		{kgfile.Building{}, ""},
	} {
		if got := string(AppendFullAddress(nil, &c.b)); got != c.want {
			t.Errorf("%+v gives %q, want %q", c.b, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{TypologyName(kgfile.RuralAgrarian), "rural_agrarian"}, {TypologyName(kgfile.TypologyUnknown), ""}, {TypologyName(99), ""},
		{ShapeName(kgfile.ShapeL), "lshaped"}, {ShapeName(kgfile.ShapeStrip), "strip"}, {SizeName(kgfile.SizeXLarge), "xlarge"},
		{RepairNames(kgfile.RepairRingOrder | kgfile.RepairDegenerate), "ring_order,degenerate"}, {RepairNames(0), ""},
		{string(AppendLandUseSummary(nil, []kgfile.CodeCount{{Code: 41, N: 2}, {Code: 55, N: 1}})), `{"41":2,"55":1}`},
		{string(AppendLandUseSummary(nil, nil)), "{}"},
		{string(AppendLandUseCodes(nil, &kgfile.Parcel{SymbolCounts: []kgfile.CodeCount{{Code: 48, N: 1}, {Code: 57, N: 1}},
			UseAreas: []kgfile.CodeArea{{Code: 41}, {Code: 48}, {Code: 98}}})), "41,48,57,98"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	all := kgfile.Repair(0)
	for _, r := range AllRepairs() {
		all |= r
	}
	if n := strings.Count(RepairNames(all), ","); n != len(AllRepairs())-1 {
		t.Errorf("%d repairs have %d names", len(AllRepairs()), n+1)
	}
}

func TestEpochs(t *testing.T) {
	have, missing := TilePartitionV1.Fixes()
	if len(missing) != 0 || len(have) != 7 {
		t.Errorf("the newest generation has %v, lacks %v", have, missing)
	}
	have, missing = BulkV7Zenodo.Fixes()
	if len(have) != 0 || len(missing) != 7 || missing[0] != LandUseAreaCalc {
		t.Errorf("%s has %v, lacks %v", BulkV7Zenodo, have, missing)
	}
	have, missing = NSCodeTable.Fixes()
	if len(have) != 4 || len(missing) != 3 || have[3] != NSCodeTable {
		t.Errorf("%s has %v, lacks %v", NSCodeTable, have, missing)
	}
	if _, err := ParseEpoch("bulk_v8"); err == nil {
		t.Error("an unknown epoch was accepted")
	}
	for _, e := range AllEpochs() {
		if id, err := ParseEpoch(string(e.ID)); err != nil || id != e.ID || e.Meaning == "" {
			t.Errorf("epoch %+v is read as %q, %v", e, id, err)
		}
	}
}

func TestVersions(t *testing.T) {
	v := Versions{KGCode: "99901", KGName: "Dorf"}
	var err error
	for _, date := range []string{"2026-04-01", "2026-10-01", "2025-10-01", "2026-10-01"} {
		if v, err = v.With(Version{Date: date, Filename: "99901-" + date + ".kgs"},
			StampOf("tile_partition_v1", "tile_partition_v1")); err != nil {
			t.Fatal(err)
		}
	}
	var dates []string
	for _, s := range v.Snapshots {
		dates = append(dates, s.Date)
	}
	if !slices.Equal(dates, []string{"2026-10-01", "2026-04-01", "2025-10-01"}) || v.Latest != "2026-10-01" || !v.Snapshots[0].Latest ||
		v.Snapshots[1].Latest {
		t.Errorf("versions %+v", v)
	}
	// An older source is published over a newer one: what is served is the latest.
	back, err := v.With(Version{Date: "2026-04-01"}, Stamp{AssemblyVersion: "legacy"})
	if err != nil || back.Latest != "2026-04-01" || back.Snapshots[0].Latest || !back.Snapshots[1].Latest ||
		back.Stamp.AssemblyVersion != "legacy" {
		t.Errorf("after going back: %+v, %v", back, err)
	}
	b, _ := json.Marshal(back)
	if again, err := ParseVersions(b); err != nil || !reflect.DeepEqual(again, back) {
		t.Errorf("%s is read as %+v, %v", b, again, err)
	}
	b, _ = json.Marshal(v)
	if back, err := ParseVersions(b); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%s is read as %+v, %v", b, back, err)
	}
	if _, err := v.With(Version{Date: "1.10.2026"}, Stamp{}); err == nil {
		t.Error("a date in another spelling was accepted")
	}
	for name, change := range map[string]func(v *Versions){
		"an unpadded code": func(v *Versions) { v.KGCode = "1004" },
		"no code":          func(v *Versions) { v.KGCode = "" },
		"a wrong order":    func(v *Versions) { slices.Reverse(v.Snapshots) },
		"two latest":       func(v *Versions) { v.Snapshots[1].Latest = true },
		"another latest":   func(v *Versions) { v.Latest = "2025-10-01" },
		"a broken date":    func(v *Versions) { v.Snapshots[2].Date = "2025-13-01" },
	} {
		w := v
		w.Snapshots = slices.Clone(v.Snapshots)
		change(&w)
		b, _ := json.Marshal(w)
		if _, err := ParseVersions(b); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func FuzzParseVersions(f *testing.F) {
	f.Add([]byte(`{"kg_code":"99901","latest":"2026-10-01","snapshots":[{"date":"2026-10-01","is_latest":true}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := ParseVersions(b)
		if err != nil {
			return
		}
		if c, err := austria.ParseKGCode(string(v.KGCode)); err != nil || c != v.KGCode {
			t.Fatalf("kg_code %q was accepted", v.KGCode)
		}
	})
}
