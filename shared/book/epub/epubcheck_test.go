package epub

import (
	"testing"

	"mappe/infra/oracles/epubcheck"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

func TestEPUBCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out EPUBCheck, which takes seconds")
	}
	full := specOf("de-AT")
	full.Title, full.Author, full.Publisher, full.ISBN, full.Rights = "Täler", "A. Huber", "Verlag & Söhne", "978-3-16-148410-0",
		"© 2026 A. Huber"
	full.FirstLine, full.Notes, full.SceneMark = spec.FirstDropCap, spec.NotesAsWritten, ""
	plain := manuscript.Book{Sections: []manuscript.Section{{Blocks: []manuscript.Block{para("Only this.")}}}}
	for name, c := range map[string]struct {
		book manuscript.Book
		spec spec.Spec
		opt  Options
	}{
		"german final":  {sample(t, "de"), full, Options{Created: created, Pages: pagesOf(sample(t, "de"))}},
		"english proof": {sample(t, "en"), specOf("en"), Options{Created: created, Proof: "PROOF 1 <not for sale>"}},
		"one paragraph": {plain, specOf(""), Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // a Java machine for each book
			for _, m := range epubcheck.Check(t, write(t, c.book, c.spec, c.opt)) {
				t.Error(m)
			}
		})
	}
}
