package manuscript

import (
	"fmt"
	"testing"
)

// TestMatter: front and back matter keep the order of the manuscript, the contents their place in it.
func TestMatter(t *testing.T) {
	for _, c := range []struct {
		name  string
		kinds []Kind
		want  string
	}{
		{"usual", []Kind{KindHalfTitle, KindTitlePage, KindCopyright, KindDedication, KindContents, KindForeword, KindChapter,
			KindAfterword}, "{[1 2 3] [5] [6 7]}"},
		{"no contents: in front of the first preface", []Kind{KindTitlePage, KindDedication, KindPreface, KindEpigraph, KindChapter},
			"{[0 1] [2 3] [4]}"},
		{"colophon behind the contents", []Kind{KindTitlePage, KindContents, KindCopyright, KindChapter}, "{[0] [2] [3]}"},
		{"colophon at the end", []Kind{KindTitlePage, KindChapter, KindChapter, KindCopyright}, "{[0] [] [1 2 3]}"},
		{"preface in front of the contents", []Kind{KindPreface, KindContents, KindChapter}, "{[0] [] [2]}"},
		{"an unknown page between", []Kind{KindTitlePage, KindOther, KindDedication, KindChapter}, "{[0 1 2] [] [3]}"},
		{"an unknown page in front of the chapters", []Kind{KindTitlePage, KindOther, KindChapter, KindIndex}, "{[0] [] [1 2 3]}"},
		{"contents at the end", []Kind{KindChapter, KindContents}, "{[] [] [0]}"},
		{"nothing but front", []Kind{KindTitlePage, KindPreface}, "{[0] [1] []}"},
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
