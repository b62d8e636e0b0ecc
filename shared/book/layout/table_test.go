package layout

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// spanned is a cell of a text that reaches over columns and rows.
func spanned(s string, columns, rows int) manuscript.Cell {
	return manuscript.Cell{ColSpan: columns, RowSpan: rows,
		Blocks: []manuscript.Block{&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: s}}}}}
}

func tableBook(blocks ...manuscript.Block) manuscript.Book {
	return manuscript.Book{Meta: manuscript.Meta{Language: "en"},
		Sections: []manuscript.Section{{Kind: manuscript.KindChapter, Title: []manuscript.Inline{manuscript.Text{S: "One"}},
			Blocks: blocks}}}
}

// where finds the run that begins with a text.
func where(t *testing.T, b *page.Book, text string) (at int, g page.Glyphs) {
	t.Helper()
	for i, p := range b.Pages {
		for _, m := range p.Marks {
			if g, ok := m.(page.Glyphs); ok && strings.HasPrefix(g.Text, text) {
				return i, g
			}
		}
	}
	t.Fatalf("%s stands nowhere", text)
	return 0, g
}

// What stands beside a cell that reaches over rows stands in its own column, on its own line.
func TestCellsReachOverRows(t *testing.T) {
	table := &manuscript.Table{Widths: []float64{0.4, 0.3, 0.3}, Rows: []manuscript.Row{
		{Cells: []manuscript.Cell{spanned("Tall", 1, 3), spanned("Wide", 2, 1)}},
		{Cells: []manuscript.Cell{spanned("Left", 1, 1), spanned("Right", 1, 2)}},
		{Cells: []manuscript.Cell{spanned("Under", 1, 1)}},
	}}
	out, r := set(t, tableBook(table), spec.Default(), Options{})
	sound(t, out, r)
	at := map[string]page.Glyphs{}
	for _, w := range []string{"Tall", "Wide", "Left", "Right", "Under"} {
		_, at[w] = where(t, out, w)
	}
	if at["Tall"].Y != at["Wide"].Y || at["Left"].Y <= at["Wide"].Y || at["Right"].Y != at["Left"].Y || at["Under"].Y <= at["Left"].Y {
		t.Errorf("lines: %+v", at)
	}
	under := func(a, b string) bool { // letters hang a little over the edge of a column
		d := at[a].X - at[b].X
		return d > -1000 && d < 1000
	}
	if !under("Wide", "Left") || !under("Under", "Left") || at["Right"].X < at["Left"].X+30_000 || at["Left"].X < at["Tall"].X+30_000 {
		t.Errorf("columns: %+v", at)
	}
}

// No word of a narrow column is cut while a wide one has room.
func TestColumnsHoldTheirWords(t *testing.T) {
	long := strings.Repeat("The harbour master noted in that year that the lantern had been broken. ", 4)
	table := &manuscript.Table{Rows: []manuscript.Row{{Cells: []manuscript.Cell{spanned("Jahr", 1, 1), spanned("Laternenanzünder", 1, 1),
		spanned(long, 1, 1)}}}}
	for _, y := range []string{"1888", "1879", "WWWW"} {
		table.Rows = append(table.Rows, manuscript.Row{Cells: []manuscript.Cell{spanned(y, 1, 1), spanned("1", 1, 1), spanned(long, 1, 1)}})
	}
	out, r := set(t, tableBook(table), spec.Default(), Options{})
	sound(t, out, r)
	for _, w := range []string{"Jahr", "Laternenanzünder", "1888", "1879", "WWWW"} {
		where(t, out, w)
	}
}

// Figures of tables are as wide as each other, so that those of a column stand under each other.
func TestFiguresOfTables(t *testing.T) {
	table := &manuscript.Table{Rows: []manuscript.Row{{Cells: []manuscript.Cell{spanned("1170", 1, 1)}},
		{Cells: []manuscript.Cell{spanned("8468", 1, 1)}}}}
	out, _ := set(t, tableBook(table), spec.Default(), Options{})
	_, a := where(t, out, "1170")
	_, b := where(t, out, "8468")
	for i := range a.Glyphs {
		if d := a.Glyphs[i].Advance - b.Glyphs[i].Advance; d < -1 || d > 1 { // rounding
			t.Errorf("%s is %d wide, %s %d", a.Glyphs[i].Text, a.Glyphs[i].Advance, b.Glyphs[i].Text, b.Glyphs[i].Advance)
		}
	}
}

// A page ends between groups of rows, not inside one that a cell reaches over, where a page can hold it; a
// longer group goes on on the next page, and the cell with it.
func TestPagesEndBetweenSpans(t *testing.T) {
	w := &writer{}
	table := &manuscript.Table{HeadRows: 1,
		Rows: []manuscript.Row{{Cells: []manuscript.Cell{spanned("Group", 1, 1), spanned("Entry", 1, 1)}}}}
	for range 15 {
		first := w.text("T", 12)
		for k := range 5 {
			row := manuscript.Row{Cells: []manuscript.Cell{spanned(w.text("T", 5), 1, 1)}}
			if k == 0 {
				row.Cells = slices.Insert(row.Cells, 0, spanned(first, 1, 5))
			}
			table.Rows = append(table.Rows, row)
		}
	}
	s := spec.Default()
	s.Hyphenate = false
	b := tableBook(table)
	out, r := set(t, b, s, Options{})
	sound(t, out, r)
	onPage := map[string]int{}
	for i, p := range out.Pages {
		for _, words := range texts(p) {
			for w := range strings.FieldsSeq(words) {
				onPage[w] = i
			}
		}
	}
	last := 0
	for i := 1; i < len(table.Rows); i += 5 {
		pages := map[int]bool{}
		for _, row := range table.Rows[i : i+5] {
			for _, c := range row.Cells {
				for w := range strings.FieldsSeq(manuscript.Plain(c.Blocks[0].(*manuscript.Paragraph).Inlines)) {
					pages[onPage[w]], last = true, onPage[w]
				}
			}
		}
		if len(pages) != 1 {
			t.Errorf("rows %d to %d stand on pages %v", i, i+4, pages)
		}
	}
	if last < 2 {
		t.Fatalf("the table ends on page %d: nothing was tried", last)
	}

	long := &manuscript.Table{Rows: []manuscript.Row{{Cells: []manuscript.Cell{spanned(w.text("T", 400), 1, 90),
		spanned(w.text("T", 2), 1, 1)}}}}
	for range 89 {
		long.Rows = append(long.Rows, manuscript.Row{Cells: []manuscript.Cell{spanned(w.text("T", 2), 1, 1)}})
	}
	b = tableBook(long)
	want, _ := said(b)
	out, r = set(t, b, s, Options{})
	sound(t, out, r)
	count, _ := shownWords(out)
	for x := range want {
		if count[x] != 1 {
			t.Errorf("%s stands on the pages %d times", x, count[x])
		}
	}
	if len(out.Pages) < 4 {
		t.Errorf("90 rows on %d pages", len(out.Pages))
	}
}

// Small tables stand on one page, and no row of another alone on one. Nothing is lost where a table with a
// caption lets the text behind it come first, and those with captions keep their order.
func TestTablesAreParted(t *testing.T) {
	parted, moved := 0, 0
	sp := spec.Default()
	sp.Hyphenate = false // words are looked for
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 8))
		w := &writer{}
		var blocks []manuscript.Block
		var tables []*manuscript.Table
		for range 14 {
			for range 1 + r.IntN(6) {
				blocks = append(blocks, w.paragraph("X", 20+r.IntN(120)))
			}
			table := &manuscript.Table{HeadRows: r.IntN(2), Rows: make([]manuscript.Row, 3+r.IntN(20))}
			if r.IntN(3) > 0 {
				table.Rows = table.Rows[:min(len(table.Rows), 8)]
			}
			if r.IntN(3) > 0 {
				table.Caption = w.inlines("C", 3)
			}
			for i := range table.Rows {
				table.Rows[i].Cells = []manuscript.Cell{spanned(w.text("T", 1), 1, 1), spanned(w.text("T", 1), 1, 1)}
			}
			blocks, tables = append(blocks, table), append(tables, table)
		}
		b := tableBook(blocks...)
		out, report := set(t, b, sp, Options{})
		sound(t, out, report)
		want, _ := said(b)
		count, _ := shownWords(out)
		at := map[string]int{} // the last page a word stands on: heads are repeated
		order := map[string]int{}
		for i, p := range out.Pages {
			for _, words := range texts(p) {
				for x := range strings.FieldsSeq(words) {
					at[x], order[x] = i, len(order)
				}
			}
		}
		for x := range want {
			if count[x] == 0 {
				t.Errorf("seed %d: %s is lost", seed, x)
			}
		}
		before := 0
		for _, table := range tables {
			first := func(i int) string {
				return strings.Fields(manuscript.Plain(table.Rows[i].Cells[0].Blocks[0].(*manuscript.Paragraph).Inlines))[0]
			}
			rows := map[int]int{}
			for i := table.HeadRows; i < len(table.Rows); i++ {
				rows[at[first(i)]]++
			}
			if len(table.Rows) <= 9 && len(rows) > 1 {
				t.Errorf("seed %d: a table of %d rows is parted: %v", seed, len(table.Rows), rows)
			}
			for p, n := range rows {
				if n == 1 && len(table.Rows)-table.HeadRows > 1 {
					t.Errorf("seed %d: one of %d rows stands alone on page %d: %v", seed, len(table.Rows), p, rows)
				}
			}
			if len(rows) > 1 {
				parted++
			}
			if now := order[first(table.HeadRows)]; now < before {
				t.Errorf("seed %d: a table stands in front of an earlier one", seed)
			} else {
				before = now
			}
		}
		for i := 1; i < len(blocks); i++ {
			p, ok := blocks[i].(*manuscript.Paragraph)
			table, isTable := blocks[i-1].(*manuscript.Table)
			if ok && isTable && order[strings.Fields(manuscript.Plain(p.Inlines))[0]] < order[strings.Fields(
				manuscript.Plain(table.Rows[table.HeadRows].Cells[0].Blocks[0].(*manuscript.Paragraph).Inlines))[0]] {
				moved++
				if len(table.Caption) == 0 {
					t.Errorf("seed %d: a table without a caption has moved", seed)
				}
			}
		}
	}
	if parted < 5 || moved < 2 {
		t.Errorf("%d tables were parted and %d moved: nothing was tried", parted, moved)
	}
}

// Whatever cells reach over, every word stands on the pages once and every note at a foot.
func TestTablesOfAnySpans(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		w := &writer{}
		table := &manuscript.Table{HeadRows: r.IntN(3), Rows: make([]manuscript.Row, 4+r.IntN(30))}
		b := tableBook(table)
		for i := range table.Rows {
			for range 1 + r.IntN(4) {
				n := r.IntN(30)
				if seed%4 == 3 && r.IntN(20) == 0 {
					n = 900 // higher than half of a page
				}
				c := spanned(w.text("T", n), 1+r.IntN(2), 1+r.IntN(4)*r.IntN(2))
				if p := c.Blocks[0].(*manuscript.Paragraph); r.IntN(9) == 0 && i >= table.HeadRows {
					b.Notes = append(b.Notes, manuscript.Note{Blocks: []manuscript.Block{w.paragraph("N", 5)}})
					p.Inlines = append(p.Inlines, manuscript.NoteRef{Note: len(b.Notes) - 1})
				}
				if r.IntN(9) == 0 && i >= table.HeadRows { // a table in a cell is set as its text
					c.Blocks = append(c.Blocks, &manuscript.Table{
						Rows: []manuscript.Row{{Cells: []manuscript.Cell{spanned(w.text("T", 3), 1, 1), spanned(w.text("T", 3), 1, 1)}}}})
				}
				table.Rows[i].Cells = append(table.Rows[i].Cells, c)
			}
		}
		b.Sections[0].Blocks = append(b.Sections[0].Blocks, w.paragraph("X", 20))
		s := spec.Default()
		s.Hyphenate, s.Trim, s.SizePt, s.LeadingPt = false, spec.Trim{WidthMM: 220, HeightMM: 220}, 8, 10 // no word is cut
		want, _ := said(b)
		out, rep := set(t, b, s, Options{})
		sound(t, out, rep)
		count, _ := shownWords(out)
		heads := map[string]bool{} // stand on every page
		for _, row := range table.Rows[:min(table.HeadRows, len(table.Rows))] {
			for _, c := range row.Cells {
				for x := range strings.FieldsSeq(manuscript.Plain(c.Blocks[0].(*manuscript.Paragraph).Inlines)) {
					heads[strings.Trim(x, ".,")] = true
				}
			}
		}
		for x := range want {
			if n := count[x]; n != 1 && !(n > 1 && heads[x]) {
				t.Errorf("seed %d: %s stands on the pages %d times", seed, x, n)
			}
		}
	}
}
