package search

import (
	"encoding/csv"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/infra/realdata"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
)

// realPostal are the places of the country's postal codes: code, place, code of the municipality.
func realPostal(t *testing.T) (list [][3]string) {
	t.Helper()
	f, err := os.Open(realdata.Path(t, "admin/geonames_postal_at.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines[1:] {
		list = append(list, [3]string{l[1], l[2], l[8]})
	}
	return list
}

// owns gives the code of each municipality under which a place has its name or, without one, most of its places lie; the
// lowest of several.
func owns(all []realKG, postal [][3]string) map[string]string {
	short := func(name string) string { return strings.ReplaceAll(strings.ToLower(name), "sankt ", "st. ") }
	names, count, out := map[string]string{}, map[[2]string]int{}, map[string]string{}
	for _, k := range all {
		names[k.gemeinde] = short(k.gemeindeName)
	}
	for _, p := range postal {
		key := [2]string{p[2], p[0]}
		if count[key]++; short(p[1]) == names[p[2]] {
			count[key] += 100_000
		}
	}
	for key, n := range count {
		if best, ok := out[key[0]]; !ok || n > count[[2]string{key[0], best}] || n == count[[2]string{key[0], best}] && key[1] < best {
			out[key[0]] = key[1]
		}
	}
	return out
}

// realRegister is the family over the country's KGs, its postal codes, and a search directory.
func realRegister(t *testing.T) ([]realKG, http.Handler) {
	t.Helper()
	all, postal, s := readRealKGs(t), realPostal(t), mem.New()
	err := fixture.PublishWith(s, fixture.Snapshots()[:1], func(c *register.Contents) {
		addRealKGs(c, all)
		people, places := map[austria.GemeindeCode]int{}, map[austria.GemeindeCode]int{}
		for _, k := range all {
			people[austria.GemeindeCode(k.gemeinde)] += k.people
		}
		for _, p := range postal {
			g := austria.GemeindeCode(p[2])
			if len(g) == 3 {
				g = "90001" // as builders/source/registers reads Vienna's districts
			}
			places[g]++
			c.PLZ = append(c.PLZ, register.PostalPlace{PLZ: austria.PLZ(p[0]), Place: p[1], GemeindeCode: g})
		}
		own := owns(all, postal)
		for i := range c.PLZ { // as builders/national weighs places where no addresses are known
			p := &c.PLZ[i]
			if p.Weight = uint32(people[p.GemeindeCode] / places[p.GemeindeCode]); string(p.PLZ) != own[string(p.GemeindeCode)] {
				p.Weight /= 4
			}
		}
		slices.SortFunc(c.PLZ, func(a, b register.PostalPlace) int {
			return strings.Compare(string(a.PLZ)+"\t"+a.Place+"\t"+string(a.GemeindeCode),
				string(b.PLZ)+"\t"+b.Place+"\t"+string(b.GemeindeCode))
		})
	})
	if err == nil {
		err = fixture.AddDirectory(s, fixture.Snapshots()[:1])
	}
	if err != nil {
		t.Fatal(err)
	}
	return all, serve(t, s, library.Options{})
}

// A name typed whole is suggested first, as it is written, and one of its rows is the KG; a postal code shows the
// letters that were typed, or begins with the digits.
func TestRealNamesAreSuggested(t *testing.T) {
	all, h := realRegister(t)
	random := rand.New(rand.NewPCG(2023, 1))
	for range 1000 {
		k := all[random.IntN(len(all))]
		l := getList(t, h, "search/text?suggest=true&q="+url.QueryEscape(k.name))
		if len(l.Data) == 0 || l.Data[0]["q"] != k.name {
			t.Errorf("%s: the first is %v", k.name, l.Data[:min(1, len(l.Data))])
			continue
		}
		if !slices.ContainsFunc(l.Data, func(r map[string]any) bool { return r["of"] == "kg" && r["q"] == k.name }) {
			t.Errorf("%s: no KG: %s", k.name, l.ids("text"))
		}
		postal := false
		for _, r := range l.Data {
			text, _ := r["text"].(string)
			if r["of"] != "plz" {
				if name, _ := r["q"].(string); postal && fold(name).joined == fold(k.name).joined {
					t.Errorf("%s: a postal code stands before %s", k.name, text)
				}
				continue
			}
			shown := func(word string) bool { return strings.Contains(fold(text).joined, word) }
			if postal = true; !slices.ContainsFunc(strings.Fields(fold(k.name).words), shown) {
				t.Errorf("%s: %s does not say why it is suggested", k.name, text)
			}
		}
	}
}

// The spelling that was typed comes first, and digits are completed to postal codes.
func TestSuggestedOrder(t *testing.T) {
	_, h := realRegister(t)
	for _, c := range []struct{ q, first string }{
		{"Gössendorf", "Gössendorf"}, {"Gossendorf", "Gossendorf"}, {"gschwendt", "Gschwendt"}, {"4184", "4184"}, {"418", "4180"},
		{"63220", "Gössendorf"},
	} {
		if l := getList(t, h, "search/text?suggest=true&q="+url.QueryEscape(c.q)); len(l.Data) == 0 || l.Data[0]["q"] != c.first {
			t.Errorf("%s: want %s first, got %s", c.q, c.first, l.ids("text"))
		}
	}
	for _, path := range []string{"lookup?q=G%C3%B6ssendorf", "lookup?kg=G%C3%B6ssendorf"} {
		if w := get(h, path); strings.Index(w.Body.String(), `"name":"Gössendorf"`) > strings.Index(w.Body.String(),
			`"name":"Gossendorf"`) {
			t.Errorf("%s: %.300s", path, w.Body)
		}
	}
	if l := getList(t, h, "search/kg?q=G%C3%B6ssendorf"); l.Data[0]["kg_name"] != "Gössendorf" {
		t.Errorf("search/kg: %s", l.ids("kg_name"))
	}
}

// A postal code is named for the place that most of it lies in, not for the first by name.
func TestRealMainPlaces(t *testing.T) {
	_, h := realRegister(t)
	for plz, want := range map[string]string{
		"8010": "Graz", "4600": "Wels", "2700": "Wiener Neustadt", "9020": "Klagenfurt am Wörthersee", "9500": "Villach",
		"6020": "Innsbruck", "5020": "Salzburg",
		"5071": "Wals-Siezenheim", "1010": "Wien, Innere Stadt", "1230": "Wien, Liesing", "3100": "St. Pölten", "4020": "Linz",
		"8062": "Kumberg", "6900": "Bregenz",
	} {
		if w := get(h, "lookup?plz="+plz); !strings.Contains(w.Body.String(), `"code":"`+plz+`","name":"`+want+`"`) {
			t.Errorf("%s: want %s, got %.200s", plz, want, w.Body)
		}
	}
	for plz, want := range map[string]string{ // most of whose places are in another municipality
		"7400": "Oberwart", "7423": "Pinkafeld", "2500": "Baden", "9300": "St. Veit an der Glan", "7461": "Stadtschlaining",
		"7551": "Stegersbach", "9210": "Pörtschach am Wörther See",
		"7132": "Frauenkirchen", "7522": "Strem", "9063": "Maria Saal",
	} {
		if w := get(h, "lookup?plz="+plz); !strings.Contains(w.Body.String(), `"gemeinde_name":"`+want+`"`) {
			t.Errorf("%s: want %s, got %.300s", plz, want, w.Body)
		}
	}
	for plz, least := range map[string]int{"1010": 80, "1230": 80, "8010": 10} {
		if l := getList(t, h, "search/kg?limit=1&plz="+plz); l.total() < least {
			t.Errorf("%s has %d KGs", plz, l.total())
		}
	}
}

// wanted is what a person types and the first answer that is right.
type wanted struct{ path, field, first string }

// realQuestions are a thousand names of KGs and municipalities, and a thousand places as people write them into an address.
func realQuestions(random *rand.Rand, all []realKG, postal [][3]string) (names, places []wanted) {
	for range 1000 {
		k := all[random.IntN(len(all))]
		names = append(names, wanted{"search/text?suggest=true&q=" + url.QueryEscape(k.name), "q", k.name},
			wanted{"search/municipalities?q=" + url.QueryEscape(k.gemeindeName), "name", k.gemeindeName})
		p := postal[random.IntN(len(postal))]
		first := p[1] + " 1, " + p[0] + " " + p[1] + ", Österreich"
		for _, q := range []string{first, p[1] + " Nr. 1, " + p[0] + " " + p[1] + ", Austria", strings.ToUpper(p[1]) + " 1, A-" + p[0]} {
			places = append(places, wanted{"search/address_osm?q=" + url.QueryEscape(q), "display_name", first})
		}
	}
	return names, places
}

// Of two thousand real names and places the first answer is right in at least 99 of 100.
func TestRealGeocoding(t *testing.T) {
	all, h := realRegister(t)
	postal := realPostal(t)
	var list [][5]string
	for _, p := range postal {
		list = append(list, [5]string{"88801", "", "1", p[0], p[1]})
	}
	names, places := realQuestions(rand.New(rand.NewPCG(2000, 7)), all, postal)
	ask := func(what string, h http.Handler, questions []wanted) {
		wrong := 0
		for _, c := range questions {
			got := ""
			if l := getList(t, h, c.path); len(l.Data) > 0 {
				got, _ = l.Data[0][c.field].(string)
			}
			if got != c.first {
				if wrong++; wrong <= 20 {
					t.Logf("%s: want %q, got %q", c.path, c.first, got)
				}
			}
		}
		t.Logf("%s: %d of %d wrong", what, wrong, len(questions))
		if wrong > len(questions)/100 {
			t.Errorf("%s: %d of %d are wrong", what, wrong, len(questions))
		}
	}
	ask("names", h, names)
	ask("places", serve(t, publishStreets(t, list), library.Options{}), places)
}
