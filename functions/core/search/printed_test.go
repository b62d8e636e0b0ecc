package search

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/functions/fixture"
)

// printedStreets are house numbers in the forms that the address register has.
var printedStreets = append([][5]string{
	{"88801", "Am Anger", "3-5", "3888", "Westdorf"}, {"88801", "Am Anger", "5-7a", "3888", "Westdorf"},
	{"88801", "Am Anger", "9a-c", "3888", "Westdorf"},
	{"88801", "Am Anger", "11/1", "3888", "Westdorf"}, {"88801", "Am Anger", "11/2", "3888", "Westdorf"},
	{"88801", "Am Anger", "11", "3888", "Westdorf"},
	{"88801", "Am Anger", "11/1/3b", "3888", "Westdorf"}, {"88801", "", "12", "3888", "Westdorf"},
	{"88802", "Badgasse", "1", "3889", "Gossendorf"},
	{"88802", "Badgasse", "1", "3889", "Gössendorf"}, {"88802", "", "5", "3889", "Stock"},
}, streets...)

// Every display_name finds its own address first, as it is written and with what people put behind or into it.
func TestPrintedAddressesAreFound(t *testing.T) {
	h := serve(t, publishStreets(t, printedStreets), library.Options{})
	ask := func(q string) string {
		l := getList(t, h, "search/address_osm?q="+url.QueryEscape(q))
		if len(l.Data) == 0 {
			return ""
		}
		return fmt.Sprint(l.Data[0]["display_name"])
	}
	for _, plz := range []string{"3888", "3889", "4884"} {
		for _, r := range getList(t, h, "search/address?limit=1000&plz="+plz).Data {
			street, _ := r["street"].(string)
			ort, number := fmt.Sprint(r["ort"]), fmt.Sprint(r["house_number"])
			if street == "" {
				street = ort
			}
			want := fmt.Sprintf("%s %s, %s %s, Österreich", street, number, plz, ort)
			own := strings.TrimSuffix(want, ", Österreich")
			for _, q := range []string{want, own, own + ", Austria", own + " Österreich", own + ", Niederösterreich, Österreich",
				own + ", NIEDEROESTERREICH",
				strings.Replace(want, street+" ", street+" Nr. ", 1), strings.Replace(want, street+" ", street+" Nr.", 1),
				strings.Replace(want, number+",", number+", 2. Stock, Top 4b,", 1),
				strings.Replace(want, number+",", number+" EG,", 1), strings.Replace(want, number+",", number+" 3. OG Tür 12,", 1),
				strings.Replace(want, number+",", number+" Top5,", 1)} {
				if plz == "4884" && strings.Contains(fold(q).joined, "niederosterreich") {
					if got := ask(q); got != "" {
						t.Errorf("%q is of another state and finds %q", q, got)
					}
				} else if got := ask(q); got != want {
					t.Errorf("%q finds %q", q, got)
				}
			}
		}
	}
}

// Where nothing is found, a batch suggests as a single question does, and knows the encodings of spreadsheets.
func TestBatchSuggests(t *testing.T) {
	h := streetWorld(t)
	if l := getList(t, h, "search/address_osm?q=Mozartgase+7"); fmt.Sprint(l.Meta["suggestions"]) != "[Mozartgasse 7]" {
		t.Errorf("one: %v", l.Meta)
	}
	if l := getList(t, h, "search/address_osm?q=Mozartgasse+7"); l.Meta["suggestions"] != nil {
		t.Errorf("found: %v", l.Meta)
	}
	for body, want := range map[string]string{
		"q\nMozartgase 7\nMozartgasse 7\n": `{"q":"Mozartgase 7","display_name":null,"suggestions":["Mozartgasse 7"]}` + "\n" +
			`{"q":"Mozartgasse 7","display_name":"Mozartgasse 7, 3889 Bad Ostdorf, Österreich","suggestions":null}` + "\n",
		"q\nSt. P\xf6ltner Stra\xdfe 8\n": `{"q":"St. Pöltner Straße 8","display_name":"St. Pöltner Straße 8, 4884 Fernau, Österreich","suggestions":null}` + "\n",
	} {
		w := fixture.Ask(h, "POST", "/api/v1/search/address_osm?format=ndjson&fields=q,display_name,suggestions", body, "Content-Type",
			"text/csv")
		if w.Code != 200 || w.Body.String() != want {
			t.Errorf("%q: want %s, got %d %s", body, want, w.Code, w.Body)
		}
	}
	if w := fixture.Ask(h, "POST", "/api/v1/search/address_osm", "{\"queries\":[{\"q\":\"Stra\xdfe 8\"}]}"); w.Code != 400 ||
		!strings.Contains(w.Body.String(), "not UTF-8") {
		t.Errorf("JSON in Latin-1: %d %s", w.Code, w.Body)
	}
}
