package pdf_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"mappe/shared/book/layout"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/pdf"
	"mappe/shared/book/spec"
)

// book is about 110 pages of words in changing order.
func book(b *testing.B) *page.Book {
	b.Helper()
	words := strings.Fields("the surveyor had measured nine valleys before the first snow of that office year, and “nobody” affirmed what his difficult fjord of figures meant; even so, a quiet clerk waxed every ledger by lamp light")
	seed := uint32(1)
	var m manuscript.Book
	for n := range 12 {
		s := manuscript.Section{Kind: manuscript.KindChapter, Number: fmt.Sprint(n + 1), Title: []manuscript.Inline{manuscript.Text{S: "A chapter"}}}
		for range 34 {
			var t strings.Builder
			for i := range 90 {
				seed = seed*1664525 + 1013904223
				if i > 0 {
					t.WriteByte(' ')
				}
				t.WriteString(words[seed>>16%uint32(len(words))])
			}
			s.Blocks = append(s.Blocks, &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: t.String() + "."}}})
		}
		m.Sections = append(m.Sections, s)
	}
	set, _, err := layout.Set(context.Background(), m, spec.Default(), layout.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return set
}

func BenchmarkWrite(b *testing.B) {
	set := book(b)
	b.ReportMetric(float64(len(set.Pages)), "pages")
	b.ReportAllocs()
	for b.Loop() {
		if err := pdf.Write(io.Discard, set, pdf.Options{Kind: pdf.X1a, Created: time.Unix(0, 0)}); err != nil {
			b.Fatal(err)
		}
	}
}
