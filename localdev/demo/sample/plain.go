package sample

import (
	"fmt"
	"strings"

	"mappe/shared/book/manuscript"
)

// Text is the manuscript as plain text: a blank line ends a paragraph, _x_ is italic. Notes, tables and
// pictures are left out.
func (m *Manuscript) Text() []byte {
	var b strings.Builder
	for i := range m.Book.Sections {
		sec := &m.Book.Sections[i]
		if len(sec.Title) > 0 {
			b.WriteString("\n\n" + flat(sec.Title, "") + "\n\n\n")
		}
		for _, x := range sec.Blocks {
			switch x := x.(type) {
			case *manuscript.Paragraph:
				if s := flat(x.Inlines, "_"); s != "" {
					b.WriteString(s + "\n\n")
				}
			case *manuscript.Quote:
				for _, q := range x.Blocks {
					if p, ok := q.(*manuscript.Paragraph); ok {
						b.WriteString("    " + flat(p.Inlines, "_") + "\n\n")
					}
				}
			}
		}
	}
	return []byte(b.String())
}

// flat is the text of inlines with a mark around italics.
func flat(in []manuscript.Inline, italic string) string {
	var b strings.Builder
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			if i.Style.Has(manuscript.Italic) {
				b.WriteString(italic + i.S + italic)
			} else {
				b.WriteString(i.S)
			}
		case manuscript.LineBreak:
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Markdown is the manuscript as Markdown with footnotes, tables and images by name.
func (m *Manuscript) Markdown() []byte {
	w := &markdown{m: m}
	w.b.WriteString("---\ntitle: \"" + m.Book.Meta.Title + "\"\nauthor: \"" + m.Book.Meta.Author + "\"\nlang: " + m.Book.Meta.Language +
		"\n---\n\n")
	for i := range m.Book.Sections {
		sec := &m.Book.Sections[i]
		if len(sec.Title) > 0 {
			w.b.WriteString("# " + w.inlines(sec.Title) + "\n\n")
		} else if i == 0 {
			continue // the head of the file says it
		}
		for _, b := range sec.Blocks {
			w.block(b, "")
		}
	}
	for i, n := range m.Book.Notes {
		for _, b := range n.Blocks {
			if p, ok := b.(*manuscript.Paragraph); ok {
				fmt.Fprintf(&w.b, "[^%d]: %s\n\n", i+1, w.inlines(p.Inlines))
			}
		}
	}
	return []byte(w.b.String())
}

type markdown struct {
	m *Manuscript
	b strings.Builder
}

var markdownText = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`", "#", `\#`, "\t",
	"    ")

func (w *markdown) inlines(in []manuscript.Inline) string {
	var b strings.Builder
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			mark := ""
			if i.Style.Has(manuscript.Italic) || i.Style.Has(manuscript.Underline) {
				mark = "*"
			}
			if i.Style.Has(manuscript.Bold) {
				mark = "**"
			}
			b.WriteString(mark + markdownText.Replace(i.S) + mark)
		case manuscript.LineBreak:
			b.WriteString("\\\n")
		case manuscript.NoteRef:
			fmt.Fprintf(&b, "[^%d]", i.Note+1)
		}
	}
	return b.String()
}

func (w *markdown) block(b manuscript.Block, lead string) {
	switch b := b.(type) {
	case *manuscript.Paragraph:
		s := w.inlines(b.Inlines)
		switch {
		case s == `\* \* \*`:
			s = "* * *"
		case len(s) > 1 && s[0] >= '0' && s[0] <= '9':
			s = strings.Replace(s, ". ", `\. `, 1)
		}
		if s != "" {
			w.b.WriteString(lead + strings.ReplaceAll(s, "\n", "\n"+lead) + "\n" + strings.TrimRight(lead, " ") + "\n")
		}
	case *manuscript.Heading:
		w.b.WriteString(strings.Repeat("#", b.Level+1) + " " + w.inlines(b.Inlines) + "\n\n")
	case *manuscript.SceneBreak:
		w.b.WriteString("* * *\n\n")
	case *manuscript.Quote:
		for _, x := range b.Blocks {
			w.block(x, "> ")
		}
		w.b.WriteString("\n")
	case *manuscript.Verse:
		for _, stanza := range b.Stanzas {
			var lines []string
			for _, l := range stanza {
				lines = append(lines, strings.Repeat("\u00a0\u00a0\u00a0\u00a0", l.Indent)+w.inlines(l.Inlines))
			}
			w.b.WriteString(strings.Join(lines, "\\\n") + "\n\n")
		}
	case *manuscript.List:
		for i, item := range b.Items {
			mark := "- "
			if b.Ordered {
				mark = fmt.Sprintf("%d. ", i+1)
			}
			for _, x := range item {
				if p, ok := x.(*manuscript.Paragraph); ok {
					w.b.WriteString(mark + w.inlines(p.Inlines) + "\n")
				}
			}
		}
		w.b.WriteString("\n")
	case *manuscript.Table:
		w.table(b)
	}
}

func (w *markdown) table(b *manuscript.Table) {
	for i, r := range b.Rows {
		w.b.WriteString("|")
		for _, c := range r.Cells {
			if p, ok := c.Blocks[0].(*manuscript.Paragraph); ok {
				w.b.WriteString(" " + w.inlines(p.Inlines) + " |")
			}
		}
		w.b.WriteString("\n")
		if i == 0 {
			w.b.WriteString("|" + strings.Repeat(" --- |", len(r.Cells)) + "\n")
		}
	}
	w.b.WriteString("\n")
	if len(b.Caption) > 0 {
		w.b.WriteString(w.inlines(b.Caption) + "\n\n")
	}
}
