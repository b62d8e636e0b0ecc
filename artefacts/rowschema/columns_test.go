package rowschema

import (
	"fmt"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// Columns that rows may leave out say so: a reader of a table keeps room for the others alone.
func TestColumnsThatMayBeLeftOut(t *testing.T) {
	sparse := func(columns []format.Column) string {
		var names []string
		for _, c := range columns {
			if c.Sparse {
				names = append(names, c.Name)
			}
		}
		return strings.Join(names, " ")
	}
	withKG := KG.With(KGProvenance...).With(KGOverlays...)
	for name, c := range map[string]struct {
		rowType *format.RowType
		want    string
	}{
		"a parcel in a file": {Parcel.RowType, ""},
		"a parcel":           {ParcelShown.RowType, "in_natura2000 natura2000_sites legal_ref_count legal_contexts legal_refs"},
		"a folio":            {FolioDetail.RowType, "parcels buildings landuse_area_breakdown landuse_breakdown"},
		"a KG": {withKG.RowType, "ingest_fixes_missing natura2000_overlap_count natura2000_inside_count natura2000_inside_sites " +
			"natura2000_near_only_count natura2000_parcel_count natura2000_site_codes natura2000_site_names legal_ref_count " +
			"legal_contexts"},
		"a site":           {SiteFound.RowType, "overlap_sqm overlap_of_place_pct overlap_of_site_pct"},
		"a protected area": {ProtectedAreaFound.RowType, "distance_m overlap_sqm overlap_of_place_pct overlap_of_site_pct"},
	} {
		if got := sparse(c.rowType.Columns); got != c.want {
			t.Errorf("%s may leave out %q, want %q", name, got, c.want)
		}
	}
}

// What the data of a KG was processed by; of one without a snapshot nothing is missing.
func TestProvenance(t *testing.T) {
	at := func(key, date, ingest string) *KGRow {
		return &KGRow{KG: &register.KG{KG: kgfile.KG{Code: "01004"}, Snapshot: register.Object{Key: key, Date: date}, Ingest: ingest,
			Assembly: map[string]string{"x": "tile_partition_v1"}[key]}}
	}
	values(t, KGProvenance, at("x", "2026-10-01", "ns_code_table"), map[string]string{"assembly_version": "tile_partition_v1",
		"ingest_generation": "ns_code_table", "reprocessed_at": "2026-10-01T00:00:00Z",
		"ingest_fixes_missing": `["landuse_tile_clip","ring_order","tile_partition_v1"]`})
	values(t, KGProvenance, at("", "", ""), map[string]string{"assembly_version": "unknown", "ingest_generation": "null",
		"reprocessed_at": "null"})
	for name, c := range map[string]struct {
		row *KGRow
		out bool
	}{"some are missing": {at("x", "2026-10-01", "ns_code_table"), false}, "none is": {at("x", "2026-10-01", "tile_partition_v1"), true},
		"no snapshot": {at("", "", "ns_code_table"), true}} {
		t.Run(name, func(t *testing.T) { omitted(t, KGProvenance, c.row, map[string]bool{"ingest_fixes_missing": c.out}) })
	}
}

// How each fix reaches data that was built before it.
func TestHowFixesArrive(t *testing.T) {
	want := map[EpochID]string{LandUseAreaCalc: "build", AddressPointJoin: "build", NSCodeTable: "build", TilePartitionV1: "build",
		MultipolygonGeometry: "serve", RingOrder: "serve", LandUseTileClip: "overlay", PipelineV6Union: "", BulkV7Zenodo: ""}
	for _, e := range AllEpochs() {
		got := ""
		for way, is := range map[string]bool{"build": e.NeedsRebuild, "serve": e.AtServeTime, "overlay": e.ByOverlay} {
			if is {
				got += way
			}
		}
		if got != want[e.ID] {
			t.Errorf("%s: %q, want %q", e.ID, got, want[e.ID])
		}
	}
}

// What stands outside: an unknown parcel, an unknown use, a municipality that is not in the register.
func TestValuesOfNothing(t *testing.T) {
	parcels := make([]kgfile.Parcel, 2)
	for i, want := range map[int32]*kgfile.Parcel{-1: nil, 0: &parcels[0], 1: &parcels[1], 2: nil} {
		if got := ParcelAt(parcels, i); got != want {
			t.Errorf("parcel %d of 2: %p, want %p", i, got, want)
		}
	}
	if landUseCode(0) != format.Null || landUseCode(41) != format.Int(41) {
		t.Errorf("%+v, %+v", landUseCode(0), landUseCode(41))
	}
	if row := (&SiteRow{S: &overlays.Site{}}); row.polygons() != nil {
		t.Errorf("a site without a shape is drawn as %v", row.polygons())
	}
}

// A use that only symbols say has no area, one that areas say has it though it be 0.
func TestAreasOfUses(t *testing.T) {
	row := &ParcelExportRow{ParcelRow: ParcelRow{KG: &kgfile.KG{Code: "01004"}, P: &kgfile.Parcel{
		SymbolCounts: []kgfile.CodeCount{{Code: 41, N: 2}}, UseAreas: []kgfile.CodeArea{{Code: 48, Sqm: 0}, {Code: 52, Sqm: 7.5}}}}}
	use := func(c austria.LandUse, area string, symbols int) string {
		return fmt.Sprintf(`{"code":%d,"abbr":%q,"type_name":%q,"area_sqm":%s,"symbols":%d}`, c, c.Abbr(), c.Name(), area, symbols)
	}
	text, _ := ParcelExport.Fields.Only("landuse_on_parcel")[0].Get(row).Str()
	if want := "[" + use(41, "null", 2) + "," + use(48, "0", 0) + "," + use(52, "7.5", 0) + "]"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
}
