package paginate

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func noteRows(lines int) int {
	if lines == 0 {
		return 0
	}
	return (lines*11+6+13)/14 + 0
}

// paragraph is n lines of one row, with a shorter and a longer variant at a cost.
func paragraph(n int, variants ...int) Block {
	var b Block
	for i, v := range append([]int{n}, variants...) {
		b.Variants = append(b.Variants, Variant{Lines: slices.Repeat([]Line{{Rows: 1}}, v), Cost: int64(i) * 3000})
	}
	return b
}

func chapter(rows int, blocks ...Block) Chapter {
	return Chapter{Blocks: blocks, Rows: rows, Recto: true, NoteRows: noteRows}
}

func cut(t *testing.T, c Chapter) []Page {
	t.Helper()
	pages, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	whole(t, c, pages)
	return pages
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// whole says whether every line and every line of every note stands on exactly one page, in order, and no
// page holds more than it can.
func whole(t fataler, c Chapter, pages []Page) {
	t.Helper()
	at, noted, note, noteLine := Pos{}, 0, 0, 0
	for i, p := range pages {
		if cmpPos(Pos{p.From.Block, 0, p.From.Line}, Pos{at.Block, 0, at.Line}) != 0 || p.From.Line > 0 && p.From.Variant != at.Variant {
			t.Fatalf("page %d begins at %v, the one before ended at %v", i, p.From, at)
		}
		rows := 0
		if len(p.Variants) > 0 && p.From != p.To {
			rows = c.Blocks[p.From.Block].Again
		}
		for k, v := range p.Variants {
			b := p.From.Block + k
			start, end := 0, len(c.Blocks[b].Variants[v].Lines)
			if k == 0 {
				start = p.From.Line
			}
			if b == p.To.Block {
				end = p.To.Line
			}
			if k > 0 || start == 0 && c.Blocks[b].Sink {
				rows += c.Blocks[b].Before
			}
			for _, l := range c.Blocks[b].Variants[v].Lines[start:end] {
				rows += l.Rows
				noted += len(l.Notes)
			}
		}
		foot := 0
		for _, part := range p.Notes {
			if part.Note != note || part.From != noteLine || part.To <= part.From {
				t.Fatalf("page %d: part %v, next is line %d of note %d", i, part, noteLine, note)
			}
			if note >= noted {
				t.Fatalf("page %d: note %d before its reference", i, note)
			}
			foot += part.To - part.From
			if noteLine = part.To; noteLine == c.Notes[note].Lines {
				note, noteLine = note+1, 0
			}
		}
		if foot > 0 {
			rows += c.NoteRows(foot)
		}
		if rows > c.Rows {
			t.Fatalf("page %d has %d rows of %d", i, rows, c.Rows)
		}
		at = p.To
	}
	if at.Block != len(c.Blocks) || note != len(c.Notes) {
		t.Fatalf("ended at %v, note %d of %d", at, note, len(c.Notes))
	}
}

func reasons(pages []Page) (out []string) {
	for i, p := range pages {
		for _, r := range p.Reasons.All() {
			out = append(out, fmt.Sprint(i, r))
		}
	}
	return out
}

// Ten rows, paragraphs of 6 and 5 lines: the last line of the second would stand alone.
func TestNoWidow(t *testing.T) {
	pages := cut(t, chapter(10, paragraph(6), paragraph(5), paragraph(6)))
	if got := reasons(pages); len(got) > 0 {
		t.Errorf("%v", got)
	}
	if pages[0].Short != 1 {
		t.Errorf("the first page is short by %d, want 1", pages[0].Short)
	}
}

// A longer or a shorter variant is taken before facing pages become uneven.
func TestVariantsKeepSpreadsEven(t *testing.T) {
	c := chapter(10, paragraph(10), paragraph(6), paragraph(5, 4), paragraph(10), paragraph(10), paragraph(10))
	pages := cut(t, c)
	if got := reasons(pages); len(got) > 0 {
		t.Errorf("%v", got)
	}
	if pages[1].Short != pages[2].Short {
		t.Errorf("facing pages short by %d and %d", pages[1].Short, pages[2].Short)
	}
}

func TestHeadingsStayWithTheirText(t *testing.T) {
	heading := Block{Before: 1, KeepNext: true, Whole: true, Variants: []Variant{{Lines: []Line{{Rows: 2}}}}}
	pages := cut(t, chapter(10, paragraph(8), heading, paragraph(8), paragraph(3)))
	if pages[0].To.Block != 1 {
		t.Errorf("the first page ends at %v", pages[0].To)
	}
}

func TestNotes(t *testing.T) {
	b := paragraph(12)
	b.Variants[0].Lines[8].Notes = []int{0}
	c := chapter(12, b, paragraph(20))
	c.Notes = []Note{{Lines: 12}}
	pages := cut(t, c)
	if len(pages) < 3 || len(pages[0].Notes) != 1 {
		t.Fatalf("%d pages, %+v", len(pages), pages)
	}
	c.Notes[0].Lines = 60 // longer than several pages
	cut(t, c)
}

func TestTooHigh(t *testing.T) {
	c := chapter(10, Block{Variants: []Variant{{Lines: []Line{{Rows: 11}}}}})
	if _, err := Run(context.Background(), c); err == nil {
		t.Error("a line of 11 rows on a page of 10")
	}
}

// What nothing allows is done all the same: a chain of headings longer than a page.
func TestRelaxed(t *testing.T) {
	heading := Block{KeepNext: true, Whole: true, Variants: []Variant{{Lines: []Line{{Rows: 2}, {Rows: 2}}}}}
	cut(t, chapter(10, heading, heading, heading, heading, paragraph(1)))
}

func TestAnyChapter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := chapter(rapid.IntRange(5, 30).Draw(t, "rows"))
		c.Recto = rapid.Bool().Draw(t, "recto")
		for range rapid.IntRange(1, 25).Draw(t, "blocks") {
			n := rapid.IntRange(1, 14).Draw(t, "lines")
			b := paragraph(n)
			if n > 2 && rapid.Bool().Draw(t, "varied") {
				b = paragraph(n, n-1, n+1)
			}
			b.Before = rapid.IntRange(0, 2).Draw(t, "before")
			b.KeepNext = rapid.IntRange(0, 6).Draw(t, "keep") == 0
			if rapid.IntRange(0, 6).Draw(t, "again") == 0 {
				b.Again = 1
			}
			b.Whole = rapid.IntRange(0, 6).Draw(t, "whole") == 0
			if rapid.IntRange(0, 3).Draw(t, "noted") == 0 {
				id := len(c.Notes)
				c.Notes = append(c.Notes, Note{Lines: rapid.IntRange(1, 20).Draw(t, "note")})
				for v := range b.Variants {
					b.Variants[v].Lines = slices.Clone(b.Variants[v].Lines)
					b.Variants[v].Lines[len(b.Variants[v].Lines)/2].Notes = []int{id}
				}
			}
			c.Blocks = append(c.Blocks, b)
		}
		pages, err := Run(context.Background(), c)
		if err != nil {
			t.Fatalf("%v", err)
		}
		whole(t, c, pages)
	})
}

func BenchmarkRun(b *testing.B) {
	c := chapter(36)
	for i := range 400 { // about 80 pages
		n := 2 + i*7%12
		c.Blocks = append(c.Blocks, paragraph(n, n+1, max(1, n-1)))
	}
	for b.Loop() {
		if _, err := Run(context.Background(), c); err != nil {
			b.Fatal(err)
		}
	}
}
