package press

import (
	"fmt"
	"path"
	"runtime"
	"strings"

	"mappe/shared/book/manuscript"
)

// walk gives the text of every paragraph in blocks, whatever they stand in.
func walk(blocks []manuscript.Block, text func(string)) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			text(plain(b.Inlines))
		case *manuscript.Heading:
			text(plain(b.Inlines))
		case *manuscript.Figure:
			text(plain(b.Caption))
		case *manuscript.Quote:
			walk(b.Blocks, text)
		case *manuscript.List:
			for _, item := range b.Items {
				walk(item, text)
			}
		case *manuscript.Verse:
			for _, stanza := range b.Stanzas {
				for _, l := range stanza {
					text(plain(l.Inlines))
				}
			}
		case *manuscript.Table:
			for _, row := range b.Rows {
				for _, cell := range row.Cells {
					walk(cell.Blocks, text)
				}
			}
		case *manuscript.Code:
			for _, l := range b.Lines {
				text(l)
			}
		}
	}
}

func plain(inlines []manuscript.Inline) string {
	var b strings.Builder
	for _, in := range inlines {
		switch in := in.(type) {
		case manuscript.Text:
			b.WriteString(in.S)
		case manuscript.Link:
			b.WriteString(plain(in.Inlines))
		case manuscript.LineBreak:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// opening is how the text of a section begins.
func opening(s *manuscript.Section) string {
	first := plain(s.Title)
	walk(s.Blocks, func(t string) {
		if len(first) < 80 {
			first += " " + t
		}
	})
	return first
}

// frame is the place in the program where a panic began.
func frame() string {
	pcs := make([]uintptr, 24)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") && !strings.Contains(f.Function, "press.caught") {
			return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
