package reply

import (
	"net/http"
	"slices"
	"testing"

	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

func TestAcceptChoosesTheForm(t *testing.T) {
	for accept, want := range map[string]format.Format{
		"": "json", "*/*": "json", "application/json": "json", "application/geo+json": "geojson", "text/csv": "csv",
		"application/geopackage+sqlite3": "gpkg", "application/x-ndjson": "ndjson", "application/geo+json-seq": "geojsonseq",
		"application/vnd.apache.parquet":                                  "parquet",
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": "json",
		"text/csv;q=0.5, application/geo+json;q=0.9":                      "geojson",
		"APPLICATION/GEO+JSON":                                            "geojson",
		"application/geo+json;q=0, */*;q=0.1":                             "json",
		"image/png":                                                       "json",
		"text/csv;q=nonsense":                                             "csv",
	} {
		if got := AcceptedForm(http.Header{"Accept": {accept}}, format.AllFormats()); got != want {
			t.Errorf("Accept: %s gives %s, want %s", accept, got, want)
		}
	}
}

func TestIfNoneMatch(t *testing.T) {
	for v, want := range map[string]bool{`"a"`: true, `W/"a"`: true, `"b", "a"`: true, `*`: true, `"b"`: false, `a`: false, ``: false} {
		if got := Matches(http.Header{"If-None-Match": {v}}, `"a"`); got != want {
			t.Errorf("%q: %v, want %v", v, got, want)
		}
	}
	if Matches(http.Header{"If-None-Match": {"*"}}, "") {
		t.Error("an answer without a validator matches")
	}
}

func TestETagTellsPartsApart(t *testing.T) {
	seen := map[string]bool{}
	for _, parts := range [][]string{{"a", "b"}, {"ab"}, {"a", "", "b"}, {"b", "a"}, {"a\x00b"}} {
		e := ETag(parts...)
		if seen[e] || len(e) != 26 || e[0] != '"' {
			t.Errorf("%q gives %s", parts, e)
		}
		seen[e] = true
	}
}

func TestCursor(t *testing.T) {
	for _, offset := range []int{0, 1, 100, 1 << 30, MaxOffset} {
		text := Cursor{"g1", "kg=01004", offset, "1.2.3"}.String()
		if got, err := ParseCursor(text, "kg=01004"); err != nil || got != (Cursor{"g1", "kg=01004", offset, "1.2.3"}) {
			t.Errorf("%d: %+v %v", offset, got, err)
		}
	}
	good := Cursor{"g1", "kg=01004", 100, ""}.String()
	flipped := []byte(good)
	flipped[len(flipped)-1] ^= 1
	for name, text := range map[string]string{"no data": Cursor{"", "kg=01004", 100, ""}.String(),
		"other filters": Cursor{"g1", "kg=01005", 100, ""}.String(),
		"mistyped":      string(flipped), "cut": good[:len(good)-3], "empty": "", "not base64": "!!", "longer": good + "AA",
		"too far": Cursor{"g1", "kg=01004", MaxOffset + 1, ""}.String()} {
		_, err := ParseCursor(text, "kg=01004")
		if f := fault.From(err); err == nil || f.Code != fault.BadCursor || f.Status() != 400 {
			t.Errorf("%s: %v, want a 400", name, err)
		}
	}
}

func FuzzCursor(f *testing.F) {
	good := Cursor{"0123456789abcdef", "f", 7, "0.1.2"}.String()
	f.Add(good, "f")
	f.Add(good[:8]+"\n"+good[8:], "f")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, text, filters string) {
		if c, err := ParseCursor(text, filters); err == nil {
			if c.Offset < 0 || c.Offset > MaxOffset || c.Generation == "" {
				t.Fatalf("%+v", c)
			}
			if back := c.String(); back != text {
				t.Fatalf("%q and %q are one cursor", text, back)
			}
		}
	})
}

func TestHeaderTextIsASCII(t *testing.T) {
	for s, want := range map[string]string{"© BEV, 2026": "(c) BEV, 2026", "Österreich – Maß": "Oesterreich - Mass", "a\r\nX: y": "a??X: y",
		"日": "?"} {
		if got := ASCII(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestAttachmentName(t *testing.T) {
	if got, want := disposition("a\"b/ü.csv"), `attachment; filename="a_b__.csv"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if slices.ContainsFunc(format.AllFormats(), func(f format.Format) bool { return f.MediaType() == "" || f.Extension() == "" }) {
		t.Error("a form without a media type")
	}
}

func TestAcceptedType(t *testing.T) {
	for accept, want := range map[string]string{
		"":          "application/json",
		"*/*":       "application/json",
		"text/html": "text/html",
		"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8": "text/html",
		"application/json, text/html;q=0.9":                                          "application/json",
		"text/*;q=0.5, application/json;q=0.4":                                       "text/html",
		"image/png":                                                                  "application/json",
		"text/html;q=0, */*":                                                         "application/json",
	} {
		h := http.Header{}
		if accept != "" {
			h.Set("Accept", accept)
		}
		if got := AcceptedType(h, "application/json", "text/html"); got != want {
			t.Errorf("Accept %q: want %s, got %s", accept, want, got)
		}
	}
}
