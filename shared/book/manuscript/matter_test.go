package manuscript

import (
	"fmt"
	"testing"
)

// TestMatter: front and back matter keep the order of the manuscript, the contents their place in it.
func TestMatter(t *testing.T) {
	for _, c := range []struct {
		name  string
		kinds []SectionKind
		want  string
	}{
		{"usual", []SectionKind{KindHalfTitle, KindTitlePage, KindCopyright, KindDedication, KindContents, KindForeword, KindChapter,
			KindAfterword}, "{[1 2 3] [5] [6 7]}"},
		{"no contents: in front of the first preface", []SectionKind{KindTitlePage, KindDedication, KindPreface, KindEpigraph, KindChapter},
			"{[0 1] [2 3] [4]}"},
		{"colophon behind the contents", []SectionKind{KindTitlePage, KindContents, KindCopyright, KindChapter}, "{[0] [2] [3]}"},
		{"colophon at the end", []SectionKind{KindTitlePage, KindChapter, KindChapter, KindCopyright}, "{[0] [] [1 2 3]}"},
		{"preface in front of the contents", []SectionKind{KindPreface, KindContents, KindChapter}, "{[0] [] [2]}"},
		{"an unknown page between", []SectionKind{KindTitlePage, KindOther, KindDedication, KindChapter}, "{[0 1 2] [] [3]}"},
		{"an unknown page in front of the chapters", []SectionKind{KindTitlePage, KindOther, KindChapter, KindIndex}, "{[0] [] [1 2 3]}"},
		{"contents at the end", []SectionKind{KindChapter, KindContents}, "{[] [] [0]}"},
		{"nothing but front", []SectionKind{KindTitlePage, KindPreface}, "{[0] [1] []}"},
		{"empty", nil, "{[] [] []}"},
	} {
		var b Book
		for _, k := range c.kinds {
			b.Sections = append(b.Sections, Section{Kind: k})
		}
		if got := fmt.Sprint(b.Matter()); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
