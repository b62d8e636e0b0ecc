package preflight

import (
	"slices"
	"strings"
	"testing"

	"mappe/localdev/demo/sample"
	"mappe/shared/book/clean"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader"
	"mappe/shared/book/spec"
)

// TestDemoBooks reads the books of the demonstration project as the service does.
func TestDemoBooks(t *testing.T) {
	for _, d := range sample.Demo() {
		b, found, err := reader.Read(d.File, d.Bytes, reader.Default())
		if err != nil {
			t.Fatal(err)
		}
		b, mended := clean.Repair(b, clean.Options{})
		r := Examine(b, slices.Concat(found, mended), spec.Default())
		var kinds []string
		for _, s := range r.BookMap.Sections {
			if n := len(kinds); n == 0 || kinds[n-1] != s.Kind {
				kinds = append(kinds, s.Kind)
			}
		}
		want := "title_page copyright dedication epigraph preface chapter afterword about_author"
		if got := strings.Join(kinds, " "); got != want {
			t.Errorf("%s: sections %s, want %s", d.File, got, want)
		}
		if b.Meta.Title != d.Title || b.Meta.Author != d.Author || manuscript.Base(b.Meta.Language) != d.Language {
			t.Errorf("%s: read as %q by %q in %s", d.File, b.Meta.Title, b.Meta.Author, b.Meta.Language)
		}
		if r.Summary.High == 0 || r.Summary.Medium == 0 || r.Summary.Low == 0 || r.Summary.Preserved == 0 {
			t.Errorf("%s: %+v: a demonstration shows every severity", d.File, r.Summary)
		}
		t.Logf("%s: %s %+v", d.File, r.BookMap.Summary, r.Summary)
	}
}

// TestOneFindingForABookInAnotherLanguage: a wrong language in the specification is told once.
func TestOneFindingForABookInAnotherLanguage(t *testing.T) {
	m := sample.Make(sample.Options{Language: "de", Words: 6000, Seed: 1})
	b, found := clean.Repair(m.Book, clean.Options{Language: "en"})
	if got := Examine(b, found, spec.Default()).Summary.ByType["mixed_languages"]; got != 1 {
		t.Errorf("mixed_languages %d, want 1", got)
	}
}
