package endpoint

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"mappe/shared/web/fault"
)

// germanOf is a file of sentences.
const germanOf = `msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

msgid "Western edge. Also written minlon."
msgstr "Westlicher Rand. Andere Schreibweise: minlon."

msgid "Required members stand in every row, unless fields= chooses others."
msgstr "Pflichtfelder stehen in jeder Zeile."
`

// inTwoLanguages is the test service with sentences in German.
func inTwoLanguages(t *testing.T, file string) http.Handler {
	t.Helper()
	s := testService()
	s.German = []string{file}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestTheDescriptionInGerman(t *testing.T) {
	h := inTwoLanguages(t, germanOf)
	tags := map[string]bool{}
	for _, c := range []struct{ query, language, has, hasNot string }{
		{"", "en", "Western edge.", "Westlicher"}, {"?lang=en", "en", "Western edge.", "Westlicher"},
		{"?lang=de", "de", "Westlicher Rand.", "Western edge."}, {"?lang=de", "de", "Pflichtfelder stehen in jeder Zeile.", "Required members"},
	} {
		w := get(h, "/openapi.json"+c.query)
		if got := w.Header().Get("Content-Language"); w.Code != 200 || got != c.language || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %d in %q", c.query, w.Code, got)
		}
		if b := w.Body.String(); !strings.Contains(b, c.has) || strings.Contains(b, c.hasNot) {
			t.Errorf("%s: want %q and not %q", c.query, c.has, c.hasNot)
		}
		tag := w.Header().Get("ETag")
		tags[tag] = true
		if again := get(h, "/openapi.json"+c.query, "If-None-Match", tag); again.Code != 304 {
			t.Errorf("%s with its tag: %d", c.query, again.Code)
		}
		if w.Header().Get("Cache-Control") != "max-age=120" {
			t.Errorf("%s: Cache-Control %s", c.query, w.Header().Get("Cache-Control"))
		}
	}
	if len(tags) != 2 {
		t.Errorf("tags %v of two languages", tags)
	}
	if page := get(h, "/docs?lang=de"); page.Code != 200 || !strings.Contains(page.Body.String(), `data-languages="en de"`) {
		t.Errorf("the page: %d", page.Code)
	}
	for _, prefix := range []string{"/a", "/b", "/a"} { // each prefix has its own
		if b := get(Mount(prefix, h), prefix+"/openapi.json?lang=de").Body.String(); !strings.Contains(b, `"url":"`+prefix+`"`) {
			t.Errorf("below %s: %.200s", prefix, b)
		}
	}
}

// Another language is refused with those that there are.
func TestOtherLanguages(t *testing.T) {
	two, one := inTwoLanguages(t, germanOf), handler(t)
	for _, c := range []struct {
		h           http.Handler
		query, want string
	}{
		{two, "/openapi.json?lang=fr", `parameter lang has the value "fr": expected one of en, de`},
		{two, "/openapi.json?lang=DE", `expected one of en, de`},
		{one, "/openapi.json?lang=de", `parameter lang has the value "de": expected one of en`},
		{two, "/docs?lang=fr", `parameter lang has the value "fr": expected one of en, de`},
		{two, "/openapi.json?lang=de&lang=en", "expected it once"}, {two, "/openapi.json?langs=de", "did you mean lang?"},
	} {
		var e errorBody
		if w := get(c.h, c.query); json.Unmarshal(w.Body.Bytes(), &e) != nil || w.Code != 400 || !strings.Contains(e.Error, c.want) {
			t.Errorf("%s: want 400 with %q, got %d %s", c.query, c.want, w.Code, w.Body)
		}
	}
	if page := get(one, "/docs?lang=de"); page.Code != 200 || !strings.Contains(page.Body.String(), `data-languages="en"`) {
		t.Errorf("the page of a service in English: %d", page.Code)
	}
	var e errorBody
	w := get(inTwoLanguages(t, "no file of sentences"), "/openapi.json?lang=de")
	if json.Unmarshal(w.Body.Bytes(), &e); w.Code != 500 || e.Code != fault.Internal || strings.Contains(e.Error, "sentences") {
		t.Errorf("a damaged file: %d %s", w.Code, w.Body)
	}
}

// Both endpoints stand in the description, unless the service declares them itself.
func TestTheDescriptionDescribesItself(t *testing.T) {
	s := testService()
	s.Endpoints = append(s.Endpoints, s.Documents("/docs", "")[0])
	raw, err := s.OpenAPI("")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct{ Name string }
		}
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"/openapi.json": "openapi", "/docs": "docs"} {
		if op := doc.Paths[path]["get"]; op.OperationID != want || len(op.Parameters) == 0 || op.Parameters[0].Name != "lang" {
			t.Errorf("%s: %+v", path, op)
		}
	}
}
