package epub

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// unpack gives the files of an archive in their order.
func unpack(t testing.TB, b []byte) (names []string, bodies [][]byte) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(rc)
		rc.Close()
		if err != nil {
			t.Fatal(err)
		}
		names, bodies = append(names, f.Name), append(bodies, body)
	}
	return names, bodies
}

// files gives the files of a book below EPUB/.
func files(t testing.TB, b []byte) map[string]string {
	t.Helper()
	out := map[string]string{}
	names, bodies := unpack(t, b)
	for i, name := range names {
		out[strings.TrimPrefix(name, "EPUB/")] = string(bodies[i])
	}
	return out
}

func TestSameBytes(t *testing.T) {
	o := Options{Created: created, Pages: pagesOf(sample(t, "de"))}
	if !bytes.Equal(write(t, sample(t, "de"), specOf("de"), o), write(t, sample(t, "de"), specOf("de"), o)) {
		t.Error("two runs differ")
	}
}

func TestProofInEveryFile(t *testing.T) {
	const line = "PROOF 3 & no more"
	for name, body := range files(t, write(t, sample(t, "en"), specOf("en"), Options{Proof: line})) {
		if strings.HasSuffix(name, ".xhtml") && strings.Count(body, `<p class="proof">PROOF 3 &amp; no more</p>`) != 1 {
			t.Errorf("%s has no PROOF line", name)
		}
	}
	for name, body := range files(t, write(t, sample(t, "en"), specOf("en"), Options{})) {
		if strings.HasSuffix(name, ".xhtml") && strings.Contains(body, `class="proof"`) {
			t.Errorf("%s of a final has a PROOF line", name)
		}
	}
}

func TestPageMarks(t *testing.T) {
	b := manuscript.Book{Sections: []manuscript.Section{{Kind: manuscript.KindChapter, Title: text("One"), Blocks: []manuscript.Block{
		&manuscript.Paragraph{Inlines: in{manuscript.Text{S: "Abc def, “ghi” "}, manuscript.Text{S: "jk", Style: manuscript.Italic},
			manuscript.Text{S: "l mno."}}},
		&manuscript.Heading{Level: 1, Inlines: text("Head")},
		&manuscript.Figure{Image: 0, Alt: "x"},
		para("Last words."),
	}}}, Images: sample(t, "en").Images}
	pages := []PageRef{
		{"i", 0, -1, 0}, {"1", 0, 0, 0}, {"2", 0, 0, 6}, {"3", 0, 0, 10}, {"4", 0, 0, 12}, {"5", 0, 1, 0}, {"6", 0, 2, 0}, {"7", 0, 3, 4},
		{"8", 0, 9, 0},
	}
	got := files(t, write(t, b, specOf("en"), Options{Pages: pages}))
	breaks := regexp.MustCompile(`<(?:span|div) epub:type="pagebreak" role="doc-pagebreak" id="page\d+" aria-label="(\w+)"></(?:span|div)>`)
	body := breaks.ReplaceAllString(got["s001.xhtml"], "[$1]")
	for _, want := range []string{"[i]\n<header>", "<p>[1]Abc def, [2]“ghi” <em>jk</em>l [3][4]mno.</p>", "[5]\n<h2>Head</h2>",
		"[6]\n<figure>", "<p>Last [7]words.</p>\n[8]"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in %s", want, body)
		}
	}
	if n := strings.Count(got["nav.xhtml"], "s001.xhtml#page"); n != len(pages) {
		t.Errorf("the page list has %d pages, want %d", n, len(pages))
	}
	if !strings.Contains(got["package.opf"], "pageBreakSource") || !strings.Contains(got["package.opf"], "pageBreakMarkers") {
		t.Error("the package does not tell of the pages")
	}
	if got := files(t, write(t, b, specOf("en"), Options{})); strings.Contains(got["nav.xhtml"]+got["package.opf"], "page-list") ||
		strings.Contains(got["package.opf"], "pageBreakMarkers") {
		t.Error("a page list of no pages")
	}
}

// A page that begins with its block is marked in front of it, whatever the first character is.
func TestPageMarkInFrontOfFigures(t *testing.T) {
	for _, first := range []string{"© 2026 Anna", "1914 began", "“I am", " 12 "} {
		b := manuscript.Book{Sections: []manuscript.Section{{Kind: manuscript.KindChapter, Title: text("One"),
			Blocks: []manuscript.Block{para("Before."), para(first)}}}}
		body := files(t, write(t, b, specOf("en"), Options{Pages: []PageRef{{"7", 0, 1, 0}}}))["s001.xhtml"]
		if !regexp.MustCompile(`<p> ?<span [^>]*aria-label="7"></span>` + strings.TrimSpace(first)).MatchString(body) {
			t.Errorf("%q: %s", first, body)
		}
	}
}

// Every page is called as it stands in the contents; one that does not stand there as the book.
func TestPagesHaveTitles(t *testing.T) {
	b := sample(t, "en")
	b.Sections = append([]manuscript.Section{{Kind: manuscript.KindDedication, Blocks: []manuscript.Block{para("For Ben")}}}, b.Sections...)
	got := files(t, write(t, b, specOf("en"), Options{}))
	want := map[string]string{"nav.xhtml": "Contents"}
	for _, m := range regexp.MustCompile(`<a href="([^"#]+)"[^>]*>([^<]+)</a>`).FindAllStringSubmatch(got["nav.xhtml"], -1) {
		want[m[1]] = m[2]
	}
	other := 0
	for name, body := range got {
		if !strings.HasSuffix(name, ".xhtml") {
			continue
		}
		title := regexp.MustCompile(`<title>([^<]*)</title>`).FindStringSubmatch(body)[1]
		if want[name] == "" {
			other++
		} else if title != want[name] {
			t.Errorf("%s is called %q, want %q", name, title, want[name])
		}
	}
	if len(want) < 4 || other < 1 || !strings.Contains(got["s001.xhtml"], "<title>Täler &amp; ") {
		t.Errorf("%d pages in the contents, %d not; the dedication: %s", len(want), other, got["s001.xhtml"])
	}
}

// References to pages show the print book's numbers and lead there; what is no such reference keeps its text.
func TestReferencesToPages(t *testing.T) {
	link := func(page bool, to string) manuscript.Inline {
		return manuscript.Link{Href: "#" + to, Page: page, Inlines: text("47")}
	}
	b := manuscript.Book{Sections: []manuscript.Section{{Kind: manuscript.KindChapter, Title: text("One"), Blocks: []manuscript.Block{
		&manuscript.Paragraph{Inlines: in{manuscript.Target{Name: "t"}, manuscript.Text{S: "a "}, link(true, "t"),
			manuscript.Text{S: " b "}, link(false, "t"), manuscript.Text{S: " c "}, link(true, "nowhere"), manuscript.Text{S: " d"}}},
	}}}}
	body := files(t, write(t, b, specOf("en"), Options{Referred: map[string]string{"t": "3"}}))["s001.xhtml"]
	if !regexp.MustCompile(`a <a href="s001.xhtml#a1">3</a> b <a href="s001.xhtml#a1">47</a> c 47 d`).MatchString(body) {
		t.Error(body)
	}
}

// The lines of the author's own title page are told apart.
func TestTitlePageOfTheAuthor(t *testing.T) {
	line := func(s string, r manuscript.Role) manuscript.Block {
		return &manuscript.Paragraph{Inlines: text(s), Role: r}
	}
	b := manuscript.Book{Meta: manuscript.Meta{Title: "The House"}, Sections: []manuscript.Section{
		{Kind: manuscript.KindTitlePage, Blocks: []manuscript.Block{line("the house", manuscript.RoleBody),
			line("A tale", manuscript.RoleSubtitle), line("Anna", manuscript.RoleAuthor), line("Graz", manuscript.RoleBody)}},
		{Kind: manuscript.KindChapter, Title: text("One"), Blocks: []manuscript.Block{line("The House", manuscript.RoleBody)}},
	}}
	got := files(t, write(t, b, specOf("en"), Options{}))
	for _, want := range []string{`<p class="title">the house</p>`, `<p class="center subtitle">A tale</p>`,
		`<p class="center author">Anna</p>`, `<p>Graz</p>`} {
		if !strings.Contains(got["s001.xhtml"], want) {
			t.Errorf("no %s in %s", want, got["s001.xhtml"])
		}
	}
	if strings.Contains(got["s002.xhtml"], `class="title"`) {
		t.Errorf("a title in a chapter: %s", got["s002.xhtml"])
	}
}

func TestIdentifier(t *testing.T) {
	id := func(b manuscript.Book, s spec.Spec, o Options) string {
		return regexp.MustCompile(`<dc:identifier id="id">([^<]*)<`).FindStringSubmatch(files(t, write(t, b, s, o))["package.opf"])[1]
	}
	b, s := sample(t, "de"), specOf("de")
	first := id(b, s, Options{})
	if !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(first) {
		t.Errorf("%s is no UUID", first)
	}
	s2 := s
	s2.SizePt, s2.Trim = 13, spec.Trim{WidthMM: 148, HeightMM: 210}
	if got := id(b, s2, Options{Created: created, Proof: "PROOF", Pages: pagesOf(b)}); got != first {
		t.Errorf("another edition of the same text is %s, want %s", got, first)
	}
	b.Sections = append(b.Sections, manuscript.Section{Blocks: []manuscript.Block{para("More.")}})
	if id(b, s, Options{}) == first {
		t.Error("another text has the same identifier")
	}
	s.ISBN = "978-3-16-148410-0"
	if got := id(b, s, Options{}); got != "urn:isbn:9783161484100" {
		t.Errorf("ISBN: %s", got)
	}
	if got := id(b, s, Options{Identifier: "urn:x:1"}); got != "urn:x:1" {
		t.Errorf("given: %s", got)
	}
}

// TestHostileText puts what breaks XML everywhere an author can write.
func TestHostileText(t *testing.T) {
	const evil = "</p><script>alert(1)</script>]]>&lt;\"'\x00\x1b\xff\ufffe<!--\u2028"
	b := sample(t, "de")
	for i := range b.Sections {
		s := &b.Sections[i]
		s.Title, s.Subtitle, s.Number, s.Language = text(evil), text(evil), evil, evil
		s.Blocks = append(s.Blocks, para(evil), &manuscript.Heading{Level: -3, Inlines: text(evil), Anchor: evil},
			&manuscript.Code{Lines: []string{evil}},
			&manuscript.Figure{Image: 0, Alt: evil, Caption: text(evil), Anchor: evil}, &manuscript.SceneBreak{Mark: evil},
			&manuscript.Paragraph{Inlines: in{manuscript.Link{Href: "#" + evil, Inlines: text(evil)},
				manuscript.Link{Href: "https://" + evil, Inlines: text(evil)}, manuscript.Target{Name: evil}}})
	}
	b.Meta = manuscript.Meta{Title: evil, Author: evil, Subtitle: evil, Language: evil}
	s := spec.Default()
	s.Language, s.Title, s.Author, s.Subtitle, s.Publisher, s.ISBN, s.Rights, s.SceneMark = evil, evil, evil, evil, evil, evil, evil, evil
	pages := pagesOf(b)
	for i := range pages {
		pages[i].Folio = evil + fmt.Sprint(i)
	}
	for _, id := range []string{"", evil} {
		got := write(t, b, s, Options{Proof: evil, Identifier: id, Pages: pages, Created: time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC)})
		for name, body := range files(t, got) {
			if strings.Contains(body, "<script") {
				t.Errorf("%s has a script", name)
			}
		}
		for _, f := range Check(got) {
			if !strings.Contains(f, "no moment") { // the year 99999
				t.Error(f)
			}
		}
	}
}

func TestAlternatives(t *testing.T) {
	b := sample(t, "en")
	if p := files(t, write(t, b, specOf("en"), Options{}))["package.opf"]; !strings.Contains(p, ">alternativeText<") ||
		!strings.Contains(p, "All pictures have") {
		t.Error("every picture has an alternative and the package does not say so")
	}
	b.Sections[1].Blocks = append(b.Sections[1].Blocks, para("x"))
	b.Sections[3].Blocks = append(b.Sections[3].Blocks, &manuscript.Figure{Image: 0})
	if p := files(t, write(t, b, specOf("en"), Options{}))["package.opf"]; strings.Contains(p, ">alternativeText<") ||
		strings.Contains(p, ">textual</meta>\n<meta property=\"schema:accessibilityFeature\"") || strings.Contains(p, "All pictures have") {
		t.Errorf("a picture has no alternative and the package says that all have: %s", p)
	}
}

func TestNotes(t *testing.T) {
	b := sample(t, "en")
	for _, c := range []struct {
		notes      spec.Notes
		foot, late int
	}{{spec.NotesFoot, 7, 0}, {spec.NotesEnd, 0, 7}, {spec.NotesAsWritten, 6, 1}} {
		s := specOf("en")
		s.Notes = c.notes
		got := files(t, write(t, b, s, Options{}))
		foot, late := strings.Count(got["s013.xhtml"], "<aside"), strings.Count(got["notes.xhtml"], "<aside")
		if foot != c.foot || late != c.late {
			t.Errorf("notes %d: %d in the chapter and %d at the end, want %d and %d", c.notes, foot, late, c.foot, c.late)
		}
	}
}

// TestSpans: cells reach over columns and rows, as far as their table goes.
func TestSpans(t *testing.T) {
	cell := func(s string, columns, rows int) manuscript.Cell {
		return manuscript.Cell{ColSpan: columns, RowSpan: rows, Blocks: []manuscript.Block{para(s)}}
	}
	table := &manuscript.Table{HeadRows: 1, Rows: []manuscript.Row{
		{Cells: []manuscript.Cell{cell("head", 2, 3)}},
		{Cells: []manuscript.Cell{cell("tall", 1, 2), cell("b", 1, 1)}},
		{Cells: []manuscript.Cell{cell("c", 1, 9)}},
	}}
	got := files(t, write(t, manuscript.Book{Sections: []manuscript.Section{{Blocks: []manuscript.Block{table}}}}, specOf("en"),
		Options{}))["s001.xhtml"]
	for _, want := range []string{`<th scope="col" colspan="2">head</th>`, `<td rowspan="2">tall</td><td>b</td>`, `<tr><td>c</td></tr>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func TestDeepNesting(t *testing.T) {
	deep := []manuscript.Block{para("the innermost words")}
	for i := range 500 {
		if i%2 == 0 {
			deep = []manuscript.Block{&manuscript.Quote{Blocks: deep}}
		} else {
			deep = []manuscript.Block{&manuscript.List{Items: [][]manuscript.Block{deep}}}
		}
	}
	got := write(t, manuscript.Book{Sections: []manuscript.Section{{Blocks: deep}}}, specOf("en"), Options{})
	if f := Check(got); len(f) > 0 {
		t.Error(f)
	}
	if !strings.Contains(files(t, got)["s001.xhtml"], "the innermost words") {
		t.Error("what is nested deep is lost")
	}
}

func TestLanguage(t *testing.T) {
	for in, want := range map[string]string{"de": "de", "de-AT": "de-AT", "de-1901": "de-1901", "sr-Latn-RS": "sr-Latn-RS", "d": "",
		"de_AT": "", "de-": "", "": "", "no language": "", "de-x": ""} {
		if got := language(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestEmptyBook(t *testing.T) {
	for _, f := range Check(write(t, manuscript.Book{}, spec.Spec{}, Options{})) {
		t.Error(f)
	}
}

// long is a book of about 110 pages.
func long() manuscript.Book {
	b := manuscript.Book{Meta: manuscript.Meta{Title: "Long", Author: "A. Huber", Language: "en"}}
	t := strings.Repeat("The surveyor had measured nine valleys before the first snow of that year, and nobody affirmed it. ", 6)
	for n := range 12 {
		s := manuscript.Section{Kind: manuscript.KindChapter, Label: fmt.Sprint("Chapter ", n+1), Number: fmt.Sprint(n + 1),
			Title: text("A chapter")}
		for range 34 {
			s.Blocks = append(s.Blocks, para(t))
		}
		b.Sections = append(b.Sections, s)
	}
	return b
}

func BenchmarkWrite(b *testing.B) {
	m := long()
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(io.Discard, m, specOf("en"), Options{Created: created}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	got := write(b, long(), specOf("en"), Options{Created: created})
	b.ReportAllocs()
	for b.Loop() {
		if f := Check(got); len(f) > 0 {
			b.Fatal(f)
		}
	}
}
