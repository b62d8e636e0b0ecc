package main

import (
	"fmt"
	"strings"

	"mappe/shared/book/manuscript"
)

// dialect is how another engine's source says what a book holds. Texts come escaped; blocks end with a line end.
type dialect struct {
	begin, end func(language string) string
	escape     func(string) string
	styled     func(s string, style manuscript.Style) string
	note       func(string) string
	chapter    func(title string) string
	heading    func(string) string
	paragraph  func(string) string
	scene      func(string) string
	quote      func(blocks string) string
	verse      func(stanzas [][]string) string
	list       func(ordered bool, items []string) string
	figure     func(file string, widthMM float64, caption string) string
	table      func(rows [][]string, caption string) string
}

// writer writes a book in a dialect: running text with its italics and notes, quotations, verse, lists,
// tables, figures and headings.
type writer struct {
	d        dialect
	book     *manuscript.Book
	pictures []string
}

func (w *writer) whole(language string) string {
	var o strings.Builder
	o.WriteString(w.d.begin(language))
	for i := range w.book.Sections {
		s := &w.book.Sections[i]
		title := w.inlines(s.Title)
		if title == "" {
			title = w.d.escape(s.Number)
		}
		if title != "" {
			o.WriteString(w.d.chapter(title))
		}
		o.WriteString(w.blocks(s.Blocks))
	}
	o.WriteString(w.d.end(language))
	return o.String()
}

func (w *writer) inlines(in []manuscript.Inline) string {
	var o strings.Builder
	for _, x := range in {
		switch x := x.(type) {
		case manuscript.Text:
			o.WriteString(w.d.styled(w.d.escape(x.S), x.Style))
		case manuscript.Link:
			o.WriteString(w.inlines(x.Inlines))
		case manuscript.LineBreak:
			o.WriteByte(' ')
		case manuscript.NoteRef:
			o.WriteString(w.d.note(w.plain(w.book.Notes[x.Note].Blocks)))
		}
	}
	return o.String()
}

// plain is the text of blocks in one piece, as a note or a cell holds it.
func (w *writer) plain(blocks []manuscript.Block) string {
	var parts []string
	for in := range manuscript.Passages(blocks) {
		parts = append(parts, w.inlines(in))
	}
	return strings.Join(parts, " ")
}

func (w *writer) blocks(blocks []manuscript.Block) string {
	var o strings.Builder
	for _, b := range blocks {
		o.WriteString(w.block(b))
	}
	return o.String()
}

func (w *writer) block(b manuscript.Block) string {
	switch b := b.(type) {
	case *manuscript.Paragraph:
		return w.d.paragraph(w.inlines(b.Inlines))
	case *manuscript.Heading:
		return w.d.heading(w.inlines(b.Inlines))
	case *manuscript.SceneBreak:
		return w.d.scene(w.d.escape("* * *"))
	case *manuscript.Quote:
		return w.d.quote(w.blocks(b.Blocks) + w.inlines(b.Attribution))
	case *manuscript.Verse:
		var stanzas [][]string
		for _, s := range b.Stanzas {
			var lines []string
			for _, l := range s {
				lines = append(lines, w.inlines(l.Inlines))
			}
			stanzas = append(stanzas, lines)
		}
		return w.d.verse(stanzas)
	case *manuscript.List:
		var items []string
		for _, item := range b.Items {
			items = append(items, w.plain(item))
		}
		return w.d.list(b.Ordered, items)
	case *manuscript.Figure:
		if b.Image >= 0 {
			return w.d.figure(w.pictures[b.Image], min(max(b.WidthMM, 40), 104), w.inlines(b.Caption))
		}
	case *manuscript.Table:
		var rows [][]string
		for _, r := range b.Rows {
			var cells []string
			for _, c := range r.Cells {
				cells = append(cells, w.plain(c.Blocks))
			}
			rows = append(rows, cells)
		}
		return w.d.table(rows, w.inlines(b.Caption))
	case *manuscript.Code:
		return w.d.paragraph(w.d.escape(strings.Join(b.Lines, " ")))
	}
	return ""
}

// columns is how many cells the longest row has.
func columns(rows [][]string) (n int) {
	for _, r := range rows {
		n = max(n, len(r))
	}
	return n
}

// each puts every text between two others.
func each(list []string, before, after string) string {
	var o strings.Builder
	for _, s := range list {
		fmt.Fprint(&o, before, s, after)
	}
	return o.String()
}
