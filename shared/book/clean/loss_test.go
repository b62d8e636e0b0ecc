package clean

import (
	"strings"
	"testing"
	"unicode"

	"mappe/localdev/demo/sample"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// letters are all letters of a book, in order.
func letters(b manuscript.Book) string {
	var w strings.Builder
	add := func(in []manuscript.Inline) { w.WriteString(manuscript.Flow(in)) }
	var blocks func([]manuscript.Block)
	blocks = func(bs []manuscript.Block) {
		for _, b := range bs {
			switch b := b.(type) {
			case *manuscript.Paragraph:
				add(b.Inlines)
			case *manuscript.Heading:
				add(b.Inlines)
			case *manuscript.Figure:
				add(b.Caption)
			case *manuscript.Table:
				add(b.Caption)
				for _, r := range b.Rows {
					for _, c := range r.Cells {
						blocks(c.Blocks)
					}
				}
			case *manuscript.List:
				for _, it := range b.Items {
					blocks(it)
				}
			case *manuscript.Quote:
				blocks(b.Blocks)
				add(b.Attribution)
			case *manuscript.Verse:
				for _, st := range b.Stanzas {
					for _, l := range st {
						add(l.Inlines)
					}
				}
				add(b.Attribution)
			}
		}
	}
	for _, s := range b.Sections {
		add(s.Title)
		add(s.Subtitle)
		blocks(s.Blocks)
	}
	for _, n := range b.Notes {
		blocks(n.Blocks)
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) {
			return c
		}
		return -1
	}, w.String())
}

// TestNothingIsLost: a repair changes no letter of a book and loses none, whatever it mends. The word
// "Chapter" of a title goes into the section's number.
func TestNothingIsLost(t *testing.T) {
	faults := []finding.Type{finding.StraightQuotes, finding.DoubleSpace, finding.TabIndent, finding.DoubleHyphen, finding.ThreeDots,
		finding.SoftHyphen, finding.ZeroWidth,
		finding.EmptyParagraphs, finding.ManualPageBreak, finding.UnderlineEmphasis, finding.SoftReturn, finding.FakeHeading,
		finding.ManualNumbering, finding.HeadingLevelSkip,
		finding.FrontMatterUnclear, finding.UnmatchedQuotes, finding.NonBreakingSpace, finding.KeptSceneBreak}
	for seed := range uint64(4) {
		for _, language := range []string{"en", "de"} {
			m := sample.Make(sample.Options{Language: language, Words: 12_000, Seed: seed, Rich: true, Matter: true, Index: true,
				Plant: faults})
			got, _ := Repair(m.Book, Options{})
			word := strings.NewReplacer("Chapter", "", "Kapitel", "")
			if want, got := word.Replace(letters(m.Book)), word.Replace(letters(got)); want != got {
				i := 0
				for i < len(want) && i < len(got) && want[i] == got[i] {
					i++
				}
				t.Errorf("seed %d %s: letters differ at …%.60q, want …%.60q", seed, language, got[max(0, i-10):], want[max(0, i-10):])
			}
		}
	}
}
