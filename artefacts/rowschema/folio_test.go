package rowschema

import (
	"encoding/json"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// A folio in detail has its own parcels, the address points on them and their land use, and nothing of other folios.
func TestFolioDetail(t *testing.T) {
	parcels := []kgfile.Parcel{
		{GNR: "1", EZ: 17, AreaSqm: 100, SymbolCounts: []kgfile.CodeCount{{Code: 41, N: 1}},
			UseAreas: []kgfile.CodeArea{{Code: 48, Sqm: 60}}},
		{GNR: "2", EZ: 18, AreaSqm: 200, SymbolCounts: []kgfile.CodeCount{{Code: 56, N: 1}}},
		{GNR: "3", EZ: 17, AreaSqm: 300, UseAreas: []kgfile.CodeArea{{Code: 48, Sqm: 40.25}}},
	}
	row := &FolioDetailRow{FolioRow: FolioRow{KG: &kgfile.KG{Code: "01004"}, F: &kgfile.Folio{EZ: 17, Parcels: []int32{0, 2},
		SymbolCounts: []kgfile.CodeCount{{Code: 41, N: 1}}, UseAreas: []kgfile.CodeArea{{Code: 48, Sqm: 100.25}}}},
		Parcels: parcels, Buildings: []kgfile.Building{{ID: austria.BuildingID{ADRCD: 7}, Parcel: 1},
			{ID: austria.BuildingID{ADRCD: 8}, Parcel: 2, HouseNumber: "5",
				At: geom.Point{X: 160_000_000, Y: 480_000_000}}, {ID: austria.BuildingID{ADRCD: 9}, Parcel: -1}}}
	type part struct {
		Parcel   string  `json:"gnr"`
		Area     float64 `json:"area_sqm"`
		Building string  `json:"building_id"`
		On       string  `json:"parcel_id"`
		Number   string  `json:"house_number"`
		Folio    *int    `json:"ez"`
		Code     int     `json:"code"`
		Parcels  int     `json:"parcels"`
	}
	read := func(column string) (list []part) {
		text, _ := FolioDetail.Fields.Only(column)[0].Get(row).Str()
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			t.Fatalf("%s: %s: %v", column, text, err)
		}
		return list
	}
	for range 2 { // the room of the texts is used again
		if l := read("parcels"); len(l) != 2 || l[0].Parcel != "1" || l[0].Area != 100 || l[1].Parcel != "3" || l[1].Area != 300 {
			t.Errorf("parcels: %+v", l)
		}
		if l := read("buildings"); len(l) != 1 || l[0].Building != "8-000" || l[0].On != "01004-3" || l[0].Number != "5" ||
			l[0].Folio == nil || *l[0].Folio != 17 {
			t.Errorf("buildings: %+v", l)
		}
		if l := read("landuse_breakdown"); len(l) != 2 || l[0].Code != 41 || l[0].Parcels != 1 || l[1].Code != 48 || l[1].Parcels != 2 {
			t.Errorf("land use: %+v", l)
		}
		values(t, FolioDetail.Fields, row, map[string]string{"landuse_area_breakdown": `{"48":100.25}`, "ez_id": "01004-17"})
	}
	var uses []LandUseOfParcels
	text, _ := FolioDetail.Fields.Only("landuse_breakdown")[0].Get(row).Str()
	if err := json.Unmarshal([]byte(text), &uses); err != nil {
		t.Fatal(err)
	}
	if u := uses[0]; u.AreaSqm != nil || u.Abbr == nil || *u.Abbr == "" || u.TypeName == nil || *u.TypeName == "" {
		t.Errorf("a use that symbols alone say: %s, want no area, an abbreviation and a name", text)
	}
	if u := uses[1]; u.AreaSqm == nil || *u.AreaSqm != 100.25 {
		t.Errorf("a use that areas say: %s, want 100.25 m²", text)
	}
}

// What a form says of its snapshot, as members and as pairs.
func TestMeta(t *testing.T) {
	s := &kgfile.Snapshot{KG: kgfile.KG{Code: "01004", Name: "Innere Stadt"}, Parcels: make([]kgfile.Parcel, 3),
		Build: kgfile.Build{Stichtag: "2026-10-01", Source: "© BEV, 2026", AssemblyVersion: "7",
			IngestGeneration: string(BulkV7Zenodo.With(RingOrder))}}
	m := MetaOf(s)
	if m.KGCode != "01004" || m.AssemblyVersions["01004"] != "7" || len(m.AssemblyVersions) != 1 ||
		m.IngestGeneration != string(BulkV7Zenodo) {
		t.Errorf("%+v", m)
	}
	want := map[string]string{"kg_code": "01004", "kg_name": "Innere Stadt", "stichtag": "2026-10-01", "license": "CC BY 4.0",
		"license_url": "https://creativecommons.org/licenses/by/4.0/", "attribution": "© BEV, 2026", "changes": Changes,
		"assembly_version": "7", "ingest_generation": string(BulkV7Zenodo), "parcel_count": "3"}
	pairs := m.Pairs()
	if len(pairs) != len(want) {
		t.Errorf("%d pairs, want %d", len(pairs), len(want))
	}
	for _, p := range pairs {
		if want[p[0]] != p[1] {
			t.Errorf("%s: %q, want %q", p[0], p[1], want[p[0]])
		}
	}
}

// Rows of several layers say which they are of.
func TestLayered(t *testing.T) {
	s := Layered(Building, "address", "An address point.")
	row := &BuildingRow{KG: &kgfile.KG{Code: "01004"}, B: &kgfile.Building{ID: austria.BuildingID{ADRCD: 8}}}
	values(t, s.Fields, row, map[string]string{"_layer": "address", "building_id": "8-000"})
	if c := s.Fields.Only("_layer")[0].Column; s.RowType.Name != "address" || len(c.Enum) != 1 || c.Enum[0] != "address" {
		t.Errorf("%s with %v", s.RowType.Name, c.Enum)
	}
}
