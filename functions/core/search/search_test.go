package search

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// Which rows each search finds, in its order.
func TestSearches(t *testing.T) {
	for name, h := range map[string]http.Handler{"KG by KG": world(t), "by the directory": indexed(t)} {
		t.Run(name, func(t *testing.T) { searches(t, h) })
	}
}

func searches(t *testing.T, h http.Handler) {
	for _, c := range []struct{ name, path, field, want string }{
		{"exact number", "gnr?gnr=6&kg=88801", "parcel_id", "88801-6"},
		{"exact number with a sub-number", "gnr?gnr=.6%2F1&kg=88801", "parcel_id", "88801-.6/1"},
		{"no plot without its dot", "gnr?gnr=6%2F1&kg=88801", "parcel_id", ""},
		{"star at the end, by number", "gnr?gnr=1*&kg=88801", "parcel_id",
			"88801-1 88801-10 88801-11 88801-12 88801-13 88801-14 88801-15 88801-16"},
		{"star in front takes plots too", "gnr?gnr=*1&kg=88801", "parcel_id", "88801-1 88801-.6/1 88801-11"},
		{"star within", "gnr?gnr=.*%2F1&kg=88801", "parcel_id", "88801-.6/1"},
		{"leading dot is a beginning", "gnr?gnr=.6&kg=88801", "parcel_id", "88801-.6/1"},
		{"dot alone: every plot", "gnr?gnr=.&kg=88801", "parcel_id", "88801-.6/1"},
		{"unpadded KG code", "gnr?gnr=4&kg=804", "parcel_id", "00804-4"},
		{"every KG", "gnr?gnr=2", "parcel_id", "00804-2 88801-2 88802-2"},
		{"KG that does not exist", "gnr?gnr=2&kg=99999", "parcel_id", ""},

		{"folio in a KG", "ez?kg=88801&ez=7", "ez_id", "88801-7"},
		{"folio in a municipality by code", "ez?gemeinde=38801&ez=7", "ez_id", "88801-7 88802-7"},
		{"folio in a municipality by name", "ez?gemeinde=GEMEINDE-38801&ez=7", "ez_id", "88801-7 88802-7"},
		{"KG and municipality", "ez?gemeinde=38801&kg=88802", "ez_id", "88802-7"},
		{"all folios", "ez?kg=88801", "ez_id", "88801-7"},
		{"no such folio", "ez?kg=88801&ez=8", "ez_id", ""},
		{"no such municipality", "ez?gemeinde=Nirgends", "ez_id", ""},

		{"parcel by id", "parcel?id=88801-.6%2F1", "parcel_id", "88801-.6/1"},
		{"parcel by id in another KG", "parcel?id=88801-1&kg=88802", "parcel_id", ""},
		{"parcel by id that does not pass", "parcel?id=88801-1&status=G", "parcel_id", ""},
		{"status", "parcel?status=G", "parcel_id", "88801-.6/1"},
		{"area", "parcel?kg=88801&min_area=8014&max_area=8015", "parcel_id", "88801-14 88801-15"},
		{"buildings", "parcel?has_buildings=true", "parcel_id", "88801-1 88801-.6/1 88802-1"},
		{"land use by abbreviation and status", "parcel?kg=88801&landuse=B&status=G", "parcel_id", "88801-.6/1"},
		{"whole KG", "parcel?kg=00804", "parcel_id", "00804-1 00804-2 00804-3 00804-4"},

		{"feature: parcel", "feature?id=88801-6", "_layer", "parcel"},
		{"feature: address point", "feature?id=8880102-001", "building_id", "8880102-001"},
		{"feature: address point of a KG", "feature?id=8880102-001&kg=88801", "_layer", "building"},
		{"feature: address point of another KG", "feature?id=8880102-001&kg=88802", "_layer", ""},
		{"feature: KG, unpadded", "feature?id=804", "kg_name", "Fernau"},
		{"feature: nothing", "feature?id=99999", "_layer", ""},

		{"KG by code", "kg?code=804", "kg_code", "00804"},
		{"KG by code as q", "kg?q=804", "kg_code", "00804"},
		{"KG by name prefix", "kg?q=west", "kg_code", "88801"},
		{"prefix before the middle, shortest first", "kg?q=enzers", "kg_code", "19546 19545"},
		{"words in any order", "kg?q=dorf%20west", "kg_code", "88801"},
		{"all words have to match", "kg?q=dorf%20nord", "kg_code", ""},
		{"KGs of a municipality by name", "kg?gemeinde=Gr.%20Enzersdorf", "kg_code", "19545 19546 19547"},
		{"KGs of a district by part of its name: both of one name", "kg?district=doppel", "kg_code", "19544 19545 19546 19547"},
		{"KGs of a district by code", "kg?district=322", "kg_code", "19544"},
		{"KGs of a postal code: where its localities lie", "kg?plz=3888", "kg_code", "88801"},
		{"KGs of a postal code: all of the municipality", "kg?plz=3100", "kg_code", "19544"},
		{"filters combine", "kg?gemeinde=38801&q=ost", "kg_code", "88802"},
		{"no filter: all", "kg?", "kg_code", "00804 19544 19545 19546 19547 88801 88802 88803"},

		{"districts of a state", "district?state=3", "district_code", "322 325 388"},
		{"districts of a state by name", "district?state=oberoesterreich", "district_code", "488"},
		{"two districts of one name are two rows", "district?q=doppelstadt", "district_code", "322 325"},
		{"KGs of a district", "district?code=325", "kg_code", "19545 19546 19547"},
		{"district by name and state", "district?q=bezirk&state=4", "district_code", "488"},

		{"municipality by name", "municipalities?q=St.%20Poelten", "gemeinde_code", "32201"},
		{"municipality by code", "municipalities?id=38801", "gemeinde_code", "38801"},
		{"municipalities that only KGs name", "municipalities?id=38802", "gemeinde_code", "38802"},
		{"municipalities of a district", "municipalities?district=388", "gemeinde_code", "38801 38802"},
		{"municipalities of a district by name", "municipalities?district=bezirk%20388", "gemeinde_code", "38801 38802"},
		{"municipalities of a state", "municipalities?state=4", "gemeinde_code", "48804"},
		{"municipality at a point", "municipalities?contains_lon=15.0005&contains_lat=48.0005", "gemeinde_code", "38801"},
		{"no municipality at a point", "municipalities?contains_lon=16&contains_lat=47", "gemeinde_code", ""},
		{"all municipalities", "municipalities?list=all", "gemeinde_code", "32201 32501 38801 38802 48804"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := getList(t, h, "search/"+c.path)
			if got := l.ids(c.field); got != c.want || l.total() != len(l.Data) {
				t.Errorf("%s: want %q, got %q of %d", c.path, c.want, got, l.total())
			}
		})
	}
}

// Every spelling that people use finds the same place.
func TestSpellings(t *testing.T) {
	h := world(t)
	for want, spellings := range map[string]string{
		"19544": "St. Pölten|Sankt Pölten|st poelten|Sankt Polten|ST.PÖLTEN",
		"19545": "Groß-Enzersdorf|Gross Enzersdorf|Gr. Enzersdorf|Großenzersdorf|gr enzersd",
		"19547": "Weißenbach|Weissenbach|WEIßENBACH|weiss",
	} {
		for s := range strings.SplitSeq(spellings, "|") {
			if got := getList(t, h, "search/kg?q="+url.QueryEscape(s)).ids("kg_code"); got != want {
				t.Errorf("%s: want %s, got %q", s, want, got)
			}
		}
	}
}

// One typing error is answered with the name that was meant; two are not, and a name that is found has none.
func TestSuggestions(t *testing.T) {
	h := world(t)
	for _, c := range []struct{ path, want string }{
		{"kg?q=Westdrof", "[Westdorf]"},
		{"kg?q=Wesdorf", "[Westdorf]"},
		{"kg?q=Vestdorff", "[]"},
		{"kg?q=Grosenzersdorf", "[Groß-Enzersdorf]"},
		{"municipalities?q=Sankt%20Boelten", "[Sankt Pölten]"},
		{"municipalities?q=Sankr", "[Sankt Pölten]"},
		{"district?q=Dopelstadt", "[Doppelstadt]"},
		{"kg?q=xy", "[]"},
		{"kg?q=Westdorf", "<nil>"},
	} {
		if got := fmt.Sprint(getList(t, h, "search/"+c.path).Meta["suggestions"]); got != c.want {
			t.Errorf("%s: want %s, got %s", c.path, c.want, got)
		}
	}
}

func TestLookup(t *testing.T) {
	h := world(t)
	for _, c := range []struct{ query, want string }{
		{"q=westdorf", "plz/3888 kg/88801 ortschaft/00017"},
		{"q=3100", "plz/3100"},
		{"plz=3100", "plz/3100"},
		{"q=ratzersdorf", "plz/3100"},
		{"q=sankt%20poelten", "kg/19544 plz/3100 gemeinde/32201 ortschaft/04711"},
		{"gemeinde=St.%20P%C3%B6lten", "gemeinde/32201"},
		{"ortschaft=Au", "ortschaft/04711"},
		{"ortschaft=4711", "ortschaft/04711"},
		{"kg=804", "kg/00804"},
		{"q=804&type=kg", "kg/00804"},
		{"q=ostdorf%20gemeinde", "kg/88802"},
		{"q=westdorf%203888", "plz/3888 kg/88801 ortschaft/00017"},
		{"q=3888%20nirgends", ""},
		{"q=32501&type=kg", "kg/19545 kg/19546 kg/19547"},
		{"q=32501", "gemeinde/32501"},
		{"kg=enzersdorf", "kg/19546 kg/19545"},
		{"kg=enzersdorf&limit=1", "kg/19546"},
		{"q=-", ""},
	} {
		w := get(h, "lookup?"+c.query)
		var data []map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &data); err != nil || w.Code != 200 || data == nil {
			t.Fatalf("%s: %d %v %s", c.query, w.Code, err, w.Body)
		}
		if got := (answer{Data: data}).ids("type", "code"); got != c.want {
			t.Errorf("%s: want %q, got %q", c.query, c.want, got)
		}
	}
}

// A municipality code with type=kg returns all its KGs, also where they are more than the default limit.
func TestLookupReturnsAllKGsOfAMunicipality(t *testing.T) {
	s := mem.New()
	const n = 30
	err := fixture.PublishWith(s, nil, func(c *register.Contents) {
		for i := range n {
			c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: austria.KGCode(fmt.Sprintf("%05d", 1001+i)), Name: "Bezirksteil",
				GemeindeCode: "90001", GemeindeName: "Wien", Box: geom.EmptyBox}, DistrictCode: "900"})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	h := serve(t, s, library.Options{})
	for query, want := range map[string]int{"q=90001&type=kg": n, "q=90001&type=kg&limit=7": 7, "q=Bezirksteil": 20,
		"q=Bezirksteil&limit=200": n} {
		var data []place
		if err := json.Unmarshal(get(h, "lookup?"+query).Body.Bytes(), &data); err != nil || len(data) != want {
			t.Errorf("%s: want %d rows, got %d, %v", query, want, len(data), err)
		}
	}
}

// list=all ignores the default limit, not the one that a client names.
func TestAllMunicipalities(t *testing.T) {
	s := mem.New()
	const n = 250
	err := fixture.PublishWith(s, nil, func(c *register.Contents) {
		for i := range n {
			c.Municipalities = append(c.Municipalities, register.Municipality{Code: austria.GemeindeCode(fmt.Sprint(30101 + i)),
				Name: fmt.Sprint("Ort ", i)})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	h := serve(t, s, library.Options{})
	for query, want := range map[string]int{"list=all": n, "list=all&limit=40": 40, "state=3": 100, "list=all&state=4": 0} {
		w := get(h, "search/municipalities?"+query)
		var l answer
		if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil || len(l.Data) != want {
			t.Errorf("%s: want %d rows, got %d, %v", query, want, len(l.Data), err)
		}
		if next := strings.Join(w.Header().Values("Link"), " "); strings.Contains(next, "next") != (want > 0 && want < n) {
			t.Errorf("%s: %d of %d rows, Link %q", query, want, n, next)
		}
	}
}

// Where all KGs would have to be read and are too many, the answer says what to name.
func TestNationalSearchesOfALargeCountry(t *testing.T) {
	s := mem.New()
	err := fixture.PublishWith(s, nil, func(c *register.Contents) {
		for i := range view.MaxKGs + 1 {
			c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: austria.KGCode(fmt.Sprintf("%05d", 1001+i)), GemeindeCode: "90001",
				Box: geom.EmptyBox}, DistrictCode: "900"})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	h := serve(t, s, library.Options{Warmup: func(austria.KGCode) { asked++ }})
	for _, path := range []string{"gnr?gnr=1", "parcel?status=G", "feature?id=8880102-001"} {
		if w := get(h, "search/"+path); w.Code != 413 || !strings.Contains(w.Body.String(), "expected the parameter kg") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if asked > 0 {
		t.Errorf("%d KGs were asked to be loaded for requests that were refused", asked)
	}
}
