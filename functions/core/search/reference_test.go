package search

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/shared/spelling"
)

// randomStreets are n addresses whose names are made of few parts, so that queries hit several.
func randomStreets(rng *rand.Rand, n int) [][5]string {
	pick := func(s ...string) string { return s[rng.IntN(len(s))] }
	kgs := []string{"88801", "88802", "00804"}
	var out [][5]string
	for range n {
		name := pick("Haupt", "Kirchen", "Groß ", "St. ", "Mühl", "Franz-Josef-", "Šent") + pick("straße", "gasse", "weg", "platz",
			"feld Straße", "au")
		if rng.IntN(8) == 0 {
			name = ""
		}
		out = append(out, [5]string{kgs[rng.IntN(3)], name, strconv.Itoa(1+rng.IntN(9)) + pick("", "", "", "a", "B", "/2"),
			pick("3888", "3889", "4884"), pick("Westdorf", "Bad Ostdorf", "Ost", "Großfernau")})
	}
	return out
}

// matchesSlowly says whether an address answers words: each, or up to three in a row written as one, begins a
// word of the street, the locality or the municipality, or one of these names written as one.
func matchesSlowly(a [5]string, municipality string, words []string) bool {
	if len(words) == 0 {
		return true
	}
	var known []string
	for _, text := range []string{a[1], a[4], municipality} {
		folded := spelling.Fold(text)
		known = append(append(known, strings.Fields(folded)...), strings.ReplaceAll(folded, " ", ""))
	}
	for k := 1; k <= min(3, len(words)); k++ {
		begin := strings.Join(words[:k], "")
		if k > 1 && slices.ContainsFunc(words[:k], func(w string) bool { return strings.Trim(w, "0123456789") == "" }) {
			break
		}
		if slices.ContainsFunc(known, func(w string) bool {
			return strings.HasPrefix(w, begin) && (strings.Trim(begin, "0123456789") != "" || w == begin)
		}) && matchesSlowly(a, municipality, words[k:]) {
			return true
		}
	}
	return false
}

// houseSlowly says whether a number such as 7, 7a or 7/2 is meant by another.
func houseSlowly(number, asked string) bool {
	number, asked = strings.ToLower(number), strings.ToLower(asked)
	n, nUnit, _ := strings.Cut(number, "/")
	q, qUnit, _ := strings.Cut(asked, "/")
	if nUnit != "" && qUnit != "" && nUnit != qUnit {
		return false
	}
	return n == q || strings.TrimRight(n, "ab") == q
}

// What the directory finds is what looking at each address finds, for random queries, with and without errors.
func TestAddressesBesideASlowReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	list := randomStreets(rng, 300)
	h := serve(t, publishStreets(t, list), library.Options{})
	municipality := map[string]string{"88801": "Gemeinde 38801", "88802": "Gemeinde 38801", "00804": "Gemeinde 48804"}
	found := 0
	for range 400 {
		a := list[rng.IntN(len(list))]
		var words []string
		for _, text := range []string{a[1], a[4], municipality[a[0]]} {
			for _, w := range strings.Fields(spelling.Fold(text)) {
				switch n := rng.IntN(10); {
				case n < 3 && strings.Trim(w, "0123456789") != "":
					words = append(words, w[:1+rng.IntN(len(w))])
				case n < 6:
					words = append(words, w)
				case n == 6 && len(w) > 3 && w[0] > '9': // a typing error
					words = append(words, w[:2]+w[3:])
				}
			}
		}
		words = slices.DeleteFunc(words, func(w string) bool { return w == "" || w[0] <= '9' || len(w) == 1 || spelling.Fold(w) != w })
		q, plz, house := strings.Join(words, " "), "", ""
		if rng.IntN(2) == 0 {
			plz = a[3]
			q += " " + plz
		}
		if rng.IntN(2) == 0 && len(words) > 0 {
			house = a[2]
			q += " " + house
		}
		if strings.TrimSpace(q) == "" {
			continue
		}
		var want []string
		for i, b := range list {
			if matchesSlowly(b, municipality[b[0]], words) && (plz == "" || plz == b[3]) && (house == "" || houseSlowly(b[2], house)) {
				want = append(want, fmt.Sprintf("%d-000", 9_000_001+i))
			}
		}
		var got []string
		total := 0
		for offset := 0; ; offset += 7 {
			l := getList(t, h, fmt.Sprintf("search/address?q=%s&limit=7&offset=%d&fields=building_id", url.QueryEscape(q), offset))
			total = l.total()
			for _, r := range l.Data {
				got = append(got, r["building_id"].(string))
			}
			if len(l.Data) < 7 {
				break
			}
		}
		slices.Sort(got)
		if found += len(got); !slices.Equal(got, want) || total != len(want) {
			t.Fatalf("%q: want %d %v, got %d %v", q, len(want), want, total, got)
		}
	}
	if found < 1000 {
		t.Errorf("only %d addresses were found in all: the queries ask for nothing", found)
	}
}

// Parcel numbers in the whole country are those that looking into each KG finds, whatever the pattern.
func TestNumbersBesideEachKG(t *testing.T) {
	slow, fast := world(t), indexed(t)
	rng := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		p := make([]byte, 1+rng.IntN(4))
		for i := range p {
			p[i] = "0123456789./*"[rng.IntN(13)]
		}
		if _, err := parseNumber(string(p)); err != nil {
			continue
		}
		path := fmt.Sprintf("search/gnr?gnr=%s&limit=%d&offset=%d", url.QueryEscape(string(p)), 1+rng.IntN(20), rng.IntN(10))
		a, b := getList(t, slow, path), getList(t, fast, path)
		if a.ids("parcel_id") != b.ids("parcel_id") || a.total() != b.total() ||
			fmt.Sprint(a.Meta["ready"]) != fmt.Sprint(b.Meta["ready"]) {
			t.Errorf("%s: want %d %s, got %d %s", path, a.total(), a.ids("parcel_id"), b.total(), b.ids("parcel_id"))
		}
	}
}
