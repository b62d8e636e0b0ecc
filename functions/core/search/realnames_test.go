package search

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/infra/realdata"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// realKG is a line of the statistics office's list of KGs.
type realKG struct {
	code, name, gemeinde, gemeindeName string
	people                             int
}

// readRealKGs are the KGs of Austria.
func readRealKGs(t *testing.T) (all []realKG) {
	t.Helper()
	f, err := os.Open(realdata.Path(t, "admin/kg_register_2023.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines[1:] {
		people, _ := strconv.Atoi(l[5]) // not known of some
		all = append(all, realKG{l[0], l[1], l[2], l[3], people})
	}
	return all
}

// addRealKGs puts them into a register.
func addRealKGs(c *register.Contents, all []realKG) {
	for _, k := range all {
		g := austria.GemeindeCode(k.gemeinde)
		c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: austria.KGCode(k.code), Name: k.name, GemeindeCode: g,
			GemeindeName: k.gemeindeName,
			Box:          geom.EmptyBox, AvgNNDistanceM: math.NaN(), FootprintMedianAreaSqm: math.NaN(), MedianParcelAreaSqm: math.NaN()},
			DistrictCode: g.District()})
	}
	slices.SortFunc(c.KGs, func(a, b register.KG) int { return strings.Compare(string(a.Code), string(b.Code)) })
	c.KGs = slices.CompactFunc(c.KGs, func(a, b register.KG) bool { return a.Code == b.Code })
}

// realNames are the KGs of Austria, and the family over a register of them.
func realNames(t *testing.T) ([]realKG, http.Handler) {
	t.Helper()
	all, s := readRealKGs(t), mem.New()
	if err := fixture.PublishWith(s, fixture.Snapshots()[:1], func(c *register.Contents) { addRealKGs(c, all) }); err != nil {
		t.Fatal(err)
	}
	return all, serve(t, s, library.Options{})
}

// spelled are other ways in which people write a name.
func spelled(name string) []string {
	return []string{
		name, strings.ToLower(name), strings.ToUpper(name),
		strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue").Replace(name),
		strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "Ä", "A", "Ö", "O", "Ü", "U", "ß", "ss").Replace(name),
		strings.ReplaceAll(name, "-", " "), strings.ReplaceAll(name, "St. ", "Sankt "), strings.ReplaceAll(name, "Sankt ", "St."),
	}
}

// Every name of the country's list is found in every usual spelling, by its code first, and by its municipality
// with exactly the KGs that the list gives that.
func TestRealNamesAreFound(t *testing.T) {
	all, h := realNames(t)
	ofGemeinde := map[string][]string{}
	for _, k := range all {
		ofGemeinde[k.gemeinde] = append(ofGemeinde[k.gemeinde], k.code)
	}
	random := rand.New(rand.NewPCG(7850, 1))
	for range oracles.Rounds(t, 300) {
		k := all[random.IntN(len(all))]
		for _, s := range spelled(k.name) {
			if got := " " + getList(t, h, "search/kg?limit=1000&fields=kg_code&q="+url.QueryEscape(s)).ids("kg_code") +
				" "; !strings.Contains(got, " "+k.code+" ") {
				t.Errorf("%q (%s %s) finds%.100s", s, k.code, k.name, got)
			}
		}
		if w := get(h, "lookup?limit=1&kg="+strings.TrimLeft(k.code, "0")); !strings.Contains(w.Body.String(), `"code":"`+k.code+`"`) {
			t.Errorf("%s looked up: %s", k.code, w.Body)
		}
		slices.Sort(ofGemeinde[k.gemeinde])
		if got, want := getList(t, h, "search/kg?limit=1000&fields=kg_code&gemeinde="+
			k.gemeinde).ids("kg_code"), strings.Join(ofGemeinde[k.gemeinde], " "); got != want {
			t.Errorf("KGs of %s: want %s, got %s", k.gemeinde, want, got)
		}
	}
}

// A typing error of one letter is answered with the name that was meant, where nothing has the mistyped one.
func TestRealNamesMistyped(t *testing.T) {
	all, h := realNames(t)
	random := rand.New(rand.NewPCG(7850, 2))
	tried := 0
	for range oracles.Rounds(t, 300) {
		k := all[random.IntN(len(all))]
		letters := []rune(k.name)
		if len(letters) < 7 || strings.ContainsAny(k.name, " .-()") {
			continue
		}
		i := 1 + random.IntN(len(letters)-2)
		wrong := slices.Concat(letters[:i], letters[i+1:])
		if random.IntN(2) == 0 {
			wrong = slices.Clone(letters)
			wrong[i] = 'x'
		}
		a := getList(t, h, "search/kg?q="+url.QueryEscape(string(wrong)))
		if a.total() > 0 {
			continue // another KG is called so
		}
		tried++
		if names, _ := a.Meta["suggestions"].([]any); !slices.Contains(names, any(k.name)) && len(names) < maxSuggestions {
			t.Errorf("%s for %s: suggestions %v", string(wrong), k.name, names)
		}
	}
	if tried < 50 {
		t.Errorf("only %d errors were tried", tried)
	}
}

// The places of Austria's postal codes, as localities of addresses: each is found as it is written, and with two
// letters swapped it is found or suggested.
func TestRealPlacesAsAddresses(t *testing.T) {
	f, err := os.Open(realdata.Path(t, "admin/geonames_postal_at.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list [][5]string
	for _, l := range lines[1:] {
		list = append(list, [5]string{"88801", "", "1", l[1], l[2]})
	}
	h := serve(t, publishStreets(t, list), library.Options{})
	rng := rand.New(rand.NewPCG(9, 9))
	missed, asked := 0, 0
	for range 400 {
		a := list[rng.IntN(len(list))]
		exact := getList(t, h, "search/address?fields=postal_code,ort&q="+url.QueryEscape(a[4]+" 1, "+a[3]))
		if !strings.Contains(exact.ids("postal_code", "ort"), a[3]+"/"+a[4]) {
			t.Errorf("%s %s is not found: %s", a[3], a[4], exact.ids("postal_code", "ort"))
		}
		if strings.ContainsAny(a[4], " -.,/()") || len(a[4]) < 6 {
			continue
		}
		letters := []rune(a[4])
		at := 1 + rng.IntN(len(letters)-2)
		letters[at], letters[at+1] = letters[at+1], letters[at]
		l := getList(t, h, "search/address?q="+url.QueryEscape(string(letters)+" "+a[3]))
		near, _ := l.Meta["suggestions"].([]any)
		if asked++; l.total() == 0 && !slices.Contains(near, any(a[4]+" "+a[3])) {
			missed++
		}
	}
	if missed > asked/20 { // folding can make two errors of one: a swapped ue is no ü
		t.Errorf("%d of %d mistyped places are neither found nor suggested", missed, asked)
	}
}
