package epub

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"mappe/shared/book/layout"
	printed "mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
)

var (
	markOf = regexp.MustCompile(`aria-label="([^"]+)"></(?:span|div)>`)
	tags   = regexp.MustCompile(`<[^>]*>`)
)

// TestPagesOfThePrintBook sets a book on pages and looks whether the mark of each page stands before the word
// the page begins with.
func TestPagesOfThePrintBook(t *testing.T) {
	var b manuscript.Book
	for n := range 3 {
		s := manuscript.Section{Kind: manuscript.KindChapter, Label: fmt.Sprint("Chapter ", n+1), Number: fmt.Sprint(n + 1),
			Title: text("A chapter")}
		words := func(from, count int) string {
			var w []string
			for i := range count {
				w = append(w, fmt.Sprintf("%c%c%c%c", 'a'+n, 'a'+(from+i)/676%26, 'a'+(from+i)/26%26, 'a'+(from+i)%26))
			}
			return strings.Join(w, " ")
		}
		for k := range 20 {
			at := k * 150
			switch k % 4 {
			case 0:
				s.Blocks = append(s.Blocks, para("“"+words(at, 150)+".”"))
			case 1:
				s.Blocks = append(s.Blocks, &manuscript.Paragraph{Inlines: in{manuscript.Text{S: words(at, 60) + " "},
					manuscript.Text{S: words(at+60, 60), Style: manuscript.Italic}, manuscript.Text{S: " " + words(at+120, 30)}}})
			case 2:
				s.Blocks = append(s.Blocks, &manuscript.List{Items: [][]manuscript.Block{{para(words(at, 70))}, {para(words(at+70, 80))}}})
			case 3:
				s.Blocks = append(s.Blocks, &manuscript.Heading{Level: 1, Inlines: text(words(at, 3))},
					&manuscript.Quote{Blocks: []manuscript.Block{para(words(at+3, 147))}})
			}
		}
		b.Sections = append(b.Sections, s)
	}
	s := specOf("en")
	s.Hyphenate, s.ChapterLabel = false, false
	set, report, err := layout.Set(context.Background(), b, s, layout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Created: created}
	for _, p := range report.Starts {
		o.Pages = append(o.Pages, PageRef(p))
	}
	first := map[string]string{} // word of each page by its folio
	for _, p := range set.Pages {
		for _, m := range p.Marks {
			if g, ok := m.(printed.Glyphs); ok && strings.ContainsAny(g.Text, "abcdefghijklmnopqrstuvwxyz") {
				first[p.Folio] = strings.Fields(g.Text)[0]
				break
			}
		}
	}
	checked := 0
	for name, body := range files(t, write(t, b, s, o)) {
		if !strings.HasPrefix(name, "s0") {
			continue
		}
		for _, at := range markOf.FindAllStringSubmatchIndex(body, -1) {
			folio := body[at[2]:at[3]]
			text := strings.Fields(tags.ReplaceAllString(body[at[1]:], " "))
			want := first[folio]
			if want == "A" || strings.HasPrefix(strings.Join(text, ""), "Achapter") { // an opener
				continue
			}
			checked++
			if len(text) == 0 || !strings.HasPrefix(text[0], want) {
				t.Errorf("page %s begins with %q in print, with %q in %s", folio, want, text[:min(len(text), 3)], name)
			}
		}
	}
	if checked < 20 || len(o.Pages) < 20 {
		t.Errorf("%d pages were looked at of %d", checked, len(o.Pages))
	}
}
