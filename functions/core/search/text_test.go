package search

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"mappe/artefacts/directory"
	"mappe/functions/fixture"
)

// drawn are the rows of a text search: what they are and which.
func drawn(l answer) string {
	var out []string
	for _, r := range l.Data {
		for _, id := range []string{"building_id", "parcel_id", "kg_code"} {
			if r[id] != nil {
				out = append(out, fmt.Sprintf("%v:%v", r["type"], r[id]))
				break
			}
		}
	}
	return strings.Join(out, " ")
}

// A text finds KGs, parcels and address points; all words first, else any.
func TestText(t *testing.T) {
	h := streetWorld(t)
	for _, c := range []struct{ q, match, want string }{
		{"Fernau", "all", "kg:00804 building:9000012-000 building:9000013-000"},
		{"88801", "all", "kg:88801"},
		{"88801-6", "all", "parcel:88801-6"},
		{"Westdorf 6", "all", "parcel:88801-6"},
		{"Gemeinde 38801 .6/1", "all", "parcel:88801-.6/1"},
		{"6", "all", "parcel:88801-6 parcel:88802-6"},
		{"Mozartgasse 7", "all", "building:9000010-000"},
		{"Mozartgasse Fernau", "any", "kg:00804 building:9000010-000 building:9000012-000 building:9000013-000"},
		{"Nirgends .6/1", "any", "parcel:88801-.6/1"},
		{"Nirgends", "any", ""},
	} {
		l := getList(t, h, "search/text?q="+url.QueryEscape(c.q))
		if got := drawn(l); got != c.want || l.Meta["match"] != c.match || l.total() != len(l.Data) {
			t.Errorf("%s: want %s %q, got %v %q of %d", c.q, c.match, c.want, l.Meta["match"], got, l.total())
		}
	}
}

// Walking the pages of a mixed answer gives each row once, in the order of the whole.
func TestTextPages(t *testing.T) {
	h := streetWorld(t)
	whole := drawn(getList(t, h, "search/text?q=dorf"))
	for limit := 1; limit < 5; limit++ {
		var parts []string
		for offset := 0; ; offset += limit {
			l := getList(t, h, fmt.Sprintf("search/text?q=dorf&limit=%d&offset=%d", limit, offset))
			if len(l.Data) == 0 {
				break
			}
			parts = append(parts, drawn(l))
		}
		if got := strings.Join(parts, " "); got != whole {
			t.Errorf("pages of %d: want %s, got %s", limit, whole, got)
		}
	}
}

// What is typed is completed to places, streets and addresses.
func TestSuggest(t *testing.T) {
	h := streetWorld(t)
	for _, c := range []struct{ path, want string }{
		{"address?q=haup", "street:Hauptstraße, 3888 Westdorf street:Hauptstraße, 3889 Bad Ostdorf street:Hauptstraßenweg, 3889 Bad Ostdorf"},
		{"address?q=bad", "street:Franz-Josef-Straße, 3889 Bad Ostdorf street:Hauptstraße, 3889 Bad Ostdorf street:Hauptstraßenweg, 3889 Bad Ostdorf street:Mozartgasse, 3889 Bad Ostdorf street:Straße des 12. Februar, 3889 Bad Ostdorf"},
		{"address?q=haup&limit=1", "street:Hauptstraße"},
		{"address?q=Hauptstraße 1 west",
			"address:Hauptstraße 1, 3888 Westdorf address:Hauptstraße 12, 3888 Westdorf address:Hauptstraße 12/3/4, 3888 Westdorf address:Hauptstraße 12A, 3888 Westdorf"},
		{"text?q=fern", "kg:00804 Fernau street:St. Pöltner Straße, 4884 Fernau street:Šentjakob, 4884 Fernau"},
		{"text?q=xyz", ""},
	} {
		path, q, _ := strings.Cut(c.path, "?q=")
		q, more, _ := strings.Cut(q, "&")
		l := getList(t, h, "search/"+path+"?suggest=true&q="+url.QueryEscape(q)+"&"+more)
		var got []string
		for _, r := range l.Data {
			got = append(got, fmt.Sprintf("%v:%v", r["of"], r["text"]))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: want %q, got %q", c.path, c.want, s)
		}
	}
}

// Geocoding says where an address is and how well that is known.
func TestGeocoding(t *testing.T) {
	h := streetWorld(t)
	for _, c := range []struct{ q, want string }{
		{"Hauptstraße 2, 3888 Westdorf", "house exact 2 88801 15.0002500 1"},
		{"Hauptstraße 8, 3888 Westdorf", "house interpolated 8 88801 15.0004000 0.9"},
		{"Hauptstraße 31, 3888 Westdorf", "house nearest 20-24 88801 15.0012500 0.85"},
		{"Mozartgasse", "street street <nil> 88802 15.0022500 0.95"},
		{"Mozart", "street street <nil> 88802 15.0022500 0.75"},
		{"Nirgendweg 3", ""},
	} {
		l := getList(t, h, "search/address_osm?q="+url.QueryEscape(c.q))
		got := ""
		for _, r := range l.Data {
			a := r["address"].(map[string]any)
			got = fmt.Sprintf("%v %v %v %v %.7f %v", r["place_type"], r["house_number_match"], a["house_number"], r["nearest_kg"], r["lon"],
				r["importance"])
		}
		if got != c.want || len(l.Data) > 1 {
			t.Errorf("%s: want %q, got %q of %d", c.q, c.want, got, len(l.Data))
		}
	}
}

// A page of the geocoder past its end is empty, with the number of places that there are.
func TestGeocodingPages(t *testing.T) {
	h := streetWorld(t)
	for _, q := range []string{"Hauptstraße 2, 3888 Westdorf", "Hauptstraße 8, 3888 Westdorf", "Mozartgasse"} {
		for _, offset := range []int{1, ranked - 1, ranked, ranked + 1, 500} {
			l := getList(t, h, fmt.Sprintf("search/address_osm?q=%s&offset=%d", url.QueryEscape(q), offset))
			if len(l.Data) != 0 || l.Meta["total"] != 1.0 {
				t.Errorf("%s from %d: want no row of 1, got %d of %d", q, offset, len(l.Data), l.Meta["total"])
			}
		}
	}
}

// A batch goes in as JSON or as a table, and one row comes back for each query.
func TestGeocodingBatch(t *testing.T) {
	h := streetWorld(t)
	const path = "/api/v1/search/address_osm"
	for name, body := range map[string]string{
		"JSON":               `{"queries":[{"id":"x","q":"Mozartgasse 7"},{"q":"Nirgends 1"}]}`,
		"CSV":                "id,q\r\nx,Mozartgasse 7\r\n,Nirgends 1\r\n",
		"CSV of a worksheet": "\ufeffq;id\nMozartgasse 7;x\nNirgends 1;\n",
	} {
		w := fixture.Ask(h, "POST", path+"?fields=id,display_name,nearest_kg&format=csv", body, "Content-Type", "text/csv")
		want := "\ufeffid,display_name,nearest_kg\r\nx,\"Mozartgasse 7, 3889 Bad Ostdorf, Österreich\",88802\r\n1,,\r\n"
		if w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: want %q, got %d %q", name, want, w.Code, w.Body)
		}
	}
	w := fixture.Ask(h, "POST", path+"?format=geojson", `{"queries":[{"q":"Nirgends 1"}]}`)
	if !strings.Contains(w.Body.String(), `"geometry":null`) {
		t.Errorf("what is not found has no geometry: %s", w.Body)
	}
	for _, body := range []string{"", "{}", `{"queries":[]}`, `{"queries":[{"q":""}]}`, `{"queries":[{"x":1}]}`, "a,b\n1,2\n", "q\n\"",
		`{"queries":[{"q":"a"}]}{}`,
		`{"queries":[{"Q":"a"}]}`, `{"queries":[{"q":"a","q":"b"}]}`, `{"queries":[{"q":7}]}`} {
		if w := fixture.Ask(h, "POST", path, body); w.Code != 400 || strings.Contains(w.Body.String(), "Go ") {
			t.Errorf("%.40q: want 400, got %d %s", body, w.Code, w.Body)
		}
	}
	for _, body := range []string{`{"queries":[` + strings.Repeat(`{"q":"a"},`, 1000) + `{"q":"a"}]}`,
		"q\n" + strings.Repeat("a\n", 1001)} {
		if w := fixture.Ask(h, "POST", path, body); w.Code != 413 {
			t.Errorf("%.40q: want 413, got %d %s", body, w.Code, w.Body)
		}
	}
}

// Without a directory these searches say that they cannot answer yet.
func TestWithoutDirectory(t *testing.T) {
	h := world(t)
	for _, path := range []string{"text?q=a", "address?q=a", "address_osm?q=a"} {
		w := get(h, "search/"+path)
		if w.Code != 503 || !strings.Contains(w.Body.String(), "the search index is not initialised") ||
			w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: got %d %v %s", path, w.Code, w.Header(), w.Body)
		}
	}
}

// TestWhatAnAddressNames: of places that a text may mean those come first whose street and locality it names.
func TestWhatAnAddressNames(t *testing.T) {
	place := func(street, ort string) *geocoded {
		return &geocoded{Street: directory.Street{Name: street, Place: &directory.Place{Ort: ort, PLZ: "5790"}}}
	}
	for _, c := range []struct {
		text          string
		first, second *geocoded
	}{
		{"Lorfach 1, 5790 Lorfach", place("", "Lorfach"), place("Am Anger", "Lorfach")},
		{"Gerstenfeld 17, 5791 Ullnau", place("Gerstenfeld", "Ullnau"), place("Gerstenfeld", "Brennzach")},
		{"Am Anger 2 Lorfach", place("Am Anger", "Lorfach"), place("", "Lorfach")},
		{"anger straße 3", place("Angerstraße", "Ullnau"), place("", "Lorfach")},
	} {
		if said := fold(c.text).joined; c.first.named(said) <= c.second.named(said) {
			t.Errorf("%s: %s %d, %s %d", c.text, c.first.name(), c.first.named(said), c.second.name(), c.second.named(said))
		}
	}
}
