package maps

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"

	"mappe/functions/fixture"
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

// TestCapabilitiesInGerman: LANGUAGE=ger has every title and abstract in German, in each version and of both services; the entries of
// the file are those.
func TestCapabilitiesInGerman(t *testing.T) {
	h := overWorld(t)
	used := map[string]bool{}
	file, err := catalogue.Entries(inGerman)
	if err != nil {
		t.Fatal(err)
	}
	translated := map[string]string{}
	for _, e := range file {
		translated[e.English] = e.Text
	}
	for _, path := range []string{"/wms?service=WMS&request=GetCapabilities", "/wms?service=WMS&request=GetCapabilities&version=1.1.1",
		"/wmts?service=WMTS&request=GetCapabilities", "/wmts/1.0.0/WMTSCapabilities.xml?nocache=false"} {
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
			used[text] = true
			if translated[text] == "" {
				t.Errorf("%s: de.po has no German for %q", path, text)
			} else if !slices.Contains(got, translated[text]) {
				t.Errorf("%s: want %q, German for %q", path, translated[text], text)
			}
		}
	}
	for _, e := range file {
		if !used[e.English] {
			t.Errorf("de.po: no capabilities say %q", e.English)
		}
	}
}
