package main

import (
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
)

// Every other engine is given all that the book holds.
func TestDialects(t *testing.T) {
	text := func(s string) []manuscript.Inline { return []manuscript.Inline{manuscript.Text{S: s}} }
	paragraph := func(s string) manuscript.Block { return &manuscript.Paragraph{Inlines: text(s)} }
	book := manuscript.Book{
		Notes: []manuscript.Note{{Blocks: []manuscript.Block{paragraph("noted")}}},
		Sections: []manuscript.Section{{Title: text("titled"), Blocks: []manuscript.Block{
			&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "running"}, manuscript.NoteRef{},
				manuscript.Text{S: "slanted", Style: manuscript.Italic}, manuscript.Text{S: "heavy", Style: manuscript.Bold}}},
			&manuscript.Heading{Level: 1, Inlines: text("headed")},
			&manuscript.Quote{Blocks: []manuscript.Block{paragraph("quoted")}, Attribution: text("attributed")},
			&manuscript.Verse{Stanzas: [][]manuscript.VerseLine{{{Inlines: text("versed")}, {Inlines: text("rhymed")}}}},
			&manuscript.List{Items: [][]manuscript.Block{{paragraph("listed")}}},
			&manuscript.Figure{Image: 0, Caption: text("drawn")},
			&manuscript.Table{Caption: text("tabled"),
				Rows: []manuscript.Row{{Cells: []manuscript.Cell{{Blocks: []manuscript.Block{paragraph("celled")}}}}}},
		}}, {Number: "XIV"}},
	}
	for name, d := range map[string]dialect{"tex": tex, "html": page, "typst": typst} {
		w := writer{d: d, book: &book, pictures: []string{"pictured.png"}}
		got := w.whole("de-AT")
		for _, want := range strings.Fields(
			"titled running noted slanted heavy headed quoted attributed versed rhymed listed drawn pictured.png tabled celled XIV") {
			if strings.Count(got, want) != 1 {
				t.Errorf("%s: %q stands %d times in\n%s", name, want, strings.Count(got, want), got)
			}
		}
	}
}
