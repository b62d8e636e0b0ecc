package readertest

import (
	"fmt"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// Outline writes a book down in a few letters: what the tests compare.
func Outline(b manuscript.Book) string {
	var o strings.Builder
	for _, s := range b.Sections {
		fmt.Fprintf(&o, "§%v %s%s", s.Kind, s.Number, "|"+inlines(s.Title))
		if len(s.Subtitle) > 0 {
			o.WriteString("|" + inlines(s.Subtitle))
		}
		o.WriteByte('\n')
		blocks(&o, s.Blocks)
	}
	for i, n := range b.Notes {
		fmt.Fprintf(&o, "note %d %v\n", i, n.Endnote)
		blocks(&o, n.Blocks)
	}
	return o.String()
}

func blocks(o *strings.Builder, list []manuscript.Block) {
	for _, b := range list {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			o.WriteString("p")
			if b.Role != 0 {
				fmt.Fprintf(o, "r%d", b.Role)
			}
			if b.Align != 0 {
				fmt.Fprintf(o, "a%d", b.Align)
			}
			if b.Scale != 0 {
				fmt.Fprintf(o, "×%.2g", b.Scale)
			}
			if b.DropCap {
				o.WriteString("D")
			}
			o.WriteString(" " + inlines(b.Inlines) + "\n")
		case *manuscript.Heading:
			fmt.Fprintf(o, "h%d %s\n", b.Level, inlines(b.Inlines))
		case *manuscript.Figure:
			fmt.Fprintf(o, "fig %d %.0fmm alt=%s caption=%s\n", b.Image, b.WidthMM, b.Alt, inlines(b.Caption))
		case *manuscript.PageBreak:
			o.WriteString("pagebreak\n")
		case *manuscript.SceneBreak:
			o.WriteString("scene " + b.Mark + "\n")
		case *manuscript.Code:
			o.WriteString("code " + strings.Join(b.Lines, "/") + "\n")
		case *manuscript.Table:
			fmt.Fprintf(o, "table head=%d caption=%s\n", b.HeadRows, inlines(b.Caption))
			for _, r := range b.Rows {
				for _, c := range r.Cells {
					fmt.Fprintf(o, "[%dx%d ", c.ColSpan, c.RowSpan)
					blocks(o, c.Blocks)
					o.WriteString("]")
				}
				o.WriteString("\n")
			}
		case *manuscript.List:
			fmt.Fprintf(o, "list %v %s %d\n", b.Ordered, b.Format, b.Start)
			for _, it := range b.Items {
				o.WriteString("- ")
				blocks(o, it)
			}
		case *manuscript.Quote:
			fmt.Fprintf(o, "quote %v %s\n", b.Epigraph, inlines(b.Attribution))
			blocks(o, b.Blocks)
		case *manuscript.Verse:
			fmt.Fprintf(o, "verse %s\n", inlines(b.Attribution))
			for _, s := range b.Stanzas {
				for _, l := range s {
					fmt.Fprintf(o, " %d %s\n", l.Indent, inlines(l.Inlines))
				}
				o.WriteString(" --\n")
			}
		}
	}
}

var marks = []struct {
	s manuscript.Style
	m string
}{{manuscript.Italic, "/"}, {manuscript.Bold, "*"}, {manuscript.SmallCaps, "^"}, {manuscript.Superscript, "'"}, {manuscript.Subscript,
	","}, {manuscript.Underline, "_"}, {manuscript.Strike, "-"}, {manuscript.Monospace, "`"}, {manuscript.AllCaps, "!"}}

func inlines(in []manuscript.Inline) string {
	var o strings.Builder
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			m := ""
			for _, x := range marks {
				if i.Style.Has(x.s) {
					m += x.m
				}
			}
			if i.Language != "" {
				m += "{" + i.Language + "}"
			}
			if m != "" {
				o.WriteString("<" + m + i.S + ">")
			} else {
				o.WriteString(i.S)
			}
		case manuscript.NoteRef:
			fmt.Fprintf(&o, "[note %d]", i.Note)
		case manuscript.Link:
			kind := "["
			if i.Page {
				kind = "[page "
			}
			o.WriteString(kind + inlines(i.Inlines) + "→" + i.Href + "]")
		case manuscript.LineBreak:
			o.WriteString("⏎")
		case manuscript.InlineImage:
			fmt.Fprintf(&o, "[img %d %s]", i.Image, i.Alt)
		case manuscript.IndexMark:
			fmt.Fprintf(&o, "[xe %s|%s|%s|%s|%s]", i.Term, i.Sub, i.See, i.SeeAlso, i.EndOf)
		case manuscript.Target:
			o.WriteString("[#" + i.Name + "]")
		}
	}
	return o.String()
}

// Told writes findings down, one a line.
func Told(found []finding.Finding) string {
	var o []string
	for _, f := range found {
		s := f.Type.String() + ":" + f.Excerpt
		if f.Detail != "" {
			s += " (" + f.Detail + ")"
		}
		o = append(o, s)
	}
	return strings.Join(o, "\n")
}
