package layout

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// hostile are manuscripts that ask for more than a page can give.
func hostile(t testing.TB) map[string]manuscript.Book {
	text := func(s string) manuscript.Block {
		return &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: s}}}
	}
	chapter := func(blocks ...manuscript.Block) manuscript.Book {
		return manuscript.Book{Sections: []manuscript.Section{{Kind: manuscript.KindChapter,
			Title: []manuscript.Inline{manuscript.Text{S: "One"}}, Blocks: blocks}}}
	}
	out := map[string]manuscript.Book{
		"a word of 200,000 letters":    chapter(text(strings.Repeat("a", 200_000))),
		"a paragraph of 160,000 words": chapter(text(strings.Repeat("word and ", 80_000))),
		"no sections":                  {},
		"empty sections":               {Sections: make([]manuscript.Section, 500)},
		"a title of 20,000 words": {Sections: []manuscript.Section{{Kind: manuscript.KindChapter,
			Title: []manuscript.Inline{manuscript.Text{S: strings.Repeat("title ", 20_000)}}, Blocks: []manuscript.Block{text("x")}}}},
		"a heading of 5,000 words": chapter(&manuscript.Heading{Level: 1,
			Inlines: []manuscript.Inline{manuscript.Text{S: strings.Repeat("title ", 5_000)}}}, text("x")),
		"headings alone": chapter(repeat(&manuscript.Heading{Level: 1,
			Inlines: []manuscript.Inline{manuscript.Text{S: "h"}}}, 300)...),
		"breaks alone": chapter(append(repeat(&manuscript.PageBreak{}, 1000),
			repeat(&manuscript.SceneBreak{}, 1000)...)...),
		"verse of one stanza": chapter(&manuscript.Verse{Stanzas: [][]manuscript.VerseLine{make([]manuscript.VerseLine, 3000),
			{{Inlines: []manuscript.Inline{manuscript.Text{S: "v"}}, Indent: 1 << 40}}}}),
		"code of one line": chapter(&manuscript.Code{Lines: []string{strings.Repeat("x y", 20_000)}}),
		"a caption of 3,000 words": chapter(&manuscript.Figure{Image: 7,
			Caption: []manuscript.Inline{manuscript.Text{S: strings.Repeat("word ", 3000)}}}),
		"a number that is no number": chapter(&manuscript.List{Ordered: true, Start: 1 << 62, Format: "upper-roman",
			Items: [][]manuscript.Block{{text("x")}, {text("y")}}}),
		"negative spans and other values": chapter(&manuscript.Table{HeadRows: -3, Widths: []float64{-1, 0},
			Rows: []manuscript.Row{{Cells: []manuscript.Cell{{ColSpan: -4}, {ColSpan: 1 << 40, Blocks: []manuscript.Block{text("x")}}}},
				{}}}),
	}
	wide := &manuscript.Table{Rows: make([]manuscript.Row, 20)}
	for i := range wide.Rows {
		for range 1000 {
			wide.Rows[i].Cells = append(wide.Rows[i].Cells,
				manuscript.Cell{ColSpan: 1, RowSpan: 1, Blocks: []manuscript.Block{text("cell")}})
		}
	}
	out["a table of 1,000 columns"] = chapter(wide)
	high := &manuscript.Table{HeadRows: 1, Rows: []manuscript.Row{{Cells: []manuscript.Cell{{Blocks: []manuscript.Block{text("h")}}}},
		{Cells: []manuscript.Cell{{Blocks: []manuscript.Block{text(strings.Repeat("word ", 8000))}},
			{Blocks: []manuscript.Block{text("x")}}}}}}
	out["a row of many pages"] = chapter(high)
	var deep, lists manuscript.Block = text("x"), text("x")
	for range 50 {
		deep = &manuscript.Quote{Blocks: []manuscript.Block{text("in"), deep}}
		lists = &manuscript.List{Items: [][]manuscript.Block{{text("in"), lists}}}
	}
	out["quotations 50 deep"], out["lists 50 deep"] = chapter(deep), chapter(lists)
	tables := manuscript.Block(text("x"))
	for range 50 {
		tables = &manuscript.Table{Rows: []manuscript.Row{{Cells: []manuscript.Cell{{Blocks: []manuscript.Block{tables}},
			{Blocks: []manuscript.Block{text("y")}}}}}}
	}
	out["tables 50 deep"] = chapter(tables)
	noted := chapter()
	for i := range 10_000 {
		noted.Notes = append(noted.Notes,
			manuscript.Note{Blocks: []manuscript.Block{text("note"),
				&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.NoteRef{Note: i}}}}})
		noted.Sections[0].Blocks = append(noted.Sections[0].Blocks,
			&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "word"}, manuscript.NoteRef{Note: i},
				manuscript.NoteRef{Note: i + 1}}})
	}
	out["10,000 notes"] = noted
	one := chapter(&manuscript.Paragraph{})
	for i := range 2_000 {
		one.Notes = append(one.Notes, manuscript.Note{Blocks: []manuscript.Block{text("note")}})
		p := one.Sections[0].Blocks[0].(*manuscript.Paragraph)
		p.Inlines = append(p.Inlines, manuscript.Text{S: "w"}, manuscript.NoteRef{Note: i})
	}
	out["2,000 notes of one paragraph"] = one
	long := chapter(&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "w"}, manuscript.NoteRef{}}}, text("after"))
	long.Notes = []manuscript.Note{{Blocks: []manuscript.Block{text(strings.Repeat("word ", 30_000))}}}
	out["a note of 100 pages"] = long
	tall := chapter(&manuscript.Figure{Image: 0, WidthMM: 1e9}, &manuscript.Figure{Image: 1},
		&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.InlineImage{Image: 0}, manuscript.InlineImage{Image: -1},
			manuscript.InlineImage{Image: 9}}})
	tall.Images = []manuscript.Image{{Width: 1, Height: 1 << 40}, {Width: 0, Height: 0}}
	out["pictures higher than a page"] = tall
	return out
}

func repeat(b manuscript.Block, n int) []manuscript.Block {
	out := make([]manuscript.Block, n)
	for i := range out {
		out[i] = b
	}
	return out
}

// Whatever it is, it is set or refused within seconds and a bounded memory.
func TestHostile(t *testing.T) {
	for name, b := range hostile(t) {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
			defer stop()
			for _, s := range []spec.Spec{spec.Default(), small()} {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				begin := time.Now()
				out, r, err := Set(ctx, b, s, Options{Proof: "PROOF"})
				runtime.ReadMemStats(&after)
				t.Logf("%v, %d MB in all, %d pages, %v", time.Since(begin).Round(time.Millisecond),
					(after.TotalAlloc-before.TotalAlloc)>>20, r.Pages, err)
				if ctx.Err() != nil {
					t.Fatal("no end within five minutes")
				}
				if err == nil {
					sound(t, out, r)
				} else if !strings.Contains(err.Error(), "pages") {
					t.Error(err)
				}
			}
		})
	}
}

func small() spec.Spec {
	s := spec.Default()
	s.Trim, s.FirstLine, s.Notes = spec.Trim{WidthMM: 90, HeightMM: 140}, spec.FirstDropCap, spec.NotesFoot
	return s
}
