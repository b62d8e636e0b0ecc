package rowschema

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// omitted says which columns of a row are left out, beside those that are null.
func omitted[T any](t *testing.T, fields format.Fields[T], row *T, want map[string]bool) {
	t.Helper()
	for name, out := range want {
		if got := fields.Only(name)[0].Get(row) == format.Omit; got != out {
			t.Errorf("%s: left out %v, want %v", name, got, out)
		}
	}
}

// over is a KG with two sites, of which its first parcel lies in both and its second in one, and three references.
func over() *overlays.KG {
	return &overlays.KG{Parcels: 3, Sites: []overlays.Brief{
		{Code: "AT1", Name: "Au", Type: overlays.Birds, AreaHa: 12.5, Inside: true, Parcels: 1},
		{Code: "AT2", Name: "Moor", Type: overlays.Both, AreaHa: 7, Inside: true, Parcels: 2}},
		In: []overlays.Membership{{Row: 0, Site: 0}, {Row: 0, Site: 1}, {Row: 1, Site: 1}},
		Laws: []overlays.Law{{Name: "Forest", Context: "forestry"}, {Name: "Park", Date: "2001-02-03", URL: "https://law.example/1",
			Number: "20", State: "Tirol", Context: "nature_park"}},
		Refs: []overlays.Named{{Ref: overlays.Ref{Law: 0}, Row: -1}, {Ref: overlays.Ref{GNR: "1", Law: 1, List: overlays.BoundaryWalk,
			Partial: true}, Row: 0}, {Ref: overlays.Ref{GNR: "1", Law: 0}, Row: 0}}}
}

// What lies over a parcel stands in its row by the row of the parcel; a parcel without it has no empty lists.
func TestOverlaysOfAParcel(t *testing.T) {
	row := func(o Over) *ParcelRow {
		return &ParcelRow{KG: &kgfile.KG{Code: "01004"}, P: &kgfile.Parcel{GNR: "1"}, Over: o}
	}
	const au = `{"sitecode":"AT1","sitename":"Au","sitetype":"A","site_type_label":"Special Protection Area (Birds Directive)","area_ha":12.5}`
	const moor = `{"sitecode":"AT2","sitename":"Moor","sitetype":"C","site_type_label":"Birds and Habitats Directive","area_ha":7}`
	values(t, ParcelShown.Fields, row(Over{Known: true, KG: over()}), map[string]string{
		"natura2000_sites": "[" + au + "," + moor + "]", "legal_ref_count": "2", "legal_contexts": `["nature_park","forestry"]`,
		"legal_refs": `[{"source_law_name":"Park","source_date":"2001-02-03","source_url":"https://law.example/1","parcel_list_type":"boundary_walk",` +
			`"legal_context":"nature_park","bundesland":"Tirol","gesetzesnummer":"20","partial":true},` +
			`{"source_law_name":"Forest","parcel_list_type":"listed","legal_context":"forestry"}]`})
	values(t, ParcelShown.Fields, row(Over{Known: true, KG: over(), Row: 1}), map[string]string{"natura2000_sites": "[" + moor + "]"})
	lists := []string{"natura2000_sites", "legal_ref_count", "legal_contexts", "legal_refs"}
	for name, c := range map[string]struct {
		over Over
		in   format.Value
		out  [4]bool
	}{
		"in both":             {Over{Known: true, KG: over()}, format.Bool(true), [4]bool{}},
		"in one":              {Over{Known: true, KG: over(), Row: 1}, format.Bool(true), [4]bool{false, true, true, true}},
		"in none":             {Over{Known: true, KG: over(), Row: 2}, format.Bool(false), [4]bool{true, true, true, true}},
		"nothing over the KG": {Over{Known: true}, format.Bool(false), [4]bool{true, true, true, true}},
		"no overlays":         {Over{}, format.Omit, [4]bool{true, true, true, true}},
	} {
		if got := ParcelShown.Fields.Only("in_natura2000")[0].Get(row(c.over)); got != c.in {
			t.Errorf("%s: in_natura2000 is %+v, want %+v", name, got, c.in)
		}
		want := map[string]bool{}
		for i, list := range lists {
			want[list] = c.out[i]
		}
		t.Run(name, func(t *testing.T) { omitted(t, ParcelShown.Fields, row(c.over), want) })
	}
	if got := BriefsOf(nil, 0); got == nil || len(got) != 0 {
		t.Errorf("without overlays: %v, want an empty list", got)
	}
}

// What lies over a KG: sites that share area with it apart from those whose box alone meets it.
func TestOverlaysOfAKG(t *testing.T) {
	var set overlays.ContextSet
	set.Add("forestry")
	x := &overlays.Index{Code: "01004", Overlap: 3, Parcels: 2, RefCount: 5, Contexts: set, Sites: []overlays.Brief{
		{Code: "AT1", Name: "Au", Type: overlays.Birds, AreaHa: 12.5, Inside: true},
		{Code: "AT2", Name: "Far", Type: overlays.Both, AreaHa: 7},
		{Code: "AT3", Name: "Moor", Type: overlays.Habitats, AreaHa: 1, Inside: true, Parcels: 2}}}
	k := &register.KG{KG: kgfile.KG{Code: "01004", Name: "Innere Stadt"}, Snapshot: register.Object{Key: "x"}}
	values(t, KGOverlays, &KGRow{KG: k, Over: x}, map[string]string{
		"natura2000_overlap_count": "3", "natura2000_inside_count": "2", "natura2000_near_only_count": "1", "natura2000_parcel_count": "2",
		"natura2000_site_codes": `["AT1","AT3"]`, "natura2000_site_names": `["Au","Moor"]`, "legal_ref_count": "5",
		"legal_contexts": `["forestry"]`,
		"natura2000_inside_sites": `[{"sitecode":"AT1","sitename":"Au","sitetype":"A","site_type_label":"Special Protection Area (Birds Directive)",` +
			`"area_ha":12.5,"parcel_count":0,"contains_parcels":false},{"sitecode":"AT3","sitename":"Moor","sitetype":"B",` +
			`"site_type_label":"Site of Community Importance (Habitats Directive)","area_ha":1,"parcel_count":2,"contains_parcels":true}]`})
	// Of a KG without a snapshot nothing is known, which is not 0; counts of one over which nothing lies are 0, lists left out.
	cold := &register.KG{KG: k.KG}
	for name, c := range map[string]struct {
		row  *KGRow
		want [2]bool
	}{"cold": {&KGRow{KG: cold, Over: x}, [2]bool{true, true}}, "no overlays": {&KGRow{KG: k}, [2]bool{true, true}},
		"nothing": {&KGRow{KG: k, Over: &overlays.Index{}}, [2]bool{false, true}}} {
		t.Run(name, func(t *testing.T) {
			omitted(t, KGOverlays, c.row, map[string]bool{"natura2000_overlap_count": c.want[0], "legal_ref_count": c.want[0],
				"natura2000_inside_sites": c.want[1], "natura2000_site_codes": c.want[1], "natura2000_site_names": c.want[1],
				"legal_contexts": c.want[1]})
		})
	}
}

// Sites, areas and laws by themselves.
func TestSiteAndLawValues(t *testing.T) {
	var tags overlays.HabitatSet
	tags.Add("moor")
	tags.Add("river")
	box := geom.Box{MinX: 130_000_000, MinY: 470_000_000, MaxX: 130_000_010, MaxY: 470_000_020}
	site := &overlays.Site{Code: "AT1", Name: "Au", Type: overlays.Habitats, AreaHa: 12.34567, Tags: tags, Box: box}
	values(t, SiteFound.Fields, &SiteRow{S: site}, map[string]string{"sitecode": "AT1", "sitename": "Au", "sitetype": "B",
		"site_type_label": "Site of Community Importance (Habitats Directive)", "habitats": `["moor","river"]`})
	omitted(t, SiteFound.Fields, &SiteRow{S: site}, map[string]bool{"overlap_sqm": true, "overlap_of_site_pct": true})
	omitted(t, SiteFound.Fields, &SiteRow{S: site, In: Overlap{Asked: true}}, map[string]bool{"overlap_sqm": false,
		"overlap_of_site_pct": false})
	if p := middle(box); p != (geom.Point{X: 130_000_005, Y: 470_000_010}) {
		t.Errorf("the middle is %v", p)
	}
	shape := geom.MultiPolygon{{{{X: 0, Y: 0}, {X: 9, Y: 0}, {X: 9, Y: 9}}}}
	if s := (&Shaped{overlays.NewShape(shape)}); len(s.polygons()) != 1 || (&Shaped{}).polygons() != nil {
		t.Errorf("drawn as %v, without a shape as %v", s.polygons(), (&Shaped{}).polygons())
	}
	values(t, ProtectedArea.Fields, &AreaRow{A: &overlays.Area{Name: "Park", Desig: "Naturpark", DesigEng: "Nature park",
		DesigType: "National", IUCN: "V", RepArea: 3.5, GISArea: 3.25, Realm: "Terrestrial"}, DistanceM: 12.25}, map[string]string{
		"name": "Park", "desig": "Naturpark", "desig_eng": "Nature park", "desig_type": "National", "iucn_cat": "V", "rep_area": "3.5",
		"gis_area": "3.25", "realm": "Terrestrial", "distance_m": "12.25"})
	law := &overlays.Law{Name: "Park", Date: "2001-02-03", URL: "https://law.example/1", Number: "20", State: "Tirol", Context: "nature_park"}
	row := &LegalRow{KG: "01004", Name: "Innere Stadt", Law: law,
		Ref: &overlays.Ref{GNR: "12/3", List: overlays.BoundaryWalk, Partial: true}}
	values(t, Legal.Fields, row, map[string]string{"kg_code": "01004", "kg_name": "Innere Stadt", "grundstueck": "12/3",
		"source_law_name": "Park", "source_date": "2001-02-03", "source_url": "https://law.example/1", "parcel_list_type": "boundary_walk",
		"legal_context": "nature_park", "bundesland": "Tirol", "gesetzesnummer": "20"})
	if got := Legal.Fields.Only("partial")[0].Get(row); got != format.Bool(true) {
		t.Errorf("partial is %+v", got)
	}
	row.Ref, row.Law = &overlays.Ref{}, &overlays.Law{Name: "Park"}
	values(t, Legal.Fields, row, map[string]string{"grundstueck": "null", "source_date": "null", "source_url": "null",
		"parcel_list_type": "listed", "bundesland": "null", "gesetzesnummer": "null"})
}
