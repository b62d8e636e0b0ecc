package place

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/overlays"
	artefact "mappe/artefacts/proximity"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	names "mappe/artefacts/toponyms"
	"mappe/functions/core/proximity"
	"mappe/functions/core/toponyms"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// columnsOfRow compares all columns of a row with their texts: "null", and "" for what is left out.
func columnsOfRow[T any](t *testing.T, fields format.Fields[T], row *T, want map[string]string) {
	t.Helper()
	for _, f := range fields {
		v, got := f.Get(row), "null"
		if v == format.Omit {
			got = ""
		} else if s, ok := v.Str(); ok {
			got = s
		} else if n, ok := v.Float64(); ok {
			got = strconv.FormatFloat(n, 'f', -1, 64)
		}
		if text, ok := want[f.Name]; !ok || got != text {
			t.Errorf("%s: want %q (%v), got %q", f.Name, text, ok, got)
		}
	}
}

// Each column of a geographical name has its own value, those of the KG come from the register.
func TestColumnsOfAName(t *testing.T) {
	reg := viewOf(t, world(t)).Register()
	k := reg.KG("88801")
	row := &toponymRow{Register: reg, Stichtag: "2026-10-01", Found: toponyms.Found{Metres: 12.34, Score: 0.8765, Name: &names.Name{
		ID: "ried-9", Layer: names.Ried, Code: 7302, Feature: "Ried", Name: "Sonnleiten", Variant: "Sunnleitn",
		Others: []names.Other{{Language: "sl", Name: "Prisojna"}}, Elevation: 612, KG: "88801", At: geom.Point{X: 150_000_001,
			Y: 480_000_002}, Year: 2019}}}
	want := map[string]string{"id": "ried-9", "layer": "ried", "f_code": "7302", "f_name": "Ried", "name": "Sonnleiten",
		"variant_name": "Sunnleitn", "minority_names": `[{"language":"sl","name":"Prisojna"}]`, "elevation_m": "612", "kg_code": "88801",
		"kg_name": k.Name, "gemeinde_code": "38801", "gemeinde_name": k.GemeindeName, "district_code": "388",
		"district_name": k.DistrictName, "state_code": "3", "state_name": "Niederösterreich", "lon": "15.0000001", "lat": "48.0000002", "stichtag": "2026-10-01",
		"currency_year": "2019", "positional_accuracy_m": fmt.Sprint(accuracy), "distance_m": "12.3", "score": "0.877"}
	columnsOfRow(t, toponymRows.Fields, row, want)
	row.Name = &names.Name{ID: "x", Layer: names.Gelaende, Name: "N", Elevation: names.NoElevation}
	row.Metres, row.Score = math.NaN(), math.NaN()
	bare := map[string]string{}
	for name := range want {
		bare[name] = "null"
	}
	for name, text := range map[string]string{"id": "x", "layer": "gelaende", "name": "N", "minority_names": "[]", "lon": "0", "lat": "0",
		"stichtag": "2026-10-01", "positional_accuracy_m": fmt.Sprint(accuracy), "distance_m": "", "score": ""} {
		bare[name] = text
	}
	columnsOfRow(t, toponymRows.Fields, row, bare)
	row.Name.KG, bare["kg_code"] = "99999", "99999" // a KG that the register does not have any more
	columnsOfRow(t, toponymRows.Fields, row, bare)
}

func TestColumnsOfAReference(t *testing.T) {
	law := &overlays.Law{Name: "Schongebiet", Context: overlays.AllContexts()[0], URL: "https://law.example/1", State: "Tirol",
		Date: "2001-02-03"}
	row := &rowschema.LegalRow{KG: "88801", Name: "West", Law: law, Ref: &overlays.Ref{GNR: "7/1", List: overlays.BoundaryWalk,
		Partial: true}}
	want := map[string]string{"kg_code": "88801", "kg_name": "West", "law": "Schongebiet", "legal_context": string(law.Context),
		"parcel_list_type": "boundary_walk", "grundstueck": "7/1", "ris_url": "https://law.example/1", "bundesland": "Tirol",
		"in_force": "2001-02-03", "partial": "1"}
	columnsOfRow(t, reference.Fields, row, want)
	row.Law, row.Ref = &overlays.Law{Name: "A", Context: law.Context}, &overlays.Ref{}
	for _, name := range []string{"grundstueck", "ris_url", "bundesland", "in_force"} {
		if v := reference.Fields.Only(name)[0].Get(row); !v.IsNull() {
			t.Errorf("%s of what says none: %v", name, v)
		}
	}
}

// A feature of the map as GeoJSON: lines have a number, points have people.
func TestFeaturesOfTheMap(t *testing.T) {
	class := func(c artefact.Category, name string) artefact.Class {
		k, ok := artefact.ParseClass(c, name)
		if !ok {
			t.Fatal(name)
		}
		return k
	}
	at := geom.Point{X: 150_000_000, Y: 480_000_001}
	for want, f := range map[string]proximity.Feature{
		`{"type":"Feature","geometry":{"type":"LineString","coordinates":[[15.0000000,48.0000001],[15.0000001,48.0000001]]},` +
			`"properties":{"cat":"road","fclass":"primary","name":null,"ref":"B1","major":true}}`: {Line: &artefact.Line{
			Class: class(artefact.Road, "primary"), Ref: "B1", Vertices: []geom.Point{at, {X: at.X + 1, Y: at.Y}}}},
		`{"type":"Feature","geometry":{"type":"LineString","coordinates":[]},` +
			`"properties":{"cat":"water","fclass":"river","name":"Bach","ref":null,"major":false}}`: {Line: &artefact.Line{
			Class: class(artefact.Water, "river"), Name: "Bach"}},
		`{"type":"Feature","geometry":{"type":"Point","coordinates":[15.0000000,48.0000001]},` +
			`"properties":{"cat":"transit","fclass":"railway_halt","name":"Halt","train_station":true,"population":null}}`: {
			Point: &artefact.Point{Class: class(artefact.Transit, "railway_halt"), Name: "Halt", At: at, Population: -1}},
		`{"type":"Feature","geometry":{"type":"Point","coordinates":[15.0000000,48.0000001]},` +
			`"properties":{"cat":"place","fclass":"village","name":"Dorf","train_station":false,"population":0}}`: {
			Point: &artefact.Point{Class: class(artefact.Place, "village"), Name: "Dorf", At: at}},
	} {
		var body bytes.Buffer
		b := format.NewBuffer(&body)
		writeFeature(format.NewJSON(b, false), &f)
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		b.Close()
		if got := strings.TrimSpace(body.String()); got != want {
			t.Errorf("want %s\ngot  %s", want, got)
		}
	}
}

// Numbers of blocks: four decimals, seven of degrees, null for none.
func TestNumbersOfBlocks(t *testing.T) {
	for v, want := range map[float64]string{1.00005: "1.0001", 2: "2", -0.12344: "-0.1234", math.NaN(): "null", math.Inf(1): "null",
		math.Inf(-1): "null"} {
		if got, err := json.Marshal(known(v)); err != nil || string(got) != want {
			t.Errorf("%v: %s, %v, want %s", v, got, err, want)
		}
	}
	for v, want := range map[degrees]string{15: "15.0000000", -0.00000004: "-0.0000000", 13.12345678: "13.1234568"} {
		if got, err := json.Marshal(v); err != nil || string(got) != want {
			t.Errorf("%v: %s, %v, want %s", float64(v), got, err, want)
		}
	}
}

// The names of municipalities and districts come from their lists, else from their KGs; nobody's is empty.
func TestNamesOfAreas(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishWith(s, fixture.Snapshots(), func(c *register.Contents) {
		c.Municipalities = append(c.Municipalities, register.Municipality{Code: "38801", Name: "Listed", DistrictCode: "388",
			DistrictName: "District", At: fixture.At(4, 2), Outline: geom.MultiPolygon{{fixture.Rect(0, 0, 8, 4)}}},
			register.Municipality{Code: vienna, Name: "Wien", DistrictCode: "900", DistrictName: "Wien (Stadt)", At: fixture.At(4, 2),
				Outline: geom.MultiPolygon{{fixture.Rect(20, 20, 21, 21)}}})
	}); err != nil {
		t.Fatal(err)
	}
	v := viewOf(t, s)
	for code, want := range map[austria.GemeindeCode]string{"38801": "Listed", "48804": "Gemeinde 48804", "12345": ""} {
		if got := gemeindeName(v, code); got != want {
			t.Errorf("municipality %s: %q, want %q", code, got, want)
		}
	}
	for code, want := range map[austria.DistrictCode]string{"388": "Bezirk 388", "488": "Bezirk 488", "123": ""} {
		if got := bezirkName(v, code); got != want {
			t.Errorf("district %s: %q, want %q", code, got, want)
		}
	}
	for code, want := range map[austria.GemeindeCode]gemeinde{
		"38801": {"38801", "Listed", "388", "District", "Niederösterreich"},
		"38809": {"38809", "given", "388", "", "Niederösterreich"},           // the register does not list it
		"90101": {"90101", "given", "901", "Wien (Stadt)", "Wien"},           // a district of Vienna, under its own name
		vienna:  {vienna, "Wien", vienna.District(), "Wien (Stadt)", "Wien"}, // the whole of it
	} {
		if got := gemeindeOf(v, code, "given"); *got != want {
			t.Errorf("%s: %+v, want %+v", code, *got, want)
		}
	}
}

// Every block of an answer has columns in a table, each once, which begin with its name.
func TestBlocksHaveColumns(t *testing.T) {
	seen := map[string]block{}
	for _, b := range allBlocks() {
		list := columnsOf(b)
		if len(list) == 0 {
			t.Errorf("the block %s has no column", b)
		}
		for _, name := range list {
			if other, twice := seen[name]; twice || !strings.HasPrefix(name, string(b)) {
				t.Errorf("%s of %s stands in %s too, or is not of the block", name, b, other)
			}
			seen[name] = b
		}
	}
	if shapeOf("nothing") != nil || len(columnsOfType("n", nil, nil)) != 1 {
		t.Error("what has no shape is one column")
	}
	for want, list := range map[string][]any{"1 2.5": {json.Number("1"), json.Number("2.5")}, "": {json.Number("1"), "a"}} {
		if got, ok := numbers(list); got != want || ok != (want != "") {
			t.Errorf("%v: %q, %v", list, got, ok)
		}
	}
	row := map[string]string{}
	flatten("b", map[string]any{"any": map[string]any{"x": json.Number("1")}}, row, map[string]bool{"b.any": true})
	if want := map[string]string{"b.any": `{"x":1}`}; !reflect.DeepEqual(row, want) {
		t.Errorf("an object of any members: %v, want %v", row, want)
	}
}

// Every endpoint says under which licence its answers stand, and whose data they are; the map has a licence of its own.
func TestNoticesOfEndpoints(t *testing.T) {
	datasets := map[string]string{}
	for _, e := range Endpoints(Deps{}) {
		if e.Notice == nil {
			// These have the service's, or say it themselves.
			if e.ID != "context" && e.ID != "context_batch" && e.ID != "kgs" && e.ID != "lookup" {
				t.Errorf("%s has no notice", e.ID)
			}
			continue
		}
		if e.Notice.License == "" || !strings.HasPrefix(e.Notice.LicenseURL, "https://") || e.Notice.Dataset == "" || e.Tag == "" {
			t.Errorf("%s: %+v, tag %q", e.ID, *e.Notice, e.Tag)
		}
		if is := strings.HasPrefix(e.ID, "osm_"); is != (e.Notice.License == proximity.License) {
			t.Errorf("%s stands under %s", e.ID, e.Notice.License)
		}
		if known, ok := datasets[e.Notice.Dataset]; ok && known != e.Tag {
			t.Errorf("%s: the dataset %s stands under the tags %s and %s", e.ID, e.Notice.Dataset, known, e.Tag)
		}
		datasets[e.Notice.Dataset] = e.Tag
	}
	for _, n := range []string{"Municipality outlines", "Geographical names"} {
		if _, ok := datasets[n]; !ok {
			t.Errorf("no endpoint names the dataset %s", n)
		}
	}
	if len(datasets) < 8 {
		t.Errorf("only %d datasets", len(datasets))
	}
}
