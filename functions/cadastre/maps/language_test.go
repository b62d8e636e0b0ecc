package maps

import (
	"encoding/xml"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"image/png"
	"io"
	stdmaps "maps"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/geo/geom"
	"mappe/shared/web/catalogue"
)

// titlesIn are the titles, abstracts and keywords of a document, each once.
func titlesIn(t *testing.T, document string) (list []string) {
	t.Helper()
	in := xml.NewDecoder(strings.NewReader(document))
	within := ""
	for {
		switch token, err := in.Token(); v := token.(type) {
		case xml.StartElement:
			if within = v.Name.Local; v.Name.Local == "Attribution" {
				in.Skip() // names whom to credit
			}
		case xml.CharData:
			if text := string(v); slices.Contains([]string{"Title", "Abstract", "Keyword"}, within) && !slices.Contains(list, text) {
				list = append(list, text)
			}
		case xml.EndElement:
			within = ""
		case nil:
			if err != io.EOF {
				t.Fatalf("%v in %.200s", err, document)
			}
			return list
		}
	}
}

// germanOf are the sentences of de.po by their English.
func germanOf(t *testing.T) map[string]string {
	t.Helper()
	file, err := catalogue.Entries(inGerman)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range file {
		out[e.English] = e.Text
	}
	return out
}

// inBoth are the capabilities in each version and of both services; a parameter may be written behind each.
var inBoth = []string{"/wms?service=WMS&request=GetCapabilities", "/wms?service=WMS&request=GetCapabilities&version=1.1.1",
	"/wmts?service=WMTS&request=GetCapabilities", "/wmts/1.0.0/WMTSCapabilities.xml?nocache=false"}

// TestCapabilitiesInGerman: LANGUAGE=ger has every title and abstract in German, in each version and of both services.
func TestCapabilitiesInGerman(t *testing.T) {
	h, translated := overWorld(t), germanOf(t)
	for _, path := range inBoth {
		english, other := fixture.Ask(h, "GET", path, ""), fixture.Ask(h, "GET", path+"&LANGUAGE=ger", "")
		foreign := fixture.Ask(h, "GET", path+"&language=fre", "")
		if got := other.Header().Get("Content-Language"); other.Code != 200 || got != "de" {
			t.Errorf("%s: %d in %q", path, other.Code, got)
		}
		if got := foreign.Header().Get("Content-Language"); got != "en" || foreign.Body.String() != english.Body.String() {
			t.Errorf("%s in French: want English, got %d in %q", path, foreign.Code, got)
		}
		if a, b := english.Header().Get("ETag"), other.Header().Get("ETag"); a == b {
			t.Errorf("%s: both languages have the tag %s", path, a)
		}
		list, got := titlesIn(t, english.Body.String()), titlesIn(t, other.Body.String())
		if len(list) < 30 {
			t.Errorf("%s: only %d titles and abstracts", path, len(list))
		}
		for _, text := range list {
			if translated[text] == "" {
				t.Errorf("%s: de.po has no German for %q", path, text)
			} else if !slices.Contains(got, translated[text]) {
				t.Errorf("%s: want %q, German for %q", path, translated[text], text)
			}
		}
	}
}

// addressesIn are the addresses of a document that name an operation or a legend, without the server's.
func addressesIn(t *testing.T, document string) (list []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?:xlink:href|template)="([^"]*/wmt?s[?/][^"]*)"`).FindAllStringSubmatch(document, -1) {
		u, err := url.Parse(strings.ReplaceAll(m[1], "&amp;", "&"))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, u.Path+"?"+u.RawQuery)
	}
	return list
}

// TestAClientStaysGerman: the addresses of German capabilities ask for German, those of English ones for no language; the addresses of
// tiles are the same in both.
func TestAClientStaysGerman(t *testing.T) {
	h := overWorld(t)
	for i, path := range inBoth {
		plain := addressesIn(t, fixture.Ask(h, "GET", path, "").Body.String())
		list := addressesIn(t, fixture.Ask(h, "GET", path+"&LANGUAGE=ger", "").Body.String())
		if len(list) != len(plain) || len(list) < 20 {
			t.Fatalf("%s: %d addresses in German, %d in English", path, len(list), len(plain))
		}
		differ := 0
		for k, address := range list {
			without := strings.NewReplacer("LANGUAGE=ger&", "", "LANGUAGE=ger", "").Replace(address)
			if without != plain[k] {
				t.Errorf("%s: %s, in English %s", path, address, plain[k])
			}
			tile := i > 1 && (strings.HasSuffix(without, ".png?") || strings.HasSuffix(without, ".jpg?"))
			if address != without {
				differ++
			}
			if tile && address != without {
				t.Errorf("%s: a tile has a language: %s", path, address)
			}
		}
		// of the tile service two addresses of each layer and that of GetTile have none
		if want := map[bool]int{true: len(list), false: len(list) - 2*len(layerNames()) - 1}[i < 2]; differ != want {
			t.Errorf("%s: %d of %d addresses ask for German, want %d", path, differ, len(list), want)
		}
	}
}

// TestLegendsInGerman: the capabilities name the legend in their language with its size; no line of it is left in English.
func TestLegendsInGerman(t *testing.T) {
	h := overWorld(t)
	of := regexp.MustCompile(`<LegendURL [^>]*?width="(\d+)" height="(\d+)".*?</Style>`)
	for _, path := range inBoth {
		sizes := map[string]bool{}
		for _, in := range []string{"en", "de"} {
			document := fixture.Ask(h, "GET", path+map[string]string{"en": "", "de": "&LANGUAGE=ger"}[in], "").Body.String()
			legends := of.FindAllStringSubmatch(document, -1)
			if len(legends) != len(layerNames()) {
				t.Fatalf("%s: %d legends of %d layers", path, len(legends), len(layerNames()))
			}
			for _, m := range legends {
				address := addressesIn(t, m[0])[0]
				w := fixture.Ask(h, "GET", address, "")
				p, err := png.DecodeConfig(w.Body)
				if err != nil || fmt.Sprint(p.Width) != m[1] || fmt.Sprint(p.Height) != m[2] || w.Header().Get("Content-Language") != in {
					t.Errorf("%s: %v, %d × %d in %q, want %s × %s in %s", address, err, p.Width, p.Height,
						w.Header().Get("Content-Language"), m[1], m[2], in)
				}
				sizes[m[1]] = true
			}
		}
		if len(sizes) < 20 {
			t.Errorf("%s: only %d widths", path, len(sizes))
		}
	}
	german, err := sentences()
	if err != nil {
		t.Fatal(err)
	}
	alike := []string{"Katastralgemeinde", "Natura 2000"}
	for _, name := range layerNames() {
		list := layer(name).legend(locale{german})
		for i, e := range layer(name).legend(locale{}) {
			words := strings.ContainsFunc(e.title, unicode.IsLetter) && !slices.Contains(alike, e.title)
			if words && e.title == list[i].title {
				t.Errorf("%s: %q is in no German", name, e.title)
			}
		}
	}
}

// TestWhatStandsThereInGerman: sentences, titles and the numbers of pages; JSON, which programs read, is the same in every language.
func TestWhatStandsThereInGerman(t *testing.T) {
	h := themedWorld(t, heightTile(t, heightSide, 10, 10), false)
	ask := func(layers, form string, at geom.Point, zoom float64) (english, german *httptest.ResponseRecorder) {
		target := strings.Replace(seenAt("GetFeatureInfo", layers, at, zoom), "application/json", form, 1)
		return fixture.Ask(h, "GET", target, ""), fixture.Ask(h, "GET", target+"&LANGUAGE=ger", "")
	}
	middle := fixture.At(2, 2)
	for _, c := range []struct {
		layer        layer
		at           geom.Point
		zoom         float64
		title, words string
	}{
		{prices, fixture.At(3, 3), 13, "Grundpreise", "Bauland in der Gemeinde, 2024: 150 €/m², veröffentlichter Wert der Gemeinde selbst"},
		{prices, fixture.At(0.5, 0.5), 16, "Grundpreise",
			`Schätzung für 2024: 1\d\d €/m², von \d\d,\d\d bis 1\d\d €/m²; \d+ € für das Grundstück`},
		{relief, middle, 12, "Relief", `\d+ m über Adria, \d+° geneigt nach Nordwesten`},
		{"cells_wald", middle, 12.5, "Zellen: Wald", `Wald: 60 % der Zelle von \d+,\d ha`},
		{"cells_changes", middle, 12.5, "Zellen: Was sich geändert hat",
			`Geänderte Fläche: 5000 m² bestätigt, 0 m² vermutlich, in der Zelle von \d+,\d ha`},
		{"cells_changes", middle, 15, "Zellen: Was sich geändert hat", "Unverändert"},
		{parcels, fixture.At(0.5, 0.5), 16, "Grundstücke", "88801-1"},
		{kgs, fixture.At(2, -2), 16, "", `Die KG 88803 fehlt hier \(nicht erzeugt\)\.`},
		{relief, fixture.At(900, 900), 16, "", `Hier ist nichts verzeichnet\.`},
	} {
		for form, pattern := range map[infoType]string{infoText: "^(%[1]s\n(.*\n)*.*|)%[2]s\n$",
			infoHTML: `(?s)<html lang="de">.*<title>Objekte</title>.*(<h2>%[1]s</h2>.*<td>%[2]s</td>|<p>%[2]s</p>)`} {
			english, german := ask(string(c.layer), string(form), c.at, c.zoom)
			if !regexp.MustCompile(fmt.Sprintf(pattern, c.title, c.words)).MatchString(german.Body.String()) ||
				german.Header().Get("Content-Language") != "de" || english.Header().Get("Content-Language") != "en" {
				t.Errorf("%s as %s: %v\n%s", c.layer, form, german.Header(), german.Body)
			}
			if a, b := english.Header().Get("ETag"), german.Header().Get("ETag"); a == b && a != "" {
				t.Errorf("%s as %s: both languages have the tag %s", c.layer, form, a)
			}
		}
		english, german := ask(string(c.layer), string(infoJSON), c.at, c.zoom)
		if english.Body.String() != german.Body.String() || german.Header().Get("Content-Language") != "" {
			t.Errorf("%s as JSON: %s, in English %s", c.layer, german.Body, english.Body)
		}
	}
	_, page := ask(string(prices), string(infoHTML), fixture.At(0.5, 0.5), 16)
	_, text := ask(string(prices), string(infoText), fixture.At(0.5, 0.5), 16)
	price := regexp.MustCompile(`<th>low_eur_per_sqm</th><td>(\d+),(\d+)</td>`).FindStringSubmatch(page.Body.String())
	if price == nil || !strings.Contains(text.Body.String(), "  low_eur_per_sqm = "+price[1]+"."+price[2]+"\n") {
		t.Errorf("a price with a decimal comma on the page, with a point as text:\n%s\n%s", page.Body, text.Body)
	}
}

// TestATilesWordsInGerman: by the query and by the address that the German capabilities name.
func TestATilesWordsInGerman(t *testing.T) {
	h := themedWorld(t, heightTile(t, heightSide, 0, 0), false)
	id := tileOf(fixture.At(3, 3), 14)
	query := fmt.Sprintf("/wmts?request=GetFeatureInfo&layer=prices&tilematrix=14&tilerow=%d&tilecol=%d&i=128&j=128&infoformat=text/html",
		id.Y, id.X)
	address := fmt.Sprintf("/wmts/1.0.0/prices/default/WebMercatorQuad/14/%d/%d/128/128.html", id.Y, id.X)
	plain, german := fixture.Ask(h, "GET", query, "").Body.String(), fixture.Ask(h, "GET", query+"&Language=ger", "").Body.String()
	if plain == german || !strings.Contains(german, `<html lang="de">`) || !strings.Contains(plain, `<html lang="en">`) {
		t.Errorf("in German:\n%s\nin English:\n%s", german, plain)
	}
	for target, want := range map[string]string{address: plain, address + "?LANGUAGE=ger": german, address + "?language=fre": plain} {
		if w := fixture.Ask(h, "GET", target, ""); w.Body.String() != want {
			t.Errorf("%s: %d %s, want %s", target, w.Code, w.Body, want)
		}
	}
}

// sentenceTables are sentences that the package has in tables, by the expression that reads them.
func sentenceTables() map[string][]string {
	tables := map[string][]string{"text": nil, "english": nil, "l.describedAs().title": nil, // said by capabilities, and by literals
		"t.layer.describedAs().title": nil}
	for _, c := range choices {
		tables["c.title"] = append(tables["c.title"], c.title)
	}
	for _, c := range classes[1:] {
		tables["classes[c].title"] = append(tables["classes[c].title"], c.title)
	}
	for _, s := range spreads {
		tables["s.parcels"] = append(tables["s.parcels"], s.parcels)
		tables["s.kgs"] = append(tables["s.kgs"], s.kgs)
	}
	tables["spreads[spreadOfSource(b.Source)].kgs"] = tables["s.kgs"]
	tables["statuses[s]"] = slices.Collect(stdmaps.Values(statuses))
	tables["words[h.near.Changed]"] = slices.Collect(stdmaps.Values(words))
	tables["wind"] = winds[:]
	for _, why := range view.AllAbsences() {
		tables["gaps.Why(code).String()"] = append(tables["gaps.Why(code).String()"], why.String())
	}
	return tables
}

// TestEverySentenceHasGerman: de.po has what capabilities, legends and GetFeatureInfo say, with the same values in it, and nothing else.
func TestEverySentenceHasGerman(t *testing.T) {
	said := map[string]bool{}
	h := overWorld(t)
	for _, path := range inBoth {
		for _, text := range titlesIn(t, fixture.Ask(h, "GET", path, "").Body.String()) {
			said[text] = true
		}
	}
	tables := sentenceTables()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(source, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "of" && f.Sel.Name != "says" {
				return true
			}
			what := types.ExprString(call.Args[0])
			if text, err := strconv.Unquote(what); err == nil {
				said[text] = true
			} else if _, known := tables[what]; !known {
				t.Errorf("%s: the sentences %s stand in no table of this test", name, what)
			}
			return true
		})
	}
	for _, list := range tables {
		for _, text := range list {
			said[text] = true
		}
	}
	values := regexp.MustCompile(`\{\w+\}`)
	translated := germanOf(t)
	for text := range said {
		in, out := values.FindAllString(text, -1), values.FindAllString(translated[text], -1)
		slices.Sort(in)
		if slices.Sort(out); translated[text] == "" || !slices.Equal(in, out) {
			t.Errorf("de.po has %q for %q", translated[text], text)
		}
	}
	for text := range translated {
		if !said[text] {
			t.Errorf("de.po: nothing says %q", text)
		}
	}
}

// TestTheGermanIsTheMapPages: what the map page says, too, is the same there.
func TestTheGermanIsTheMapPages(t *testing.T) {
	page, err := os.ReadFile("../../../localdev/server/web/src/words.js")
	if err != nil {
		t.Fatal(err)
	}
	translated, n := germanOf(t), 0
	for _, m := range regexp.MustCompile(`(?m)^  "([^"]+)": "([^"]+)",$`).FindAllStringSubmatch(string(page), -1) {
		if text := translated[m[1]]; text != "" {
			if n++; text != m[2] {
				t.Errorf("%q is %q, on the map page %q", m[1], text, m[2])
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d sentences of the map page", n)
	}
}
