package layout

import (
	"slices"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/layout/paginate"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// A figure that does not fit leaves no hole: the text behind it goes on, and nothing is lost.
func TestFiguresMakeWay(t *testing.T) {
	w := &writer{}
	b := manuscript.Book{Meta: manuscript.Meta{Title: "Figures", Language: "en"}, Images: []manuscript.Image{picture(t, 600, 600)}}
	s := manuscript.Section{Kind: manuscript.KindChapter, Title: []manuscript.Inline{manuscript.Text{S: "One"}}}
	for i := range 60 {
		s.Blocks = append(s.Blocks, w.paragraph("X", 40+i%7*10))
		if i%6 == 3 {
			s.Blocks = append(s.Blocks, &manuscript.Figure{Image: 0, Alt: "a square", WidthMM: 90, Caption: w.inlines("F", 5)})
		}
	}
	b.Sections = append(b.Sections, s)
	want, order := said(b)
	sp := spec.Default()
	sp.Hyphenate = false
	out, r := set(t, b, sp, Options{})
	sound(t, out, r)
	count, prose := shownWords(out)
	for x := range want {
		if count[x] != 1 {
			t.Errorf("%s stands on the pages %d times", x, count[x])
		}
	}
	if !slices.Equal(order, prose) {
		t.Error("running text is out of order")
	}
	pictures := 0
	for _, p := range out.Pages {
		for _, m := range p.Marks {
			if _, ok := m.(page.Picture); ok {
				pictures++
			}
		}
	}
	short := 0
	for _, f := range r.Faults {
		if slices.Contains(f.Reasons, paginate.ShortPage) || slices.Contains(f.Reasons, paginate.Uneven) {
			short++
		}
	}
	if pictures != 10 || short > 1 {
		t.Errorf("%d pictures, %d short or uneven pages of %d: %v", pictures, short, len(out.Pages), r.Faults)
	}
}
