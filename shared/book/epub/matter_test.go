package epub

import (
	"regexp"
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// TestFrontMatterMade: what the specification says of title and imprint has pages of its own where the author has
// written none; the imprint follows the title page, whoever has written that.
func TestFrontMatterMade(t *testing.T) {
	section := func(k manuscript.SectionKind, s string) manuscript.Section {
		return manuscript.Section{Kind: k, Blocks: []manuscript.Block{para(s)}}
	}
	title, imprint := section(manuscript.KindTitlePage, "Mine"), section(manuscript.KindCopyright, "Mine too")
	said := func(s *spec.Spec) {
		s.Rights, s.Publisher, s.ISBN = "© 2026 Anna", "Verlag & Söhne", "978-3-16-148410-0"
	}
	for _, c := range []struct {
		name     string
		sections []manuscript.Section
		change   func(*spec.Spec)
		want     string // the pages of the spine
	}{
		{"nothing said", nil, func(*spec.Spec) {}, "cover titlepage nav s001"},
		{"an imprint", nil, said, "cover titlepage copyright nav s001"},
		{"the author's title page", []manuscript.Section{title}, func(*spec.Spec) {}, "cover s001 nav s002"},
		{"the author's title page and an imprint", []manuscript.Section{title}, said, "cover s001 copyright nav s002"},
		{"the author's own", []manuscript.Section{title, imprint}, said, "cover s001 s002 nav s003"},
		{"the author's imprint", []manuscript.Section{imprint}, said, "cover titlepage s001 nav s002"},
	} {
		s := specOf("en")
		c.change(&s)
		b := manuscript.Book{Meta: manuscript.Meta{Title: "Rivers", Subtitle: "A Tale", Author: "Anna", Language: "en"},
			Sections: append(c.sections, section(manuscript.KindChapter, "Body"))}
		packed := write(t, b, s, Options{})
		for _, f := range Check(packed) {
			t.Errorf("%s: %s", c.name, f)
		}
		got := files(t, packed)
		var spine []string
		for _, m := range regexp.MustCompile(`<itemref idref="([^"]+)"`).FindAllStringSubmatch(got["package.opf"], -1) {
			spine = append(spine, m[1])
		}
		if s := strings.Join(spine, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
		for page, want := range map[string]string{
			"title.xhtml":     `<h1 id="title">Rivers</h1>|<p class="subtitle" role="doc-subtitle">A Tale</p>|<p class="author">Anna</p>`,
			"copyright.xhtml": `<p>© 2026 Anna</p>|<p>Verlag &amp; Söhne</p>|<p>ISBN 978-3-16-148410-0</p>`,
		} {
			for _, w := range strings.Split(want, "|") {
				if body := got[page]; body != "" && !strings.Contains(body, w) {
					t.Errorf("%s: %s has no %s", c.name, page, w)
				}
			}
		}
	}
}

// TestOutlineOfContents: chapters stand below their part; what is before and behind the parts stands beside them, and
// what the print book's contents leave out is left out here.
func TestOutlineOfContents(t *testing.T) {
	section := func(k manuscript.SectionKind, title string) manuscript.Section {
		return manuscript.Section{Kind: k, Title: text(title), Blocks: []manuscript.Block{para("x")}}
	}
	b := manuscript.Book{Meta: manuscript.Meta{Title: "Rivers", Language: "en"}, Sections: []manuscript.Section{
		section(manuscript.KindDedication, "For Ben"), section(manuscript.KindPreface, "Preface"), section(manuscript.KindPart, "Spring"),
		section(manuscript.KindChapter, "Rain"), section(manuscript.KindChapter, "Wind"),
		section(manuscript.KindPart, "Winter"), section(manuscript.KindChapter, "Snow"), section(manuscript.KindEpilogue, "Thaw"),
		section(manuscript.KindAppendix, "Tables")}}
	nav := files(t, write(t, b, specOf("en"), Options{}))["nav.xhtml"]
	nav, _, _ = strings.Cut(nav, "</nav>")
	var outline []string
	depth := 0
	for _, m := range regexp.MustCompile(`<ol|</ol|<a [^>]*>([^<]*)<`).FindAllStringSubmatch(nav, -1) {
		switch {
		case m[1] != "":
			outline = append(outline, strings.Repeat("-", depth-1)+m[1])
		case m[0] == "<ol":
			depth++
		default:
			depth--
		}
	}
	if got, want := strings.Join(outline, " "), "Preface Spring -Rain -Wind Winter -Snow Thaw Tables"; got != want {
		t.Errorf("the contents are %s, want %s", got, want)
	}
}
